import { getOrCreate } from '../../base/grouping.ts';
import type { EventChunk } from '../../trace/events.ts';
import type { CallPrices } from './call-prices.ts';
import type { CallCosts } from './cost.ts';
import { estimate, type Estimate } from './estimate.ts';
import type { Lanes } from './lanes.ts';

interface LaneSum {
  value: number;
  deviation: number;
}

/** Sums that a list holds. */
const QUICK = 1 << 14;

/** Sums of what calls cost, a row for each thing that they are shown by: an activity of a graph, a selected line. */
export class CostSums {
  /** By lane. */
  private readonly rows: (Map<number, LaneSum> | undefined)[] = [];
  /** The same sums, by row and lane while that makes short lists: every call asks for one. */
  private readonly quick = new Array<LaneSum | undefined>(QUICK);

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
    return this.spentOn([row]);
  }

  /** The same of several rows together. */
  spentOn(rows: readonly number[]): Estimate {
    const ofLane = new Map<number, number>();
    let [value, deviation] = [0, 0];
    for (const row of rows) {
      for (const [lane, sum] of this.rows[row] ?? []) {
        value += sum.value;
        deviation += sum.deviation;
        ofLane.set(lane, (ofLane.get(lane) ?? 0) + sum.value * this.calls.waitedShare(lane));
      }
    }
    let most = 0;
    for (const waited of ofLane.values()) most = Math.max(most, waited);
    return value > 0 ? estimate(most, (deviation * most) / value) : estimate(0, deviation);
  }

  /** What the calls of a row take in all processes and threads together: unlike what is spent, this adds up. */
  worked(row: number): number {
    let all = 0;
    for (const { value } of this.rows[row]?.values() ?? []) all += value;
    return all;
  }

  /** Whether any call was added to one of the rows. */
  has(rows: readonly number[]): boolean {
    return rows.some((row) => this.rows[row] !== undefined);
  }

  private sumOf(row: number, lane: number): LaneSum {
    const place = row * this.lanes.count + lane;
    if (place >= QUICK) return this.foundSum(row, lane);
    return (this.quick[place] ??= this.foundSum(row, lane));
  }

  private foundSum(row: number, lane: number): LaneSum {
    const lanes = (this.rows[row] ??= new Map<number, LaneSum>());
    return getOrCreate(lanes, lane, () => ({ value: 0, deviation: 0 }));
  }
}
