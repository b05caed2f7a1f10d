/**
 * Call signatures: what Recorder stores of a call but its times, once for all calls that are alike.
 */

/** A function, where it was called, and with what. */
export interface CallSignature {
  /** Recorder's number of the thread; 0 when threads were not told apart. */
  readonly thread: number;
  /** Index into the functions of the metadata; USER_FUNCTION for one of the program's own. */
  readonly function: number;
  /** How many recorded calls it was made inside of; always 0 when that was not recorded. */
  readonly level: number;
  readonly arguments: readonly string[];
  /** What the call returned, where the generation says so (2.2); NaN elsewhere. */
  readonly result: number;
}

/** Identifier of all functions that a compiler instrumented: the name is their second argument. */
export const USER_FUNCTION = 255;

/** Bytes of a key in front of the arguments. */
const KEY_BYTES = 15;

/** What stands in a table of signatures, found by the numbers that grammars use. They are decoded one by one. */
export class SignatureTable {
  /** Where the keys begin and end. */
  private readonly places = new Map<number, readonly [from: number, end: number]>();
  /** What is wrong with the table; '' when nothing is. */
  problem = '';

  /**
   * @param bytes of a table, unpacked; it is kept.
   * @param withRank whether entries have a rank and a count (2.5 and later).
   */
  constructor(
    private readonly bytes: Uint8Array,
    withRank: boolean,
  ) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const head = withRank ? 16 : 8;
    const count = bytes.length < 4 ? 0 : view.getInt32(0, true);
    let at = 4;
    for (let entry = 0; entry < count; entry++) {
      const length = at + head <= bytes.length ? view.getInt32(at + (withRank ? 8 : 4), true) : -1;
      const terminal = length < 0 ? -1 : view.getInt32(at, true);
      at += head;
      if (length < KEY_BYTES || terminal < 0 || at + length > bytes.length) {
        this.problem = `entry ${entry + 1} of ${count} is cut off or makes no sense`;
        return;
      }
      this.places.set(terminal, [at, at + length]);
      at += length;
    }
    if (bytes.length < 4 || count < 0) this.problem = 'the table has no beginning';
  }

  /** The signature of a number; undefined when the table does not hold it. */
  at(terminal: number): CallSignature | undefined {
    const place = this.places.get(terminal);
    if (place === undefined) return undefined;
    const [from, end] = place;
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + from, end - from);
    const count = view.getUint8(10);
    const length = Math.min(view.getInt32(11, true), end - from - KEY_BYTES);
    const text = decodeText(this.bytes.subarray(from + KEY_BYTES, from + KEY_BYTES + Math.max(0, length)));
    return {
      thread: Number(view.getBigUint64(0, true)),
      function: view.getUint8(8),
      level: view.getUint8(9),
      arguments: splitArguments(text, count),
      result: NaN,
    };
  }
}

const strict = new TextDecoder('utf-8', { fatal: true });
const bytewise = new TextDecoder('latin1');

/** Text of arguments. Paths are bytes: those that are no UTF-8 stay apart from each other all the same. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return bytewise.decode(bytes);
  }
}

/**
 * Arguments stand in a row, each with a blank behind it. Of more pieces than there are arguments some belong together: a
 * path holds blanks, or a status in brackets. It is the piece with the slash that goes on.
 */
function splitArguments(text: string, count: number): string[] {
  const pieces = text.split(' ');
  if (pieces.at(-1) === '') pieces.pop();
  const extra = pieces.length - count;
  if (extra <= 0) return pieces;
  const path = pieces.findIndex((piece) => piece.startsWith('/') || piece.startsWith('['));
  const at = path < 0 ? count - 1 : path;
  pieces.splice(at, extra + 1, pieces.slice(at, at + extra + 1).join(' '));
  return pieces;
}

/** An offset that is linear in the rank, as ranks that were compressed together have it: `1048576*r+4096`. */
const LINEAR = /^(-?\d{1,18})\*r\+?(-?\d{1,18})$/;

/** The argument as the given rank passed it. */
export function argumentOfRank(argument: string, rank: number): string {
  if (!argument.includes('*r')) return argument;
  const parts = LINEAR.exec(argument);
  return parts === null ? argument : String(BigInt(parts[1]!) * BigInt(rank) + BigInt(parts[2]!));
}
