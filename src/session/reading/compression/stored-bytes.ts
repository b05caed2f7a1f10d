import type { ByteStream } from '../../../trace/byte-source.ts';

const READ_BYTES = 1 << 16;
/** Stored bytes that are handed out at once: little, so that what they unpack to stays little too. */
const PIECE_BYTES = 1 << 14;

/** The stored (still compressed) bytes of a file, in pieces or in wanted numbers. */
export class StoredBytes {
  /** Bytes handed out so far. */
  position = 0;
  private rest: Uint8Array = new Uint8Array();

  /** @param size how many there are, where it is known: thousands of small files must not take 64 KiB each. */
  constructor(
    private readonly source: ByteStream,
    private readonly size = READ_BYTES,
  ) {}

  /** The next piece, or undefined at the end. It stays the caller's own. */
  async piece(most = PIECE_BYTES): Promise<Uint8Array | undefined> {
    if (this.rest.length === 0) {
      const target = new Uint8Array(Math.min(READ_BYTES, this.size + 1));
      this.rest = target.subarray(0, await this.source.read(target));
      if (this.rest.length === 0) return undefined;
    }
    const piece = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(piece.length);
    this.position += piece.length;
    return piece;
  }

  /** Exactly `length` bytes; fewer only at the end. */
  async take(length: number): Promise<Uint8Array> {
    const taken = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const piece = await this.piece(length - filled);
      if (piece === undefined) break;
      taken.set(piece, filled);
      filled += piece.length;
    }
    return taken.subarray(0, filled);
  }

  /** The next bytes, without taking them; fewer than `length` only at the end. */
  async peek(length: number): Promise<Uint8Array> {
    this.rest = (await this.piece(READ_BYTES)) ?? this.rest;
    this.position -= this.rest.length;
    if (this.rest.length < length) this.putBack(await this.take(length));
    return this.rest.subarray(0, length);
  }

  /** Bytes that were read from the source and not handed out yet. */
  kept(most: number): Uint8Array {
    const kept = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(kept.length);
    this.position += kept.length;
    return kept;
  }

  /** Gives bytes back that were handed out last. */
  putBack(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const joined = new Uint8Array(bytes.length + this.rest.length);
    joined.set(bytes);
    joined.set(this.rest, bytes.length);
    this.rest = joined;
    this.position -= bytes.length;
  }

  close(): Promise<void> {
    return this.source.close();
  }
}

/** What is thrown when compressed bytes make no sense. What was unpacked before has been handed out by then. */
export class DamagedError extends Error {
  override name = 'DamagedError';
}

export function cutOff(format: string): DamagedError {
  return new DamagedError(`the ${format} data end in the middle: the file was cut off`);
}
