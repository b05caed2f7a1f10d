import { ascii, endOfString, findOutsideStrings, QUOTE, unescapeText } from './bytes.ts';

const LIST = ascii('[');
const COMMA = 44;

/** The program and its arguments as the arguments of an `execve` show them; '' when they show none. */
export function programOf(bytes: Uint8Array, from: number, end: number): string {
  const list = findOutsideStrings(bytes, from, end, LIST);
  const words: string[] = [];
  for (let at = list + 1; list >= 0 && at < end && bytes[at] === QUOTE;) {
    const stop = endOfString(bytes, at, end);
    words.push(unescapeText(bytes, at + 1, Math.max(at + 1, stop - 1)));
    at = bytes[stop] === COMMA ? stop + 2 : end;
  }
  return words.join(' ');
}
