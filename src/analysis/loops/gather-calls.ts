import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { CHUNK_ROWS, EVENT_FLAGS, NONE, type EventChunk } from '../../trace/events.ts';
import { MESSAGE_KIND, MESSAGE_KINDS } from '../../trace/messages.ts';
import type { Stream, Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import { LAYER_ROLE, layerRoles } from '../metrics/layer-roles.ts';
import { CallSequence, COUNTING, FOLLOWS, SHAPE } from './call-sequence.ts';
import type { LoopOptions } from './loop-options.ts';
import { MessagesBetween } from './messages-between.ts';
import { NumberedFiles } from './numbered-files.ts';
import { Positions } from './positions.ts';
import { Slots } from './slots.ts';

/** Bits of an event's flags that belong to the call itself. */
const CALL_FLAGS = EVENT_FLAGS.append | EVENT_FLAGS.collective | EVENT_FLAGS.nonBlocking;
/** Rows that are no call of their own. */
const NO_CALL = EVENT_FLAGS.restarted | EVENT_FLAGS.part;

/** The calls of all streams, those of one behind each other. */
export interface GatheredCalls {
  readonly calls: CallSequence;
  /** Place of each stream's first call, and behind its last. */
  readonly first: Int32Array;
  readonly end: Int32Array;
  readonly files: NumberedFiles;
  /** Calls that were chosen and left out, since `mostCalls` is less. */
  readonly leftOut: number;
  /** What a `SHAPE.call` of synchronisation means. */
  readonly operations: readonly string[];
}

/** Puts the calls that `options` choose into sequences, with what lies between processes where the recording has it. */
export function gatherCalls(trace: Trace, options: LoopOptions): GatheredCalls {
  const takes = chooser(trace, options);
  const messages = new MessagesBetween(trace, options.messages);
  const wanted = new Int32Array(trace.streams.length);
  visitRows(trace, (chunk, i) => {
    if (takes(chunk, i)) wanted[chunk.stream[i]!]!++;
  });
  const left = callsOfEach(wanted, options.mostCalls);
  const leftOut = wanted.reduce((sum, calls, stream) => sum + calls - left[stream]!, 0);
  const first = new Int32Array(left.length);
  let places = 0;
  left.forEach((calls, stream) => {
    first[stream] = places;
    places += calls + messages.most(stream);
  });
  const gathering = new Gathering(trace, options, messages, places, first.slice());
  visitRows(trace, (chunk, i, row) => {
    if (left[chunk.stream[i]!] === 0 || !takes(chunk, i)) return;
    left[chunk.stream[i]!]!--;
    gathering.addCall(chunk, i, row);
  });
  return { ...gathering.finish(), first, leftOut };
}

/** How many calls of each stream are looked at. */
function callsOfEach(wanted: Int32Array, mostCalls = Infinity): Int32Array {
  const streams = wanted.filter((calls) => calls > 0).length;
  const most = Math.ceil(mostCalls / Math.max(1, streams));
  return wanted.map((calls) => Math.min(calls, most));
}

function visitRows({ events }: Trace, visit: (chunk: EventChunk, i: number, row: number) => void): void {
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0, row = number * CHUNK_ROWS; i < rows; i++, row++) visit(chunk, i, row);
  });
}

type TakesRow = (chunk: EventChunk, i: number) => boolean;

function chooser(trace: Trace, { calls = 'outermost', leftOutNodes, leftOutFiles }: LoopOptions): TakesRow {
  const layer = calls === 'outermost' || calls === 'requests' ? NONE : LAYERS.indexOf(calls);
  const roles = layer === NONE ? layerRoles(trace) : undefined;
  const role = calls === 'requests' ? LAYER_ROLE.request : LAYER_ROLE.outermost;
  // Processes, signals and memory without a file are no I/O.
  const needsFile = Uint8Array.from(trace.calls.operation, (operation) =>
    operation === OPERATION.other || operation === OPERATION.map ? 1 : 0,
  );
  return (chunk, i) => {
    if ((chunk.flags[i]! & NO_CALL) !== 0) return false;
    const file = chunk.file[i]!;
    if (file === NONE ? needsFile[chunk.call[i]!] === 1 : leftOutFiles?.[file] === 1) return false;
    if (leftOutNodes !== undefined && chunk.stack[i]! !== NONE && leftOutNodes[chunk.stack[i]!] === 1) return false;
    if (layer !== NONE) return chunk.layer[i] === layer;
    return roles === undefined || (roles.of(chunk, i) & role) !== 0;
  };
}

/** Fills the sequences, row by row. */
class Gathering {
  private readonly calls: CallSequence;
  private readonly files: NumberedFiles;
  private readonly positions: Positions;
  private readonly slots: Slots[];
  private readonly shape = new Float64Array(Object.keys(SHAPE).length);
  /** Of each call's name: a loop mostly has one call of a name. */
  private readonly lastShape: Int32Array;
  private readonly operations: string[];

  constructor(
    private readonly trace: Trace,
    private readonly options: LoopOptions,
    private readonly messages: MessagesBetween,
    places: number,
    private readonly next: Int32Array,
  ) {
    this.calls = new CallSequence(places);
    this.files = new NumberedFiles(trace.files);
    this.positions = new Positions(trace);
    this.slots = trace.streams.map(() => new Slots());
    this.lastShape = new Int32Array(trace.calls.names.length).fill(NONE);
    this.operations = ['send', 'receive', ...(trace.messages?.operations.names ?? [])];
  }

  addCall(chunk: EventChunk, i: number, row: number): void {
    const { calls, trace, next } = this;
    const stream = chunk.stream[i]!;
    const start = chunk.start[i]!;
    const duration = chunk.duration[i]!;
    if (trace.messages !== undefined) this.addMessagesBefore(chunk, i, stream);
    const at = next[stream]!++;
    const call = chunk.call[i]!;
    const offset = this.positions.offsetOf(chunk, i);
    const bytes = chunk.bytes[i]!;
    const asked = chunk.requested[i]!;
    const requested = asked >= 0 || bytes === 0 ? asked : bytes;
    this.setShape(chunk, i, call, offset, requested);
    const shape = calls.shapes.intern(this.shape, this.lastShape[call]);
    this.lastShape[call] = shape;
    calls.shape.values[at] = shape;
    calls.row.values[at] = row;
    const isNumbered = this.shape[SHAPE.file]! < NONE;
    calls.numbers[COUNTING.file].values[at] = isNumbered ? this.files.numberOf[chunk.file[i]!]! : 0;
    calls.numbers[COUNTING.outer].values[at] = isNumbered ? this.files.outerOf[chunk.file[i]!]! : 0;
    calls.numbers[COUNTING.place].values[at] = Number.isSafeInteger(offset) ? offset : 0;
    calls.numbers[COUNTING.requested].values[at] = Number.isSafeInteger(requested) ? requested : 0;
    calls.events.values[at] = 1;
    calls.bytes.values[at] = bytes;
    calls.timeNs.values[at] = duration >= 0 ? duration : 0;
    const isWaitedFor = (chunk.flags[i]! & EVENT_FLAGS.nonBlocking) === 0;
    if (trace.messages !== undefined && isWaitedFor) this.messages.busy(stream, start + duration);
  }

  /** The last messages, behind all calls. */
  finish(): Omit<GatheredCalls, 'first' | 'leftOut'> {
    const { calls, files, operations, next } = this;
    this.trace.streams.forEach((_, stream) =>
      this.messages.before(stream, Infinity, (row) => this.addMessage(stream, row)),
    );
    return { calls, files, operations, end: next };
  }

  private setShape(chunk: EventChunk, i: number, call: number, offset: number, requested: number): void {
    const { shape, files, trace } = this;
    const stack = chunk.stack[i]!;
    const file = chunk.file[i]!;
    const group = file === NONE ? NONE : files.groupOf[file]!;
    const handle = chunk.handle[i]!;
    const slots = this.slots[chunk.stream[i]!]!;
    const argument = chunk.argument[i]!;
    shape[SHAPE.kind] = 0;
    shape[SHAPE.call] = call;
    shape[SHAPE.layer] = chunk.layer[i]!;
    shape[SHAPE.file] = group === NONE ? file : -2 - group;
    shape[SHAPE.slot] = slots.of(handle);
    shape[SHAPE.has] =
      (Number.isSafeInteger(offset) ? 1 << COUNTING.place : 0) |
      (Number.isSafeInteger(requested) ? 1 << COUNTING.requested : 0) |
      (this.positions.follows ? FOLLOWS : 0);
    shape[SHAPE.argument] = Number.isNaN(argument) ? 0 : argument;
    shape[SHAPE.hasArgument] = Number.isNaN(argument) ? 0 : 1;
    shape[SHAPE.flags] = chunk.flags[i]! & CALL_FLAGS;
    shape[SHAPE.error] = chunk.error[i]!;
    shape[SHAPE.site] = stack === NONE ? NONE : (this.options.siteOfNode?.[stack] ?? NONE);
    if (trace.calls.operation[call] === OPERATION.close) slots.release(handle);
  }

  private addMessagesBefore(chunk: EventChunk, i: number, stream: StreamIndex): void {
    this.messages.before(stream, chunk.start[i]!, (row) => this.addMessage(stream, row));
  }

  private addMessage(stream: StreamIndex, row: number): void {
    const { calls, shape, next } = this;
    const messages = this.trace.messages!;
    const at = next[stream]!++;
    const kind = messages.kind.at(row);
    const isCollective = kind === MESSAGE_KIND.collective;
    const peer = isCollective ? NONE : messages.peer.at(row);
    shape.fill(0);
    shape[SHAPE.kind] = 1;
    shape[SHAPE.call] = isCollective ? MESSAGE_KINDS.length - 1 + messages.operation.at(row) : kind;
    shape[SHAPE.has] = peer === NONE ? 0 : 1 << COUNTING.place;
    shape[SHAPE.site] = messages.communicator.at(row);
    calls.shape.values[at] = calls.shapes.intern(shape);
    calls.row.values[at] = row;
    calls.numbers[COUNTING.file].values[at] = 0;
    calls.numbers[COUNTING.outer].values[at] = 0;
    calls.numbers[COUNTING.place].values[at] = peer === NONE ? 0 : knownNumber(this.trace.streams[peer]!);
    calls.numbers[COUNTING.requested].values[at] = 0;
    calls.events.values[at] = 0;
    calls.bytes.values[at] = 0;
    calls.timeNs.values[at] = 0;
  }
}

/** What a stream is known by: its rank, else the kernel's number. */
function knownNumber({ rank, pid }: Stream): number {
  return rank ?? pid;
}
