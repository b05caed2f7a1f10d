/** Between calls so far apart, in nanoseconds, the program did something: no tracer, and no busy processor, takes so long. */
const LONGEST = 1e9;
/** Gaps within a quarter of a power of two count as alike. */
const PER_OCTAVE = 4;

/**
 * Times between the end of a call and the begin of the next of its stream, without the longest: all of them, since a sample
 * of every n-th misses what a loop does every m-th time.
 */
export class Gaps {
  private readonly counts = new Float64Array(sizeOf(LONGEST) + 1);
  private readonly sums = new Float64Array(this.counts.length);

  /** @param gap nanoseconds. */
  add(gap: number): void {
    if (!(gap >= 0) || gap >= LONGEST) return;
    const size = sizeOf(gap);
    this.counts[size]!++;
    this.sums[size]! += gap;
  }

  get count(): number {
    return this.counts.reduce((all, count) => all + count, 0);
  }

  /** Nanoseconds of the gaps that are shorter than a bound, within a quarter of a power of two. */
  total(below: number): number {
    return this.sums.subarray(0, sizeOf(below)).reduce((all, sum) => all + sum, 0);
  }

  /** The gap that a share (0 to 1) of all is no longer than, within a quarter of a power of two. */
  quantile(share: number): number {
    const wanted = share * this.count;
    let seen = 0;
    for (let size = 0; size < this.counts.length; size++) {
      seen += this.counts[size]!;
      if (seen > 0 && seen >= wanted) return this.sums[size]! / this.counts[size]!;
    }
    return 0;
  }

  /** By how much all gaps below a bound together are longer than `most`; nanoseconds. */
  beyond(most: number, below: number): number {
    return this.counts
      .subarray(0, sizeOf(below))
      .reduce((all, count, size) => all + Math.max(0, this.sums[size]! - count * most), 0);
  }
}

/** Recorders print whole microseconds, and a logarithm takes as long as all else that is done with a call: those of short times are kept. */
const KEPT = 1 << 14;
const MICROSECOND = 1000;
/** Sizes by microseconds, plus 1; 0 is not known yet. */
const kept = new Uint8Array(KEPT);

function sizeOf(gap: number): number {
  const microseconds = gap / MICROSECOND;
  const place = microseconds | 0;
  if (place !== microseconds || place <= 0 || place >= KEPT) return computedSize(gap);
  return (kept[place] ||= computedSize(gap) + 1) - 1;
}

function computedSize(gap: number): number {
  return gap <= 1 ? 0 : Math.floor(Math.log2(Math.min(gap, LONGEST)) * PER_OCTAVE);
}
