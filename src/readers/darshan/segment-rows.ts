import type { CallTable } from '../../trace/calls.ts';
import { LAYERS } from '../../trace/calls.ts';
import type { SegmentSums } from '../../trace/counters.ts';
import { CHUNK_MASK, NONE, type EventChunk, type EventTable } from '../../trace/events.ts';
import type { HandleTable } from '../../trace/files.ts';
import { sortRows } from './sort-rows.ts';

type SegmentModule = SegmentSums['module'];

const LAYER_OF: Readonly<Record<SegmentModule, number>> = {
  DXT_POSIX: LAYERS.indexOf('POSIX'),
  DXT_MPIIO: LAYERS.indexOf('MPI-IO'),
};
const CALLS_OF: Readonly<Record<SegmentModule, readonly [write: string, read: string]>> = {
  DXT_POSIX: ['write', 'read'],
  DXT_MPIIO: ['MPI_File_write', 'MPI_File_read'],
};

/** Tables that the segments of all modules go into. */
export interface SegmentTables {
  readonly events: EventTable;
  readonly calls: CallTable;
  readonly handles: HandleTable;
  /** Index of the stream of a process; its host may be ''. */
  streamOf(rank: number, host: string): number;
}

/** Writes the segments of one module of DXT into the event table, the ones of a process in a file at a time. */
export class SegmentRows {
  private readonly write = { count: 0, bytes: 0 };
  private readonly read = { count: 0, bytes: 0 };
  private readonly layer: number;
  private readonly writeCall: number;
  private readonly readCall: number;
  private file = NONE;
  private handle = NONE;
  private stream = 0;
  /** First row of the record, and what its segments are numbered from. */
  private first = 0;
  private line = 0;
  private chunk: EventChunk | undefined;
  /** Latest end of a segment, in nanoseconds from the start of the job. */
  latest = 0;

  constructor(
    readonly module: SegmentModule,
    private readonly tables: SegmentTables,
  ) {
    const [write, read] = CALLS_OF[module];
    this.layer = LAYER_OF[module];
    this.writeCall = tables.calls.intern(write, 'write');
    this.readCall = tables.calls.intern(read, 'read');
  }

  /** Segments of a process in a file follow; `file` is an index into the table of files or NONE. */
  begin(file: number, rank: number, host: string): void {
    this.stream = this.tables.streamOf(rank, host);
    this.file = file;
    this.handle = this.tables.handles.add(file, this.stream);
    this.first = this.tables.events.length;
    this.line = 0;
    this.chunk = undefined;
  }

  /**
   * @param offset in the file; negative when it is not known.
   * @param start in seconds from the start of the job, as is `end`.
   * @param stack node of the innermost frame, or NONE.
   */
  add(isWrite: boolean, offset: number, bytes: number, start: number, end: number, stack: number): void {
    const { events } = this.tables;
    const row = events.append();
    const at = row & CHUNK_MASK;
    // The chunk that is being filled stays in memory until the table is sorted or another one is begun.
    const chunk = at === 0 ? (this.chunk = undefined) : this.chunk;
    const columns = chunk ?? (this.chunk = events.chunkOf(row));
    const startNs = Math.round(start * 1e9);
    const endNs = Math.round(end * 1e9);
    columns.start[at] = startNs;
    columns.duration[at] = endNs > startNs ? endNs - startNs : 0;
    columns.offset[at] = offset < 0 ? NaN : offset;
    columns.bytes[at] = bytes;
    columns.requested[at] = bytes;
    columns.file[at] = this.file;
    columns.handle[at] = this.handle;
    columns.stack[at] = stack;
    columns.parent[at] = NONE;
    columns.stream[at] = this.stream;
    columns.line[at] = ++this.line;
    columns.call[at] = isWrite ? this.writeCall : this.readCall;
    columns.error[at] = 0;
    columns.flags[at] = 0;
    columns.layer[at] = this.layer;
    if (endNs > this.latest) this.latest = endNs;
    const sums = isWrite ? this.write : this.read;
    sums.count++;
    sums.bytes += bytes;
  }

  /** All segments of the process in the file were added: they are brought into the order of their starts. */
  end(): void {
    sortRows(this.tables.events, this.first, this.tables.events.length);
    this.chunk = undefined;
  }

  get sums(): SegmentSums {
    return { module: this.module, write: this.write, read: this.read };
  }
}
