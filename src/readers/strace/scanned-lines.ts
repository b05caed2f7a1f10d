import { FIELD, LINE, NUMBER, RECORD_FIELDS, RECORD_NUMBERS, SEEN } from '../../core/strace-scan.ts';
import type { ArgumentReader, CallInProgress } from './arguments.ts';
import type { CallRows } from './call-rows.ts';
import type { ReaderTables } from './reader-tables.ts';
import type { ReturnReader } from './return-value.ts';
import type { Scanner } from './scanner.ts';
import type { StackBlocks } from './stack-blocks.ts';

/** Reads the lines that the scanner leaves: whatever is not usual. */
export interface OtherLines {
  /** The next line is to be left to it, whatever it is. */
  readonly wantsNext: boolean;
  /** A line between its beginning and its end. */
  other(bytes: Uint8Array, from: number, end: number): void;
  /** One line, or one block of frame lines. @returns the position behind it. */
  next(bytes: Uint8Array, from: number, end: number): number;
}

/** Takes the records that the scanner makes of the lines of one recording file into rows. */
export class ScannedLines {
  private readonly argumentReader: ArgumentReader;
  private readonly returnReader: ReturnReader;
  private readonly stackBlocks: StackBlocks;
  private readonly records: Int32Array;
  private readonly numbers: Float64Array;

  constructor(
    private readonly scanner: Scanner,
    tables: ReaderTables,
    private readonly rows: CallRows,
    private readonly others: OtherLines,
  ) {
    this.argumentReader = tables.argumentReader;
    this.returnReader = tables.returnReader;
    this.stackBlocks = tables.stackBlocks;
    this.records = scanner.scan.records;
    this.numbers = scanner.scan.numbers;
  }

  /** Reads whole records. @returns the position behind them: what follows has no end. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const { scanner, others } = this;
    let at = start;
    while (at < end) {
      const length = scanner.scan.load(bytes, at, end);
      const isLast = at + length === end;
      let read = 0;
      for (let count; (count = scanner.next(read, length, isLast)) > 0; read = scanner.scan.stopped) {
        this.take(bytes, at, count);
      }
      at += read;
      if (isLast) return at;
      // Longer than the window.
      if (read === 0) at = others.next(bytes, at, end);
    }
    return at;
  }

  private take(bytes: Uint8Array, base: number, count: number): void {
    const { records, rows, others } = this;
    for (let i = 0; i < count; i++) {
      const at = i * RECORD_FIELDS;
      const kind = records[at]!;
      if (kind === LINE.frames) this.frames(bytes, base, at);
      else if (kind === LINE.other || others.wantsNext || !this.call(kind, bytes, base, i)) {
        rows.lineNumber++;
        const from = records[at + FIELD.from]!;
        others.other(bytes, base + from, base + records[at + FIELD.end]!);
      }
    }
  }

  private frames(bytes: Uint8Array, base: number, at: number): void {
    const { records, rows, stackBlocks } = this;
    const [from, end] = [base + records[at + FIELD.from]!, base + records[at + FIELD.end]!];
    this.scanner.block(records[at + FIELD.decoration]!, stackBlocks, bytes, from, end);
    rows.lineNumber += stackBlocks.lines;
    rows.stack(stackBlocks);
  }

  /** @returns false when the line is none that was expected here. */
  private call(kind: number, bytes: Uint8Array, base: number, record: number): boolean {
    const { records, rows } = this;
    const at = record * RECORD_FIELDS;
    const pid = records[at + FIELD.pid]!;
    const process = rows.processes.of(pid < 0 ? NaN : pid);
    const known = this.scanner.calls[records[at + FIELD.call]!]!;
    let call: CallInProgress | undefined;
    if (kind === LINE.resumed) {
      call = process.pending;
      if (call?.call !== known.call) return false;
      if (call.argument * 2 + (call.afterComma ? 1 : 0) !== records[at + FIELD.stateBefore]) return false;
    }
    rows.lineNumber++;
    const isTimeOfDay = records[at + FIELD.isTimeOfDay] === 1;
    rows.clock.advanceTo(records[at + FIELD.seconds]!, records[at + FIELD.microseconds]! * 1000, isTimeOfDay);
    if (kind === LINE.begun) call = rows.begin(process, known);
    else if (call === undefined) {
      call = rows.scratch;
      rows.follows(process);
      call.begin(known.call, rows.append(process, known, rows.clock.now));
    }
    this.fill(call, record);
    if (records[at + FIELD.placeCount]! > 0) this.fillByPlace(call, bytes, base, at);
    if (kind === LINE.begun) {
      const state = records[at + FIELD.state]!;
      call.argument = state >> 1;
      call.afterComma = (state & 1) === 1;
      rows.begun(process, call);
      return true;
    }
    this.giveReturn(record);
    if (kind === LINE.resumed) rows.resumed(process, call);
    else rows.returned(process, call);
    return true;
  }

  /** What the record holds of a call's arguments. */
  private fill(call: CallInProgress, record: number): void {
    const { records, numbers, scanner } = this;
    const at = record * RECORD_FIELDS;
    const number = record * RECORD_NUMBERS;
    const seen = records[at + FIELD.seen]!;
    if (seen & SEEN.fd) {
      call.fd = records[at + FIELD.fd]!;
      call.decoration = scanner.decoration(records[at + FIELD.decoration]!);
    }
    if (seen & SEEN.size) call.requested = numbers[number + NUMBER.size]!;
    if (seen & SEEN.offset) call.offset = numbers[number + NUMBER.offset]!;
    if (seen & SEEN.folder) {
      call.folder = records[at + FIELD.folder]!;
      call.folderDecoration = scanner.decoration(records[at + FIELD.folderDecoration]!);
    }
    if (seen & SEEN.whence) call.whence(records[at + FIELD.whence]!);
  }

  private fillByPlace(call: CallInProgress, bytes: Uint8Array, base: number, at: number): void {
    const { records, argumentReader } = this;
    const count = records[at + FIELD.placeCount]!;
    for (let place = at + FIELD.places, last = place + 3 * count; place < last; place += 3) {
      call.argument = records[place]!;
      argumentReader.takeNext(bytes, base + records[place + 1]!, base + records[place + 2]!, call);
    }
  }

  private giveReturn(record: number): void {
    const { records, numbers, returnReader, scanner } = this;
    const at = record * RECORD_FIELDS;
    const duration = records[at + FIELD.duration]!;
    const result = numbers[record * RECORD_NUMBERS + NUMBER.result]!;
    returnReader.give(
      result,
      scanner.decoration(records[at + FIELD.resultDecoration]!),
      duration < 0 ? NaN : duration * 1000,
    );
    const error = records[at + FIELD.error]!;
    if (error >= 0) returnReader.fail(scanner.error(error, returnReader.internError));
  }
}
