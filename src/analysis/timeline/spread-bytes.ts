import { stretchNear, type Stretches } from './bins.ts';

/** Bytes by stretch of time, of transfers that lie at least partly in one of them. */
export class SpreadBytes {
  private readonly bytes: Float64Array;
  /** Bytes per nanosecond that begin to flow in a stretch as a whole, and those that end, with their number. */
  private readonly rates: Float64Array;
  private readonly flows: Int32Array;
  /** Where the last transfer began: the next one begins nearby, as a rule. */
  private near = 0;

  constructor(private readonly stretches: Stretches) {
    this.bytes = new Float64Array(stretches.count);
    this.rates = new Float64Array(stretches.count + 1);
    this.flows = new Int32Array(stretches.count + 1);
  }

  add(start: number, duration: number, bytes: number): void {
    const { stretches } = this;
    const first = stretchNear(stretches, this.near, start);
    this.near = first;
    if (duration <= 0) {
      this.bytes[first]! += bytes;
      return;
    }
    const end = start + duration;
    const rate = bytes / duration;
    const last = end >= stretches.to ? stretches.count - 1 : stretchNear(stretches, first, end);
    const within = (stretch: number): number =>
      Math.max(0, Math.min(end, stretches.edge(stretch + 1)) - Math.max(start, stretches.edge(stretch)));
    this.bytes[first]! += rate * within(first);
    if (last > first) this.bytes[last]! += rate * within(last);
    if (last <= first + 1) return;
    this.rates[first + 1]! += rate;
    this.rates[last]! -= rate;
    this.flows[first + 1]!++;
    this.flows[last]!--;
  }

  sums(): Float64Array {
    let rate = 0;
    let flows = 0;
    for (let stretch = 0; stretch < this.stretches.count; stretch++) {
      flows += this.flows[stretch]!;
      // What is left of sums that should be nothing is rounding.
      rate = flows === 0 ? 0 : rate + this.rates[stretch]!;
      if (flows > 0) this.bytes[stretch]! += rate * (this.stretches.edge(stretch + 1) - this.stretches.edge(stretch));
    }
    return this.bytes;
  }
}
