import type { DamageKind } from '../../trace/damage.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { ArgumentReader, CallInProgress } from './arguments.ts';
import { ascii, BLANK, findOutsideStrings, NEWLINE, readNumber, RETURN, startsWith } from '../text/bytes.ts';
import { isFrameLine } from '../text/frame-lines.ts';
import type { KnownCall } from './call-names.ts';
import { CallRows } from './call-rows.ts';
import { LinePrefix } from './line-prefix.ts';
import type { NamedPart } from './part-name.ts';
import type { TracedProcess } from './processes.ts';
import { programOf } from './program-name.ts';
import type { ReaderTables } from './reader-tables.ts';
import type { ReturnReader } from './return-value.ts';
import { ScannedLines, type OtherLines } from './scanned-lines.ts';
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
export class LineParser implements OtherLines {
  private readonly prefix = new LinePrefix();
  private readonly argumentReader: ArgumentReader;
  private readonly returnReader: ReturnReader;
  private readonly stackBlocks: StackBlocks;
  private readonly rows: CallRows;
  /** Set when there is enough text for the scanner to pay. */
  private scanned: ScannedLines | undefined;
  /** The process whose call a note of strace cut in two. */
  private interrupted: TracedProcess | undefined;
  private readonly summary = new SummaryTable();
  /** A line said that a process ended. */
  private showsEnds = false;

  constructor(
    private readonly builder: TraceBuilder,
    private readonly tables: ReaderTables,
    private readonly part: NamedPart,
  ) {
    this.argumentReader = tables.argumentReader;
    this.returnReader = tables.returnReader;
    this.stackBlocks = tables.stackBlocks;
    this.rows = new CallRows(builder, tables, part);
  }

  /** Of the line that was read last. */
  get lineNumber(): number {
    return this.rows.lineNumber;
  }

  /** Counts a line of which nothing is read. */
  passLine(): void {
    this.rows.lineNumber++;
  }

  /** Reads whole records; `end` is the end of a line or of the file. */
  parse(bytes: Uint8Array, start: number, end: number): void {
    let at = start;
    if (this.scanned === undefined) {
      // The first text is read here in any case: it shows which calls there are.
      for (const stop = this.tables.withoutScanner(start, end); at < stop;) at = this.next(bytes, at, end);
      const scanner = at < end ? this.tables.scanner() : undefined;
      if (scanner !== undefined) this.scanned = new ScannedLines(scanner, this.tables, this.rows, this);
    }
    if (this.scanned !== undefined) at = this.scanned.read(bytes, at, end);
    while (at < end) at = this.next(bytes, at, end);
  }

  next(bytes: Uint8Array, at: number, end: number): number {
    if (bytes[at] === BLANK && isFrameLine(bytes, at)) return this.stack(bytes, at, end);
    let newline = bytes.indexOf(NEWLINE, at);
    if (newline < 0 || newline > end) newline = end;
    const stop = newline > at && bytes[newline - 1] === RETURN ? newline - 1 : newline;
    this.rows.lineNumber++;
    if (stop > at) this.line(bytes, at, stop, newline < end);
    return newline + 1;
  }

  get wantsNext(): boolean {
    return this.interrupted !== undefined || this.summary.isInside;
  }

  other(bytes: Uint8Array, from: number, end: number): void {
    if (end > from) this.line(bytes, from, end, true);
  }

  /** Reports calls that the end of the file left open. */
  finish(): void {
    this.rows.finish(this.showsEnds);
  }

  report(kind: DamageKind, what: string, lost: string): void {
    this.rows.report(kind, what, lost);
  }

  private stack(bytes: Uint8Array, from: number, end: number): number {
    const stop = this.stackBlocks.read(bytes, from, end);
    this.rows.lineNumber += this.stackBlocks.lines;
    if (stop === end && endsInCutFrame(bytes, from, end)) {
      this.report('cut-line', 'the file ends inside a stack frame', 'the outer callers of this call');
    }
    this.rows.stack(this.stackBlocks);
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
    this.rows.clock.advance(this.prefix);
    if (this.interrupted !== undefined && this.restOfInterrupted(bytes, at, end)) return;
    const byte = bytes[at]! | 32;
    if ((byte >= 97 && byte <= 122) || bytes[at] === 95) {
      if (this.callLine(bytes, at, end, complete)) return;
      if (startsWith(bytes, at, end, NOTE)) {
        this.rows.processes.note(bytes, at, end);
        return;
      }
    } else if (startsWith(bytes, at, end, STARTS_RESUMED)) {
      if (this.resumedLine(bytes, at, end, complete)) return;
    } else if (startsWith(bytes, at, end, SIGNAL)) {
      this.builder.understood++;
      this.rows.stackRow = NONE;
      return;
    } else if (startsWith(bytes, at, end, EXIT)) {
      if (this.exitLine(bytes, at + EXIT.length, end)) return;
    } else if (startsWith(bytes, at, end, DUMP)) return;
    this.rows.stackRow = NONE;
    if (at >= end && complete) return;
    if (complete) this.rows.clock.undo();
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
    this.rows.processes.leaves(process);
    this.rows.returned(process, call);
    return true;
  }

  /** @returns false when the line only looked like a call. */
  private callLine(bytes: Uint8Array, from: number, end: number, complete: boolean): boolean {
    let at = from;
    while (at < end && NAME_BYTE[bytes[at]!] === 1) at++;
    if (at >= end || bytes[at] !== OPEN) return false;
    const known = this.tables.callNames.find(bytes, from, at);
    this.argumentReader.pid = this.prefix.pid;
    const cut = cutMarker(bytes, end);
    if (cut > 0) {
      this.beginning(bytes, at + 1, cut, known);
      return true;
    }
    const call = this.rows.scratch;
    call.begin(known.call, NONE);
    const after = this.argumentReader.read(bytes, at + 1, end, call);
    if (after < 0 || !this.returnReader.read(bytes, after, end)) return this.noteInside(bytes, at + 1, end, known);
    if (!complete && this.lacksItsEnd(bytes, end)) {
      this.beginning(bytes, at + 1, end, known);
      return true;
    }
    const process = this.process();
    this.rows.follows(process);
    call.row = this.rows.append(process, known, this.rows.clock.now);
    if (call.call.effect >= FIRST_RARE_EFFECT) this.beginRare(process, call, bytes, at + 1, end);
    this.rows.returned(process, call);
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
    this.rows.processes.note(bytes, note, end);
    return true;
  }

  private beginning(bytes: Uint8Array, from: number, end: number, known: KnownCall): void {
    const process = this.process();
    const call = this.rows.begin(process, known);
    this.argumentReader.read(bytes, from, end, call);
    if (call.call.effect >= FIRST_RARE_EFFECT) this.beginRare(process, call, bytes, from, end);
    this.rows.begun(process, call);
  }

  /** What few calls need when they begin: rows for their parts, the name of the program. */
  private beginRare(process: TracedProcess, call: CallInProgress, bytes: Uint8Array, from: number, end: number): void {
    this.rows.parts.begin(process, call, this.rows.clock.now, this.lineNumber);
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
    const known = this.tables.callNames.find(bytes, nameStart, nameEnd);
    const process = this.process();
    let call = process.pending;
    if (call !== undefined && call.call !== known.call) {
      this.rows.neverReturned(process, `${known.call.name} returns instead`);
      call = undefined;
    }
    const lost = call === undefined;
    if (call === undefined) {
      call = this.rows.scratch;
      call.begin(unknownCall(known.call.name), NONE);
      call.argument = Infinity;
    }
    const after = this.argumentReader.read(bytes, rest, end, call);
    const isCut = !complete && this.lacksItsEnd(bytes, end);
    if (after < 0 || !this.returnReader.read(bytes, after, end) || isCut) {
      if (!lost) this.rows.neverReturned(process, 'its return is cut off');
      return false;
    }
    if (lost) {
      this.report('no-beginning', `${known.call.name} returns, but its beginning is missing`, 'its arguments');
      const duration = this.returnReader.duration;
      const { now } = this.rows.clock;
      call.row = this.rows.append(process, known, duration > 0 ? now - duration : now);
      this.rows.returned(process, call, EVENT_FLAGS.beginningLost);
    } else this.rows.resumed(process, call);
    return true;
  }

  private exitLine(bytes: Uint8Array, from: number, end: number): boolean {
    const process = this.process();
    this.builder.understood++;
    this.rows.stackRow = NONE;
    if (startsWith(bytes, from, end, SUPERSEDED)) {
      const pid = readNumber(bytes, from + SUPERSEDED.length, end);
      if (Number.isNaN(pid)) return false;
      this.rows.processes.supersede(process, pid);
      return true;
    }
    if (!startsWith(bytes, from, end, EXITED) && !startsWith(bytes, from, end, KILLED)) return false;
    if (startsWith(bytes, from, end, KILLED)) this.builder.endedEarly(killedBy(process, bytes, from, end));
    this.showsEnds = true;
    // Where few calls were recorded the last of them may be long ago.
    this.builder.noteTime(this.builder.sinceOrigin(this.rows.clock.now), 0);
    // The stack of the exit call is printed behind this line.
    this.rows.stackRow = process.exitRow;
    this.rows.stackParts = 0;
    this.rows.processes.exited(process);
    return true;
  }

  private process(): TracedProcess {
    return this.rows.processes.of(this.prefix.pid);
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
