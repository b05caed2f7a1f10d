import { CHUNK_MASK, NONE, type EventTable } from '../../trace/events.ts';

/**
 * Offsets that were worked out from where a file ends: they hold as long as one process alone writes it, which is known
 * when all processes are read.
 */
export class OffsetsFromEnds {
  /** The one process that writes a file, NONE for several. */
  private readonly writers = new Map<number, number>();
  private readonly rows: number[] = [];

  /** @param process any number that tells processes apart. */
  writes(file: number, process: number): void {
    const known = this.writers.get(file);
    if (known === undefined) this.writers.set(file, process);
    else if (known !== process) this.writers.set(file, NONE);
  }

  /** The offset of a row was worked out so. */
  add(row: number): void {
    this.rows.push(row);
  }

  /** All processes were read: where several write, the offsets are unknown. */
  forgetWrong(events: EventTable): void {
    for (const row of this.rows) {
      const chunk = events.chunkOf(row);
      const i = row & CHUNK_MASK;
      if (this.writers.get(chunk.file[i]!) === NONE) chunk.offset[i] = NaN;
    }
  }
}
