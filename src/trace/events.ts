/**
 * The event table: one row for each call of the recording, one typed array for each property (docs/architecture.md,
 * "The model"). Rows stand in the order in which the calls began within their recording file. The table grows in chunks
 * of a fixed number of rows, so it never has to be copied and a chunk can be worked on (or put aside) by itself.
 */

/** Rows of a chunk as a power of two: row `r` stands in chunk `r >>> CHUNK_BITS` at place `r & CHUNK_MASK`. */
export const CHUNK_BITS = 16;
export const CHUNK_ROWS = 1 << CHUNK_BITS;
export const CHUNK_MASK = CHUNK_ROWS - 1;

/** "None" in a column of indices (file, handle, stack, parent). */
export const NONE = -1;

const COLUMNS = {
  /** Nanoseconds from the trace's origin; NaN when the recording has no clock. */
  start: Float64Array,
  /** Nanoseconds between call and return; NaN when unknown. */
  duration: Float64Array,
  /** First byte in the file that the call touched; NaN when unknown or meaningless. */
  offset: Float64Array,
  /** Bytes that were moved; 0 for failed calls and for calls that move none. */
  bytes: Float64Array,
  /** Bytes that the program asked for; NaN when unknown or meaningless. */
  requested: Float64Array,
  /** Index into `Trace.files`, or NONE. */
  file: Int32Array,
  /** Index into `Trace.handles`, or NONE. */
  handle: Int32Array,
  /** Index of the innermost node in `Trace.stacks`, or NONE. */
  stack: Int32Array,
  /** Row of the call one layer up that made this one, or NONE. */
  parent: Int32Array,
  /** Index into `Trace.streams`. */
  stream: Uint32Array,
  /** Line (text) or record number (binary) in its recording file, counted from 1. */
  line: Uint32Array,
  /** Index into `Trace.calls`. */
  call: Uint16Array,
  /** Index into `Trace.errors`; 0 is success. */
  error: Uint16Array,
  /** Bits of EVENT_FLAGS. */
  flags: Uint8Array,
  /** Index into LAYERS. */
  layer: Uint8Array,
} as const;

type Columns = typeof COLUMNS;
export type EventColumn = keyof Columns;
export type EventChunk = { [Name in EventColumn]: InstanceType<Columns[Name]> };

/** Bits of the column `flags`. */
export const EVENT_FLAGS = {
  /** The recording does not hold the return of this call. */
  neverReturned: 1,
  /** Interrupted and repeated by the kernel as another row: do not count it (section III of the DFG paper). */
  restarted: 2,
  /** The write went to the end of the file, whatever the offset (O_APPEND). */
  append: 4,
  /** The recording lost the beginning of this call: arguments may be missing. */
  beginningLost: 8,
} as const;

/** Bits of `flags` that mark a row as no full call: graphs and metrics leave such rows out. */
export const NOT_COUNTED = EVENT_FLAGS.neverReturned | EVENT_FLAGS.restarted;

const columnNames = Object.keys(COLUMNS) as EventColumn[];

/** Bytes that one row occupies. */
export const BYTES_PER_EVENT = columnNames.reduce((sum, name) => sum + COLUMNS[name].BYTES_PER_ELEMENT, 0);

function allocateChunk(rows: number): EventChunk {
  const entries = columnNames.map((name) => [name, new COLUMNS[name](rows)]);
  return Object.fromEntries(entries) as EventChunk;
}

function trimChunk(chunk: EventChunk, rows: number): EventChunk {
  const entries = columnNames.map((name) => [name, chunk[name].slice(0, rows)]);
  return Object.fromEntries(entries) as EventChunk;
}

export class EventTable {
  /** Number of rows. */
  length = 0;
  readonly chunks: EventChunk[] = [];
  private room = 0;

  /** Adds a row whose columns are zero and whose indices are not set; the caller fills **every** column. */
  append(): number {
    if (this.length === this.room) {
      this.chunks.push(allocateChunk(CHUNK_ROWS));
      this.room += CHUNK_ROWS;
    }
    return this.length++;
  }

  /** The chunk that holds a row; the row stands in it at `row & CHUNK_MASK`. */
  chunkOf(row: number): EventChunk {
    return this.chunks[row >>> CHUNK_BITS]!;
  }

  /** Number of rows of a chunk that are in use. */
  rowsIn(chunk: number): number {
    return Math.min(CHUNK_ROWS, this.length - chunk * CHUNK_ROWS);
  }

  /** One value, for places that are not hot. */
  value(column: EventColumn, row: number): number {
    return this.chunkOf(row)[column][row & CHUNK_MASK]!;
  }

  /** Gives the unused rest of the last chunk back. Rows can be added afterwards only by starting a new table. */
  trim(): void {
    const last = this.chunks.length - 1;
    if (last < 0) return;
    this.chunks[last] = trimChunk(this.chunks[last]!, this.rowsIn(last));
    this.room = this.length;
  }
}
