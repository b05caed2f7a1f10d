import { NONE } from '../../trace/events.ts';
import { ByteNames } from '../text/byte-names.ts';
import { type Cursor, NEWLINE, RETURN, sameBytes } from '../text/bytes.ts';
import { readDecimal, readId } from './numbers.ts';
import type { ModuleRows } from './record-rows.ts';

const TAB = 9;
/** Bytes of module, rank and record id in front of a counter's name. */
const LONGEST_PREFIX = 256;
const MOST_RANKS = 0x7fffffff;
/** Characters of a value that a message shows. */
const SHOWN = 40;

/** What the rows of counters need of the rest of the reader. */
interface CounterSurroundings {
  /** Where the rows of a module go; undefined when they are left out. Asked at the first row of each record. */
  rowsOf(module: string): ModuleRows | undefined;
  /** Index of a record's file, by its name and place as printed. */
  fileOf(recordId: bigint, name: string, mountPoint: string, fileSystem: string): number;
  /** Reports the line that is read. */
  report(kind: 'unreadable-line' | 'cut-line' | 'hole', what: string, lost: string): void;
}

/**
 * The rows of darshan-parser: module, rank, record id, counter, value, file name, mount point and file system type between
 * tabs. A record is some hundred rows that differ in counter and value only, so the columns in front of them and behind
 * them are compared with those of the row before, and read when they differ.
 */
export class CounterRows {
  private readonly names = new ByteNames();
  private readonly texts: (string | undefined)[] = [];
  private readonly prefix = new Uint8Array(LONGEST_PREFIX);
  /** 0: the next row begins a record. */
  private prefixLength = 0;
  private suffix: Uint8Array = new Uint8Array(512);
  private suffixLength = 0;
  private rows: ModuleRows | undefined;
  /** A row of the record was read to its value. */
  private hasBegun = false;
  private recordId = 0n;
  private rank = 0;
  private fileName = '';
  private mountPoint = '';
  private fileSystem = '';
  private readonly decoder = new TextDecoder('utf-8');
  private readonly cursor: Cursor = { at: 0 };

  constructor(private readonly surroundings: CounterSurroundings) {}

  /**
   * Reads the row at `from`; `end` is that of the bytes at hand, which end in a whole line.
   * @returns the position behind its newline; NONE when it is no row of counters.
   */
  read(bytes: Uint8Array, from: number, end: number): number {
    if (!this.isSameRecord(bytes, from, end) && !this.readPrefix(bytes, from, end)) return NONE;
    const nameFrom = from + this.prefixLength;
    const counter = this.counterAt(bytes, nameFrom, end);
    if (counter === NONE) return this.unfinished(bytes, nameFrom, end);
    const valueFrom = nameFrom + this.names.lengthOf(counter) + 1;
    const { cursor } = this;
    const value = readDecimal(bytes, valueFrom, end, cursor);
    const isNumber = cursor.at > valueFrom && cursor.at < end && bytes[cursor.at] === TAB;
    const valueEnd = isNumber ? cursor.at : tabBehind(bytes, valueFrom, end);
    if (valueEnd === NONE) return this.unfinished(bytes, valueFrom, end);
    const next = this.readSuffix(bytes, valueEnd, end);
    if (!this.hasBegun) this.begin();
    if (isNumber && Math.abs(value) > Number.MAX_SAFE_INTEGER)
      this.rows?.addDigits?.(counter, this.decode(bytes, valueFrom, valueEnd));
    if (isNumber) this.addNumber(counter, value);
    else this.addText(counter, this.decode(bytes, valueFrom, valueEnd));
    return next;
  }

  /** Ends the last record of an output. */
  finish(): void {
    this.finishRecord(true);
    this.prefixLength = 0;
  }

  nameOf(counter: number): string {
    return (this.texts[counter] ??= this.decoder.decode(this.names.view(counter)));
  }

  /** The counter of a name. */
  intern(name: string): number {
    const bytes = new TextEncoder().encode(name);
    return this.names.intern(bytes, 0, bytes.length);
  }

  private isSameRecord(bytes: Uint8Array, from: number, end: number): boolean {
    const { prefix, prefixLength: length } = this;
    if (length === 0 || from + length > end) return false;
    // From the right: ids differ there.
    for (let i = length - 1; i >= 0; i--) if (bytes[from + i] !== prefix[i]) return false;
    return true;
  }

  /** Reads module, rank and record id of a new record. */
  private readPrefix(bytes: Uint8Array, from: number, end: number): boolean {
    const moduleEnd = tabBehind(bytes, from, end);
    const rankEnd = moduleEnd === NONE ? NONE : tabBehind(bytes, moduleEnd + 1, end);
    const idEnd = rankEnd === NONE ? NONE : tabBehind(bytes, rankEnd + 1, end);
    if (idEnd === NONE || idEnd + 1 - from > LONGEST_PREFIX) return false;
    const rank = readDecimal(bytes, moduleEnd + 1, rankEnd, this.cursor);
    if (this.cursor.at !== rankEnd || !Number.isInteger(rank) || rank < -1 || rank > MOST_RANKS) return false;
    const recordId = readId(bytes, rankEnd + 1, idEnd);
    if (recordId === undefined) return false;
    this.finishRecord();
    this.hasBegun = false;
    [this.rank, this.recordId] = [rank, recordId];
    this.prefixLength = idEnd + 1 - from;
    this.prefix.set(bytes.subarray(from, idEnd + 1));
    this.rows = this.surroundings.rowsOf(this.decode(bytes, from, moduleEnd));
    return true;
  }

  /** The counter whose name stands at `from`, with a tab behind it; NONE when there is none. */
  private counterAt(bytes: Uint8Array, from: number, end: number): number {
    const expected = this.rows?.expected() ?? NONE;
    if (expected !== NONE && this.names.matches(expected, bytes, from)) {
      const behind = from + this.names.lengthOf(expected);
      if (behind < end && bytes[behind] === TAB) return expected;
    }
    const tab = tabBehind(bytes, from, end);
    return tab === NONE || tab === from ? NONE : this.names.intern(bytes, from, tab);
  }

  private begin(): void {
    this.hasBegun = true;
    if (this.rows === undefined) return;
    const file = this.surroundings.fileOf(this.recordId, this.fileName, this.mountPoint, this.fileSystem);
    this.rows.begin(this.recordId, this.rank, file, this.fileName);
  }

  private addNumber(counter: number, value: number): void {
    if (this.rows === undefined || this.rows.addNumber(counter, value)) return;
    this.finishRecord();
    this.begin();
    this.rows.addNumber(counter, value);
  }

  private addText(counter: number, value: string): void {
    if (this.rows === undefined || this.rows.addText(counter, value)) return;
    const what = `${this.nameOf(counter)} should be a number and is '${value.slice(0, SHOWN)}'`;
    this.surroundings.report('unreadable-line', what, 'the value of this counter');
  }

  private finishRecord(isLast = false): void {
    const missing = this.rows?.finish(isLast) ?? 0;
    if (missing === 0) return;
    const what = `a record of ${this.fileName || 'a file without a name'} ends here and lacks values`;
    this.surroundings.report(
      'hole',
      what,
      missing === 1 ? 'a value of this record' : `${missing} values of this record`,
    );
  }

  /** Reports a row that ends before its value does. */
  private unfinished(bytes: Uint8Array, from: number, end: number): number {
    this.surroundings.report('cut-line', 'a row of counters ends before its value does', 'this line');
    return behindLine(bytes, from, end);
  }

  /**
   * Compares the columns behind the value with those of the row before, and reads them when they differ.
   * @returns the position behind the newline.
   */
  private readSuffix(bytes: Uint8Array, from: number, end: number): number {
    const { suffix, suffixLength: length } = this;
    if (length > 0 && from + length <= end && bytes[from + length - 1] === NEWLINE) {
      if (sameBytes(bytes, from, suffix, 0, length)) return from + length;
    }
    const next = behindLine(bytes, from, end);
    const stop = contentEnd(bytes, from, next);
    // The last line of a file may lack its newline.
    const isSame = stop - from === contentEnd(suffix, 0, length) && sameBytes(bytes, from, suffix, 0, stop - from);
    if (isSame) return next;
    if (!this.readNames(bytes, from, stop)) {
      if (!this.hasBegun) [this.fileName, this.mountPoint, this.fileSystem] = ['', '', ''];
      this.surroundings.report('cut-line', 'a row of counters ends before its last column', 'the name of a file');
      return next;
    }
    this.remember(bytes, from, next);
    if (this.hasBegun) {
      const what = 'the last columns of a row differ from those of its record';
      this.surroundings.report('unreadable-line', what, 'what stood there');
    }
    return next;
  }

  /** Splits `<tab>name<tab>mount point<tab>type`; a name may hold tabs. */
  private readNames(bytes: Uint8Array, from: number, stop: number): boolean {
    const typeTab = bytes.lastIndexOf(TAB, stop - 1);
    const mountTab = typeTab <= from ? NONE : bytes.lastIndexOf(TAB, typeTab - 1);
    if (mountTab <= from) return false;
    this.fileName = this.decode(bytes, from + 1, mountTab);
    this.mountPoint = this.decode(bytes, mountTab + 1, typeTab);
    this.fileSystem = this.decode(bytes, typeTab + 1, stop);
    return true;
  }

  private remember(bytes: Uint8Array, from: number, next: number): void {
    this.suffixLength = next - from;
    if (this.suffixLength > this.suffix.length) this.suffix = new Uint8Array(this.suffixLength * 2);
    this.suffix.set(bytes.subarray(from, next));
  }

  private decode(bytes: Uint8Array, from: number, end: number): string {
    return this.decoder.decode(bytes.subarray(from, end));
  }
}

/** Position of the next tab on the line; NONE when there is none. */
function tabBehind(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at];
    if (byte === TAB) return at;
    if (byte === NEWLINE) return NONE;
  }
  return NONE;
}

/** Position behind the newline of the line that `from` is on. */
export function behindLine(bytes: Uint8Array, from: number, end: number): number {
  const newline = bytes.indexOf(NEWLINE, from);
  return newline < 0 || newline >= end ? end : newline + 1;
}

/** Where the line ends that `next` is behind, without `\r\n`. */
export function contentEnd(bytes: Uint8Array, from: number, next: number): number {
  let end = next;
  if (end > from && bytes[end - 1] === NEWLINE) end--;
  if (end > from && bytes[end - 1] === RETURN) end--;
  return end;
}
