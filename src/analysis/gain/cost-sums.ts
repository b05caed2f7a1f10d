import type { EventChunk } from '../../trace/events.ts';
import type { CallPrices } from './call-prices.ts';
import type { CallCosts } from './cost.ts';
import { estimate, NOTHING, type Estimate } from './estimate.ts';
import type { Lanes } from './lanes.ts';

interface LaneSum {
  value: number;
  deviation: number;
}

/** Sums of what calls cost, a row for each thing that they are shown by: an activity of a graph, a selected line. */
export class CostSums {
  /** By lane. */
  private readonly rows: (Map<number, LaneSum> | undefined)[] = [];
  private lastRow = NaN;
  private lastLane = NaN;
  private lastSum: LaneSum = { value: 0, deviation: 0 };

  constructor(
    private readonly prices: CallPrices,
    private readonly lanes: Lanes,
    private readonly calls: CallCosts,
  ) {}

  /** Adds the call in row `i` of `chunk`. */
  add(row: number, chunk: EventChunk, i: number): void {
    const { fixed, perByte, perNs } = this.prices.of(chunk, i);
    const sum = this.sumOf(row, this.lanes.of[chunk.stream[i]!]!);
    const bytes = chunk.bytes[i]!;
    const duration = chunk.duration[i]!;
    const timeNs = duration >= 0 && duration < Infinity ? duration : 0;
    sum.value += fixed.value + perByte.value * bytes + perNs.value * timeNs;
    sum.deviation += fixed.deviation + perByte.deviation * bytes + perNs.deviation * timeNs;
  }

  /** Time of the run that the calls of a row take: what the dearest lane waits for; the others run beside it. */
  spent(row: number): Estimate {
    const lanes = this.rows[row];
    if (lanes === undefined) return NOTHING;
    let [value, deviation, most] = [0, 0, 0];
    for (const [lane, sum] of lanes) {
      value += sum.value;
      deviation += sum.deviation;
      most = Math.max(most, sum.value * this.calls.waitedShare(lane));
    }
    return value > 0 ? estimate(most, (deviation * most) / value) : estimate(0, deviation);
  }

  private sumOf(row: number, lane: number): LaneSum {
    if (row === this.lastRow && lane === this.lastLane) return this.lastSum;
    const lanes = (this.rows[row] ??= new Map<number, LaneSum>());
    let sum = lanes.get(lane);
    if (sum === undefined) lanes.set(lane, (sum = { value: 0, deviation: 0 }));
    this.lastRow = row;
    this.lastLane = lane;
    return (this.lastSum = sum);
  }
}
