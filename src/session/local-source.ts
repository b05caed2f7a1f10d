import { close, constants, fstatSync, open, read } from 'node:fs';
import { promisify } from 'node:util';
import type { ByteSource, ByteStream } from '../trace/byte-source.ts';
import { reasonOf } from './local-stream.ts';

const openFile = promisify(open);
const closeFile = promisify(close);

/** A regular file of this machine by position. */
export class LocalSource implements ByteSource {
  private constructor(
    private readonly descriptor: number,
    readonly size: number,
  ) {}

  /** @throws Error in words for the user. */
  static async open(file: string): Promise<LocalSource> {
    let descriptor: number;
    try {
      // Without O_NONBLOCK the opening of a named pipe waits for its writer.
      descriptor = await openFile(file, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      throw new Error(reasonOf(error), { cause: error });
    }
    const status = fstatSync(descriptor);
    if (status.isFile()) return new LocalSource(descriptor, status.size);
    await closeFile(descriptor);
    throw new Error(`it is ${status.isDirectory() ? 'a folder' : 'a pipe or a device'}, no file`);
  }

  async read(position: number, target: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < target.length) {
      const got = await this.readOnce(position + filled, target.subarray(filled));
      if (got === 0) break;
      filled += got;
    }
    return filled;
  }

  private readOnce(position: number, target: Uint8Array): Promise<number> {
    return new Promise((resolve, reject) => {
      read(this.descriptor, target, 0, target.length, position, (error, bytes) => {
        if (error === null) resolve(bytes);
        else reject(new Error(reasonOf(error), { cause: error }));
      });
    });
  }

  close(): Promise<void> {
    return closeFile(this.descriptor);
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
