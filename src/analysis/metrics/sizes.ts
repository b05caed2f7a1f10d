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

  add(bytes: number): void {
    this.total++;
    const known = this.counted.get(bytes);
    if (known !== undefined) this.counted.set(bytes, known + 1);
    else if (this.counted.size < MOST_DIFFERENT) this.counted.set(bytes, 1);
    else {
      const rounded = bytes > 0 ? 2 ** Math.floor(Math.log2(bytes)) : 0;
      this.counted.set(rounded, (this.counted.get(rounded) ?? 0) + 1);
    }
  }

  /** Median of the sizes below `limit`, in bytes; NaN when there is none. */
  median(limit = Infinity): number {
    const sizes = [...this.counted].filter(([size]) => size < limit).sort(([a], [b]) => a - b);
    const half = sizes.reduce((sum, [, count]) => sum + count, 0) / 2;
    let seen = 0;
    for (const [size, count] of sizes) {
      seen += count;
      if (seen >= half) return size;
    }
    return NaN;
  }

  /** The commonest sizes with their counts, commonest first (Darshan's ACCESS1…4). */
  commonest(number = 4): [bytes: number, count: number][] {
    return [...this.counted].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, number);
  }

  /** All counted sizes with their counts. */
  entries(): [bytes: number, count: number][] {
    return [...this.counted];
  }
}
