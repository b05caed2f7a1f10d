import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import { CHUNK_MASK, EVENT_FLAGS, NONE, OPEN_MODE, type EventChunk, type EventTable } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

const STDIO = LAYERS.indexOf('STDIO');
const CREATES_ANEW = OPEN_MODE.create | OPEN_MODE.exclusive;

type Tables = Pick<Trace, 'calls' | 'streams' | 'errors'> & { readonly events: EventTable };

/**
 * Where writes went that append: to the end of the file, which whoever writes to the file moves. So it is worked out when
 * all processes were read, for the files that are appended to, in the order in which their calls returned. An end that is
 * not known stays so: there may be more behind it.
 */
export class AppendOffsets {
  private readonly appended = new Set<number>();
  /** What calls said of the lengths of files: nanoseconds from the trace's reference, file, and bytes. */
  private readonly time = new NumberColumn();
  private readonly file = new IntegerColumn();
  private readonly length = new NumberColumn();

  /** A row appends to a file. */
  add(file: number): void {
    if (file !== NONE) this.appended.add(file);
  }

  /** The length of a file was seen, or made. */
  knows(file: number, length: number, time: number): void {
    if (file === NONE) return;
    this.time.push(time);
    this.file.push(file);
    this.length.push(length);
  }

  /**
   * Puts the offsets into the rows.
   * @param origin what starts of rows count from, in nanoseconds from the trace's reference.
   */
  resolve(tables: Tables, origin: number): void {
    if (this.appended.size === 0) return;
    const { rows, mixed } = this.rowsOf(tables);
    const times = rows.map((row) => this.timeOf(row, tables.events, origin));
    const order = Uint32Array.from(rows, (_, i) => i).sort((a, b) => times[a]! - times[b]! || a - b);
    const ends = new Map<number, number>();
    const absent = tables.errors.find('ENOENT');
    for (const i of order) {
      const row = rows[i]!;
      if (row < 0) ends.set(this.file.at(-1 - row), this.length.at(-1 - row));
      else visit(tables, row, ends, absent, mixed);
    }
  }

  /** Rows on these files, and −1 − index of what is known of their lengths. */
  private rowsOf({ events, streams }: Tables): { rows: number[]; mixed: ReadonlySet<number> } {
    const rows: number[] = [];
    const writers = new Map<number, number>();
    const mixed = new Set<number>();
    let first = 0;
    events.chunks.forEach((chunk, number) => {
      const count = events.rowsIn(number);
      for (let i = 0; i < count; i++) {
        const file = chunk.file[i]!;
        if (chunk.layer[i]! < STDIO || !this.appended.has(file)) continue;
        rows.push(first + i);
        if (chunk.bytes[i] === 0) continue;
        const { processId } = streams[chunk.stream[i]!]!;
        if ((writers.get(file) ?? processId) !== processId) mixed.add(file);
        writers.set(file, processId);
      }
      first += count;
    });
    for (let i = 0; i < this.file.length; i++) if (this.appended.has(this.file.at(i))) rows.push(-1 - i);
    return { rows, mixed };
  }

  private timeOf(row: number, events: EventTable, origin: number): number {
    if (row < 0) return this.time.at(-1 - row);
    const chunk = events.chunkOf(row);
    return origin + chunk.start[row & CHUNK_MASK]! + chunk.duration[row & CHUNK_MASK]!;
  }
}

function visit(
  { events, calls }: Tables,
  row: number,
  ends: Map<number, number>,
  absent: number | undefined,
  mixed: ReadonlySet<number>,
): void {
  const chunk = events.chunkOf(row);
  const i = row & CHUNK_MASK;
  const file = chunk.file[i]!;
  if (chunk.error[i] !== 0) {
    if (chunk.error[i] === absent) ends.set(file, 0);
    return;
  }
  const operation = calls.operation[chunk.call[i]!]!;
  if (operation === OPERATION.open) {
    const mode = chunk.argument[i]!;
    if (mode & OPEN_MODE.truncate || (mode & CREATES_ANEW) === CREATES_ANEW) ends.set(file, 0);
  } else if (operation === OPERATION.write || operation === OPERATION.copy) wrote(chunk, i, ends, mixed);
}

function wrote(chunk: EventChunk, i: number, ends: Map<number, number>, mixed: ReadonlySet<number>): void {
  const file = chunk.file[i]!;
  const end = ends.get(file) ?? NaN;
  const bytes = chunk.bytes[i]!;
  if ((chunk.flags[i]! & EVENT_FLAGS.append) === 0) {
    const behind = chunk.offset[i]! + bytes;
    if (!(behind <= end)) ends.set(file, behind > end ? behind : NaN);
    return;
  }
  // What a stream holds back reaches the file in an order that nobody recorded, when others write there too.
  const isHeldBack = chunk.layer[i] === STDIO && mixed.has(file);
  chunk.offset[i] = isHeldBack ? NaN : end;
  ends.set(file, end + bytes);
}
