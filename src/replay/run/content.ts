/**
 * What a replay writes when reads are checked: each four bytes follow from the file, their place in it, and who wrote
 * them, and no byte is 0. So a reader tells apart what a task wrote there, what nobody wrote (0), and what is wrong.
 */

/** Bytes of a read, by what they were. */
interface CheckedBytes {
  right: number;
  /** Nobody's: a hole of the file, or a write that was lost. */
  unwritten: number;
  /** What no task writes at this place. A wrong byte is taken for right by chance in (tasks + 1) of 256 cases. */
  wrong: number;
  /** Offset of the first wrong byte; NaN for none. */
  firstWrong: number;
}

/** Stands for 0, which is what holes hold. */
const NOT_ZERO = 0xa5;

/** A number for the name of a file: FNV-1a of its characters. */
export function fileKey(path: string): number {
  let key = 0x811c9dc5;
  for (let i = 0; i < path.length; i++) key = Math.imul(key ^ path.charCodeAt(i), 0x01000193);
  return key >>> 0;
}

/** The four bytes of a word (offset / 4), as one number, lowest byte first. */
function wordOf(key: number, writer: number, word: number): number {
  let mixed = key ^ Math.imul(writer + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (word >>> 0), 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed ^ Math.floor(word / 2 ** 32), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** The four bytes as they are written: none of them is 0. */
function storedWord(key: number, writer: number, word: number): number {
  let value = wordOf(key, writer, word);
  if ((value & 0xff) === 0) value |= NOT_ZERO;
  if ((value & 0xff00) === 0) value |= NOT_ZERO << 8;
  if ((value & 0xff0000) === 0) value |= NOT_ZERO << 16;
  if ((value & 0xff000000) === 0) value |= NOT_ZERO << 24;
  return value;
}

function contentByte(key: number, writer: number, at: number): number {
  return (storedWord(key, writer, Math.floor(at / 4)) >>> (8 * (at % 4))) & 0xff;
}

/** Fills the first `length` bytes with what `writer` writes at `offset` of the file. */
export function fillContent(bytes: Uint8Array, length: number, key: number, writer: number, offset: number): void {
  let i = 0;
  for (; i < length && (offset + i) % 4 !== 0; i++) bytes[i] = contentByte(key, writer, offset + i);
  let word = (offset + i) / 4;
  for (; i + 4 <= length; i += 4) {
    const value = storedWord(key, writer, word++);
    bytes[i] = value;
    bytes[i + 1] = value >>> 8;
    bytes[i + 2] = value >>> 16;
    bytes[i + 3] = value >>> 24;
  }
  for (; i < length; i++) bytes[i] = contentByte(key, writer, offset + i);
}

/**
 * Looks at what was read of a file.
 * @param writers number of possible writers: the tasks, and one behind them for what was there before the replay.
 */
export function checkContent(
  bytes: Uint8Array,
  length: number,
  key: number,
  writers: number,
  offset: number,
): CheckedBytes {
  const checked: CheckedBytes = { right: 0, unwritten: 0, wrong: 0, firstWrong: NaN };
  let writer = 0;
  for (let i = 0; i < length;) {
    const at = offset + i;
    if (at % 4 === 0 && i + 4 <= length) {
      const value = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
      if (value === storedWord(key, writer, at / 4)) {
        checked.right += 4;
        i += 4;
        continue;
      }
    }
    const byte = bytes[i++]!;
    if (byte === 0) checked.unwritten++;
    else {
      const found = writerOf(byte, at, key, writers, writer);
      if (found === NOBODY) {
        if (checked.wrong === 0) checked.firstWrong = at;
        checked.wrong++;
      } else {
        checked.right++;
        writer = found;
      }
    }
  }
  return checked;
}

const NOBODY = -1;

/** Who writes this byte at a place; NOBODY when none of the writers does. */
function writerOf(byte: number, at: number, key: number, writers: number, before: number): number {
  // The one before it first: most bytes are of the same writer as their neighbours.
  if (contentByte(key, before, at) === byte) return before;
  for (let writer = 0; writer < writers; writer++) if (contentByte(key, writer, at) === byte) return writer;
  return NOBODY;
}
