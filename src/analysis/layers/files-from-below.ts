import { CHUNK_ROWS, type EventTable } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';

/**
 * Files of calls that know none themselves (those of Drishti's HDF5 connector): the file that the calls below them moved
 * most bytes of, or made most calls on where none moved any. Without a file a call is part of no total, and neither its
 * time nor that of the calls below it, which is part of its own, would count.
 */
export class FilesFromBelow {
  /** By row: what was done below it to each file. */
  private readonly uses = new Map<number, Map<number, { bytes: number; calls: number }>>();

  add(row: number, file: FileIndex, bytes: number): void {
    let files = this.uses.get(row);
    if (files === undefined) this.uses.set(row, (files = new Map<number, { bytes: number; calls: number }>()));
    const use = files.get(file);
    if (use === undefined) files.set(file, { bytes, calls: 1 });
    else {
      use.bytes += bytes;
      use.calls++;
    }
  }

  /** Writes the files into the rows. */
  fill(events: EventTable): void {
    if (this.uses.size === 0) return;
    const rows = [...this.uses.keys()].sort((a, b) => a - b);
    let next = 0;
    events.update((chunk, number) => {
      const end = (number + 1) * CHUNK_ROWS;
      for (; next < rows.length && rows[next]! < end; next++)
        chunk.file[rows[next]! - number * CHUNK_ROWS] = mostUsed(this.uses.get(rows[next]!)!);
    });
  }
}

function mostUsed(files: ReadonlyMap<number, { bytes: number; calls: number }>): number {
  const [[file]] = [...files].sort(([, a], [, b]) => b.bytes - a.bytes || b.calls - a.calls) as [[number, unknown]];
  return file;
}
