import { BLANK, type Cursor, hexadecimal, isDigit, readNumber, skipBlanks } from '../text/bytes.ts';

/**
 * What stands in front of a line: pid, absolute time, relative time, call number, instruction pointer, each optional
 * (formats document, section 2).
 */
export class LinePrefix {
  /** NaN when the line has none. */
  pid = NaN;
  /** Whole seconds: since 1970, or since midnight when `timeOfDay`; NaN when the line has no absolute time. */
  seconds = NaN;
  nanoseconds = 0;
  timeOfDay = false;
  /** Nanoseconds since the line printed before (`-r`); NaN when absent. */
  relative = NaN;
  private readonly cursor: Cursor = { at: 0 };

  /**
   * Reads the prefix of a line.
   * @returns where the line's own text begins.
   */
  read(bytes: Uint8Array, from: number, end: number): number {
    let at = this.readCommon(bytes, from, end);
    if (at > 0) return at;
    this.pid = NaN;
    this.seconds = NaN;
    this.relative = NaN;
    at = from;
    for (;;) {
      at = skipBlanks(bytes, at, end);
      const byte = bytes[at]!;
      if (at >= end) return end;
      let next: number;
      if (isDigit(byte)) next = this.readDigits(bytes, at, end);
      else if (byte === 91) next = this.readBracket(bytes, at, end);
      else if (byte === 40 && bytes[at + 1] === 43) next = this.readRelative(bytes, at, end);
      else return at;
      if (next < 0) return at;
      at = next;
    }
  }

  /** `123  1795252180.926168 ` as `-f -ttt` prints it, in one go; 0 when the prefix has another form. */
  private readCommon(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    let digit = bytes[at]! - 48;
    let pid = 0;
    for (; digit >= 0 && digit <= 9 && at < from + 8; digit = bytes[++at]! - 48) pid = pid * 10 + digit;
    if (at === from || bytes[at] !== BLANK) return 0;
    while (bytes[at] === BLANK) at++;
    // Ten digits of seconds, six of microseconds, a blank on each side.
    if (at + 18 > end || bytes[at + 10] !== 46 || bytes[at + 17] !== BLANK) return 0;
    let seconds = 0;
    for (let i = at; i < at + 10; i++) {
      digit = bytes[i]! - 48;
      if (digit < 0 || digit > 9) return 0;
      seconds = seconds * 10 + digit;
    }
    let microseconds = 0;
    for (let i = at + 11; i < at + 17; i++) {
      digit = bytes[i]! - 48;
      if (digit < 0 || digit > 9) return 0;
      microseconds = microseconds * 10 + digit;
    }
    const next = bytes[at + 18];
    // A bracket, a blank or another digit: there is more of the prefix.
    if (next === undefined || next === 40 || next === 91 || next === BLANK || isDigit(next)) return 0;
    this.pid = pid;
    this.seconds = seconds;
    this.nanoseconds = microseconds * 1000;
    this.timeOfDay = false;
    this.relative = NaN;
    return at + 18;
  }

  /** Pid, epoch seconds, time of day, or a relative time; which of them, the size and the punctuation tell. */
  private readDigits(bytes: Uint8Array, from: number, end: number): number {
    const { cursor } = this;
    const value = readNumber(bytes, from, end, cursor);
    const { at } = cursor;
    switch (bytes[at]) {
      case BLANK:
        if (value <= 4_194_304 && Number.isNaN(this.pid) && Number.isNaN(this.seconds)) this.pid = value;
        else if (value >= 1e8 && Number.isNaN(this.seconds)) this.setEpoch(value, 0);
        else return -1;
        return at;
      case 46: {
        const nanoseconds = readFraction(bytes, at + 1, end, cursor);
        if (cursor.at >= end || bytes[cursor.at] !== BLANK) return -1;
        if (value >= 1e8) this.setEpoch(value, nanoseconds);
        else this.relative = value * 1e9 + nanoseconds;
        return cursor.at;
      }
      case 58:
        return this.readTimeOfDay(bytes, at + 1, end, value);
      case 60: {
        // `123<comm>`: a command name has at most 15 bytes, and may hold anything.
        this.pid = value;
        let close = -1;
        for (let i = at + 1; i < end && i <= at + 17; i++) if (bytes[i] === 62 && bytes[i + 1] === BLANK) close = i;
        return close < 0 ? -1 : close + 1;
      }
      default:
        return -1;
    }
  }

  private setEpoch(seconds: number, nanoseconds: number): void {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
    this.timeOfDay = false;
  }

  private readTimeOfDay(bytes: Uint8Array, from: number, end: number, hours: number): number {
    const { cursor } = this;
    const minutes = readNumber(bytes, from, end, cursor);
    if (bytes[cursor.at] !== 58) return -1;
    const seconds = readNumber(bytes, cursor.at + 1, end, cursor);
    const nanoseconds = this.fractionBehind(bytes, end);
    if (!(hours < 24 && minutes < 60 && seconds <= 60) || bytes[cursor.at] !== BLANK) return -1;
    this.seconds = hours * 3600 + minutes * 60 + seconds;
    this.nanoseconds = nanoseconds;
    this.timeOfDay = true;
    return cursor.at;
  }

  /** Nanoseconds of the fraction that stands behind the number read last; 0 when none does. */
  private fractionBehind(bytes: Uint8Array, end: number): number {
    const { at } = this.cursor;
    return bytes[at] === 46 ? readFraction(bytes, at + 1, end, this.cursor) : 0;
  }

  /** `[pid 123]`, `[  59]` (call number), `[00007f18feed8ca3]` (instruction pointer), `[????????]`. */
  private readBracket(bytes: Uint8Array, from: number, end: number): number {
    const close = bytes.indexOf(93, from);
    if (close < 0 || close >= end || close - from > 40) return -1;
    if (bytes[from + 1] === 112 && bytes[from + 2] === 105 && bytes[from + 3] === 100) {
      const { cursor } = this;
      const pid = readNumber(bytes, skipBlanks(bytes, from + 4, end), end, cursor);
      if (Number.isNaN(pid)) return -1;
      this.pid = pid;
      return bytes[cursor.at] === 60 ? endOfNamedPid(bytes, cursor.at, end) : close + 1;
    }
    for (let i = from + 1; i < close; i++) {
      const byte = bytes[i]!;
      if (byte !== BLANK && byte !== 63 && hexadecimal(byte) < 0) return -1;
    }
    return close + 1;
  }

  /** `(+     0.000403)` */
  private readRelative(bytes: Uint8Array, from: number, end: number): number {
    const seconds = readNumber(bytes, skipBlanks(bytes, from + 2, end), end, this.cursor);
    const nanoseconds = this.fractionBehind(bytes, end);
    const { at } = this.cursor;
    if (Number.isNaN(seconds) || bytes[at] !== 41) return -1;
    this.relative = seconds * 1e9 + nanoseconds;
    return at + 1;
  }
}

/** `[pid   123<comm>] `: the comm may itself hold a bracket. */
function endOfNamedPid(bytes: Uint8Array, from: number, end: number): number {
  for (let i = Math.min(end - 1, from + 18); i > from; i--) if (bytes[i] === 93 && bytes[i - 1] === 62) return i + 1;
  return -1;
}

/**
 * The digits behind a decimal point as nanoseconds: `000123` is 123,000.
 * @param cursor is set behind them.
 */
export function readFraction(bytes: Uint8Array, from: number, end: number, cursor: Cursor): number {
  let value = 0;
  let at = from;
  for (; at < end && isDigit(bytes[at]!); at++) if (at - from < 9) value = value * 10 + bytes[at]! - 48;
  for (let digits = at - from; digits < 9; digits++) value *= 10;
  cursor.at = at;
  return value;
}
