import { machine } from '#machine';
import type { ByteSource, ByteStream } from '../../trace/byte-source.ts';
import type { OpenFile } from './machine.ts';

/** A regular file of this machine by position. */
export class LocalSource implements ByteSource {
  private constructor(private readonly file: OpenFile) {}

  /** @throws Error in words for the user. */
  static async open(file: string): Promise<LocalSource> {
    return new LocalSource(await machine.files.open(file));
  }

  get size(): number {
    return this.file.size;
  }

  async read(position: number, target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      const got = await this.file.read(position + filled, target.subarray(filled));
      if (got === 0) break;
      filled += got;
    }
    return filled;
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

const PIECE_BYTES = 1 << 20;

/** Bytes in memory. */
export class MemorySource implements ByteSource {
  /** @param pieces all but the last have `pieceBytes` bytes. */
  private constructor(
    private readonly pieces: readonly Uint8Array[],
    private readonly pieceBytes: number,
    readonly size: number,
  ) {}

  static of(bytes: Uint8Array): MemorySource {
    return new MemorySource([bytes], Math.max(bytes.length, 1), bytes.length);
  }

  /**
   * Reads a stream to its end, and closes it.
   * @param most bytes that memory has room for.
   * @throws Error in words for the user when there are more, or the stream breaks before it gave anything.
   */
  static async readAll(stream: ByteStream, most: number): Promise<MemorySource> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    try {
      for (;;) {
        const piece = new Uint8Array(PIECE_BYTES);
        const filled = await fill(piece, stream, size > 0);
        size += filled;
        if (size > most) {
          throw new Error(`it unpacks to more than ${most >> 20} MiB: unpack it first, and open the file itself`);
        }
        if (filled > 0) pieces.push(filled === PIECE_BYTES ? piece : piece.slice(0, filled));
        if (filled < PIECE_BYTES) return new MemorySource(pieces, PIECE_BYTES, size);
      }
    } finally {
      await stream.close();
    }
  }

  read(position: number, target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length && position + filled < this.size) {
      const at = position + filled;
      const piece = this.pieces[Math.floor(at / this.pieceBytes)]!;
      const from = at % this.pieceBytes;
      const part = piece.subarray(from, Math.min(piece.length, from + target.length - filled));
      target.set(part, filled);
      filled += part.length;
    }
    return Promise.resolve(filled);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** What was unpacked before a compressed file breaks off is worth reading; what is missing shows in the content. */
async function fill(piece: Uint8Array, stream: ByteStream, hasSome: boolean): Promise<number> {
  let filled = 0;
  try {
    while (filled < piece.length) {
      const got = await stream.read(piece.subarray(filled));
      if (got === 0) break;
      filled += got;
    }
  } catch (error) {
    if (!hasSome && filled === 0) throw error;
  }
  return filled;
}
