import { addToGroup } from '../../base/grouping.ts';
const MOST = 256;

/**
 * Durations of calls with their bytes: all of them up to 256, then about every second, every fourth, …, so that the whole
 * run is covered and the same recording always gives the same sample. Which ones is left to chance: a loop may do
 * something else each 128th time.
 */
export class Sample {
  private readonly durations: number[] = [];
  private readonly sizes: number[] = [];
  /** The lots that were drawn for them. */
  private readonly lots: number[] = [];
  private seen = 0;
  /** Bits that are 0 in the lots of those that are kept. */
  private mask = 0;

  add(duration: number, bytes: number): void {
    const lot = lotOf(this.seen++);
    if ((lot & this.mask) !== 0) return;
    this.durations.push(duration);
    this.sizes.push(bytes);
    this.lots.push(lot);
    while (this.durations.length > MOST) this.thin();
  }

  private thin(): void {
    this.mask = this.mask * 2 + 1;
    let kept = 0;
    for (let i = 0; i < this.lots.length; i++) {
      if ((this.lots[i]! & this.mask) !== 0) continue;
      this.durations[kept] = this.durations[i]!;
      this.sizes[kept] = this.sizes[i]!;
      this.lots[kept++] = this.lots[i]!;
    }
    this.durations.length = this.sizes.length = this.lots.length = kept;
  }

  get length(): number {
    return this.durations.length;
  }

  /** Durations in the order of their lengths. */
  get sorted(): Float64Array {
    return Float64Array.from(this.durations).sort();
  }

  /** Durations and mean bytes of calls of about one size: within a power of two. */
  bySize(): { readonly bytes: number; readonly sorted: Float64Array }[] {
    const classes = new Map<number, number[]>();
    this.sizes.forEach((bytes, i) => {
      const power = bytes > 0 ? Math.floor(Math.log2(bytes)) : -1;
      addToGroup(classes, power, i);
    });
    return [...classes.values()].map((members) => ({
      bytes: members.reduce((sum, i) => sum + this.sizes[i]!, 0) / members.length,
      sorted: Float64Array.from(members, (i) => this.durations[i]!).sort(),
    }));
  }
}

/** A number of 32 bits that looks like chance (the finaliser of MurmurHash3). */
function lotOf(number: number): number {
  let lot = number ^ (number >>> 16);
  lot = Math.imul(lot, 0x85ebca6b);
  lot ^= lot >>> 13;
  lot = Math.imul(lot, 0xc2b2ae35);
  return lot ^ (lot >>> 16);
}

/** A quantile (0 to 1) of sorted values; NaN when there are none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
