import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { CHUNK_MASK, LINK, NONE } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import { FileEnds } from '../open-files/file-ends.ts';
import { describedCall, type DescribedCall } from '../open-files/call-roles.ts';
import type { Effect } from '../open-files/known-calls.ts';
import { OpenByPath, type Place } from '../open-files/open-by-path.ts';
import type { OpenFile } from '../open-files/open-file.ts';
import type { IoCall } from '../open-files/io-call.ts';
import { layerOfCategory, type DfTracerBuilder } from './dftracer-builder.ts';
import type { EventBuffer } from './event-buffer.ts';
import type { HashedNames } from './path-names.ts';

/** What metadata say of a process. */
export interface ProcessFacts {
  /** Number of its host's name, or NONE. */
  host: number;
  /** NaN when unknown. */
  rank: number;
}

/** What the events of a file are told by. */
interface FileTables {
  readonly callNames: readonly { readonly category: string; readonly name: string }[];
  readonly threadNumbers: readonly { readonly pid: number; readonly tid: number }[];
  readonly paths: HashedNames;
  readonly processes: ReadonlyMap<number, ProcessFacts>;
  hostOf(pid: number): string;
}

/** A call of the file as rows need it. */
interface KnownName {
  readonly known: DescribedCall | undefined;
  /** Index into `Trace.calls`; NONE for code of the program. */
  readonly call: number;
  readonly layer: number;
  readonly function: number;
}

/** An I/O call whose numbers change from row to row: rows are too many for an object each. */
class RowCall implements IoCall {
  call = NONE;
  layer = 0;
  effect: Effect = 'none';
  writes = false;
  readonly flags = 0;
  file = NONE;
  otherFile = NONE;
  readonly handle = '';
  readonly communicator = '';
  size = NaN;
  offset = NaN;
  whence = NaN;
  argument = NaN;
  readonly viewUnit = NaN;
  readonly viewIsDense = false;
  readonly result = { failed: false, bytes: NaN };
}

const NO_CALLERS: readonly OpenFile[] = [];
const STDIO = LAYERS.indexOf('STDIO');
/** More events than a process can have. */
const MOST_IDENTIFIERS = 2 ** 36;
/** Names of calls that a recording may have; more are junk, and count as functions. */
const MOST_CALLS = 60_000;
const SET_LOCK = 6;
const SET_LOCK_WAIT = 7;

/** Turns the events of one file into rows. */
export class FileRows {
  private readonly names: KnownName[];
  private readonly streams: number[];
  private readonly openFiles = new Map<number, OpenByPath>();
  private readonly row = new RowCall();
  private readonly place: Place = { offset: NaN, flags: 0, isFromEnd: false };
  /** By index of an event in the buffer: its row among the calls of functions, and that of the innermost I/O call around or at it. */
  private readonly functionRows: Int32Array;
  private readonly eventRows: Int32Array;
  private readonly fileIndices = new Map<string, number>();

  constructor(
    private readonly builder: DfTracerBuilder,
    private readonly part: number,
    private readonly buffer: EventBuffer,
    private readonly tables: FileTables,
  ) {
    this.names = tables.callNames.map((name) => this.knownName(name));
    this.streams = tables.threadNumbers.map(({ pid, tid }) => this.addStream(pid, tid));
    this.functionRows = new Int32Array(buffer.length).fill(NONE);
    this.eventRows = new Int32Array(buffer.length).fill(NONE);
  }

  add(): void {
    const parents = this.parents();
    for (const index of this.buffer.order()) this.addEvent(index, parents(index));
  }

  private knownName({ category, name }: { category: string; name: string }): KnownName {
    const { builder } = this;
    const layer = layerOfCategory(category);
    const hasRoom = builder.calls.names.length < MOST_CALLS || builder.calls.find(name) !== undefined;
    const known = layer === undefined || !hasRoom ? undefined : describedCall(name);
    if (layer === undefined || known === undefined) {
      return { known: undefined, call: NONE, layer: NONE, function: builder.functionOf(name, category, undefined) };
    }
    const call = builder.calls.intern(name, known.operation);
    // A name that is not known belongs to the layer that its category says.
    const isListed = known.effect !== 'none' || known.operation !== 'other';
    const itsLayer = isListed ? LAYERS.indexOf(known.layer) : layer;
    return { known, call, layer: itsLayer, function: builder.functionOf(name, category, call) };
  }

  private addStream(pid: number, tid: number): number {
    const rank = this.tables.processes.get(pid)?.rank ?? NaN;
    const stream = { host: this.tables.hostOf(pid), pid: tid, processId: pid, part: this.part };
    return this.builder.streams.push(rank >= 0 ? { ...stream, rank } : stream) - 1;
  }

  /** Where the event around another one stands in the buffer; identifiers count within a process. */
  private parents(): (index: number) => number {
    const { buffer, tables } = this;
    const byId = new Map<number, number>();
    const pids = new NameTable();
    const processes = tables.threadNumbers.map(({ pid }) => pids.intern(String(pid)));
    const keyOf = (index: number, id: number): number => processes[buffer.thread.at(index)]! * MOST_IDENTIFIERS + id;
    let isUsed = false;
    for (let i = 0; i < buffer.length && !isUsed; i++) isUsed = !Number.isNaN(buffer.parentId.at(i));
    if (!isUsed) return () => NONE;
    for (let i = 0; i < buffer.length; i++) byId.set(keyOf(i, buffer.id.at(i)), i);
    return (index) => byId.get(keyOf(index, buffer.parentId.at(index))) ?? NONE;
  }

  private addEvent(index: number, parent: number): void {
    const { builder, buffer } = this;
    const name = this.names[buffer.call.at(index)]!;
    const stream = this.streams[buffer.thread.at(index)]!;
    const durationUs = buffer.duration.at(index);
    const start = builder.placed(buffer.start.at(index), durationUs >= 0 ? durationUs : 0);
    const duration = Math.round(durationUs * 1000);
    const isInside = parent !== NONE && this.streams[buffer.thread.at(parent)] === stream;
    const functionRow = builder.functions.enter(
      start,
      stream,
      name.function,
      isInside ? this.functionRows[parent]! : NONE,
    );
    builder.functions.duration.values[functionRow] = duration;
    this.functionRows[index] = functionRow;
    const caller = isInside ? this.eventRows[parent]! : NONE;
    this.eventRows[index] = name.known === undefined ? caller : this.addRow(index, name, name.known, start, caller);
  }

  private addRow(index: number, name: KnownName, known: DescribedCall, start: number, caller: number): number {
    const { builder, buffer, place, row } = this;
    const stream = this.streams[buffer.thread.at(index)]!;
    this.describe(index, name, known);
    const { pid } = this.tables.threadNumbers[buffer.thread.at(index)]!;
    let files = this.openFiles.get(pid);
    if (files === undefined) {
      files = new OpenByPath(builder.handles, stream, new FileEnds());
      this.openFiles.set(pid, files);
    }
    const open = files.of(row, NO_CALLERS, NONE);
    files.apply(row, open, place);
    const operation = builder.calls.operation[row.call]!;
    const moves = operation === OPERATION.read || operation === OPERATION.write;
    const { failed, bytes } = row.result;
    const moved = Number.isNaN(bytes) ? row.size : bytes;
    const event = builder.events.append();
    if (moves && !failed) this.note(event, open?.file ?? row.file, stream);
    const chunk = builder.events.chunkOf(event);
    const i = event & CHUNK_MASK;
    chunk.start[i] = start;
    chunk.duration[i] = Math.round(buffer.duration.at(index) * 1000);
    chunk.offset[i] = place.offset;
    chunk.bytes[i] = moves && !failed && moved >= 0 ? moved : 0;
    chunk.requested[i] = moves || operation === OPERATION.map ? row.size : NaN;
    chunk.argument[i] = operation === OPERATION.lock || row.effect === 'control' ? NaN : row.argument;
    chunk.file[i] = open?.file ?? row.file;
    chunk.handle[i] = open?.handle ?? NONE;
    chunk.stack[i] = NONE;
    chunk.parent[i] = caller;
    chunk.stream[i] = stream;
    chunk.line[i] = buffer.line.at(index);
    chunk.call[i] = row.call;
    chunk.error[i] = failed ? 1 : 0;
    chunk.flags[i] = place.flags;
    chunk.layer[i] = row.layer;
    chunk.link[i] = caller === NONE ? LINK.none : LINK.nesting;
    return event;
  }

  /** Notes what is known of a transfer only with a condition, or not at all. */
  private note(event: number, file: number, stream: number): void {
    const { builder, place, row } = this;
    builder.lacks.transfer(row.layer, place.offset, row.size);
    if (row.writes) builder.offsetsFromEnds.writes(file, stream);
    if (place.isFromEnd) builder.offsetsFromEnds.add(event);
  }

  /** Fills `row` with what an event says. */
  private describe(index: number, name: KnownName, known: DescribedCall): void {
    const { buffer, row } = this;
    const result = buffer.result.at(index);
    const count = buffer.count.at(index);
    const element = name.layer === STDIO ? buffer.elementSize.at(index) : 1;
    row.call = name.call;
    row.layer = name.layer;
    row.effect = known.effect;
    row.writes = known.operation === 'write';
    row.file = this.fileOf(index, buffer.path.at(index));
    row.otherFile = this.fileOf(index, buffer.other.at(index));
    row.size = sizeOf(count * element);
    row.offset = buffer.offset.at(index);
    row.argument = buffer.argument.at(index);
    row.whence = row.argument;
    row.result.failed = result < 0;
    row.result.bytes = sizeOf(result * element);
    if (known.operation === 'map') row.size = row.argument;
    // What lseek returns is the place itself.
    if (known.effect === 'seek' && result >= 0 && known.name.startsWith('lseek')) {
      row.offset = result;
      row.whence = 0;
    }
    if (known.effect === 'control') this.describeControl();
  }

  /** Of fcntl the command is recorded, not its value. */
  private describeControl(): void {
    const { row, builder } = this;
    const command = row.argument;
    row.effect = 'none';
    row.argument = NaN;
    if (command !== SET_LOCK && command !== SET_LOCK_WAIT) return;
    row.call = builder.calls.intern(command === SET_LOCK ? 'fcntl(F_SETLK)' : 'fcntl(F_SETLKW)', 'lock');
  }

  private fileOf(index: number, number: number): number {
    if (number === NONE) return NONE;
    const path = this.tables.paths.name(number);
    if (path === undefined) {
      this.builder.unexplained++;
      return NONE;
    }
    const { pid } = this.tables.threadNumbers[this.buffer.thread.at(index)]!;
    const key = `${pid} ${number}`;
    let file = this.fileIndices.get(key);
    if (file === undefined) {
      file = this.builder.files.intern(this.tables.hostOf(pid), path);
      this.fileIndices.set(key, file);
    }
    return file;
  }
}

/** A number of bytes below zero is none. */
function sizeOf(bytes: number): number {
  return bytes >= 0 && bytes <= Number.MAX_SAFE_INTEGER ? bytes : NaN;
}
