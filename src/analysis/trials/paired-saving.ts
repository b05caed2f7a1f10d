/** What a change saves, by runs before and after it that were made in turns. Times in nanoseconds. */
export interface PairedSaving {
  /** Median of the differences of pairs, before less after. */
  readonly savedNs: number;
  /** The median of all such differences lies between these with the confidence. */
  readonly lowNs: number;
  readonly highNs: number;
  /** 0 to 1: as near to WANTED as so many pairs come. */
  readonly confidence: number;
}

const WANTED = 0.9;

/**
 * The interval of the sign test: it supposes nothing of how run times are spread, and one run that the machine held up does
 * not move it.
 */
export function pairedSaving(before: readonly number[], after: readonly number[]): PairedSaving {
  const differences = before.map((time, i) => time - after[i]!).sort((a, b) => a - b);
  const pairs = differences.length;
  let left = 0;
  while (2 * (left + 2) <= pairs && confidenceOf(pairs, left + 1) >= WANTED) left++;
  return {
    savedNs: medianOf(differences),
    lowNs: differences[left]!,
    highNs: differences.at(-1 - left)!,
    confidence: confidenceOf(pairs, left),
  };
}

/** Whether the change saves time beyond doubt: fewer than five pairs lie on one side by chance too often. */
export function isSure({ lowNs, highNs, confidence }: PairedSaving): boolean {
  return confidence >= WANTED && (lowNs > 0 || highNs < 0);
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How probably the median lies within the ordered values when so many are left out at either end. */
function confidenceOf(pairs: number, left: number): number {
  let outside = 0;
  let binomial = 1;
  for (let below = 0; below <= left; below++) {
    outside += binomial;
    binomial = (binomial * (pairs - below)) / (below + 1);
  }
  return Math.max(0, 1 - (2 * outside) / 2 ** pairs);
}
