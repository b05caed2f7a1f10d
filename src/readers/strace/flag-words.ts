import { LOCK_KIND, OPEN_MODE } from '../../trace/events.ts';
import { ascii, findOutsideStrings, isDigit, readNumber, startsWith } from '../text/bytes.ts';

/** What the flags of a call say. */
interface OpenFlags {
  /** Bits of OPEN_MODE. */
  mode: number;
  /** `O_CLOEXEC`, `FD_CLOEXEC`, `CLOSE_RANGE_CLOEXEC`. */
  closeOnExecute: boolean;
}

/** Words of open's flags; O_SYNC holds the bit of O_DSYNC, and O_TMPFILE that of O_DIRECTORY. */
const OPEN_WORDS: readonly (readonly [Uint8Array, number])[] = [
  [ascii('O_RDONLY'), 0],
  [ascii('O_WRONLY'), 1],
  [ascii('O_RDWR'), 2],
  [ascii('O_ACCMODE'), 3],
  [ascii('O_CREAT'), OPEN_MODE.create],
  [ascii('O_EXCL'), OPEN_MODE.exclusive],
  [ascii('O_TRUNC'), OPEN_MODE.truncate],
  [ascii('O_APPEND'), OPEN_MODE.append],
  [ascii('O_NONBLOCK'), OPEN_MODE.nonBlocking],
  [ascii('O_DSYNC'), OPEN_MODE.dataSync],
  [ascii('O_DIRECT'), OPEN_MODE.direct],
  [ascii('O_DIRECTORY'), OPEN_MODE.directory],
  [ascii('O_SYNC'), OPEN_MODE.sync | OPEN_MODE.dataSync],
  [ascii('O_TMPFILE'), OPEN_MODE.temporary | OPEN_MODE.directory],
];
/** Entries of OPEN_WORDS by the length of the word. */
const BY_LENGTH = Array.from({ length: 12 }, (_, length) => OPEN_WORDS.filter(([word]) => word.length === length));
const CLOSE_ON_EXECUTE = ascii('CLOEXEC');
const KNOWN_BITS = Object.values(OPEN_MODE).reduce((all, bit) => all | bit, 0);
/** Raw numbers (`-X raw`) have it among their bits. */
const O_CLOEXEC = 0o2000000;

const found: OpenFlags = { mode: 0, closeOnExecute: false };

/**
 * Reads flags such as `O_WRONLY|O_CREAT`, also inside a structure (`{flags=O_RDONLY, mode=0}`), or a raw number, in one pass.
 *
 * @returns the same object each time.
 */
export function openFlags(bytes: Uint8Array, from: number, end: number): OpenFlags {
  found.mode = 0;
  found.closeOnExecute = false;
  let any = false;
  for (let at = from; at < end; at++) {
    const start = at;
    while (at < end && isWordByte(bytes[at]!)) at++;
    const length = at - start;
    if (length < 6) continue;
    if (bytes[start] === 79 && bytes[start + 1] === 95) {
      any = true;
      for (const [word, bits] of BY_LENGTH[length] ?? []) if (startsWith(bytes, start, end, word)) found.mode |= bits;
    }
    if (length > 7 && startsWith(bytes, at - 7, end, CLOSE_ON_EXECUTE)) found.closeOnExecute = true;
  }
  if (!any && isDigit(bytes[from]!)) {
    const raw = readNumber(bytes, from, end);
    if (raw <= 0x7fffffff) {
      found.mode = raw & KNOWN_BITS;
      if (raw & O_CLOEXEC) found.closeOnExecute = true;
    }
  }
  return found;
}

function isWordByte(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || byte === 95 || isDigit(byte);
}

const LOCK_WORDS: readonly (readonly [Uint8Array, number])[] = [
  [ascii('F_WRLCK'), LOCK_KIND.exclusive],
  [ascii('F_RDLCK'), LOCK_KIND.shared],
  [ascii('F_UNLCK'), LOCK_KIND.release],
  [ascii('LOCK_EX'), LOCK_KIND.exclusive],
  [ascii('LOCK_SH'), LOCK_KIND.shared],
  [ascii('LOCK_UN'), LOCK_KIND.release],
];
const NOT_BLOCKING = ascii('LOCK_NB');

/**
 * The LOCK_KIND of flock's `LOCK_EX|LOCK_NB` and fcntl's `{l_type=F_WRLCK, …}`; NaN when it is none.
 * @param tries the command does not wait for the lock (F_SETLK).
 */
export function lockKind(bytes: Uint8Array, from: number, end: number, tries: boolean): number {
  const kind = LOCK_WORDS.find(([word]) => findOutsideStrings(bytes, from, end, word) >= 0)?.[1] ?? NaN;
  if (!tries && findOutsideStrings(bytes, from, end, NOT_BLOCKING) < 0) return kind;
  if (kind === LOCK_KIND.exclusive) return LOCK_KIND.tryExclusive;
  return kind === LOCK_KIND.shared ? LOCK_KIND.tryShared : kind;
}
