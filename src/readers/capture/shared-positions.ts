import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import { CHUNK_MASK, NONE, type EventTable } from '../../trace/events.ts';

/**
 * Positions of open files that several processes use, because one was forked while they were open. Processes are read one
 * after the other; where each access was shows when all are read, from their order in time.
 */
export class SharedPositions {
  /** By description: where it is behind the accesses that were worked out. */
  private readonly positions = new NumberColumn();
  /** Entries that were worked out. */
  private resolved = 0;
  /** Nanoseconds from the trace's reference. */
  private readonly time = new NumberColumn();
  private readonly description = new IntegerColumn();
  /** Row of an access, NONE where the position is set. */
  private readonly row = new IntegerColumn();
  /** Bytes that were moved, or the position. */
  private readonly value = new NumberColumn();

  /** A description is shared from now on. @returns its number. */
  add(position: number, time: number): number {
    const description = this.positions.push(NaN);
    this.set(description, position, time);
    return description;
  }

  set(description: number, position: number, time: number): void {
    this.push(description, NONE, position, time);
  }

  /** An access at the position moved it on. */
  moved(description: number, row: number, bytes: number, time: number): void {
    this.push(description, row, bytes, time);
  }

  private push(description: number, row: number, value: number, time: number): void {
    this.time.push(time);
    this.description.push(description);
    this.row.push(row);
    this.value.push(value);
  }

  /** Puts the offsets into the rows of the accesses that came since the last time. */
  resolve(events: EventTable): void {
    const { time, description, row, value, resolved } = this;
    const order = Uint32Array.from({ length: time.length - resolved }, (_, i) => resolved + i);
    order.sort((a, b) => time.at(a) - time.at(b) || a - b);
    const positions = this.positions.values;
    for (const i of order) {
      const of = description.at(i);
      if (row.at(i) === NONE) positions[of] = value.at(i);
      else {
        events.chunkOf(row.at(i)).offset[row.at(i) & CHUNK_MASK] = positions[of]!;
        positions[of]! += value.at(i);
      }
    }
    this.resolved = time.length;
  }
}
