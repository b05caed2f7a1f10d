import type { DamageKind } from '../../trace/damage.ts';
import { CHUNK_MASK, EVENT_FLAGS, NONE } from '../../trace/events.ts';
import { CALL_FLAGS, CallInProgress } from './arguments.ts';
import type { KnownCall } from './call-names.ts';
import { CallParts } from './call-parts.ts';
import { Clock } from './clock.ts';
import { appendRow } from './event-rows.ts';
import { OffsetTracker } from './offsets.ts';
import type { NamedPart } from './part-name.ts';
import { ProcessTable } from './process-table.ts';
import type { TracedProcess } from './processes.ts';
import type { ReaderTables } from './reader-tables.ts';
import type { ReturnReader } from './return-value.ts';
import type { StackBlocks } from './stack-blocks.ts';
import { FIRST_RARE_EFFECT } from './system-calls.ts';
import type { TraceBuilder } from './trace-builder.ts';

/** Makes the rows of the calls of one recording file: they begin, they return, or never do. Whoever reads lines tells it. */
export class CallRows {
  lineNumber = 0;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly offsets: OffsetTracker;
  readonly parts: CallParts;
  /** For calls that stand on one line. */
  readonly scratch = new CallInProgress();
  /** Row that the next stack block belongs to, or NONE. */
  stackRow = NONE;
  /** Rows behind it that belong to the same call. */
  stackParts = 0;
  private readonly returnReader: ReturnReader;
  /** The first event of this file. */
  private readonly firstRow: number;

  constructor(
    private readonly builder: TraceBuilder,
    tables: ReaderTables,
    private readonly part: NamedPart,
  ) {
    this.returnReader = tables.returnReader;
    this.firstRow = builder.events.length;
    // A file of `-ff` begins when its process was made, other files of one run begin close to each other.
    const made = builder.inherited.get(`${part.run}\0${part.pid}`)?.time ?? NaN;
    this.clock = new Clock(builder.clockOrigin, Number.isNaN(made) ? builder.begun : made, (back) => {
      const what = `the clock was set back by ${(back / 1e9).toFixed(6)} s`;
      this.report('clock', what, 'nothing: later times were moved so that the order of the lines is kept');
    });
    this.offsets = new OffsetTracker(tables.pathsOf(part.host), builder.handles, builder.errors, builder.unseen);
    this.parts = new CallParts(builder, tables.callNames, this.offsets);
    this.processes = new ProcessTable(builder, part);
    this.offsets.onFork = (child, parent, call) => {
      this.processes.forked(child, parent, call.flags, this.clock.now);
    };
  }

  report(kind: DamageKind, what: string, lost: string): void {
    this.builder.damage.add(kind, `${this.part.name}, line ${this.lineNumber}`, what, lost);
  }

  /** Reports calls that the end of the file left open. @param showsEnds a line said that a process ended. */
  finish(showsEnds: boolean): void {
    const { events } = this.builder;
    if (Number.isNaN(this.builder.begun) && events.length > this.firstRow)
      this.builder.begun = events.value('start', this.firstRow) + this.builder.zero;
    for (const process of this.processes.alive()) {
      if (process.pending !== undefined) this.neverReturned(process, 'the file ends before it returns');
      // Where the recording shows that processes end, one that does not was not followed to its end.
      if (process.exitRow === NONE && (showsEnds || this.part.program !== undefined))
        this.builder.endedEarly(`the recording does not show the end of process ${process.pid}`);
    }
  }

  /** The row of a call that begins at `start` (nanoseconds of the clock). */
  append(process: TracedProcess, known: KnownCall, start: number): number {
    this.builder.understood++;
    return appendRow(this.builder, process.stream, known.index, start, this.lineNumber);
  }

  /** A call of a process begins: one that it is still in never returned. */
  follows(process: TracedProcess): void {
    if (process.pending !== undefined) this.neverReturned(process, 'another call of the same process follows');
  }

  /** A call of which this line holds the first half only. Its arguments are to be read into what is returned. */
  begin(process: TracedProcess, known: KnownCall): CallInProgress {
    this.follows(process);
    const call = process.idle ?? new CallInProgress();
    process.idle = undefined;
    call.begin(known.call, this.append(process, known, this.clock.now));
    return call;
  }

  /** The first half of a call was read. */
  begun(process: TracedProcess, call: CallInProgress): void {
    this.processes.enters(process, call, this.lineNumber);
    this.stackRow = NONE;
  }

  /** Fills the row of a call whose return was read. */
  returned(process: TracedProcess, call: CallInProgress, flags = 0): void {
    const { returnReader, offsets, builder } = this;
    offsets.apply(process, call, returnReader.returned, returnReader.error);
    const { row } = call;
    const chunk = builder.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    let duration = returnReader.duration;
    if (Number.isNaN(duration) && call !== this.scratch)
      duration = builder.sinceOrigin(this.clock.now) - chunk.start[i]!;
    else if (!Number.isNaN(duration)) builder.capabilities.duration = true;
    chunk.duration[i] = duration;
    chunk.offset[i] = offsets.offset;
    chunk.bytes[i] = offsets.bytes;
    const isLowerBound = (call.flags & CALL_FLAGS.requestedIsLowerBound) !== 0 && offsets.bytes > call.requested;
    chunk.requested[i] = isLowerBound ? offsets.bytes : call.requested;
    chunk.argument[i] = call.detail;
    // As in recordings of the library: fcntl does many things, and locking is one that others wait for.
    if (call.flags & CALL_FLAGS.locks) {
      const command = call.flags & CALL_FLAGS.triesLock ? 'fcntl(F_SETLK)' : 'fcntl(F_SETLKW)';
      chunk.call[i] = builder.calls.intern(command, 'lock');
    }
    chunk.file[i] = offsets.file;
    chunk.handle[i] = offsets.handle;
    chunk.error[i] = returnReader.error;
    let bits = flags | offsets.flags;
    if (returnReader.restarted) bits |= EVENT_FLAGS.restarted;
    else if (Number.isNaN(returnReader.returned.value) && !returnReader.returned.failed) {
      bits |= EVENT_FLAGS.neverReturned;
      process.exitRow = row;
    }
    chunk.flags[i] = bits;
    if (offsets.file !== NONE) builder.capabilities.paths = true;
    builder.noteTime(chunk.start[i]!, duration);
    if (call.call.effect >= FIRST_RARE_EFFECT) {
      const end = chunk.start[i]! + (duration > 0 ? duration : 0);
      this.parts.returned(process, call, returnReader.returned, returnReader.error, end);
    }
    this.stackRow = row;
    this.stackParts = call.parts;
  }

  /** The return of a call whose beginning is known was read. */
  resumed(process: TracedProcess, call: CallInProgress): void {
    this.processes.leaves(process);
    process.idle = call;
    this.returned(process, call);
  }

  neverReturned(process: TracedProcess, why: string): void {
    const call = process.pending!;
    const where = `${this.part.name}, line ${process.pendingLine}`;
    const what = `${call.call.name} of process ${process.pid} begins and never returns: ${why}`;
    this.builder.damage.add('no-return', where, what, 'its result and duration');
    this.processes.leaves(process);
  }

  /** The block that was read last is the stack of the call that was. */
  stack(blocks: StackBlocks): void {
    if (this.stackRow === NONE) return;
    const { events, capabilities } = this.builder;
    capabilities.stacks = true;
    const node = blocks.node();
    for (let row = this.stackRow; row <= this.stackRow + this.stackParts; row++) {
      events.chunkOf(row).stack[row & CHUNK_MASK] = node;
    }
    this.stackRow = NONE;
  }
}
