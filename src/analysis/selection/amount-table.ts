import type { Amount } from '../triggers/insight.ts';
import { WEIGHT } from './call-weights.ts';

const REQUESTS = 0;
const REQUEST_BYTES = 1;
const OTHERS = 2;
const OTHER_BYTES = 3;
const OWN_TIME = 4;
const OWN_CALLS = 5;
const INNER_TIME = 6;
const WIDTH = 7;

/**
 * Sums of calls, bytes and time, one row for each thing. Where several layers show the same transfer it counts once: calls
 * and bytes are those of the requests that reach the file, time is that of the program's own calls; where a row has only
 * calls of the other layer, these stand in.
 */
export class AmountTable {
  private values: Float64Array;

  constructor(rows: number) {
    this.values = new Float64Array(Math.max(1, rows) * WIDTH);
  }

  /** @param weight bits of WEIGHT of an event; what is no call adds nothing. */
  add(row: number, weight: number, bytes: number, timeNs: number): void {
    if ((weight & WEIGHT.call) === 0) return;
    while ((row + 1) * WIDTH > this.values.length) this.grow();
    const { values } = this;
    const at = row * WIDTH;
    const isRequest = (weight & WEIGHT.request) !== 0;
    values[at + (isRequest ? REQUESTS : OTHERS)]!++;
    values[at + (isRequest ? REQUEST_BYTES : OTHER_BYTES)]! += bytes;
    const isOwn = (weight & WEIGHT.outermost) !== 0;
    if (isOwn) values[at + OWN_CALLS]!++;
    values[at + (isOwn ? OWN_TIME : INNER_TIME)]! += timeNs;
  }

  /** @param row a row that nothing was added to is all zeros. */
  amount(row: number): Amount {
    return this.sum([row]);
  }

  /** The amount of several rows together. */
  sum(rows: Iterable<number>): Amount {
    const sums = new Float64Array(WIDTH);
    for (const row of rows) {
      const at = row * WIDTH;
      if (at >= this.values.length) continue;
      for (let i = 0; i < WIDTH; i++) sums[i]! += this.values[at + i]!;
    }
    const hasRequests = sums[REQUESTS]! > 0;
    return {
      events: hasRequests ? sums[REQUESTS]! : sums[OTHERS]!,
      bytes: hasRequests ? sums[REQUEST_BYTES]! : sums[OTHER_BYTES]!,
      timeNs: sums[OWN_CALLS]! > 0 ? sums[OWN_TIME]! : sums[INNER_TIME]!,
    };
  }

  private grow(): void {
    const wider = new Float64Array(this.values.length * 2);
    wider.set(this.values);
    this.values = wider;
  }
}
