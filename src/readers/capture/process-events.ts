import { CHUNK_MASK, EVENT_FLAGS, LINK, NONE } from '../../trace/events.ts';
import { errorName } from '../linux-errors.ts';
import type { CallArguments } from './call-arguments.ts';
import type { CaptureBuilder } from './capture-builder.ts';
import type { FileEffects } from './file-effects.ts';
import { EventAtHand, isBegun, type Occurrence } from './occurrence.ts';
import type { ProcessStacks } from './process-stacks.ts';
import type { RecordedFunction } from './recorded-functions.ts';
import { RecordCursor, type Identifier } from './record-cursor.ts';
import type { ThreadEvents } from './thread-events.ts';
import type { TimeBounds } from './time-bounds.ts';

/** What the events of a process tell of other processes, and what is asked about groups of them. */
export interface Kinship {
  /** It made another one. */
  forked(pid: number, time: number): void;
  /** It executes another program. */
  executed(event: Occurrence): void;
  /** Index in the trace of a communicator by its number in the file; NONE when it is not defined. */
  communicatorOf(number: number): number;
}

/** Events of a thread, and how far they are rows already. */
interface ThreadProgress {
  readonly events: ThreadEvents;
  readonly stream: number;
  readonly order: Uint32Array;
  /** Place of the next one in `order`. */
  next: number;
  /** By event: its row, or NONE; and the nearest call around it that is of a layer above. */
  readonly row: Int32Array;
  readonly above: Int32Array;
}

export function progressOf(events: ThreadEvents, stream: number): ThreadProgress {
  const row = new Int32Array(events.length).fill(NONE);
  const above = new Int32Array(events.length).fill(NONE);
  events.nest();
  return { events, stream, order: events.inOrder(), next: 0, row, above };
}

/** Makes rows of the events of one process, in the order in which they began. */
export class ProcessEvents {
  private readonly event = new EventAtHand();
  private readonly cursor = new RecordCursor();
  /** Transfers that were begun, by their requests. */
  private readonly begun = new Map<Identifier, number>();
  /** The same of messages: their rows. */
  private readonly begunMessages = new Map<Identifier, number[]>();
  /** How many events stand in front of the next one in its file. */
  private number = 0;

  constructor(
    private readonly builder: CaptureBuilder,
    private readonly effects: FileEffects,
    private readonly stacks: ProcessStacks,
    private readonly kinship: Kinship,
    private readonly bounds: TimeBounds,
  ) {}

  /** @param pause is called now and then: it may throw to end the reading. */
  add(bytes: Uint8Array, threads: readonly ThreadProgress[], pause: () => void): void {
    this.cursor.set(bytes);
    if (threads.length === 1) {
      const [only] = threads;
      for (let left = only!.order.length; left > 0; left--) {
        if ((left & 0xffff) === 0) pause();
        this.addNext(only!);
      }
      return;
    }
    const waiting = threads.filter(({ order }) => order.length > 0);
    while (waiting.length > 0) {
      if ((this.number & 0xffff) === 0) pause();
      const first = earliest(waiting);
      this.addNext(waiting[first]!);
      if (waiting[first]!.next === waiting[first]!.order.length) waiting.splice(first, 1);
    }
  }

  /** Transfers that were begun and never seen to be complete. */
  get incomplete(): number {
    return this.begun.size;
  }

  private addNext(thread: ThreadProgress): void {
    const { events } = thread;
    const at = thread.order[thread.next++]!;
    const called = events.functions[events.called[at]!]!;
    const { event, cursor } = this;
    cursor.at = events.position[at]!;
    event.called = called;
    event.given.read(called, cursor);
    this.number++;
    const around = this.nearestAbove(thread, at, called);
    const parent = around === NONE ? NONE : thread.row[around]!;
    event.start = events.start[at]!;
    event.end = event.start + events.duration[at]!;
    event.stream = thread.stream;
    event.row = this.builder.events.length;
    event.failed = hasFailed(called, event.given);
    event.above = parent === NONE ? NONE : this.builder.events.value('handle', parent);
    if (called.layer === NONE) this.addOfRecorder(event);
    else {
      this.effects.apply(event);
      thread.row[at] = event.row;
      this.addRow(event, parent, this.stacks.nodeOf(events.stack[at]!));
      if (called.effect === 'execute' && neverReturned(event)) this.kinship.executed(event);
    }
  }

  /** The nearest call around an event that is of a layer above: each step leads to a higher layer. */
  private nearestAbove({ events, above }: ThreadProgress, at: number, { layer }: RecordedFunction): number {
    let around = events.parent[at]!;
    while (around !== NONE) {
      const { layer: of } = events.functions[events.called[around]!]!;
      if (of !== NONE && (of < layer || layer === NONE)) break;
      around = above[around]!;
    }
    above[at] = around;
    return around;
  }

  private addOfRecorder(event: Occurrence): void {
    const { called, given, end } = event;
    if (called.effect === 'describe') this.effects.describe(event);
    else if (called.effect === 'describeObject') this.effects.describeObject(event);
    else if (called.effect === 'describeStream') this.effects.handles.streamDescribed(event);
    else if (called.effect === 'complete') this.complete(given, end);
    else if (called.effect === 'message') this.addMessage(event);
    else if (called.effect === 'fork' && given.result > 0) this.kinship.forked(given.result, event.start);
  }

  private addMessage(event: Occurrence): void {
    const { communicator, request } = event.given;
    const rows = this.builder.messages.add(
      event,
      communicator === 0 ? NONE : this.kinship.communicatorOf(communicator),
    );
    if (rows.length > 0) this.begunMessages.set(request, rows);
    this.bounds.note(event.start, event.end);
  }

  private complete(given: CallArguments, end: number): void {
    const { request, moved } = given;
    const row = this.begun.get(request);
    if (row === undefined) {
      for (const message of this.begunMessages.get(request) ?? []) this.builder.messages.complete(message, end, given);
      this.begunMessages.delete(request);
      return;
    }
    this.begun.delete(request);
    const chunk = this.builder.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    const start = this.builder.origin + chunk.start[i]!;
    chunk.duration[i] = Math.max(0, end - start);
    chunk.bytes[i] = Number.isNaN(moved) ? 0 : moved;
    chunk.flags[i]! &= ~EVENT_FLAGS.neverReturned;
    this.bounds.note(start, end);
  }

  private addRow(event: Occurrence, parent: number, stack: number): void {
    const { called, given, start, end, failed, row } = event;
    const { builder, effects } = this;
    const isOpen = isBegun(event) && !failed;
    if (isOpen) this.begun.set(given.request, row);
    this.append(event, effects.call);
    const chunk = builder.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.offset[i] = effects.offset;
    chunk.bytes[i] = failed ? 0 : effects.bytes;
    // Printed text is as long as it came out; so are values that a library counts itself.
    if (called.moves && !failed && Number.isNaN(given.requested))
      chunk.requested[i] = given.moved >= 0 ? given.moved : effects.bytes;
    chunk.argument[i] = effects.argument;
    chunk.file[i] = effects.file;
    chunk.handle[i] = effects.handle;
    chunk.stack[i] = stack;
    chunk.parent[i] = parent;
    chunk.link[i] = parent === NONE ? LINK.none : LINK.nesting;
    const unfinished = (isOpen || neverReturned(event) ? 1 : 0) * EVENT_FLAGS.neverReturned;
    chunk.flags[i] = (called.flags & ~EVENT_FLAGS.neverReturned) | effects.flags | unfinished;
    builder.usedLayers.add(called.layer);
    this.bounds.note(start, end);
    if (called.effect === 'send' || called.effect === 'copy') this.addOtherSide(event, row);
  }

  /** The other file of a copy inside the kernel has a row of its own (docs/decisions/0012). */
  private addOtherSide(event: Occurrence, whole: number): void {
    const { called, failed } = event;
    const { builder, effects } = this;
    const side = called.effect === 'send' ? 'source' : 'target';
    this.append(event, builder.calls.intern(`${called.name} (${side})`, 'copy'));
    const row = whole + 1;
    const chunk = builder.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.offset[i] = effects.otherOffset;
    chunk.bytes[i] = failed ? 0 : effects.bytes;
    chunk.argument[i] = NaN;
    chunk.file[i] = effects.otherFile;
    chunk.handle[i] = effects.otherHandle;
    chunk.stack[i] = NONE;
    chunk.parent[i] = whole;
    chunk.link[i] = LINK.part;
    chunk.flags[i] = EVENT_FLAGS.part;
  }

  /** Adds a row with what both sides of a copy have in common. */
  private append({ called, given, start, end, stream, failed }: Occurrence, call: number): void {
    const { builder } = this;
    const row = builder.events.append();
    const chunk = builder.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.start[i] = start - builder.origin;
    chunk.duration[i] = end - start;
    chunk.requested[i] = given.requested;
    chunk.stream[i] = stream;
    chunk.line[i] = this.number;
    chunk.call[i] = call;
    chunk.error[i] = failed ? builder.errors.intern(errorOf(called, given)) : 0;
    chunk.layer[i] = called.layer;
  }
}

function earliest(threads: readonly ThreadProgress[]): number {
  let first = 0;
  let least = Infinity;
  for (let i = 0; i < threads.length; i++) {
    const { events, order, next } = threads[i]!;
    const start = events.start[order[next]!]!;
    if (start < least) {
      least = start;
      first = i;
    }
  }
  return first;
}

function hasFailed({ hasErrorNumber, layer, name }: RecordedFunction, given: CallArguments): boolean {
  if (hasErrorNumber) return given.errorNumber > 0;
  // Libraries that return what they open return something negative when they cannot.
  if (given.result < 0) return true;
  return layer !== NONE && (name.startsWith('H5') ? given.code < 0 : given.code !== 0);
}

/** Calls that do not return when they succeed are written down when they begin. */
function neverReturned({ given, start, end }: Occurrence): boolean {
  return given.result === -1 && given.errorNumber === 0 && start === end;
}

function errorOf({ hasErrorNumber, name }: RecordedFunction, { errorNumber, code }: CallArguments): string {
  if (hasErrorNumber) return errorName(errorNumber);
  if (name.startsWith('H5')) return 'HDF5 error';
  // NetCDF hands errors of the system on as they are.
  const isOfSystem = /^nc(mpi)?_/.test(name) && code > 0;
  return isOfSystem ? errorName(code) : `${name.startsWith('nc') ? 'NetCDF' : 'MPI'} error ${code}`;
}
