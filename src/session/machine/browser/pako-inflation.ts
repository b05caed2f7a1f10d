import {
  Z_BUF_ERROR,
  Z_NEED_DICT,
  Z_NO_FLUSH,
  Z_OK,
  Z_STREAM_END,
  zlibInflate,
  zlibInflateInit2,
  zlibInflateReset,
  ZStream,
} from 'pako';
import { AT_ONCE_BYTES, CHUNK_BYTES, LOW_WINDOW } from '../../reading/compression/inflation-bounds.ts';
import { cutOff, DamagedError } from '../../reading/compression/stored-bytes.ts';
import type { Inflation, StoredPieces, StoredWindow } from '../machine.ts';

/**
 * Inflation without Node: zlib itself, translated to JavaScript, in this thread. A browser's own `DecompressionStream`
 * does not say where a stream ends, and logs have thousands of streams one behind the other (docs/decisions/0083).
 */
export const pakoInflation: Inflation = { gunzipped, isStream, atOnce, piecewise };

/** Bits of the largest window (inflateInit2 in zlib.h); with 16 added the header is gzip's. */
const WINDOW_BITS = 15;
const GZIP = 16;

const SMALL_CHUNK_BYTES = 1 << 15;

/** One or more streams on their way; what was inflated stands in `output` until `chunk` is called. */
class Inflating {
  private readonly stream = new ZStream();

  constructor(
    windowBits: number,
    private readonly chunkBytes: number,
  ) {
    zlibInflateInit2(this.stream, windowBits);
    this.stream.output = new Uint8Array(chunkBytes);
    this.stream.avail_out = chunkBytes;
  }

  set input(bytes: Uint8Array) {
    this.stream.input = bytes;
    this.stream.next_in = 0;
    this.stream.avail_in = bytes.length;
  }

  /** Stored bytes that were taken from the input. */
  get taken(): number {
    return this.stream.next_in;
  }

  get isFull(): boolean {
    return this.stream.avail_out === 0;
  }

  /** The first byte that was not taken; undefined when all were. */
  get following(): number | undefined {
    return this.stream.avail_in === 0 ? undefined : this.stream.input[this.stream.next_in];
  }

  /** Begins the next stream. */
  reset(): void {
    zlibInflateReset(this.stream);
  }

  /**
   * Inflates until the chunk is full, the input is used up, or the stream ends.
   * @returns whether it ended; what is wrong with the data is an error in zlib's words.
   */
  step(): boolean | Error {
    const status = zlibInflate(this.stream, Z_NO_FLUSH);
    if (status === Z_STREAM_END) return true;
    // Z_BUF_ERROR: there was nothing to do.
    if (status === Z_OK || status === Z_BUF_ERROR) return false;
    return new Error(status === Z_NEED_DICT ? 'Missing dictionary' : this.stream.msg);
  }

  /** What stands in the output, which is made anew: the reader may keep it. */
  chunk(): Uint8Array {
    const { output, next_out } = this.stream;
    this.stream.output = new Uint8Array(this.chunkBytes);
    this.stream.next_out = 0;
    this.stream.avail_out = this.chunkBytes;
    return output.subarray(0, next_out);
  }

  get hasOutput(): boolean {
    return this.stream.next_out > 0;
  }
}

async function* gunzipped(stored: StoredPieces): AsyncGenerator<Uint8Array> {
  const inflating = new Inflating(WINDOW_BITS + GZIP, CHUNK_BYTES);
  let ended = false;
  for (;;) {
    const piece = await stored.piece();
    if (piece === undefined) {
      if (ended) return;
      throw cutOff('gzip');
    }
    inflating.input = piece;
    for (;;) {
      if (ended) {
        const { following } = inflating;
        if (following === undefined) break;
        // Zeros pad an archive. Anything else has to be one more member.
        if (following === 0) return;
        inflating.reset();
      }
      const result = inflating.step();
      if (inflating.hasOutput) yield inflating.chunk();
      if (result instanceof Error) throw new DamagedError(`the gzip data are damaged (${result.message})`);
      ended = result;
      if (!ended && inflating.following === undefined && !inflating.isFull) break;
    }
  }
}

function isStream(bytes: Uint8Array): boolean {
  const result = inflatedWithin(bytes);
  if (result === 'cut off') return bytes.length >= LOW_WINDOW;
  // So much of what is no stream would not have been inflated.
  return result !== 'damaged';
}

function atOnce(stored: Uint8Array): { bytes: Uint8Array; stored: number } | undefined {
  const result = inflatedWithin(stored);
  return typeof result === 'string' ? undefined : result;
}

/** The stream at the beginning of the bytes, if it is whole and of no more than AT_ONCE_BYTES. */
function inflatedWithin(bytes: Uint8Array): { bytes: Uint8Array; stored: number } | 'damaged' | 'cut off' | 'long' {
  const inflating = new Inflating(WINDOW_BITS, SMALL_CHUNK_BYTES);
  inflating.input = bytes;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const result = inflating.step();
    if (result instanceof Error) return 'damaged';
    const { isFull } = inflating;
    const chunk = inflating.chunk();
    chunks.push(chunk);
    length += chunk.length;
    if (length > AT_ONCE_BYTES) return 'long';
    if (result) return { bytes: joined(chunks, length), stored: inflating.taken };
    if (!isFull && inflating.following === undefined) return 'cut off';
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function* piecewise(window: StoredWindow): AsyncGenerator<Uint8Array, number> {
  const inflating = new Inflating(WINDOW_BITS, CHUNK_BYTES);
  let given = 0;
  for (;;) {
    if (window.bytes.length === 0) await window.fill();
    if (window.bytes.length === 0) {
      if (inflating.hasOutput) yield inflating.chunk();
      throw cutOff('zlib');
    }
    inflating.input = window.bytes;
    let result: boolean | Error;
    do {
      result = inflating.step();
      if (!inflating.isFull && result === false) continue;
      const chunk = inflating.chunk();
      given += chunk.length;
      if (chunk.length > 0) yield chunk;
    } while (result === false && inflating.following !== undefined);
    window.skip(inflating.taken);
    if (result instanceof Error) throw inWords(result);
    if (result) return given;
  }
}

function inWords({ message }: Error): DamagedError {
  if (message === 'incorrect data check')
    return new DamagedError('the checksum of the zlib data is wrong: values before this place may be wrong');
  return new DamagedError(`the zlib data are damaged (${message})`);
}
