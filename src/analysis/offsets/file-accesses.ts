import { FileContents } from '../metrics/file-contents.ts';
import { incarnationOf } from '../metrics/metrics-pass.ts';
import { processesOfStreams } from '../metrics/processes.ts';
import { RedundancyLog } from '../metrics/redundancy/redundancy-log.ts';
import { OPERATION } from '../../trace/calls.ts';
import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import { CHUNK_ROWS, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, StackNode, StreamIndex } from '../../trace/indices.ts';
import { MARK } from './offsets.ts';
import { orderByStart } from './order-by-start.ts';
import { MOST_COMPARED_WRITES, writtenOver } from './written-over.ts';

/** The reads and writes of one file in one layer, by time, as columns: no more of the recording is needed to draw it. */
export interface FileAccesses {
  readonly length: number;
  /** Row in the event table. */
  readonly event: Int32Array;
  /** Nanoseconds; NaN when unknown. */
  readonly start: Float64Array;
  readonly duration: Float64Array;
  readonly offset: Float64Array;
  /** Never 0. */
  readonly bytes: Float64Array;
  /** Of these were read or written before by the same process. */
  readonly bytesAgain: Float64Array;
  /** Bits of MARK. */
  readonly marks: Uint8Array;
  readonly stream: Int32Array;
  /** Stream that leads the process. */
  readonly process: Int32Array;
  readonly stack: Int32Array;
  readonly call: Int32Array;
  /** Accesses at places that nobody knows: not among those above. */
  readonly unplaced: { readonly accesses: number; readonly bytes: number };
  /** Accesses without a start: they have a place in the order only. */
  readonly untimed: number;
  /** Calls that map the file into memory: what is touched through the map is not recorded. */
  readonly maps: number;
  /** Who wrote over whom was looked for. */
  readonly isCompared: boolean;
}

/** Direction of each call of a trace: MARK.read, MARK.write, or 0 for calls that move nothing from or to a file. */
export function directionsOfCalls({ calls }: Pick<Trace, 'calls'>): Uint8Array {
  return Uint8Array.from(calls.names, (name, call) => {
    switch (calls.operation[call]) {
      case OPERATION.read:
        return MARK.read;
      case OPERATION.write:
        return MARK.write;
      case OPERATION.copy:
        // The row of the call itself is of its first descriptor: the target of sendfile, the source of the others.
        return name.endsWith('(target)') || name === 'sendfile' || name === 'sendfile64' ? MARK.write : MARK.read;
      default:
        return 0;
    }
  });
}

/**
 * Gathers the accesses of a file: one pass over the events, and the order of time among what it finds.
 * @param files indices of the file; several when a path of several hosts is meant.
 * @param layer index into LAYERS: a transfer that is recorded in two layers is shown once.
 */
export function fileAccesses(trace: Trace, files: ReadonlySet<FileIndex>, layer: number): FileAccesses {
  const rows = new GatheredRows(trace, files, layer);
  trace.events.chunks.forEach((chunk, number) => rows.read(chunk, number));
  return rows.finish();
}

class GatheredRows {
  private readonly event = new IntegerColumn();
  private readonly start = new NumberColumn();
  private readonly duration = new NumberColumn();
  private readonly offset = new NumberColumn();
  private readonly bytes = new NumberColumn();
  private readonly stream = new IntegerColumn<StreamIndex>();
  private readonly stack = new IntegerColumn<StackNode>();
  private readonly call = new IntegerColumn();
  private readonly incarnation = new IntegerColumn();
  private readonly directions: Uint8Array;
  private readonly unplaced = { accesses: 0, bytes: 0 };
  private untimed = 0;
  private maps = 0;

  constructor(
    private readonly trace: Trace,
    private readonly files: ReadonlySet<FileIndex>,
    private readonly layer: number,
  ) {
    this.directions = directionsOfCalls(trace);
  }

  read(chunk: EventChunk, number: number): void {
    const { trace, files, layer, directions } = this;
    const rows = trace.events.rowsIn(number);
    // Most recordings have far more rows of other files: a single one is compared, not looked up.
    const only = files.size === 1 ? [...files][0]! : undefined;
    for (let i = 0; i < rows; i++) {
      const file = chunk.file[i]!;
      if (only === undefined ? !files.has(file) : file !== only) continue;
      if ((chunk.flags[i]! & NOT_MEASURED) !== 0 || chunk.error[i] !== 0) continue;
      if (directions[chunk.call[i]!] === 0) {
        if (trace.calls.operation[chunk.call[i]!] === OPERATION.map) this.maps++;
      } else if (chunk.layer[i] === layer && chunk.bytes[i]! > 0) this.add(chunk, i, number * CHUNK_ROWS + i);
    }
  }

  private add(chunk: EventChunk, i: number, row: number): void {
    const offset = chunk.offset[i]!;
    if (!(offset >= 0)) {
      this.unplaced.accesses++;
      this.unplaced.bytes += chunk.bytes[i]!;
      return;
    }
    this.event.push(row);
    this.start.push(chunk.start[i]!);
    this.duration.push(chunk.duration[i]!);
    this.offset.push(offset);
    this.bytes.push(chunk.bytes[i]!);
    this.stream.push(chunk.stream[i]!);
    this.stack.push(chunk.stack[i]!);
    this.call.push(chunk.call[i]!);
    this.incarnation.push(incarnationOf(this.trace, chunk.handle[i]!));
    if (Number.isNaN(chunk.start[i])) this.untimed++;
  }

  finish(): FileAccesses {
    const { length } = this.event;
    const order = orderByStart(this.start.values.subarray(0, length));
    const integers = ({ values }: IntegerColumn): Int32Array => inOrder(values, order, new Int32Array(length));
    const numbers = ({ values }: NumberColumn): Float64Array => inOrder(values, order, new Float64Array(length));
    const processOfStream = processesOfStreams(this.trace);
    const stream = integers(this.stream);
    const call = integers(this.call);
    const columns = {
      length,
      event: integers(this.event),
      start: numbers(this.start),
      duration: numbers(this.duration),
      offset: numbers(this.offset),
      bytes: numbers(this.bytes),
      stream,
      process: stream.map((each) => processOfStream[each]!),
      stack: integers(this.stack),
      call,
      marks: inOrder(this.directions, call, new Uint8Array(length)),
      incarnation: integers(this.incarnation),
    };
    const bytesAgain = markAgain(columns);
    const isCompared = markOver(columns);
    const { unplaced, untimed, maps } = this;
    return { ...columns, bytesAgain, unplaced, untimed, maps, isCompared };
  }
}

/** Values by their places. By hand: `from` of a typed array takes twenty times as long. */
function inOrder<Into extends Int32Array | Float64Array | Uint8Array>(
  values: Int32Array | Float64Array | Uint8Array,
  places: Uint32Array | Int32Array,
  into: Into,
): Into {
  for (let i = 0; i < places.length; i++) into[i] = values[places[i]!]!;
  return into;
}

type OrderedColumns = Pick<FileAccesses, 'length' | 'offset' | 'bytes' | 'marks' | 'process'> & {
  readonly incarnation: Int32Array;
};

/** Marks what a process reads or writes again, as metrics do; a synchronisation in between makes no difference here. */
function markAgain({ length, offset, bytes, marks, process, incarnation }: OrderedColumns): Float64Array {
  const again = new Float64Array(length);
  const contents = new FileContents();
  const log = new RedundancyLog();
  for (let i = 0; i < length; i++) {
    const reads = (marks[i]! & MARK.read) !== 0;
    const seen = contents.of(0, incarnation[i]!, reads, offset[i]!, bytes[i]!);
    again[i] = log.add(process[i]!, seen, reads ? 0 : 1, offset[i]!, bytes[i]!);
    if (again[i]! > 0) marks[i]! |= MARK.again;
  }
  return again;
}

/** Marks what a process writes over another's bytes. @returns false when there is too much to look at. */
function markOver({ length, offset, bytes, marks, process, incarnation }: OrderedColumns): boolean {
  const byIncarnation = new Map<number, IntegerColumn>();
  for (let i = 0; i < length; i++) {
    if ((marks[i]! & MARK.write) === 0) continue;
    const known = byIncarnation.get(incarnation[i]!) ?? new IntegerColumn();
    byIncarnation.set(incarnation[i]!, known);
    known.push(i);
  }
  const groups = [...byIncarnation.values()];
  if (groups.some((group) => group.length > MOST_COMPARED_WRITES)) return false;
  for (const group of groups) {
    const rows = group.values.subarray(0, group.length);
    const of = (column: Float64Array): Float64Array => inOrder(column, rows, new Float64Array(rows.length));
    const processes = rows.map((row) => process[row]!);
    const over = writtenOver({ length: rows.length, offset: of(offset), bytes: of(bytes), process: processes });
    over.forEach((isOver, at) => {
      if (isOver === 1) marks[rows[at]!]! |= MARK.over;
    });
  }
  return true;
}
