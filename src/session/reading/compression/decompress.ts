import { machine } from '#machine';
import type { ByteSource, ByteStream } from '../../../trace/byte-source.ts';
import { bunzipped } from './bzip2.ts';
import { StoredBytes } from './stored-bytes.ts';
import { unxzed } from './xz.ts';
import { unzstandarded } from './zstandard.ts';
import { Pieces } from './pieces.ts';

/** Bytes in order, and how many stored bytes they took so far. */
export type PositionedStream = ByteStream & { readonly position: number };

/** Unpacks stored bytes; what was unpacked before something wrong is handed out before the error is thrown. */
type Decompressor = (stored: StoredBytes) => AsyncGenerator<Uint8Array>;

const BY_MAGIC: readonly (readonly [magic: readonly number[], Decompressor])[] = [
  [[0x1f, 0x8b], (stored) => machine.inflation.gunzipped(stored)],
  [[0x28, 0xb5, 0x2f, 0xfd], unzstandarded],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], unxzed],
  // `BZh`, the size of the blocks, and the mark of the first block (or of the end, in an empty file).
  [[0x42, 0x5a, 0x68], bunzipped],
];
const BZIP2_BLOCK = [0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
const BZIP2_END = [0x17, 0x72, 0x45, 0x38, 0x50, 0x90];

/** First bytes of a file that tell whether it is compressed. */
const MAGIC_BYTES = 10;

function begins(head: Uint8Array, magic: readonly number[], from = 0): boolean {
  return magic.every((byte, i) => head[from + i] === byte);
}

function decompressorOf(head: Uint8Array): Decompressor | undefined {
  const found = BY_MAGIC.find(([magic]) => begins(head, magic))?.[1];
  // Three letters are little: text may begin so.
  if (found === bunzipped && !begins(head, BZIP2_BLOCK, 4) && !begins(head, BZIP2_END, 4)) return undefined;
  return found;
}

/** Whether a file is compressed as a whole, by its first bytes. */
export async function isCompressed(source: ByteSource): Promise<boolean> {
  const head = new Uint8Array(MAGIC_BYTES);
  return decompressorOf(head.subarray(0, await source.read(0, head))) !== undefined;
}

/** The bytes of a stream, unpacked if its first bytes say that they are compressed; names do not count. */
export async function decompressed(source: PositionedStream, size?: number): Promise<PositionedStream> {
  const stored = new StoredBytes(source, size);
  const decompressor = decompressorOf(await stored.peek(MAGIC_BYTES));
  return decompressor === undefined ? new PlainBytes(stored, source) : new UnpackedStream(stored, decompressor);
}

/** What was looked at, followed by the rest, which goes straight into the reader's buffer. */
class PlainBytes implements ByteStream {
  private looked: StoredBytes | undefined;

  constructor(
    stored: StoredBytes,
    private readonly source: PositionedStream,
  ) {
    this.looked = stored;
  }

  get position(): number {
    return this.source.position;
  }

  async read(target: Uint8Array): Promise<number> {
    if (this.looked !== undefined) {
      const piece = this.looked.kept(target.length);
      if (piece.length > 0) {
        target.set(piece);
        return piece.length;
      }
      this.looked = undefined;
    }
    return this.source.read(target);
  }

  close(): Promise<void> {
    return this.source.close();
  }
}

class UnpackedStream implements ByteStream {
  private readonly chunks: AsyncGenerator<Uint8Array>;
  private readonly pieces: Pieces;

  constructor(
    private readonly stored: StoredBytes,
    decompressor: Decompressor,
  ) {
    this.chunks = decompressor(stored);
    this.pieces = new Pieces(this.chunks);
  }

  get position(): number {
    return this.stored.position;
  }

  read(target: Uint8Array): Promise<number> {
    return this.pieces.read(target);
  }

  async close(): Promise<void> {
    await this.chunks.return(undefined).catch(() => undefined);
    await this.stored.close();
  }
}
