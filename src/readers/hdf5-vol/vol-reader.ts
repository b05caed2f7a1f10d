import type { RecordingFile } from '../../trace/byte-source.ts';
import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable, LAYERS, type Operation } from '../../trace/calls.ts';
import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import { DamageLog } from '../../trace/damage.ts';
import { CHUNK_MASK, EventTable, NONE } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { NameTable } from '../../trace/names.ts';
import {
  UnreadableRecordingError,
  type ReadOptions,
  type RecordingPart,
  type Stream,
  type Trace,
} from '../../trace/trace.ts';
import { NEWLINE, RETURN } from '../text/bytes.ts';
import { readRecords, type RecordSink } from '../text/read-records.ts';
import type { RecordStreamLimits } from '../text/record-stream.ts';
import { VolLine } from './vol-line.ts';
import { HDF5_VOL_TRAITS } from './traits.ts';

interface ReadLimits extends RecordStreamLimits {
  /** Operations that are kept. */
  mostEvents: number;
}

const MOST_EVENTS = 50_000_000;
const HDF5 = LAYERS.indexOf('HDF5');
const SECOND = 1e6;

/** Whether text begins as a trace of Drishti's HDF5 VOL connector. */
export function looksLikeHdf5Vol(head: Uint8Array): boolean {
  const newline = head.indexOf(NEWLINE);
  return newline > 0 && new VolLine().read(head, 0, lineEnd(head, 0, newline));
}

/**
 * Reads traces of Drishti's HDF5 VOL connector, one file for each rank. They say when data sets and attributes were read
 * and written, not in which file, nor how much. Damage is reported and passed over; what is sound is kept.
 *
 * @throws UnreadableRecordingError when no file holds a single operation.
 * @throws the signal's reason when reading is aborted.
 */
export async function readHdf5Vol(
  files: readonly RecordingFile[],
  options: ReadOptions = {},
  limits: Partial<ReadLimits> = {},
): Promise<Trace> {
  const recording = new VolRecording(options);
  const total = files.reduce<number | undefined>(
    (sum, file) => (sum === undefined || file.size === undefined ? undefined : sum + file.size),
    0,
  );
  let done = 0;
  for (const file of files) {
    recording.begin(file);
    await readRecords(file, options, limits, sinkOf(recording, limits), (position) =>
      options.progress?.(total === undefined ? undefined : Math.min(1, (done + position) / (total || 1))),
    );
    done += file.size ?? 0;
  }
  if (recording.length === 0) {
    const names = files.length === 1 ? files[0]!.path : `none of the ${files.length} files`;
    throw new UnreadableRecordingError(`${names}: no operation of Drishti's HDF5 VOL connector was found`);
  }
  return recording.build();
}

function sinkOf(recording: VolRecording, limits: Partial<ReadLimits>): RecordSink {
  return {
    read: (bytes, start, end) => recording.read(bytes, start, end),
    skip: (bytes) =>
      recording.report('long-line', `a line of ${bytes} bytes is too long for an operation`, 'this line', true),
    fail: (what, lost) => recording.report('file', what, lost),
    full: () =>
      recording.length > (limits.mostEvents ?? MOST_EVENTS) ? 'it holds more operations than are kept' : undefined,
  };
}

function lineEnd(bytes: Uint8Array, from: number, newline: number): number {
  return newline > from && bytes[newline - 1] === RETURN ? newline - 1 : newline;
}

/** Operations as they were read; the connector writes them in no certain order. */
class VolRecording {
  private readonly parts: RecordingPart[] = [];
  private readonly streams: Stream[] = [];
  private readonly streamIndices = new Map<string, number>();
  private readonly calls = new CallTable();
  private readonly damage = new DamageLog();
  private readonly events: EventTable;
  private readonly line = new VolLine();
  private lineNumber = 0;
  /** Microseconds since 1970. */
  private readonly start = new NumberColumn();
  private readonly end = new NumberColumn();
  private readonly offset = new NumberColumn();
  private readonly call = new IntegerColumn();
  private readonly stream = new IntegerColumn();
  private readonly number = new IntegerColumn();
  private coarsest = 0;
  private program = '';

  constructor(private readonly options: ReadOptions) {
    this.events = new EventTable(options.chunkStore);
  }

  get length(): number {
    return this.start.length;
  }

  begin({ name, path }: RecordingFile): void {
    this.parts.push({ name, path, commandId: '', host: '', launchId: '', run: '' });
    this.lineNumber = 0;
    this.program ||= /^(.+)\.\d+\.drishti$/.exec(name)?.[1] ?? '';
  }

  /** Reads whole lines. */
  read(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      const newline = bytes.indexOf(NEWLINE, at);
      const isCut = newline < 0 || newline >= end;
      const stop = isCut ? end : newline;
      this.lineNumber++;
      const last = lineEnd(bytes, at, stop);
      if (last > at) this.readLine(bytes, at, last, isCut);
      at = stop + 1;
    }
  }

  report(
    kind: 'unreadable-line' | 'cut-line' | 'long-line' | 'file',
    what: string,
    lost: string,
    isLine = false,
  ): void {
    if (isLine) this.lineNumber++;
    this.damage.add(kind, `${this.parts.at(-1)!.name}, line ${this.lineNumber}`, what, lost);
  }

  private readLine(bytes: Uint8Array, from: number, end: number, isCut: boolean): void {
    const { line } = this;
    if (!line.read(bytes, from, end)) {
      if (isCut) this.report('cut-line', 'the line breaks off', 'the last operation');
      else this.report('unreadable-line', 'this is no operation of the HDF5 VOL connector', 'this line');
      return;
    }
    this.start.push(line.start);
    this.end.push(line.end);
    this.offset.push(line.offset);
    this.call.push(this.calls.intern(line.operation, operationOf(line.operation)));
    this.stream.push(this.streamOf(line.rank));
    this.number.push(this.lineNumber);
    this.coarsest = Math.max(this.coarsest, line.step);
  }

  private streamOf(rank: number): number {
    const part = this.parts.length - 1;
    const key = `${part} ${rank}`;
    let index = this.streamIndices.get(key);
    if (index === undefined) {
      index = this.streams.push({ host: '', pid: rank, processId: rank, part, rank }) - 1;
      this.streamIndices.set(key, index);
    }
    return index;
  }

  build(): Trace {
    const order = Uint32Array.from({ length: this.length }, (_, index) => index);
    order.sort((a, b) => this.start.at(a) - this.start.at(b) || a - b);
    const zero = this.start.at(order[0]!);
    let last = 0;
    for (const index of order) {
      this.addRow(index, zero);
      last = Math.max(last, (this.end.at(index) - zero) * 1000);
    }
    this.events.trim();
    const { parts, streams, calls, events, program } = this;
    return {
      format: 'hdf5-vol',
      form: HDF5_VOL_TRAITS,
      version: '',
      program,
      startTime: zero / SECOND,
      durationNs: last,
      parts,
      streams,
      files: new FileTable(this.options.sharedPaths),
      handles: new HandleTable(),
      calls,
      errors: new NameTable(['']),
      events,
      stacks: new CallStackTable(),
      capabilities: { time: true, duration: true, stacks: false, paths: false },
      damage: this.damage.list(),
      notes: this.notes(),
    };
  }

  private addRow(index: number, zero: number): void {
    const row = this.events.append();
    const chunk = this.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.start[i] = Math.round((this.start.at(index) - zero) * 1000);
    chunk.duration[i] = Math.round((this.end.at(index) - this.start.at(index)) * 1000);
    chunk.offset[i] = this.offset.at(index);
    chunk.bytes[i] = 0;
    chunk.requested[i] = NaN;
    chunk.argument[i] = NaN;
    chunk.file[i] = NONE;
    chunk.handle[i] = NONE;
    chunk.stack[i] = NONE;
    chunk.parent[i] = NONE;
    chunk.stream[i] = this.stream.at(index);
    chunk.line[i] = this.number.at(index);
    chunk.call[i] = this.call.at(index);
    chunk.layer[i] = HDF5;
  }

  private notes(): string[] {
    const notes = [
      'the HDF5 VOL connector records neither files nor sizes, and offsets are those at which data sets begin: together with a recording of the system calls it says which of them HDF5 made',
    ];
    if (this.coarsest >= SECOND) {
      notes.push('times were recorded in whole seconds: what took less, and the order within a second, is unknown');
    }
    return notes;
  }
}

/** Attributes are HDF5's metadata; the names stay as recorded. */
function operationOf(operation: string): Operation {
  if (operation === 'read' || operation === 'write') return operation;
  return operation.endsWith('-metadata') ? 'metadata' : 'other';
}
