/**
 * What a replay writes when reads are checked: each four bytes follow from the file, their place in it, and who wrote
 * them, and no byte is 0. So a reader tells apart what a task wrote there, what nobody wrote (0), and what is wrong.
 */

/** Bytes of a read, by what they were. */
export interface CheckedBytes {
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

/** Fills the first `length` bytes with what `writer` writes at `offset` of the file. */
export function fillContent(bytes: Uint8Array, length: number, key: number, writer: number, offset: number): void {
  let word = NaN;
  let value = 0;
  for (let i = 0; i < length; i++) {
    const at = offset + i;
    const its = Math.floor(at / 4);
    if (its !== word) {
      word = its;
      value = wordOf(key, writer, word);
    }
    const byte = (value >>> (8 * (at % 4))) & 0xff;
    bytes[i] = byte === 0 ? NOT_ZERO : byte;
  }
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
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    const at = offset + i;
    if (byte === 0) checked.unwritten++;
    else if (contentByte(key, writer, at) === byte) checked.right++;
    else {
      const other = writerOf(byte, key, writers, at);
      if (other >= 0) {
        writer = other;
        checked.right++;
      } else {
        if (checked.wrong === 0) checked.firstWrong = at;
        checked.wrong++;
      }
    }
  }
  return checked;
}

function contentByte(key: number, writer: number, at: number): number {
  const byte = (wordOf(key, writer, Math.floor(at / 4)) >>> (8 * (at % 4))) & 0xff;
  return byte === 0 ? NOT_ZERO : byte;
}

function writerOf(byte: number, key: number, writers: number, at: number): number {
  for (let writer = 0; writer < writers; writer++) if (contentByte(key, writer, at) === byte) return writer;
  return -1;
}
