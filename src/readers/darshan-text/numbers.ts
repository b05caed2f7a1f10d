/**
 * Numbers as printf writes them, from bytes. These functions are the innermost loops of the reader: no allocation on the
 * usual path, and positions are plain numbers.
 */
import { BLANK, type Cursor, hexadecimal, NEWLINE, RETURN } from '../text/bytes.ts';

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const LETTER_X = 120;

/** Digits that a double holds exactly, whatever they are. */
const EXACT_DIGITS = 15;
/** Digits that fit 32 bits, whatever they are. */
const FEW_DIGITS = 9;
/** 10^0 to 10^22 are exact doubles, so that dividing by one rounds once, as reading the text would. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** What C prints for numbers that are none (`%f`). */
const WORDS: readonly (readonly [text: string, value: number])[] = [
  ['nan', NaN],
  ['-nan', NaN],
  ['inf', Infinity],
  ['-inf', -Infinity],
];

/** Where a scan stands, and what the number in front of it looked like. */
export interface ColumnCursor extends Cursor {
  /** Digits behind the point. */
  decimals: number;
}

const decoder = new TextDecoder('latin1');

/**
 * Reads `-12`, `0.001234`, `nan`.
 * @param cursor is set behind the number; to `from` when there is none.
 * @returns the nearest double; NaN when no number stands there.
 */
export function readDecimal(bytes: Uint8Array, from: number, end: number, cursor: Cursor): number {
  const negative = bytes[from] === MINUS;
  let at = negative ? from + 1 : from;
  const first = at;
  let value = 0;
  let digits = 0;
  let decimals = 0;
  for (; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
    digits++;
  }
  if (at === first) return readWord(bytes, from, end, cursor);
  if (bytes[at] === POINT && at < end) {
    for (at++; at < end; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
      decimals++;
    }
  }
  cursor.at = at;
  if (digits + decimals > EXACT_DIGITS) value = Number(decoder.decode(bytes.subarray(first, at)));
  else if (decimals > 0) value /= POWERS[decimals]!;
  return negative ? -value : value;
}

/**
 * Reads the number in a column that blanks surround: behind any number of them, and in front of a blank or the end of the
 * line.
 * @param cursor is set behind the number; to where it would begin when there is none.
 * @returns the nearest double; NaN when something else stands there.
 */
export function readColumn(bytes: Uint8Array, from: number, end: number, cursor: ColumnCursor): number {
  let at = from;
  while (at < end && bytes[at] === BLANK) at++;
  const negative = bytes[at] === MINUS;
  if (negative) at++;
  const first = at;
  let point = 0;
  // Few digits fit a machine integer, which is quicker than a double.
  let small = 0;
  const few = Math.min(end, first + FEW_DIGITS);
  for (; at < few; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >>> 0 <= 9) small = (small * 10 + digit) | 0;
    else if (bytes[at] === POINT && point === 0 && at > first) point = at;
    else break;
  }
  let value = small;
  if (at === few) {
    for (; at < end; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit >>> 0 <= 9) value = value * 10 + digit;
      else if (bytes[at] === POINT && point === 0) point = at;
      else break;
    }
  }
  const decimals = point === 0 ? 0 : at - point - 1;
  cursor.at = at;
  cursor.decimals = decimals;
  if (at === first) return NaN;
  if (at < end) {
    const behind = bytes[at];
    if (behind !== BLANK && behind !== NEWLINE && behind !== RETURN) return NaN;
  }
  if (at - first > EXACT_DIGITS) value = Number(decoder.decode(bytes.subarray(first, at)));
  else if (decimals > 0) value /= POWERS[decimals]!;
  return negative ? -value : value;
}

function readWord(bytes: Uint8Array, from: number, end: number, cursor: Cursor): number {
  for (const [text, value] of WORDS) {
    if (end - from < text.length) continue;
    if (decoder.decode(bytes.subarray(from, from + text.length)) === text) {
      cursor.at = from + text.length;
      return value;
    }
  }
  cursor.at = from;
  return NaN;
}

/** Reads an unsigned number of up to 64 bits exactly; undefined when anything else stands between `from` and `end`. */
export function readId(bytes: Uint8Array, from: number, end: number): bigint | undefined {
  if (end <= from || end - from > 20) return undefined;
  for (let at = from; at < end; at++) if (bytes[at]! < ZERO || bytes[at]! > ZERO + 9) return undefined;
  return BigInt.asUintN(64, BigInt(decoder.decode(bytes.subarray(from, end))));
}

/** Whether an address begins at `at` (`0x…`). */
export function isAddress(bytes: Uint8Array, at: number, end: number): boolean {
  return at + 2 < end && bytes[at] === ZERO && bytes[at + 1] === LETTER_X;
}

/**
 * Reads the digits behind `0x`. The next address may follow without anything between: `0x180x3fa0` is two.
 * @param from position of the `0` of `0x`.
 * @param cursor is set behind them.
 */
export function readAddress(bytes: Uint8Array, from: number, end: number, cursor: Cursor): number {
  let value = 0;
  let at = from + 2;
  for (; at < end; at++) {
    const digit = hexadecimal(bytes[at]!);
    if (digit < 0 || isAddress(bytes, at, end)) break;
    value = value * 16 + digit;
  }
  cursor.at = at;
  return value;
}
