import type { NameTable } from '../../trace/names.ts';
import type { ArgumentReader } from './arguments.ts';
import { UNSEEN } from './arguments.ts';
import { ByteNames } from '../text/byte-names.ts';
import { BLANK, type Cursor, isDigit, readNumber, skipBlanks } from '../text/bytes.ts';
import { readFraction } from './line-prefix.ts';
import { Returned } from './offsets.ts';

/** Reads what stands behind a call's closing bracket: ` = 5 <0.000012>` in all its forms (formats document, section 6). */
export class ReturnReader {
  readonly returned = new Returned();
  /** Index into the trace's errors. */
  error = 0;
  /** The call was interrupted and the kernel repeats it. */
  restarted = false;
  /** Nanoseconds, NaN when the line has none. */
  duration = NaN;

  private readonly cursor: Cursor = { at: 0 };
  private readonly errorNames = new ByteNames();
  private readonly errorOfName: number[] = [];

  constructor(
    private readonly errors: NameTable,
    private readonly descriptors: ArgumentReader,
  ) {}

  /** @returns false when there is no return value where one must be. */
  read(bytes: Uint8Array, from: number, end: number): boolean {
    const returned = this.returned;
    returned.value = NaN;
    returned.decoration = UNSEEN;
    returned.failed = false;
    this.error = 0;
    this.restarted = false;
    let at = skipBlanks(bytes, from, end);
    if (at >= end || bytes[at] !== 61) return false;
    at = skipBlanks(bytes, at + 1, end);
    if (at >= end) return false;
    this.duration = this.readDuration(bytes, at, end);
    if (bytes[at] === 63) {
      this.readError(bytes, skipBlanks(bytes, at + 1, end), end);
      return true;
    }
    const value = readNumber(bytes, at, end, this.cursor);
    if (Number.isNaN(value)) return false;
    if (bytes[this.cursor.at] === 60) {
      returned.value = this.descriptors.descriptor(bytes, at, end);
      returned.decoration = this.descriptors.lastDecoration;
      return true;
    }
    returned.value = value;
    if (value < 0) this.readError(bytes, skipBlanks(bytes, this.cursor.at, end), end);
    return true;
  }

  /** What a line says that was read elsewhere. @param duration in nanoseconds; NaN when the line has none. */
  give(value: number, decoration: number, duration: number): void {
    const { returned } = this;
    returned.value = value;
    returned.decoration = decoration;
    returned.failed = false;
    this.error = 0;
    this.restarted = false;
    this.duration = duration;
  }

  /** The call failed. @param error index into the trace's errors. */
  fail(error: number): void {
    this.returned.value = NaN;
    this.error = error;
    this.restarted = this.errors.at(error).startsWith('ERESTART');
    this.returned.failed = true;
  }

  /** Index of an error's name. */
  readonly internError = (name: Uint8Array): number => this.errors.intern(new TextDecoder().decode(name));

  private readError(bytes: Uint8Array, from: number, end: number): void {
    if (bytes[from] !== 69 || from >= end) return;
    let stop = from;
    while (stop < end && bytes[stop] !== BLANK) stop++;
    const name = this.errorNames.intern(bytes, from, stop);
    const error = (this.errorOfName[name] ??= this.internError(bytes.subarray(from, stop)));
    this.fail(error);
  }

  /** `<0.000123>` at the end of the line; NaN when there is none. */
  private readDuration(bytes: Uint8Array, from: number, end: number): number {
    let at = end - 1;
    if (bytes[at] !== 62) return NaN;
    if (end - from > 10 && bytes[end - 10] === 60 && bytes[end - 8] === 46) {
      // Nearly every call takes less than ten seconds, printed with six decimals.
      let microseconds = bytes[end - 9]! - 48;
      let isNumber = isDigit(bytes[end - 9]!);
      for (let i = end - 7; i < at; i++) {
        isNumber &&= isDigit(bytes[i]!);
        microseconds = microseconds * 10 + bytes[i]! - 48;
      }
      if (isNumber) return microseconds * 1000;
    }
    for (at--; at > from && (isDigit(bytes[at]!) || bytes[at] === 46); at--);
    if (bytes[at] !== 60 || at + 1 >= end - 1) return NaN;
    const { cursor } = this;
    const seconds = readNumber(bytes, at + 1, end, cursor);
    if (bytes[cursor.at] !== 46) return seconds * 1e9;
    const nanoseconds = readFraction(bytes, cursor.at + 1, end, cursor);
    return cursor.at === end - 1 ? seconds * 1e9 + nanoseconds : NaN;
  }
}
