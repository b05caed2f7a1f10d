import { joined, NOTHING_KNOWN, sumOf, type Amounts, type LoadSample, type Quantity } from './load-sample.ts';

interface Sum {
  start: number;
  amounts: Amounts;
  bytesUsed: number | null;
}

/** What several counters of one target grew by, put together by the moment at which each was seen to have grown. */
export class IntervalSums {
  private readonly sums = new Map<number, Sum>();

  /** How many moments there are. */
  get size(): number {
    return this.sums.size;
  }

  /** Whether something was seen to have grown at a moment. */
  endsAt(end: number): boolean {
    return this.sums.has(end);
  }

  /**
   * @param start moment at which the counter was seen before, seconds since 1970.
   * @param end and now.
   */
  add(start: number, end: number, amounts: Partial<Record<Quantity, number | null>>): void {
    const sum = this.sumAt(start, end);
    sum.amounts = sumOf(sum.amounts, { ...NOTHING_KNOWN, ...amounts });
  }

  /** Says how many bytes are stored at a moment. */
  addBytesUsed(start: number, end: number, bytesUsed: number): void {
    this.sumAt(start, end).bytesUsed = bytesUsed;
  }

  private sumAt(start: number, end: number): Sum {
    const known = this.sums.get(end);
    if (known !== undefined) {
      known.start = Math.min(known.start, start);
      return known;
    }
    const sum: Sum = { start, amounts: NOTHING_KNOWN, bytesUsed: null };
    this.sums.set(end, sum);
    return sum;
  }

  /**
   * The sums in the order of time. Where a counter was not seen at a moment, its growth spans others: all of these become one
   * sample, since nobody knows in which of them it grew. So no two samples overlap, and no byte counts twice.
   */
  samples(): LoadSample[] {
    const samples: LoadSample[] = [];
    for (const [end, { start, amounts, bytesUsed }] of [...this.sums].sort(([a], [b]) => a - b)) {
      let sample: LoadSample = { ...amounts, start, end, bytesUsed, cpuPercent: null };
      while (samples.length > 0 && samples.at(-1)!.end > sample.start) sample = joined(samples.pop()!, sample);
      samples.push(sample);
    }
    return samples;
  }
}
