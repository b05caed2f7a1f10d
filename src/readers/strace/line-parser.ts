import { CHUNK_MASK, EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { DamageKind } from '../../trace/damage.ts';
import { type ArgumentReader, CALL_FLAGS, CallInProgress } from './arguments.ts';
import { ascii, BLANK, findOutsideStrings, NEWLINE, readNumber, RETURN, startsWith } from '../text/bytes.ts';
import { isFrameLine } from '../text/frame-lines.ts';
import type { CallNames, KnownCall } from './call-names.ts';
import { CallParts } from './call-parts.ts';
import { Clock } from './clock.ts';
import { appendRow } from './event-rows.ts';
import { LinePrefix } from './line-prefix.ts';
import { OffsetTracker } from './offsets.ts';
import type { NamedPart } from './part-name.ts';
import type { TracedProcess } from './processes.ts';
import { ProcessTable } from './process-table.ts';
import { programOf } from './program-name.ts';
import type { ReaderTables } from './reader-tables.ts';
import type { ReturnReader } from './return-value.ts';
import { endsInCutFrame, type StackBlocks } from './stack-blocks.ts';
import { EFFECT, FIRST_RARE_EFFECT, unknownCall } from './system-calls.ts';
import { SummaryTable } from './summary-table.ts';
import type { TraceBuilder } from './trace-builder.ts';

const UNFINISHED = ascii('<unfinished ...>');
const DETACHED = ascii('<detached ...>');
const RESUMED = ascii('resumed>');
const STARTS_RESUMED = ascii('<... ');
const SIGNAL = ascii('--- ');
const EXIT = ascii('+++ ');
const SUPERSEDED = ascii('superseded by execve in pid ');
const EXITED = ascii('exited with ');
const KILLED = ascii('killed by ');
const NOTE = ascii('strace: ');
const DUMP = ascii('| ');
const OPEN = 40;
const GREATER = 62;
const QUESTION = 63;

/** Reads the lines of one recording file into the trace's tables. */
export class LineParser {
  lineNumber = 0;

  private readonly prefix = new LinePrefix();
  private readonly clock: Clock;
  private readonly callNames: CallNames;
  private readonly argumentReader: ArgumentReader;
  private readonly returnReader: ReturnReader;
  private readonly stackBlocks: StackBlocks;
  private readonly offsets: OffsetTracker;
  private readonly parts: CallParts;
  private readonly processes: ProcessTable;
  /** For calls that stand on one line. */
  private readonly scratch = new CallInProgress();
  /** Row that the next stack block belongs to, or NONE. */
  private stackRow = NONE;
  /** Rows behind it that belong to the same call. */
  private stackParts = 0;
  /** The process whose call a note of strace cut in two. */
  private interrupted: TracedProcess | undefined;
  private readonly summary = new SummaryTable();
  /** A line said that a process ended. */
  private showsEnds = false;
  /** The first event of this file. */
  private readonly firstRow: number;

  constructor(
    private readonly builder: TraceBuilder,
    tables: ReaderTables,
    private readonly part: NamedPart,
  ) {
    this.callNames = tables.callNames;
    this.argumentReader = tables.argumentReader;
    this.returnReader = tables.returnReader;
    this.stackBlocks = tables.stackBlocks;
    this.firstRow = builder.events.length;
    // A file of `-ff` begins when its process was made, other files of one run begin close to each other.
    const made = builder.inherited.get(`${part.run}\0${part.pid}`)?.time ?? NaN;
    this.clock = new Clock(builder.clockOrigin, Number.isNaN(made) ? builder.begun : made, (back) => {
      const what = `the clock was set back by ${(back / 1e9).toFixed(6)} s`;
      this.report('clock', what, 'nothing: later times were moved so that the order of the lines is kept');
    });
    this.offsets = new OffsetTracker(tables.pathsOf(part.host), builder.handles, builder.errors, builder.unseen);
    this.parts = new CallParts(builder, this.callNames, this.offsets);
    this.processes = new ProcessTable(builder, part);
    this.offsets.onFork = (child, parent, call) => {
      this.processes.forked(child, parent, call.flags, this.clock.now);
    };
  }

  /** Reads whole records; `end` is the end of a line or of the file. */
  parse(bytes: Uint8Array, start: number, end: number): void {
    let at = start;
    while (at < end) {
      if (bytes[at] === BLANK && isFrameLine(bytes, at)) {
        at = this.stack(bytes, at, end);
        continue;
      }
      let newline = bytes.indexOf(NEWLINE, at);
      if (newline < 0 || newline > end) newline = end;
      const stop = newline > at && bytes[newline - 1] === RETURN ? newline - 1 : newline;
      this.lineNumber++;
      if (stop > at) this.line(bytes, at, stop, newline < end);
      at = newline + 1;
    }
  }

  /** Reports calls that the end of the file left open. */
  finish(): void {
    const { events } = this.builder;
    if (Number.isNaN(this.builder.begun) && events.length > this.firstRow)
      this.builder.begun = events.value('start', this.firstRow) + this.builder.zero;
    for (const process of this.processes.alive()) {
      if (process.pending !== undefined) this.neverReturned(process, 'the file ends before it returns');
      // Where the recording shows that processes end, one that does not was not followed to its end.
      if (process.exitRow === NONE && (this.showsEnds || this.part.program !== undefined))
        this.builder.endedEarly(`the recording does not show the end of process ${process.pid}`);
    }
  }

  report(kind: DamageKind, what: string, lost: string): void {
    this.builder.damage.add(kind, `${this.part.name}, line ${this.lineNumber}`, what, lost);
  }

  private stack(bytes: Uint8Array, from: number, end: number): number {
    const stop = this.stackBlocks.read(bytes, from, end);
    this.lineNumber += this.stackBlocks.lines;
    if (stop === end && endsInCutFrame(bytes, from, end)) {
      this.report('cut-line', 'the file ends inside a stack frame', 'the outer callers of this call');
    }
    if (this.stackRow !== NONE) {
      const { events, capabilities } = this.builder;
      capabilities.stacks = true;
      const node = this.stackBlocks.node();
      for (let row = this.stackRow; row <= this.stackRow + this.stackParts; row++) {
        events.chunkOf(row).stack[row & CHUNK_MASK] = node;
      }
      this.stackRow = NONE;
    }
    return stop;
  }

  private line(bytes: Uint8Array, lineStart: number, end: number, complete: boolean): void {
    let from = lineStart;
    if (this.summary.holds(bytes, from, end)) return;
    if (bytes[from] === 0) {
      while (from < end && bytes[from] === 0) from++;
      this.report('hole', `a hole of ${from - lineStart} NUL bytes`, 'what stood in the hole');
    }
    const at = this.prefix.read(bytes, from, end);
    this.clock.advance(this.prefix);
    if (this.interrupted !== undefined && this.restOfInterrupted(bytes, at, end)) return;
    const byte = bytes[at]! | 32;
    if ((byte >= 97 && byte <= 122) || bytes[at] === 95) {
      if (this.callLine(bytes, at, end, complete)) return;
      if (startsWith(bytes, at, end, NOTE)) {
        this.processes.note(bytes, at, end);
        return;
      }
    } else if (startsWith(bytes, at, end, STARTS_RESUMED)) {
      if (this.resumedLine(bytes, at, end, complete)) return;
    } else if (startsWith(bytes, at, end, SIGNAL)) {
      this.builder.understood++;
      this.stackRow = NONE;
      return;
    } else if (startsWith(bytes, at, end, EXIT)) {
      if (this.exitLine(bytes, at + EXIT.length, end)) return;
    } else if (startsWith(bytes, at, end, DUMP)) return;
    this.stackRow = NONE;
    if (at >= end && complete) return;
    if (complete) this.clock.undo();
    if (complete) this.report('unreadable-line', 'the line is no system call, signal or exit', 'this line');
    else this.report('cut-line', 'the file ends inside this line', 'this call');
  }

  /** The rest of a call that a note was printed into. */
  private restOfInterrupted(bytes: Uint8Array, at: number, end: number): boolean {
    const process = this.interrupted;
    this.interrupted = undefined;
    const call = process?.pending;
    if (process === undefined || call === undefined) return false;
    const after = this.argumentReader.read(bytes, at, end, call);
    if (after < 0 || !this.returnReader.read(bytes, after, end)) return false;
    this.processes.leaves(process);
    this.returned(process, call);
    return true;
  }

  /** @returns false when the line only looked like a call. */
  private callLine(bytes: Uint8Array, from: number, end: number, complete: boolean): boolean {
    let at = from;
    while (at < end && NAME_BYTE[bytes[at]!] === 1) at++;
    if (at >= end || bytes[at] !== OPEN) return false;
    const known = this.callNames.find(bytes, from, at);
    this.argumentReader.pid = this.prefix.pid;
    const cut = cutMarker(bytes, end);
    if (cut > 0) {
      this.beginning(bytes, at + 1, cut, known);
      return true;
    }
    const call = this.scratch;
    call.begin(known.call, NONE);
    const after = this.argumentReader.read(bytes, at + 1, end, call);
    if (after < 0 || !this.returnReader.read(bytes, after, end)) return this.noteInside(bytes, at + 1, end, known);
    if (!complete && this.lacksItsEnd(bytes, end)) {
      this.beginning(bytes, at + 1, end, known);
      return true;
    }
    const process = this.process();
    if (process.pending !== undefined) this.neverReturned(process, 'another call of the same process follows');
    call.row = this.newRow(process, known, this.clock.now);
    if (call.call.effect >= FIRST_RARE_EFFECT) this.beginRare(process, call, bytes, at + 1, end);
    this.returned(process, call);
    return true;
  }

  /**
   * Whether the last line of a file is cut in its result, which is then another number: `= 83` of `= 832 <0.000008>`.
   * Without durations nobody can tell.
   */
  private lacksItsEnd(bytes: Uint8Array, end: number): boolean {
    const last = bytes[end - 1];
    return this.builder.capabilities.duration && last !== GREATER && last !== QUESTION;
  }

  /** On standard error strace prints `strace: Process 123 attached` into the line of the clone that made it. */
  private noteInside(bytes: Uint8Array, from: number, end: number, known: KnownCall): boolean {
    const note = findOutsideStrings(bytes, from, end, NOTE);
    if (note < 0) return false;
    this.beginning(bytes, from, note, known);
    this.interrupted = this.process();
    this.processes.note(bytes, note, end);
    return true;
  }

  private beginning(bytes: Uint8Array, from: number, end: number, known: KnownCall): void {
    const process = this.process();
    if (process.pending !== undefined) this.neverReturned(process, 'another call of the same process follows');
    const call = process.idle ?? new CallInProgress();
    process.idle = undefined;
    call.begin(known.call, this.newRow(process, known, this.clock.now));
    this.argumentReader.read(bytes, from, end, call);
    if (call.call.effect >= FIRST_RARE_EFFECT) this.beginRare(process, call, bytes, from, end);
    this.processes.enters(process, call, this.lineNumber);
    this.stackRow = NONE;
  }

  /** What few calls need when they begin: rows for their parts, the name of the program. */
  private beginRare(process: TracedProcess, call: CallInProgress, bytes: Uint8Array, from: number, end: number): void {
    this.parts.begin(process, call, this.clock.now, this.lineNumber);
    // The first program that is executed gives the recording its name.
    if (call.call.effect !== EFFECT.execute || this.part.program !== undefined) return;
    const program = programOf(bytes, from, end);
    if (program === '') return;
    this.part.program = program;
    this.builder.program ||= program;
  }

  private resumedLine(bytes: Uint8Array, from: number, end: number, complete: boolean): boolean {
    const nameStart = from + STARTS_RESUMED.length;
    let nameEnd = nameStart;
    while (nameEnd < end && NAME_BYTE[bytes[nameEnd]!] === 1) nameEnd++;
    if (!startsWith(bytes, nameEnd + 1, end, RESUMED)) return false;
    const rest = nameEnd + 1 + RESUMED.length;
    const known = this.callNames.find(bytes, nameStart, nameEnd);
    const process = this.process();
    let call = process.pending;
    if (call !== undefined && call.call !== known.call) {
      this.neverReturned(process, `${known.call.name} returns instead`);
      call = undefined;
    }
    const lost = call === undefined;
    if (call === undefined) {
      call = this.scratch;
      call.begin(unknownCall(known.call.name), NONE);
      call.argument = Infinity;
    }
    const after = this.argumentReader.read(bytes, rest, end, call);
    const isCut = !complete && this.lacksItsEnd(bytes, end);
    if (after < 0 || !this.returnReader.read(bytes, after, end) || isCut) {
      if (!lost) this.neverReturned(process, 'its return is cut off');
      return false;
    }
    if (lost) {
      this.report('no-beginning', `${known.call.name} returns, but its beginning is missing`, 'its arguments');
      const duration = this.returnReader.duration;
      const start = duration > 0 ? this.clock.now - duration : this.clock.now;
      call.row = this.newRow(process, known, start);
    } else {
      this.processes.leaves(process);
      process.idle = call;
    }
    this.returned(process, call, lost ? EVENT_FLAGS.beginningLost : 0);
    return true;
  }

  /** Fills the row of a call whose return was read. */
  private returned(process: TracedProcess, call: CallInProgress, flags = 0): void {
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

  private newRow(process: TracedProcess, known: KnownCall, start: number): number {
    this.builder.understood++;
    return appendRow(this.builder, process.stream, known.index, start, this.lineNumber);
  }

  private neverReturned(process: TracedProcess, why: string): void {
    const call = process.pending!;
    const where = `${this.part.name}, line ${process.pendingLine}`;
    const what = `${call.call.name} of process ${process.pid} begins and never returns: ${why}`;
    this.builder.damage.add('no-return', where, what, 'its result and duration');
    this.processes.leaves(process);
  }

  private exitLine(bytes: Uint8Array, from: number, end: number): boolean {
    const process = this.process();
    this.builder.understood++;
    this.stackRow = NONE;
    if (startsWith(bytes, from, end, SUPERSEDED)) {
      const pid = readNumber(bytes, from + SUPERSEDED.length, end);
      if (Number.isNaN(pid)) return false;
      this.processes.supersede(process, pid);
      return true;
    }
    if (!startsWith(bytes, from, end, EXITED) && !startsWith(bytes, from, end, KILLED)) return false;
    if (startsWith(bytes, from, end, KILLED)) this.builder.endedEarly(killedBy(process, bytes, from, end));
    this.showsEnds = true;
    // Where few calls were recorded the last of them may be long ago.
    this.builder.noteTime(this.builder.sinceOrigin(this.clock.now), 0);
    // The stack of the exit call is printed behind this line.
    this.stackRow = process.exitRow;
    this.stackParts = 0;
    this.processes.exited(process);
    return true;
  }

  private process(): TracedProcess {
    return this.processes.of(this.prefix.pid);
  }
}

/** `process 4711 was killed by SIGSEGV`, whichever of its threads the line is about. */
function killedBy({ processId }: TracedProcess, bytes: Uint8Array, from: number, end: number): string {
  let at = from + KILLED.length;
  while (at < end && NAME_BYTE[bytes[at]!] === 1) at++;
  return `process ${processId} was killed by ${new TextDecoder().decode(bytes.subarray(from + KILLED.length, at))}`;
}

/** 1 for the bytes that names of system calls consist of. */
const NAME_BYTE = new Uint8Array(256);
for (const byte of ascii('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_')) NAME_BYTE[byte] = 1;

/** End of the text before ` <unfinished ...>` or ` <detached ...>` at the end of a line; 0 when there is none. */
function cutMarker(bytes: Uint8Array, end: number): number {
  // Most lines that end in `>` end in a duration.
  if (bytes[end - 1] !== 62 || bytes[end - 2] !== 46) return 0;
  let at = 0;
  if (startsWith(bytes, end - UNFINISHED.length, end, UNFINISHED)) at = end - UNFINISHED.length;
  else if (startsWith(bytes, end - DETACHED.length, end, DETACHED)) at = end - DETACHED.length;
  while (at > 0 && bytes[at - 1] === BLANK) at--;
  return at;
}
