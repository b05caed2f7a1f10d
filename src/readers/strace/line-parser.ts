import { CHUNK_MASK, EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { DamageKind } from '../../trace/damage.ts';
import { SYSTEM_CALL_LAYER } from '../../trace/calls.ts';
import { ArgumentReader, CALL_FLAGS, CallInProgress } from './arguments.ts';
import { ascii, BLANK, findOutsideStrings, NEWLINE, numberEnd, readNumber, RETURN, startsWith } from './bytes.ts';
import { unescapeText } from './bytes.ts';
import { ByteNames } from './byte-names.ts';
import { Clock } from './clock.ts';
import { LinePrefix } from './line-prefix.ts';
import { OffsetTracker } from './offsets.ts';
import type { NamedPart } from './part-name.ts';
import { PathResolver } from './paths.ts';
import type { TracedProcess } from './processes.ts';
import { ProcessTable } from './process-table.ts';
import { ReturnReader } from './return-value.ts';
import { isCutFrame, isFrameLine, StackBlocks } from './stack-blocks.ts';
import { EFFECT, SYSTEM_CALLS, unknownCall, type SystemCall } from './system-calls.ts';
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
const SUMMARY_HEAD = ascii('% time ');
const OPEN = 40;

/** Bits of the call names' own table. */
interface KnownCall {
  readonly call: SystemCall;
  /** Index into the trace's calls. */
  readonly index: number;
}

/** Reads the lines of one recording file into the trace's tables. */
export class LineParser {
  lineNumber = 0;

  private readonly names = new ByteNames();
  private readonly callNames = new ByteNames();
  private readonly knownCalls: KnownCall[] = [];
  /** Names that were met lately, by a cheap hash. */
  private readonly recentCalls = new Int32Array(256).fill(-1);
  private readonly prefix = new LinePrefix();
  private readonly clock: Clock;
  private readonly argumentReader = new ArgumentReader(this.names);
  private readonly returnReader: ReturnReader;
  private readonly offsets: OffsetTracker;
  private readonly processes: ProcessTable;
  private readonly stackBlocks: StackBlocks;
  /** For calls that stand on one line. */
  private readonly scratch = new CallInProgress();
  /** Row that the next stack block belongs to, or NONE. */
  private stackRow = NONE;
  /** The process whose call a note of strace cut in two. */
  private interrupted: TracedProcess | undefined;
  /** Inside the table that `-C` prints behind the calls. */
  private inSummary = false;

  constructor(
    private readonly builder: TraceBuilder,
    private readonly part: NamedPart,
  ) {
    this.clock = new Clock(builder.origin, (back) => {
      const what = `the clock was set back by ${(back / 1e9).toFixed(6)} s`;
      this.report('clock', what, 'nothing: later times were moved so that the order of the lines is kept');
    });
    this.returnReader = new ReturnReader(builder.errors, this.argumentReader);
    const paths = new PathResolver(this.names, builder.files, part.host);
    this.offsets = new OffsetTracker(paths, builder.handles, builder.errors);
    this.processes = new ProcessTable(builder, part);
    this.offsets.onFork = (child, parent, call) => {
      this.processes.forked(child, parent, call.flags);
    };
    this.stackBlocks = new StackBlocks(builder.stacks);
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
    for (const process of this.processes.alive()) {
      if (process.pending !== undefined) this.neverReturned(process, 'the file ends before it returns');
    }
  }

  report(kind: DamageKind, what: string, lost: string): void {
    this.builder.damage.add(kind, `${this.part.name}, line ${this.lineNumber}`, what, lost);
  }

  private stack(bytes: Uint8Array, from: number, end: number): number {
    const stop = this.stackBlocks.endOfBlock(bytes, from, end);
    let lines = 0;
    let last = from;
    for (let at = from; at < stop;) {
      lines++;
      last = at;
      const newline = bytes.indexOf(NEWLINE, at);
      at = newline < 0 || newline >= stop ? stop : newline + 1;
    }
    this.lineNumber += lines;
    if (bytes[stop - 1] !== NEWLINE && isCutFrame(bytes, last, stop)) {
      this.report('cut-line', 'the file ends inside a stack frame', 'the outer callers of this call');
    }
    if (this.stackRow !== NONE) {
      this.builder.capabilities.stacks = true;
      const node = this.stackBlocks.node(bytes, from, stop);
      this.builder.events.chunkOf(this.stackRow).stack[this.stackRow & CHUNK_MASK] = node;
      this.stackRow = NONE;
    }
    return stop;
  }

  private line(bytes: Uint8Array, lineStart: number, end: number, complete: boolean): void {
    let from = lineStart;
    if (startsWith(bytes, from, end, SUMMARY_HEAD)) this.inSummary = true;
    if (this.inSummary) return;
    if (bytes[from] === 0) {
      while (from < end && bytes[from] === 0) from++;
      this.report('hole', `a hole of ${from - lineStart} NUL bytes`, 'what stood in the hole');
    }
    const at = this.prefix.read(bytes, from, end);
    this.clock.advance(this.prefix);
    if (this.interrupted !== undefined && this.restOfInterrupted(bytes, at, end)) return;
    const byte = bytes[at]! | 32;
    if ((byte >= 97 && byte <= 122) || bytes[at] === 95) {
      if (this.callLine(bytes, at, end)) return;
      if (startsWith(bytes, at, end, NOTE)) {
        this.processes.note(bytes, at, end);
        return;
      }
    } else if (startsWith(bytes, at, end, STARTS_RESUMED)) {
      if (this.resumedLine(bytes, at, end)) return;
    } else if (startsWith(bytes, at, end, SIGNAL)) {
      this.builder.understood++;
      this.stackRow = NONE;
      return;
    } else if (startsWith(bytes, at, end, EXIT)) {
      if (this.exitLine(bytes, at + EXIT.length, end)) return;
    } else if (startsWith(bytes, at, end, DUMP)) return;
    this.stackRow = NONE;
    if (at >= end) return;
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
    process.pending = undefined;
    this.returned(process, call);
    return true;
  }

  /** @returns false when the line only looked like a call. */
  private callLine(bytes: Uint8Array, from: number, end: number): boolean {
    let at = from;
    while (at < end && NAME_BYTE[bytes[at]!] === 1) at++;
    if (at >= end || bytes[at] !== OPEN) return false;
    const known = this.knownCall(bytes, from, at);
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
    const process = this.process();
    if (process.pending !== undefined) this.neverReturned(process, 'another call of the same process follows');
    call.row = this.newRow(process, known, this.clock.now, this.lineNumber);
    this.returned(process, call);
    if (call.call.effect === EFFECT.execute && this.builder.program === '') this.noteProgram(bytes, at + 1, end, call);
    return true;
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
    call.begin(known.call, this.newRow(process, known, this.clock.now, this.lineNumber));
    this.argumentReader.read(bytes, from, end, call);
    process.pending = call;
    process.pendingLine = this.lineNumber;
    if (call.call.effect === EFFECT.execute && this.builder.program === '') this.noteProgram(bytes, from, end, call);
    this.stackRow = NONE;
  }

  private resumedLine(bytes: Uint8Array, from: number, end: number): boolean {
    const nameStart = from + STARTS_RESUMED.length;
    let nameEnd = nameStart;
    while (nameEnd < end && NAME_BYTE[bytes[nameEnd]!] === 1) nameEnd++;
    if (!startsWith(bytes, nameEnd + 1, end, RESUMED)) return false;
    const rest = nameEnd + 1 + RESUMED.length;
    const known = this.knownCall(bytes, nameStart, nameEnd);
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
    if (after < 0 || !this.returnReader.read(bytes, after, end)) {
      if (!lost) this.neverReturned(process, 'its return is cut off');
      return false;
    }
    if (lost) {
      this.report('no-beginning', `${known.call.name} returns, but its beginning is missing`, 'its arguments');
      const duration = this.returnReader.duration;
      const start = duration > 0 ? this.clock.now - duration : this.clock.now;
      call.row = this.newRow(process, known, start, this.lineNumber);
    } else {
      process.pending = undefined;
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
    if (Number.isNaN(duration) && call !== this.scratch) duration = this.clock.now - chunk.start[i]!;
    else if (!Number.isNaN(duration)) builder.capabilities.duration = true;
    chunk.duration[i] = duration;
    chunk.offset[i] = offsets.offset;
    chunk.bytes[i] = offsets.bytes;
    const isLowerBound = (call.flags & CALL_FLAGS.requestedIsLowerBound) !== 0 && offsets.bytes > call.requested;
    chunk.requested[i] = isLowerBound ? offsets.bytes : call.requested;
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
    this.stackRow = row;
  }

  private newRow(process: TracedProcess, known: KnownCall, start: number, line: number): number {
    const row = this.builder.events.append();
    const chunk = this.builder.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    this.builder.understood++;
    if (!Number.isNaN(start)) this.builder.capabilities.time = true;
    chunk.start[i] = start;
    chunk.duration[i] = NaN;
    chunk.offset[i] = NaN;
    chunk.bytes[i] = 0;
    chunk.requested[i] = NaN;
    chunk.file[i] = NONE;
    chunk.handle[i] = NONE;
    chunk.stack[i] = NONE;
    chunk.parent[i] = NONE;
    chunk.stream[i] = process.stream;
    chunk.line[i] = line;
    chunk.call[i] = known.index;
    chunk.layer[i] = SYSTEM_CALL_LAYER;
    chunk.flags[i] = EVENT_FLAGS.neverReturned;
    return row;
  }

  private neverReturned(process: TracedProcess, why: string): void {
    const call = process.pending!;
    const where = `${this.part.name}, line ${process.pendingLine}`;
    const what = `${call.call.name} of process ${process.pid} begins and never returns: ${why}`;
    this.builder.damage.add('no-return', where, what, 'its result and duration');
    process.pending = undefined;
  }

  private exitLine(bytes: Uint8Array, from: number, end: number): boolean {
    const process = this.process();
    this.builder.understood++;
    this.stackRow = NONE;
    if (startsWith(bytes, from, end, SUPERSEDED)) {
      const pid = readNumber(bytes, from + SUPERSEDED.length, end);
      if (Number.isNaN(numberEnd)) return false;
      this.processes.supersede(process, pid);
      return true;
    }
    if (!startsWith(bytes, from, end, EXITED) && !startsWith(bytes, from, end, KILLED)) return false;
    // The stack of the exit call is printed behind this line.
    this.stackRow = process.exitRow;
    this.processes.exited(process);
    return true;
  }

  private process(): TracedProcess {
    return this.processes.of(this.prefix.pid);
  }

  private knownCall(bytes: Uint8Array, from: number, end: number): KnownCall {
    const slot = (bytes[from]! + bytes[end - 1]! * 3 + (end - from) * 31) & 255;
    const recent = this.recentCalls[slot]!;
    if (recent >= 0 && this.callNames.lengthOf(recent) === end - from && this.callNames.matches(recent, bytes, from)) {
      return this.knownCalls[recent]!;
    }
    const name = this.callNames.intern(bytes, from, end);
    this.recentCalls[slot] = name;
    let known = this.knownCalls[name];
    if (known === undefined) {
      const text = new TextDecoder().decode(bytes.subarray(from, end));
      const call = SYSTEM_CALLS.get(text) ?? unknownCall(text);
      known = { call, index: this.builder.calls.intern(text, call.operation) };
      this.knownCalls[name] = known;
    }
    return known;
  }

  /** The first program that is executed gives the recording its name. */
  private noteProgram(bytes: Uint8Array, from: number, end: number, call: CallInProgress): void {
    const list = findOutsideStrings(bytes, from, end, ascii('['));
    const words: string[] = [];
    for (let at = list + 1; list >= 0 && at < end && bytes[at] === 34;) {
      let close = at + 1;
      while (close < end && bytes[close] !== 34) close += bytes[close] === 92 ? 2 : 1;
      words.push(unescapeText(bytes, at + 1, close));
      at = bytes[close + 1] === 44 ? close + 3 : end;
    }
    const path = call.path >= 0 ? this.names.view(call.path) : new Uint8Array();
    this.builder.program = words.join(' ') || unescapeText(path, 0, path.length);
  }
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
