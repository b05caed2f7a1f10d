import { OPERATION } from '../../trace/calls.ts';
import { CHUNK_MASK, LINK, NONE } from '../../trace/events.ts';
import { USER_FUNCTION } from './call-signatures.ts';
import { FileEnds } from '../open-files/file-ends.ts';
import { OpenByPath, type Place } from '../open-files/open-by-path.ts';
import type { OpenFile } from '../open-files/open-file.ts';
import type { IoCall } from '../open-files/io-call.ts';
import { argumentsOfRank, prepareIo, type PreparedCall } from './prepared-call.ts';
import type { RankRecords } from './rank-records.ts';
import type { RecorderTraceBuilder } from './recorder-trace-builder.ts';

/** A call that is under way. */
interface CallUnderWay {
  readonly level: number;
  /** Ticks. */
  readonly start: number;
  readonly end: number;
  /** Index into LAYERS, or NONE for functions of no layer. */
  readonly layer: number;
  /** Its row among the events, or NONE, and among the calls of functions. */
  readonly event: number;
  readonly functionCall: number;
  readonly open: OpenFile | undefined;
}

/** Turns the calls of one rank into rows. */
export class RankEvents {
  private readonly prepared = new Map<number, PreparedCall | undefined>();
  private readonly ends = new FileEnds();
  private readonly openFiles: OpenByPath;
  private readonly place: Place = { offset: NaN, flags: 0, isFromEnd: false };
  /** By thread: the calls that are under way, the innermost last. */
  private readonly underWay = new Map<number, CallUnderWay[]>();
  private isNested = false;
  /** Records whose signature is not there. */
  private unknown = 0;

  /**
   * @param rank is also the index of its first stream.
   * @param origin nanoseconds from the trace's origin of what the rank's times count from.
   * @param tickNs nanoseconds of a tick.
   */
  constructor(
    private readonly builder: RecorderTraceBuilder,
    private readonly rank: number,
    private readonly files: ReadonlyMap<number, string>,
    private readonly origin: number,
    private readonly tickNs: number,
  ) {
    this.openFiles = new OpenByPath(builder.handles, rank, this.ends);
  }

  /**
   * Adds all records.
   * @param pause is called now and then: it may throw to end the reading.
   * @returns how many records nobody knows the call of.
   */
  add(records: RankRecords, pause: (done: number) => void): number {
    this.isNested = this.hasLevels(records);
    for (let i = 0; i < records.length; i++) {
      if ((i & 0xffff) === 0) pause(i / records.length);
      const call = this.call(records, records.signature[i]!);
      if (call === undefined) this.unknown++;
      else this.addCall(call, records.start[i]!, records.end[i]!, records.number[i]! + 1);
    }
    return this.unknown;
  }

  /** Some recorders write no levels: then times have to tell which call was made inside of which. */
  private hasLevels(records: RankRecords): boolean {
    for (let i = 0; i < records.length; i++)
      if ((this.call(records, records.signature[i]!)?.level ?? 0) > 0) return true;
    return false;
  }

  private call(records: RankRecords, number: number): PreparedCall | undefined {
    if (this.prepared.has(number)) return this.prepared.get(number);
    const signature = records.signatureAt(number);
    const known = this.builder.functionNames;
    const isUser = signature?.function === USER_FUNCTION && known.length <= USER_FUNCTION;
    const name = signature === undefined ? undefined : isUser ? signature.arguments[1] : known[signature.function];
    let call: PreparedCall | undefined;
    if (signature !== undefined && name !== undefined) {
      const texts = argumentsOfRank(signature, this.rank);
      const tables = { calls: this.builder.calls, fileOf: (text: string) => this.fileOf(text) };
      const io = isUser ? undefined : prepareIo(name, texts, signature.result, tables);
      const { level, thread } = signature;
      call = { name, arguments: texts, level, thread, io, function: this.builder.functionOf(name, io, isUser) };
    }
    this.prepared.set(number, call);
    return call;
  }

  /** 2.2 writes numbers for paths. */
  private fileOf(text: string): number {
    const path = this.files.size > 0 && /^\d{1,9}$/.test(text) ? (this.files.get(Number(text)) ?? text) : text;
    return this.builder.files.intern('', path);
  }

  private addCall(call: PreparedCall, start: number, end: number, line: number): void {
    const { builder } = this;
    const stream = builder.streamOf(this.rank, call.thread);
    let around = this.underWay.get(call.thread);
    if (around === undefined) this.underWay.set(call.thread, (around = []));
    const layer = call.io?.layer ?? NONE;
    this.leave(around, call.level, layer, start, end);
    const startNs = this.origin + Math.round(start * this.tickNs);
    const durationNs = Math.max(0, Math.round((end - start) * this.tickNs));
    const functionCall = builder.enter(startNs, durationNs, stream, call.function, around.at(-1)?.functionCall ?? NONE);
    let event = NONE;
    let open: OpenFile | undefined;
    if (call.io !== undefined) {
      open = this.openOf(call.io, around);
      event = this.addEvent(call.io, open, around, stream, startNs, durationNs, line);
    } else if (call.name.startsWith('MPI')) {
      builder.messages.add({
        name: call.name,
        arguments: call.arguments,
        stream,
        start: startNs,
        end: startNs + durationNs,
      });
    }
    if (end > start) around.push({ level: call.level, start, end, layer, event, functionCall, open });
  }

  /** Takes the calls away that cannot have made the next one. */
  private leave(around: CallUnderWay[], level: number, layer: number, start: number, end: number): void {
    for (let top = around.at(-1); top !== undefined; top = around.at(-1)) {
      const isInside = this.isNested
        ? top.level < level && start <= top.end
        : start < top.end && end <= top.end && top.layer !== NONE && top.layer < layer;
      if (isInside) return;
      around.pop();
    }
  }

  private openOf(io: IoCall, around: readonly CallUnderWay[]): OpenFile | undefined {
    const callers: OpenFile[] = [];
    for (let i = around.length - 1; i >= 0; i--) if (around[i]!.open !== undefined) callers.push(around[i]!.open!);
    return this.openFiles.of(io, callers, this.builder.communicators.intern(io.communicator));
  }

  // oxlint-disable-next-line max-params -- per event: no object
  private addEvent(
    io: IoCall,
    open: OpenFile | undefined,
    around: readonly CallUnderWay[],
    stream: number,
    startNs: number,
    durationNs: number,
    line: number,
  ): number {
    const { builder, place } = this;
    this.openFiles.apply(io, open, place);
    const caller = around.findLast(({ event }) => event !== NONE);
    const { failed, bytes } = io.result;
    const operation = builder.calls.operation[io.call];
    const moves = operation === OPERATION.read || operation === OPERATION.write;
    const asked = moves || operation === OPERATION.map ? io.size : NaN;
    const moved = Number.isNaN(bytes) ? asked : bytes;
    const row = builder.events.append();
    const chunk = builder.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.start[i] = startNs;
    chunk.duration[i] = durationNs;
    chunk.offset[i] = place.offset;
    chunk.bytes[i] = failed || !moves || Number.isNaN(moved) ? 0 : moved;
    chunk.requested[i] = asked;
    // What fcntl(2) sets is no argument that its operation knows.
    chunk.argument[i] = io.effect === 'control' ? NaN : io.argument;
    chunk.file[i] = open?.file ?? io.file;
    chunk.handle[i] = open?.handle ?? NONE;
    chunk.stack[i] = NONE;
    chunk.parent[i] = caller?.event ?? NONE;
    chunk.stream[i] = stream;
    chunk.line[i] = line;
    chunk.call[i] = io.call;
    chunk.error[i] = failed ? builder.unknownError : 0;
    chunk.flags[i] = io.flags | place.flags;
    chunk.layer[i] = io.layer;
    chunk.link[i] = caller === undefined ? LINK.none : this.isNested ? LINK.nesting : LINK.time;
    this.note(io, open, row, place, moves);
    if (caller !== undefined && open !== undefined) this.tellFile(caller, open);
    return row;
  }

  private note(io: IoCall, open: OpenFile | undefined, row: number, place: Place, moves: boolean): void {
    const { builder } = this;
    if (!moves) return;
    const file = open?.file ?? io.file;
    if (io.writes) builder.offsetsFromEnds.writes(file, this.rank);
    if (place.isFromEnd) builder.offsetsFromEnds.add(row);
    if (!io.result.failed) builder.lacks.transfer(io.layer, place.offset, io.size);
  }

  /** Of a call whose identifier does not say which file it is on, the calls that it makes do. */
  private tellFile(caller: CallUnderWay, open: OpenFile): void {
    if (caller.open !== undefined) return;
    const { events, handles } = this.builder;
    const handle = handles.parent.at(open.handle);
    if (handle === NONE || handles.layer.at(handle) !== caller.layer) return;
    const chunk = events.chunkOf(caller.event);
    const i = caller.event & CHUNK_MASK;
    if (chunk.file[i] !== NONE) return;
    chunk.file[i] = handles.file.at(handle);
    chunk.handle[i] = handle;
  }
}
