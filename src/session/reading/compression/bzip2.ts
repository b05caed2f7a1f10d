import bitIterator from 'unbzip2-stream/lib/bit_iterator.js';
import bzip2 from 'unbzip2-stream/lib/bzip2.js';
import { cutOff, DamagedError, type StoredBytes } from './stored-bytes.ts';

/** A block holds at most 900,000 symbols of at most 20 bits, and its tables. */
const LARGEST_BLOCK = 2_400_000;

/**
 * Unpacks bzip2, also of several streams one behind the other. The package's own stream would unpack everything that has
 * arrived before it hands anything on; block by block, a bomb is 46 MB and not the whole of it.
 */
export async function* bunzipped(stored: StoredBytes): AsyncGenerator<Uint8Array> {
  const queue: Uint8Array[] = [];
  let supplied = 0;
  let atEnd = false;
  const first = await stored.piece();
  if (first === undefined) throw cutOff('bzip2');
  queue.push(first);
  supplied += first.length;
  const bits = bitIterator(() => {
    const next = queue.shift();
    if (next === undefined) throw cutOff('bzip2');
    return next;
  });
  const fill = async (): Promise<void> => {
    while (!atEnd && supplied - bits.bytesRead < LARGEST_BLOCK) {
      const piece = await stored.piece();
      if (piece === undefined) atEnd = true;
      else {
        queue.push(piece);
        supplied += piece.length;
      }
    }
  };
  for (;;) {
    await fill();
    if (supplied <= bits.bytesRead) return;
    const blocks = unpackingOne(() => bzip2.header(bits));
    const symbols = new Int32Array(blocks * 100_000);
    for (let check: number | null = 0; ;) {
      await fill();
      const output = new Output();
      const before: number = check;
      check = unpackingOne(() => bzip2.decompress(bits, output.push, symbols, symbols.length, before));
      if (check === null) break;
      yield output.bytes();
    }
  }
}

/** The bytes of one block. */
class Output {
  private room = new Uint8Array(1 << 20);
  private length = 0;

  readonly push = (byte: number): void => {
    if (this.length === this.room.length) {
      const wider = new Uint8Array(this.room.length * 2);
      wider.set(this.room);
      this.room = wider;
    }
    this.room[this.length++] = byte;
  };

  bytes(): Uint8Array {
    return this.room.subarray(0, this.length);
  }
}

function unpackingOne<Result>(unpack: () => Result): Result {
  try {
    return unpack();
  } catch (error) {
    if (error instanceof DamagedError) throw error;
    // The package's own messages are jokes.
    throw new DamagedError('the bzip2 data are damaged');
  }
}
