import { ascii, endOfString, findOutsideStrings, QUOTE, startsWith, unescapeText } from '../text/bytes.ts';

const LIST = ascii('[');
const COMMA = 44;
/** Behind a string that strace cut. */
const CUT = ascii('...');

/** The program and its arguments as the arguments of an `execve` show them; '' when they show none. */
export function programOf(bytes: Uint8Array, from: number, end: number): string {
  const list = findOutsideStrings(bytes, from, end, LIST);
  const words: string[] = [];
  for (let at = list + 1; list >= 0 && at < end && bytes[at] === QUOTE;) {
    const stop = endOfString(bytes, at, end);
    const isCut = startsWith(bytes, stop, end, CUT);
    const word = textBetween(bytes, at, stop);
    // The path in front of the list is never cut.
    if (isCut && words.length === 0 && bytes[from] === QUOTE)
      words.push(textBetween(bytes, from, endOfString(bytes, from, end)));
    else words.push(isCut ? `${word}…` : word);
    const behind = isCut ? stop + CUT.length : stop;
    at = bytes[behind] === COMMA ? behind + 2 : end;
  }
  return words.join(' ');
}

/** The text of a string with its quotes. */
function textBetween(bytes: Uint8Array, from: number, stop: number): string {
  return unescapeText(bytes, from + 1, Math.max(from + 1, stop - 1));
}
