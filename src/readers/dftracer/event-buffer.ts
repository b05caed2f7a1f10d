import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';

/**
 * The events of one file as they were read: they stand in the order in which they ended, and what names them by hash may
 * stand anywhere.
 */
export class EventBuffer {
  /** Microseconds since 1970. */
  readonly start = new NumberColumn();
  readonly duration = new NumberColumn();
  /** Identifier within the process, and that of the event around it; NaN when unknown. */
  readonly id = new NumberColumn();
  readonly parentId = new NumberColumn();
  /** As recorded; NaN when it was not. */
  readonly result = new NumberColumn();
  readonly count = new NumberColumn();
  readonly elementSize = new NumberColumn();
  readonly offset = new NumberColumn();
  /** Flags, mode, whence or length, by the call. */
  readonly argument = new NumberColumn();
  /** Index of category and name together. */
  readonly call = new IntegerColumn();
  /** Index of process and thread together. */
  readonly thread = new IntegerColumn();
  /** Numbers of paths, as PathNames gives them, or NONE; `other` is the second path. */
  readonly path = new IntegerColumn();
  readonly other = new IntegerColumn();
  readonly line = new IntegerColumn();

  get length(): number {
    return this.start.length;
  }

  /** Events in the order in which they began; what contains another stands in front of it. */
  order(): Uint32Array {
    const { start, duration } = this;
    const order = Uint32Array.from({ length: this.length }, (_, index) => index);
    return order.sort((a, b) => start.at(a) - start.at(b) || duration.at(b) - duration.at(a) || a - b);
  }
}
