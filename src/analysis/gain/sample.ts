import { addToGroup } from '../../base/grouping.ts';
const MOST = 256;

/**
 * Durations of calls with their bytes: all of them up to 256, then every second, every fourth, …, so that the whole run is
 * covered and the same recording always gives the same sample.
 */
export class Sample {
  private readonly durations: number[] = [];
  private readonly sizes: number[] = [];
  private seen = 0;
  private step = 1;

  add(duration: number, bytes: number): void {
    if (this.seen++ % this.step !== 0) return;
    if (this.durations.length === MOST) {
      for (let i = 0; i < MOST / 2; i++) {
        this.durations[i] = this.durations[2 * i]!;
        this.sizes[i] = this.sizes[2 * i]!;
      }
      this.durations.length = this.sizes.length = MOST / 2;
      this.step *= 2;
      // Only calls at the new distance from the first count; this one may not be one.
      if ((this.seen - 1) % this.step !== 0) return;
    }
    this.durations.push(duration);
    this.sizes.push(bytes);
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

/** A quantile (0 to 1) of sorted values; NaN when there are none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
