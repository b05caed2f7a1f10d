/**
 * Scanning of bytes. These functions are the innermost loops of the reader: no allocation, no regular expression, and
 * positions are plain numbers.
 */

export const NEWLINE = 10;
export const RETURN = 13;
export const BLANK = 32;
export const QUOTE = 34;
const BACKSLASH = 92;
const SLASH = 47;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Value of a hexadecimal digit, or −1. */
export function hexadecimal(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

export function skipBlanks(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] === BLANK) at++;
  return at;
}

/** Whether `text` stands at `at`. */
export function startsWith(bytes: Uint8Array, at: number, end: number, text: Uint8Array): boolean {
  if (at < 0 || end - at < text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** Whether `length` bytes are the same in both. For long runs, where the machine's own comparison pays. */
export function sameBytes(a: Uint8Array, aFrom: number, b: Uint8Array, bFrom: number, length: number): boolean {
  if (typeof Buffer !== 'undefined' && a instanceof Buffer) {
    return a.compare(b, bFrom, bFrom + length, aFrom, aFrom + length) === 0;
  }
  for (let i = 0; i < length; i++) if (a[aFrom + i] !== b[bFrom + i]) return false;
  return true;
}

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Position behind the closing quote of the string that begins at `from`; `end` when it is never closed. */
export function endOfString(bytes: Uint8Array, from: number, end: number): number {
  let at = from + 1;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return end;
}

/** What stands between the brackets of a decoration cannot end in front of these: `, ) ] } ( = |` blank. */
function canFollowDecoration(byte: number | undefined): boolean {
  switch (byte) {
    case undefined:
    case 44:
    case 41:
    case 93:
    case 125:
    case 40:
    case 61:
    case 124:
    case BLANK:
    case RETURN:
    case NEWLINE:
      return true;
    default:
      return false;
  }
}

/**
 * Position of the `>` that closes the decoration whose `<` stands at `from`; −1 when it is never closed. Inner `<…>` nest
 * (devices), and `->` between the brackets of a socket (`TCP:[a->b]`) does not close; behind a path it does, for a name
 * may end in `-`. strace before 4.22 left brackets in paths as they are, so a `>` that nothing of the syntax follows
 * belongs to the path.
 */
export function endOfDecoration(bytes: Uint8Array, from: number, end: number): number {
  const isPath = bytes[from + 1] === SLASH;
  let depth = 0;
  let brackets = 0;
  let fallback = -1;
  let at = from;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH) at++;
    else if (byte === 60) depth++;
    else if (byte === 91 && !isPath) brackets++;
    else if (byte === 93 && !isPath) brackets--;
    else if (byte === 62 && (brackets <= 0 || bytes[at - 1] !== MINUS)) {
      const closes = at + 1 >= end || canFollowDecoration(bytes[at + 1]);
      depth--;
      if (depth <= 0 && closes) return at;
      if (closes && fallback < 0) fallback = at;
    }
    at++;
  }
  return fallback;
}

/** 1 string, 2 decoration, 3 opens, 4 closes, 5 comma; 0 everything else. */
const SYNTAX = new Uint8Array(256);
SYNTAX[QUOTE] = 1;
SYNTAX[60] = 2;
for (const byte of ascii('([{')) SYNTAX[byte] = 3;
for (const byte of ascii(')]}')) SYNTAX[byte] = 4;
SYNTAX[44] = 5;

/** Position of the `,` or `)` that ends the argument at `from`, or `end`. Strings, brackets, decorations are skipped. */
export function endOfArgument(bytes: Uint8Array, from: number, end: number): number {
  let depth = 0;
  let at = from;
  while (at < end) {
    const kind = SYNTAX[bytes[at]!];
    if (kind === 0) at++;
    else if (kind === 5) {
      if (depth === 0) return at;
      at++;
    } else if (kind === 1) at = endOfString(bytes, at, end);
    else if (kind === 3) {
      depth++;
      at++;
    } else if (kind === 4) {
      if (depth === 0) return at;
      depth--;
      at++;
    } else if (bytes[at + 1] === 60) at += 2;
    else {
      const close = endOfDecoration(bytes, at, end);
      at = close < 0 ? at + 1 : close + 1;
    }
  }
  return end;
}

/** Where a scan stands. Made once for each reader: what reads a number leaves it behind the number. */
export interface Cursor {
  at: number;
}

/**
 * Reads a decimal or 0x-number, also a negative one; NaN when there is none.
 * @param cursor is set behind the number; to `from` when there is none.
 */
export function readNumber(bytes: Uint8Array, from: number, end: number, cursor?: Cursor): number {
  let at = from;
  let sign = 1;
  if (bytes[at] === 45) {
    sign = -1;
    at++;
  }
  let value = 0;
  const first = at;
  if (bytes[at] === ZERO && at + 1 < end && (bytes[at + 1]! | 32) === 120) {
    at += 2;
    for (; at < end; at++) {
      const digit = hexadecimal(bytes[at]!);
      if (digit < 0) break;
      value = value * 16 + digit;
    }
    // −1 as strace's raw mode prints it.
    if (value >= 2 ** 64) value = -1;
  } else {
    for (; at < end; at++) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
  }
  const isNone = at === first;
  if (cursor !== undefined) cursor.at = isNone ? from : at;
  return isNone ? NaN : sign * value;
}

/**
 * Position of `text` in `bytes` between `from` and `end`, outside of strings; −1 when it is not there.
 */
export function findOutsideStrings(bytes: Uint8Array, from: number, end: number, text: Uint8Array): number {
  const first = text[0];
  let at = from;
  while (at < end) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at, end);
    else if (byte === first && startsWith(bytes, at, end, text)) return at;
    else at++;
  }
  return -1;
}

const strict = new TextDecoder('utf-8', { fatal: true });

/**
 * Text of an escaped string as strace prints it, without its quotes. Bytes that are not UTF-8 stay as `\351`: a path
 * must remain distinguishable from its neighbours.
 */
export function unescapeText(bytes: Uint8Array, from: number, end: number): string {
  const raw = unescapeBytes(bytes, from, end);
  try {
    return strict.decode(raw);
  } catch {
    return Array.from(raw, (byte) =>
      byte < 128 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`,
    ).join('');
  }
}

const SIMPLE_ESCAPES: Readonly<Record<number, number>> = { 110: 10, 116: 9, 114: 13, 118: 11, 102: 12 };

function unescapeBytes(bytes: Uint8Array, from: number, end: number): Uint8Array {
  const out = new Uint8Array(end - from);
  let length = 0;
  for (let at = from; at < end;) {
    const byte = bytes[at++]!;
    if (byte !== BACKSLASH || at >= end) {
      out[length++] = byte;
      continue;
    }
    const next = bytes[at]!;
    if (next >= ZERO && next <= 55) {
      let value = 0;
      for (let digits = 0; digits < 3 && at < end && bytes[at]! >= ZERO && bytes[at]! <= 55; digits++) {
        value = value * 8 + bytes[at++]! - ZERO;
      }
      out[length++] = value;
    } else if (next === 120 && at + 2 < end + 1) {
      const high = hexadecimal(bytes[at + 1] ?? 0);
      const low = hexadecimal(bytes[at + 2] ?? 0);
      out[length++] = high * 16 + low;
      at += 3;
    } else {
      out[length++] = SIMPLE_ESCAPES[next] ?? next;
      at++;
    }
  }
  return out.subarray(0, length);
}
