/** Rank statistics: of values only their order counts. */

/**
 * Ranks from 1, equal values with the mean of theirs, and their sums.
 * @returns `sums[k]`: of the first k values.
 */
export function rankSums(values: readonly number[]): { readonly ranks: Float64Array; readonly sums: Float64Array } {
  const order = Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++;
    for (let i = from; i < to; i++) ranks[order[i]!] = (from + 1 + to) / 2;
    from = to;
  }
  const sums = new Float64Array(values.length + 1);
  ranks.forEach((rank, i) => (sums[i + 1] = sums[i]! + rank));
  return { ranks, sums };
}

/** The probability that values of a second sample lie higher than those of a first one only by chance (Mann and Whitney). */
export function higherByChance(first: readonly number[], second: readonly number[]): number {
  const [before, after] = [first.length, second.length];
  const { sums } = rankSums([...first, ...second]);
  const off = (before * (before + after + 1)) / 2 - sums[before]! - 0.5;
  return tailOfNormal(off / Math.sqrt((before * after * (before + after + 1)) / 12));
}

/** Share of values below a value, those that equal it half: 0 to 1. */
export function percentileOf(value: number, values: readonly number[]): number {
  const below = values.reduce((sum, other) => sum + (other < value ? 1 : other === value ? 0.5 : 0), 0);
  return below / values.length;
}

/** @param share 0.5: the median. Undefined of no values. */
export function quantile(values: readonly number[], share: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return low + (high - low) * (place - Math.floor(place));
}

/** Probability of a standard normal value above z, with seven digits however small it is (Numerical Recipes, `erfcc`). */
export function tailOfNormal(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  const series = ERFC.reduceRight((sum, coefficient) => sum * t + coefficient, 0);
  const tail = (t * Math.exp(-x * x + series)) / 2;
  return z >= 0 ? tail : 1 - tail;
}

/** Coefficients of Chebyshev's approximation of the logarithm of erfc. */
const ERFC = [
  ...[-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806],
  ...[0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277],
];
