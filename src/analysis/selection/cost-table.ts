import type { EventChunk } from '../../trace/events.ts';
import type { Cost } from '../gain/cost.ts';
import type { CostSums } from '../gain/cost-sums.ts';
import type { RunCosts } from '../gain/run-costs.ts';
import { WEIGHT } from './call-weights.ts';

/**
 * What selected calls cost of the run, a row for each thing. Findings and lists count the same calls. Time is that of the
 * program's own calls, as in `AmountTable`; where a row has only those of other layers, these stand in.
 */
export class CostTable {
  private readonly own: CostSums;
  private readonly inner: CostSums;

  constructor(private readonly costs: RunCosts) {
    this.own = costs.sums();
    this.inner = costs.sums();
  }

  /** @param weight bits of WEIGHT of the event in row `i` of `chunk`. */
  add(row: number, weight: number, chunk: EventChunk, i: number): void {
    if ((weight & WEIGHT.call) === 0 || (weight & WEIGHT.counted) === 0) return;
    (weight & WEIGHT.outermost ? this.own : this.inner).add(row, chunk, i);
  }

  /** Of some rows together; undefined where they hold no call that counts, or the recording holds no times. */
  cost(...rows: readonly number[]): Cost | undefined {
    const sums = this.own.has(rows) ? this.own : this.inner;
    return sums.has(rows) ? this.costs.cost(1, sums.spentOn(rows)) : undefined;
  }
}
