import { ROLE } from './shown-events.ts';
import type { SpanBlock } from './span-source.ts';

const { shown, call, takesTime, isRequest } = ROLE;

/** Sums of rows of spans; times in nanoseconds. */
interface Amounts {
  readonly events: Float64Array;
  readonly timeNs: Float64Array;
  readonly bytes: Float64Array;
}

/** What each row of spans sums up to. */
export class RowTotals {
  /** Spans that are drawn. */
  spans = new Int32Array(0);
  /** Everything of the row: right where all of it is of one layer. */
  own: Amounts = allocate(0);
  /** Requests of the lowest layer, and time of the outermost calls: a transfer that two layers show counts once. */
  once: Amounts = allocate(0);
  /** A bit for each sort of span that the row holds (a few sorts share one). */
  kinds = new Int32Array(0);

  /** @param rows that there are so far. */
  add({ length, row: rowOf, time, role, bytes, kind }: SpanBlock, rows: number): void {
    if (rows > this.spans.length) this.grow(Math.max(rows, 2 * this.spans.length));
    const { spans, own, once, kinds } = this;
    for (let i = 0; i < length; i++) {
      const bits = role[i]!;
      const row = rowOf[i]!;
      if (bits & shown) {
        spans[row]!++;
        kinds[row]! |= 1 << kind[i]!;
      }
      if (!(bits & call)) continue;
      own.events[row]!++;
      own.timeNs[row]! += time[i]!;
      own.bytes[row]! += bytes[i]!;
      if (bits & takesTime) once.timeNs[row]! += time[i]!;
      if (!(bits & isRequest)) continue;
      once.events[row]!++;
      once.bytes[row]! += bytes[i]!;
    }
  }

  private grow(rows: number): void {
    const { spans, kinds } = this;
    this.spans = new Int32Array(rows);
    this.spans.set(spans);
    this.kinds = new Int32Array(rows);
    this.kinds.set(kinds);
    this.own = widened(this.own, rows);
    this.once = widened(this.once, rows);
  }
}

function allocate(rows: number): Amounts {
  return { events: new Float64Array(rows), timeNs: new Float64Array(rows), bytes: new Float64Array(rows) };
}

function widened(amounts: Amounts, rows: number): Amounts {
  const wider = allocate(rows);
  wider.events.set(amounts.events);
  wider.timeNs.set(amounts.timeNs);
  wider.bytes.set(amounts.bytes);
  return wider;
}
