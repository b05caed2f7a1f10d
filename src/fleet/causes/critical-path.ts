/** The critical path as columns: stretch k is reckoned to `files[k]`. By time; stretches do not overlap. */
export interface CriticalPath {
  readonly files: readonly number[];
  readonly froms: readonly number[];
  readonly tos: readonly number[];
}

/**
 * Covers the time in which at least one interval is active with as few intervals as possible (IOMiner, section II.D).
 *
 * Algorithm 2 of the paper leaves open which active file follows when one ends. Here it is the one that ends last, which
 * makes the cover a minimum: whatever covers the next moment reaches no further (docs/decisions/0113). All that the
 * sweep must know of the intervals that begin at a moment is therefore which of them ends last. O(n log n): one sort of
 * the starts, a search among them for each interval, one sweep.
 *
 * Intervals that are not finite, or do not last, cover nothing.
 */
export function criticalPath(starts: Float64Array, ends: Float64Array): CriticalPath {
  const moments = distinctStarts(starts, ends);
  const lastToEnd = lastToEndByStart(moments, starts, ends);
  const path = { files: [] as number[], froms: [] as number[], tos: [] as number[] };
  let covered = -Infinity;
  let next = -1;
  const take = (file: number, from: number): void => {
    path.files.push(file);
    path.froms.push(from);
    path.tos.push(ends[file]!);
    covered = ends[file]!;
    next = -1;
  };
  for (let i = 0; i < moments.length; i++) {
    const file = lastToEnd[i]!;
    if (moments[i]! > covered && next >= 0) take(next, covered);
    if (moments[i]! > covered) take(file, moments[i]!);
    else if (ends[file]! > (next < 0 ? covered : ends[next]!)) next = file;
  }
  if (next >= 0) take(next, covered);
  return path;
}

function lasts(start: number, end: number): boolean {
  return end > start && Number.isFinite(end - start);
}

function distinctStarts(starts: Float64Array, ends: Float64Array): Float64Array {
  const moments = new Float64Array(starts.length);
  let length = 0;
  for (let i = 0; i < starts.length; i++) if (lasts(starts[i]!, ends[i]!)) moments[length++] = starts[i]!;
  const sorted = moments.subarray(0, length).sort();
  let count = 0;
  for (let i = 0; i < length; i++) if (i === 0 || sorted[i] !== sorted[count - 1]) sorted[count++] = sorted[i]!;
  return sorted.subarray(0, count);
}

/** For each moment, of the intervals that begin then, the one that ends last; the first of several. */
function lastToEndByStart(moments: Float64Array, starts: Float64Array, ends: Float64Array): Int32Array {
  const last = new Int32Array(moments.length).fill(-1);
  const parts = new Parts(moments);
  for (let i = 0; i < starts.length; i++) {
    if (!lasts(starts[i]!, ends[i]!)) continue;
    const moment = parts.indexOf(starts[i]!);
    const other = last[moment]!;
    if (other < 0 || ends[i]! > ends[other]!) last[moment] = i;
  }
  return last;
}

/** Sorted values, cut into as many equally long parts: a search looks at one part, which holds one value on average. */
class Parts {
  private readonly firstOf: Int32Array;
  private readonly least: number;
  private readonly scale: number;

  constructor(private readonly sorted: Float64Array) {
    const { length } = sorted;
    this.least = sorted[0] ?? 0;
    const span = (sorted[length - 1] ?? 0) - this.least;
    // A span without bound, or none, makes a single part.
    this.scale = span > 0 && span < Infinity && length / span < Infinity ? (length - 1) / span : 0;
    this.firstOf = new Int32Array(length + 1);
    for (let i = 0; i < length; i++) this.firstOf[this.partOf(sorted[i]!) + 1] = i + 1;
    for (let part = 1; part <= length; part++)
      if (this.firstOf[part]! < this.firstOf[part - 1]!) this.firstOf[part] = this.firstOf[part - 1]!;
  }

  private partOf(value: number): number {
    if (this.scale === 0) return 0;
    return Math.min(this.sorted.length - 1, Math.floor((value - this.least) * this.scale));
  }

  /** Of a value that is one of them. */
  indexOf(value: number): number {
    const { sorted, firstOf } = this;
    const part = this.partOf(value);
    let low = firstOf[part]!;
    let high = firstOf[part + 1]! - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
