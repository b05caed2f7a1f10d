import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import type { ByteStream, RecordingFile } from '../trace/byte-source.ts';

type PositionedStream = ByteStream & { readonly position: number };

/** A file on this machine; `.gz` and `.zst` are told by their first bytes and decompressed while they are read. */
export class LocalRecordingFile implements RecordingFile {
  readonly name: string;

  constructor(
    readonly path: string,
    readonly size: number,
  ) {
    this.name = path.split('/').at(-1)!;
  }

  async open(): Promise<PositionedStream> {
    const compression = await compressionOf(this.path);
    if (compression === 'none') return PlainStream.open(this.path);
    const stored = createReadStream(this.path);
    return compression === 'gzip' ? gunzipped(stored) : unzstandarded(stored);
  }
}

/** Text on standard input. */
export class StandardInput implements RecordingFile {
  readonly name = 'standard input';
  readonly path = '-';
  readonly size = undefined;

  open(): Promise<PositionedStream> {
    return Promise.resolve(new ChunkStream(process.stdin));
  }
}

type Compression = 'none' | 'gzip' | 'zstd' | 'xz' | 'bzip2';

const MAGIC: readonly (readonly [Compression, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2', [0x42, 0x5a, 0x68]],
];

async function compressionOf(file: string): Promise<Compression> {
  const handle = await open(file);
  try {
    const head = new Uint8Array(8);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    const found = MAGIC.find(([, magic]) => bytesRead >= magic.length && magic.every((byte, i) => head[i] === byte));
    const compression = found?.[0] ?? 'none';
    if (compression === 'xz' || compression === 'bzip2') {
      throw new Error(`it is compressed with ${compression}; decompress it first`);
    }
    return compression;
  } finally {
    await handle.close();
  }
}

/** Reads straight into the caller's buffer. */
class PlainStream implements ByteStream {
  position = 0;

  private constructor(private readonly handle: Awaited<ReturnType<typeof open>>) {}

  static async open(file: string): Promise<PlainStream> {
    return new PlainStream(await open(file));
  }

  async read(target: Uint8Array): Promise<number> {
    const { bytesRead } = await this.handle.read(target, 0, target.length, this.position);
    this.position += bytesRead;
    return bytesRead;
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Hands out the chunks of a Node stream in pieces of the wanted size. */
class ChunkStream implements ByteStream {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private rest: Uint8Array = new Uint8Array();

  /** @param stored tells how many stored bytes were consumed, where that differs from the bytes handed out. */
  constructor(
    private readonly source: Readable,
    private readonly stored: { bytesRead: number } = { bytesRead: 0 },
  ) {
    this.chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  get position(): number {
    return this.stored.bytesRead;
  }

  async read(target: Uint8Array): Promise<number> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done === true) return 0;
      this.rest = next.value;
    }
    const length = Math.min(target.length, this.rest.length);
    target.set(this.rest.subarray(0, length));
    this.rest = this.rest.subarray(length);
    return length;
  }

  close(): Promise<void> {
    this.source.destroy();
    return Promise.resolve();
  }
}

function gunzipped(stored: ReturnType<typeof createReadStream>): PositionedStream {
  const plain = createGunzip({ chunkSize: 1 << 18 });
  stored.on('error', (error) => plain.destroy(error));
  return new ChunkStream(stored.pipe(plain), stored);
}

function unzstandarded(stored: ReturnType<typeof createReadStream>): PositionedStream {
  return new ZstandardStream(stored);
}

class ZstandardStream implements ByteStream {
  private readonly pending: Uint8Array[] = [];
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly decoder = new Decompress((chunk) => this.pending.push(chunk));

  constructor(private readonly stored: ReturnType<typeof createReadStream>) {
    this.chunks = stored[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  get position(): number {
    return this.stored.bytesRead;
  }

  async read(target: Uint8Array): Promise<number> {
    for (;;) {
      const first = this.pending[0];
      if (first === undefined) {
        const next = await this.chunks.next();
        if (next.done === true) return 0;
        this.decoder.push(next.value);
        continue;
      }
      const length = Math.min(target.length, first.length);
      target.set(first.subarray(0, length));
      if (length === first.length) this.pending.shift();
      else this.pending[0] = first.subarray(length);
      if (length > 0) return length;
    }
  }

  close(): Promise<void> {
    this.stored.destroy();
    return Promise.resolve();
  }
}

/**
 * The recording files that a path means: itself, or the files of a folder (not of the folders in it).
 * @throws Error in words for the user.
 */
export async function recordingFilesAt(location: string): Promise<RecordingFile[]> {
  if (location === '-') return [new StandardInput()];
  const status = await stat(location).catch((error: unknown) => {
    throw new Error(
      `${location}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file or folder' : String(error)}`,
    );
  });
  if (!status.isDirectory()) return [new LocalRecordingFile(path.resolve(location), status.size)];
  const entries = await readdir(location, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink()).map((entry) => entry.name);
  const files: RecordingFile[] = [];
  for (const name of names.sort()) {
    const file = path.resolve(location, name);
    const fileStatus = await stat(file).catch(() => undefined);
    if (fileStatus?.isFile() === true) files.push(new LocalRecordingFile(file, fileStatus.size));
  }
  return files;
}
