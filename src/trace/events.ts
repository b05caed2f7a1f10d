/**
 * The event table: one row for each call of the recording, one typed array for each property (docs/architecture.md,
 * "The model"). Rows stand in the order in which the calls began within their recording file. The table grows in chunks
 * of a fixed number of rows, so it never has to be copied, and chunks that memory has no room for stand in a ChunkStore.
 */
import { ChunkSlots } from './chunk-slots.ts';
import { MEMORY_ONLY, type ChunkStore } from './chunk-store.ts';
import type { FileIndex, HandleIndex, Indices, StackNode, StreamIndex } from './indices.ts';

/** Rows of a chunk as a power of two: row `r` stands in chunk `r >>> CHUNK_BITS` at place `r & CHUNK_MASK`. */
const CHUNK_BITS = 16;
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
  /**
   * What else the call was given, by its operation: bits of OPEN_MODE for opens, the whence (0, 1, 2 as in lseek) for
   * seeks, the new length for truncates, LOCK_KIND for locks, the new name (index into `Trace.files`) for renames; NaN
   * when unknown or meaningless.
   */
  argument: Float64Array,
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
  /** Index into LINKS: how it is known that `parent` caused this call. */
  link: Uint8Array,
} as const;

type Columns = typeof COLUMNS;
export type EventColumn = keyof Columns;
/** What the columns of indices hold. */
interface IndexColumns {
  file: Indices<FileIndex>;
  handle: Indices<HandleIndex>;
  stack: Indices<StackNode>;
  stream: Indices<StreamIndex, Uint32Array>;
}
export type EventChunk = {
  [Name in EventColumn]: Name extends keyof IndexColumns ? IndexColumns[Name] : InstanceType<Columns[Name]>;
};
/** What a column holds. */
type EventValue<Name extends EventColumn> = Name extends keyof IndexColumns ? IndexColumns[Name][number] : number;

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
  /** No call but a part of the one in `parent`: the other file of a copy, a request that it submitted. */
  part: 16,
  /** All processes of the handle's communicator made the call together. */
  collective: 32,
  /** It was only begun by the call: the duration lasts until it was seen to be complete. */
  nonBlocking: 64,
  /** It was begun and cancelled. */
  cancelled: 128,
} as const;

/** How a call is linked with the one a layer up that caused it; the surest first (docs/layers.md). */
export const LINKS = [
  /** It has no parent. */
  'none',
  /** It is a part of the call in `parent`, not one that was caused by it (EVENT_FLAGS.part). */
  'part',
  /** The recording nests calls: it was made while the parent was under way, as recorded. */
  'nesting',
  /** The recording says that its handle belongs to the parent's handle, and the times agree. */
  'handle',
  /** Same stream and file, and the parent's time contains its own. */
  'time',
] as const;
export type Link = (typeof LINKS)[number];
/** Index of a link as the column `link` holds it. */
export const LINK = Object.fromEntries(LINKS.map((name, index) => [name, index])) as Record<Link, number>;

/** Bits of `argument` for calls that open a file: Linux's values, whatever the recorder's were. */
export const OPEN_MODE = {
  /** The lowest two bits: 0 read only, 1 write only, 2 both. */
  access: 3,
  create: 0o100,
  exclusive: 0o200,
  truncate: 0o1000,
  append: 0o2000,
  nonBlocking: 0o4000,
  dataSync: 0o10000,
  direct: 0o40000,
  directory: 0o200000,
  /** O_SYNC without the bit that it shares with O_DSYNC. */
  sync: 0o4000000,
  temporary: 0o20000000,
} as const;

/** `argument` of calls that acquire, try or release a lock. */
export const LOCK_KIND = { exclusive: 0, shared: 1, release: 2, tryExclusive: 3, tryShared: 4 } as const;

/** Bits of `flags` that mark a row as no full call: nothing is known of what it moved. */
export const NOT_MEASURED = EVENT_FLAGS.neverReturned | EVENT_FLAGS.restarted;
/** Bits of `flags` that mark a row as none of the program's calls: graphs and counts of calls leave such rows out. */
export const NOT_COUNTED = NOT_MEASURED | EVENT_FLAGS.part;

const columnNames = Object.keys(COLUMNS) as EventColumn[];

/** Bytes that one row occupies. */
export const BYTES_PER_EVENT = columnNames.reduce((sum, name) => sum + COLUMNS[name].BYTES_PER_ELEMENT, 0);

/** Bytes that a full chunk occupies in a store. */
export const CHUNK_BYTES = CHUNK_ROWS * BYTES_PER_EVENT;

/** Chunks that stay in memory for a while although there is no room for them: those that calls under way return into. */
const PASSING_CHUNKS = 6;

/** Columns of `rows` rows, one behind the other in one buffer, widest first, so that every column is aligned. */
export function allocateChunk(rows: number): EventChunk {
  const buffer = new ArrayBuffer(rows * BYTES_PER_EVENT);
  let offset = 0;
  const entries = columnNames.map((name) => {
    const column = new COLUMNS[name](buffer, offset, rows);
    offset += column.byteLength;
    return [name, column];
  });
  return Object.fromEntries(entries) as EventChunk;
}

/** All bytes of a chunk, as a store keeps them. */
export function bytesOfChunk(chunk: EventChunk): Uint8Array {
  return new Uint8Array(chunk.start.buffer);
}

function trimChunk(chunk: EventChunk, rows: number): EventChunk {
  const trimmed = allocateChunk(rows);
  for (const name of columnNames) trimmed[name].set(chunk[name].subarray(0, rows));
  return trimmed;
}

/** The chunks of a table one after the other. */
interface EventChunks {
  readonly length: number;
  /** Calls `visit` for every chunk. A chunk may be gone after its visit: keep no reference to it. */
  forEach(visit: (chunk: EventChunk, number: number) => void): void;
}

export class EventTable {
  /** Number of rows. */
  length = 0;
  readonly chunks: EventChunks;
  /** Those in memory; the others stand in the store. */
  private readonly loaded: (EventChunk | undefined)[] = [];
  private room = 0;
  /** Numbers of the chunks in memory that have to leave it again, the oldest first. */
  private readonly passing: number[] = [];
  /** Numbers of the chunks whose bytes in the store are right. */
  private readonly stored = new Set<number>();
  /** Rows are still added or filled. */
  private growing = true;
  /** Full chunks in memory that a snapshot has too: they are copied before anything is written into them. */
  private readonly shared: (EventChunk | undefined)[] = [];
  private readonly slots = new ChunkSlots(CHUNK_BYTES);

  constructor(private readonly store: ChunkStore = MEMORY_ONLY) {
    const { loaded } = this;
    this.chunks = {
      get length() {
        return loaded.length;
      },
      forEach: (visit) => this.visitChunks(visit),
    };
  }

  /** A full table of `length` rows whose chunks all stand in `store`; the last holds the rest of the rows only. */
  static stored(store: ChunkStore, length: number): EventTable {
    const table = new EventTable(store);
    table.length = length;
    table.room = length;
    table.growing = false;
    const chunks = Math.ceil(length / CHUNK_ROWS);
    for (let number = 0; number < chunks; number++) {
      table.loaded.push(undefined);
      table.slots.place(number);
      table.stored.add(number);
    }
    return table;
  }

  /**
   * The complete table of the rows that there are now, while this one grows on: what is added or filled later does not show
   * in it. Two snapshots are right at a time; what an older one put aside may be overwritten.
   */
  snapshot(): EventTable {
    const now = new EventTable(this.store);
    const last = this.loaded.length - 1;
    for (let number = 0; number < last; number++) {
      const chunk = this.loaded[number] ?? this.shared[number];
      now.loaded.push(chunk);
      this.shared[number] = chunk;
      this.loaded[number] = undefined;
    }
    if (last >= 0) now.loaded.push(trimChunk(this.loaded[last]!, this.rowsIn(last)));
    for (const number of this.stored) now.stored.add(number);
    now.slots.copy(this.slots);
    this.slots.share();
    now.length = this.length;
    now.room = this.length;
    now.growing = false;
    return now;
  }

  /**
   * Goes over the chunks of a table that came from elsewhere, and keeps those in memory that there is room for.
   * @param check throws when a chunk cannot be right.
   */
  loadAll(check: (chunk: EventChunk, number: number) => void): void {
    this.visitChunks((chunk, number) => {
      check(chunk, number);
      if (this.store.keeps(chunk.start.buffer.byteLength)) this.loaded[number] = chunk;
    });
  }

  /** Adds a row whose columns are zero and whose indices are not set; the caller fills **every** column. */
  append(): number {
    if (this.length === this.room) this.makeRoom();
    return this.length++;
  }

  /**
   * Makes room for rows that are filled before they are added: all in the chunk that `chunkOf(length)` gives.
   * @returns for how many, at least one.
   */
  makeRoom(): number {
    if (this.length === this.room) {
      this.loaded.push(allocateChunk(CHUNK_ROWS));
      this.room += CHUNK_ROWS;
      if (!this.store.keeps(CHUNK_BYTES)) this.passes(this.loaded.length - 1);
    }
    return this.room - this.length;
  }

  /** Adds rows that were filled, no more than there was room for. */
  addFilled(rows: number): void {
    this.length += rows;
  }

  /**
   * The chunk that holds a row; the row stands in it at `row & CHUNK_MASK`. While the table grows values are written into
   * it at once: the chunk may be put aside at the next call of a method of the table.
   */
  chunkOf(row: number): EventChunk {
    return this.loaded[row >>> CHUNK_BITS] ?? this.load(row >>> CHUNK_BITS);
  }

  /** Number of rows of a chunk that are in use. */
  rowsIn(chunk: number): number {
    return Math.min(CHUNK_ROWS, this.length - chunk * CHUNK_ROWS);
  }

  /** One value, for places that are not hot. */
  value<Name extends EventColumn>(column: Name, row: number): EventValue<Name>;
  value(column: EventColumn, row: number): number {
    return this.chunkOf(row)[column][row & CHUNK_MASK]!;
  }

  /** Sets one value, for places that are not hot. */
  set<Name extends EventColumn>(column: Name, row: number, value: EventValue<Name>): void;
  set(column: EventColumn, row: number, value: number): void {
    this.chunkOf(row)[column][row & CHUNK_MASK] = value;
  }

  /** The chunk that holds a row when it is in memory, to stay there. */
  inMemory(row: number): EventChunk | undefined {
    const number = row >>> CHUNK_BITS;
    return this.passing.includes(number) ? undefined : this.loaded[number];
  }

  /** Copies rows of one chunk, from `row` on, into a small chunk of `count` rows. The table must be complete. */
  copyRows(row: number, target: EventChunk, count: number): void {
    const number = row >>> CHUNK_BITS;
    const first = row & CHUNK_MASK;
    const loaded = this.loaded[number];
    const rows = this.rowsIn(number);
    let column = loaded === undefined ? this.slots.positionOf(number) : 0;
    for (const name of columnNames) {
      const { BYTES_PER_ELEMENT: width, buffer, byteOffset } = target[name];
      if (loaded !== undefined) target[name].set(loaded[name].subarray(first, first + count));
      else this.store.read(column + first * width, new Uint8Array(buffer, byteOffset, count * width));
      column += rows * width;
    }
  }

  /** Lets `change` alter the values of every chunk; snapshots keep theirs. */
  update(change: (chunk: EventChunk, number: number) => void): void {
    for (let number = 0; number < this.loaded.length; number++) {
      const chunk = this.loaded[number] ?? this.load(number);
      this.stored.delete(number);
      change(chunk, number);
    }
  }

  /** Gives the unused rest of the last chunk back. The table is complete then. */
  trim(): void {
    this.shared.forEach((chunk, number) => {
      this.loaded[number] ??= chunk;
    });
    this.shared.length = 0;
    const last = this.loaded.length - 1;
    if (last >= 0) this.loaded[last] = trimChunk(this.loaded[last]!, this.rowsIn(last));
    this.room = this.length;
    this.growing = false;
  }

  private visitChunks(visit: (chunk: EventChunk, number: number) => void): void {
    let scratch: EventChunk | undefined;
    for (let number = 0; number < this.loaded.length; number++) {
      let chunk = this.loaded[number];
      if (chunk === undefined) {
        // Read beside the chunks in memory: a pass over everything would only push each of them out before its turn.
        const rows = this.rowsIn(number);
        if (scratch?.start.length !== rows) scratch = allocateChunk(rows);
        this.store.read(this.slots.positionOf(number), bytesOfChunk(scratch));
        chunk = scratch;
      }
      visit(chunk, number);
      if (this.loaded[number] === scratch) scratch = undefined;
    }
  }

  private load(number: number): EventChunk {
    const shared = this.shared[number];
    const chunk = allocateChunk(this.rowsIn(number));
    if (shared === undefined) this.store.read(this.slots.positionOf(number), bytesOfChunk(chunk));
    else bytesOfChunk(chunk).set(bytesOfChunk(shared));
    this.loaded[number] = chunk;
    this.shared[number] = undefined;
    if (this.growing) this.stored.delete(number);
    // One that was in memory stays there as long as it would have.
    if (shared === undefined) this.passes(number);
    return chunk;
  }

  /** Notes that a chunk has to leave memory again, and lets the one that is there longest go. */
  private passes(number: number): void {
    this.passing.push(number);
    while (this.passing.length > PASSING_CHUNKS) {
      const oldest = this.passing.shift()!;
      // The chunk that is being filled has its final size only in the end.
      if (this.growing && oldest === this.loaded.length - 1) this.passing.push(oldest);
      else if (this.putAside(oldest)) {
        this.loaded[oldest] = undefined;
        this.shared[oldest] = undefined;
      }
    }
  }

  private putAside(number: number): boolean {
    if (this.stored.has(number)) return true;
    const chunk = this.loaded[number] ?? this.shared[number];
    if (!this.store.write(this.slots.place(number), bytesOfChunk(chunk!))) return false;
    this.stored.add(number);
    return true;
  }
}
