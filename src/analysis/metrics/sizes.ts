/** Upper ends (inclusive) of Darshan's ten access-size bins, in bytes: 0_100, 100_1K, …, 100M_1G, 1G_PLUS. */
export const SIZE_BIN_ENDS: readonly number[] = [
  100,
  1024,
  10_240,
  102_400,
  1_048_576,
  4_194_304,
  10_485_760,
  104_857_600,
  1_073_741_824,
  Infinity,
];

/** The bin that a size falls into (Darshan's DARSHAN_BUCKET_INC). */
export function sizeBin(bytes: number): number {
  let bin = 0;
  while (bytes > SIZE_BIN_ENDS[bin]!) bin++;
  return bin;
}

const MOST_DIFFERENT = 256;

/**
 * How often each size occurred. Most programs use a handful of sizes, which are counted exactly; beyond 256 different
 * ones further sizes are rounded down to powers of two.
 */
export class SizeDistribution {
  private readonly counted = new Map<number, number>();
  total = 0;
  /** The size of the last calls, and how many of them are not in the map yet: programs repeat themselves. */
  private last = NaN;
  private waiting = 0;

  add(bytes: number): void {
    this.total++;
    if (bytes !== this.last) {
      this.settle();
      this.last = bytes;
    }
    this.waiting++;
  }

  /** The map with all calls in it. */
  private settle(): ReadonlyMap<number, number> {
    const { counted, last, waiting } = this;
    if (waiting === 0) return counted;
    const isKnown = counted.has(last) || counted.size < MOST_DIFFERENT;
    const size = isKnown ? last : last > 0 ? 2 ** Math.floor(Math.log2(last)) : 0;
    counted.set(size, (counted.get(size) ?? 0) + waiting);
    this.waiting = 0;
    return counted;
  }

  /** Median of the sizes below `limit`, in bytes; NaN when there is none. */
  median(limit = Infinity): number {
    const sizes = [...this.settle()].filter(([size]) => size < limit).sort(([a], [b]) => a - b);
    const half = sizes.reduce((sum, [, count]) => sum + count, 0) / 2;
    let seen = 0;
    for (const [size, count] of sizes) {
      seen += count;
      if (seen >= half) return size;
    }
    return NaN;
  }

  /** The sizes below `limit` with their counts, the smallest first; undefined where some were rounded. */
  below(limit = Infinity): [bytes: number, count: number][] | undefined {
    const counted = this.settle();
    if (counted.size >= MOST_DIFFERENT) return undefined;
    return [...counted].filter(([size]) => size < limit).sort(([a], [b]) => a - b);
  }

  /** The commonest sizes with their counts, commonest first (Darshan's ACCESS1…4). */
  commonest(number = 4): [bytes: number, count: number][] {
    return [...this.settle()].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, number);
  }

  /** All counted sizes with their counts. */
  entries(): [bytes: number, count: number][] {
    return [...this.settle()];
  }
}
