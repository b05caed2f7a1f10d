import type { ByteSource } from '../../trace/byte-source.ts';
import { ByteCursor } from './byte-cursor.ts';

/** First byte of every chunk, and the second one by byte order. */
const CHUNK_MARK = 0x03;
const LITTLE_ENDIAN = 0x42;
const BIG_ENDIAN = 0x23;
const HEADER_BYTES = 18;

/** What the library allows (OTF2_CHUNK_SIZE_MIN and _MAX). */
const SMALLEST_CHUNK = 256 << 10;
const LARGEST_CHUNK = 16 << 20;

/** Types of records that end a chunk and a file. */
export const END_OF_CHUNK = 0x00;
export const END_OF_FILE = 0x02;

export function isPossibleChunkSize(bytes: number): boolean {
  return bytes >= SMALLEST_CHUNK && bytes <= LARGEST_CHUNK;
}

/** Whether two bytes begin a chunk, or an anchor; undefined when they begin neither. */
export function isLittleEndian(first: number | undefined, second: number | undefined): boolean | undefined {
  if (first !== CHUNK_MARK) return undefined;
  if (second === LITTLE_ENDIAN) return true;
  return second === BIG_ENDIAN ? false : undefined;
}

/** Memory for one chunk, which files that are read one after the other share. */
export class ChunkBuffer {
  private bytes = new Uint8Array();

  /** The first `length` bytes, whatever stands in them. */
  take(length: number): Uint8Array {
    if (this.bytes.length < length) this.bytes = new Uint8Array(length);
    return this.bytes.subarray(0, length);
  }
}

/** The chunks of a file of definitions or events, one after the other in one buffer. */
export class Chunks {
  readonly cursor = new ByteCursor();
  /** Where the chunk begins in its file. */
  position = 0;
  /** Numbers of its first and last event, as its header has them. */
  firstEvent = 0;
  lastEvent = 0;
  private next = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly chunkBytes: number,
    private readonly buffer: ChunkBuffer = new ChunkBuffer(),
  ) {}

  get size(): number {
    return this.source.size;
  }

  /** The bytes of the chunk reach to the end that all chunks but the last have. */
  get isFull(): boolean {
    return this.cursor.bytes.length === this.chunkBytes;
  }

  /**
   * Goes on to the next chunk; the cursor stands at its first record.
   * @returns false at the end of the file; a text when what stands there is no chunk: the one behind it may be sound.
   */
  async advance(): Promise<boolean | string> {
    const { source, chunkBytes, next } = this;
    if (next >= source.size) return false;
    this.position = next;
    this.next = next + chunkBytes;
    const length = Math.min(chunkBytes, source.size - next);
    const bytes = this.buffer.take(length);
    const filled = await source.read(next, bytes);
    const { cursor } = this;
    cursor.set(bytes.subarray(0, filled));
    const order = isLittleEndian(bytes[0], bytes[1]);
    if (order === undefined || filled < HEADER_BYTES) {
      return filled < HEADER_BYTES
        ? `${filled} bytes, where a chunk begins with ${HEADER_BYTES}`
        : `the bytes ${hex(bytes[0])} ${hex(bytes[1])}, where a chunk begins with 03 42 or 03 23`;
    }
    cursor.littleEndian = order;
    cursor.at = 2;
    this.firstEvent = cursor.u64();
    this.lastEvent = cursor.u64();
    return true;
  }
}

function hex(byte: number | undefined): string {
  return (byte ?? 0).toString(16).padStart(2, '0');
}

/** Length of a record's payload; the cursor stands behind it then. */
export function payloadLength(cursor: ByteCursor): number {
  const length = cursor.u8();
  return length === 0xff ? cursor.u64() : length;
}
