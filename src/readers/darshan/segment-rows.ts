import type { CallTable } from '../../trace/calls.ts';
import { LAYERS } from '../../trace/calls.ts';
import type { SegmentSums } from '../../trace/counters.ts';
import { CHUNK_MASK, NONE, type EventChunk, type EventTable } from '../../trace/events.ts';
import type { HandleTable } from '../../trace/files.ts';
import { int64At } from './region-reader.ts';
import { sortRows } from './sort-rows.ts';

/** Nanoseconds that a job may last: with more, the bytes are no time. */
const LONGEST_NS = 1e18;
/** Bytes that one call may move, and where a file may end: with more, the bytes are no size. */
const MOST_BYTES = 2 ** 53;
const LARGEST_FILE = 2 ** 63;

/** Whether a call can have been so: times in nanoseconds; an offset below zero is not known. */
export function isPossible(offset: number, bytes: number, startNs: number, endNs: number): boolean {
  return (
    bytes >= 0 &&
    bytes <= MOST_BYTES &&
    offset + bytes <= LARGEST_FILE &&
    startNs > -LONGEST_NS &&
    startNs < LONGEST_NS &&
    endNs > -LONGEST_NS &&
    endNs < LONGEST_NS
  );
}

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
interface SegmentTables {
  readonly events: EventTable;
  readonly calls: CallTable;
  readonly handles: HandleTable;
  /** Index of the stream of a process; its host may be ''. */
  streamOf(rank: number, host: string): number;
}

/** Segments as they stand in a log, one behind the other. */
interface PackedSegments {
  readonly view: DataView;
  /** Where the first one stands in `view`. */
  readonly at: number;
  readonly count: number;
  /** Of a segment, in bytes. */
  readonly size: number;
  readonly littleEndian: boolean;
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
  /** Segments that end before they start: how long they took is not known. */
  backwards = 0;
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
  }

  /**
   * @param offset in the file; negative when it is not known.
   * @param start in seconds from the start of the job, as is `end`.
   * @param stack what `RecordedStacks` gave for it, or NONE.
   * @param line where it stands in a text; in a log, segments are numbered.
   */
  // oxlint-disable-next-line max-params -- per event: no object
  add(
    isWrite: boolean,
    offset: number,
    bytes: number,
    start: number,
    end: number,
    stack: number,
    line = ++this.line,
  ): void {
    const { events } = this.tables;
    events.makeRoom();
    const at = events.length & CHUNK_MASK;
    const columns = events.chunkOf(events.length);
    const startNs = Math.round(start * 1e9);
    const endNs = Math.round(end * 1e9);
    columns.start[at] = startNs;
    columns.duration[at] = this.duration(startNs, endNs);
    columns.offset[at] = offset < 0 ? NaN : offset;
    columns.bytes[at] = bytes;
    columns.requested[at] = bytes;
    columns.argument[at] = NaN;
    columns.stack[at] = stack;
    columns.file[at] = this.file;
    columns.handle[at] = this.handle;
    columns.parent[at] = NONE;
    columns.stream[at] = this.stream;
    columns.line[at] = line;
    columns.call[at] = isWrite ? this.writeCall : this.readCall;
    columns.layer[at] = this.layer;
    if (endNs > this.latest) this.latest = endNs;
    const sums = isWrite ? this.write : this.read;
    sums.count++;
    sums.bytes += bytes;
    events.addFilled(1);
  }

  /**
   * Adds segments as a log stores them, without an object or a call for each.
   *
   * @param hasOffsets whether their offsets mean something.
   * @param stackAt the stack of the segment that stands there; undefined when segments have none.
   * @returns how many were left out because they make no sense.
   */
  addPacked(
    isWrite: boolean,
    { view, at, count, size, littleEndian }: PackedSegments,
    hasOffsets: boolean,
    stackAt: ((at: number) => number) | undefined,
  ): number {
    const { events } = this.tables;
    let [from, left, senseless] = [at, count, 0];
    while (left > 0) {
      const now = Math.min(left, events.makeRoom());
      const columns = events.chunkOf(events.length);
      const first = events.length & CHUNK_MASK;
      const { start, duration, offset, bytes, requested, stack } = columns;
      let [row, sum, latest] = [first, 0, this.latest];
      for (let i = 0; i < now; i++, from += size) {
        const length = int64At(view, from + 8, littleEndian);
        const begins = view.getFloat64(from + 16, littleEndian) * 1e9;
        const ends = view.getFloat64(from + 24, littleEndian) * 1e9;
        const place = hasOffsets ? int64At(view, from, littleEndian) : -1;
        if (!isPossible(place, length, begins, ends)) {
          senseless++;
          continue;
        }
        const startNs = Math.round(begins);
        const endNs = Math.round(ends);
        start[row] = startNs;
        duration[row] = this.duration(startNs, endNs);
        offset[row] = place < 0 ? NaN : place;
        bytes[row] = length;
        requested[row] = length;
        stack[row] = stackAt === undefined ? NONE : stackAt(from);
        if (endNs > latest) latest = endNs;
        sum += length;
        row++;
      }
      this.latest = latest;
      this.finish(isWrite, columns, first, row - first, sum);
      left -= now;
    }
    return senseless;
  }

  private duration(startNs: number, endNs: number): number {
    if (endNs >= startNs) return endNs - startNs;
    this.backwards++;
    return NaN;
  }

  /** Fills what the segments of an operation have in common, and adds the rows. Errors and flags stay zero. */
  private finish(isWrite: boolean, columns: EventChunk, first: number, count: number, bytes: number): void {
    const end = first + count;
    columns.file.fill(this.file, first, end);
    columns.handle.fill(this.handle, first, end);
    columns.parent.fill(NONE, first, end);
    columns.argument.fill(NaN, first, end);
    columns.stream.fill(this.stream, first, end);
    columns.layer.fill(this.layer, first, end);
    columns.call.fill(isWrite ? this.writeCall : this.readCall, first, end);
    for (let row = first; row < end; row++) columns.line[row] = ++this.line;
    const sums = isWrite ? this.write : this.read;
    sums.count += count;
    sums.bytes += bytes;
    this.tables.events.addFilled(count);
  }

  /** All segments of the process in the file were added: they are brought into the order of their starts. */
  end(): void {
    sortRows(this.tables.events, this.first, this.tables.events.length);
  }

  get sums(): SegmentSums {
    return { module: this.module, write: this.write, read: this.read };
  }
}
