import { createInflate, inflateSync, type Inflate } from 'node:zlib';
import {
  UnpackError,
  type ByteSource,
  type ByteStream,
  type PackedSource,
  type Packing,
} from '../../trace/byte-source.ts';
import { bunzipped } from './bzip2.ts';
import { cutOff, DamagedError, StoredBytes } from './stored-bytes.ts';

const WINDOW_BYTES = 1 << 18;
/** With less than this left in the window more is read: short streams then stand in it as a whole. */
const LOW_WINDOW = 1 << 16;
/** A stream that unpacks to more is unpacked on zlib's own thread while its first part is worked on. */
const AT_ONCE_BYTES = 1 << 20;
const CHUNK_BYTES = 1 << 18;
/** Chunks in which a damaged stream is unpacked again: the one in which the damage stands is lost. */
const SMALL_CHUNK_BYTES = 1 << 11;
/** Unpacked bytes that may wait to be fetched. */
const MOST_WAITING = 1 << 20;

/** Bytes by position, together with what unpacks parts of them. */
export class PackedBytes implements PackedSource {
  constructor(private readonly source: ByteSource) {}

  get size(): number {
    return this.source.size;
  }

  read(position: number, target: Uint8Array): Promise<number> {
    return this.source.read(position, target);
  }

  close(): Promise<void> {
    return this.source.close();
  }

  unpack(packing: Packing, position: number, length: number): AsyncGenerator<Uint8Array> {
    if (packing === 'zlib') return inflatedStreams(this.source, position, length);
    const region = new RegionStream(this.source, position, length);
    if (packing === 'none' || length === 0) return plain(region);
    return inOneGo(bunzipped(new StoredBytes(region, length)));
  }
}

/** Where nothing is known of what stands behind damage. */
async function* inOneGo(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw new UnpackError(error instanceof Error ? error.message : String(error), undefined);
  }
}

/** The bytes of a region in order. */
class RegionStream implements ByteStream {
  constructor(
    private readonly source: ByteSource,
    private position: number,
    private left: number,
  ) {}

  async read(target: Uint8Array): Promise<number> {
    const length = Math.min(target.length, this.left);
    const got = length === 0 ? 0 : await this.source.read(this.position, target.subarray(0, length));
    this.position += got;
    this.left = got === 0 ? 0 : this.left - got;
    return got;
  }

  get isRead(): boolean {
    return this.left === 0;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function* plain(region: RegionStream): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const length = await region.read(piece);
    if (length === 0) return;
    yield piece.subarray(0, length);
  }
}

/** The stored bytes of a region as far as they are needed at once. */
class Window {
  /** From the byte that is wanted next. */
  bytes: Uint8Array = new Uint8Array();
  private readonly region: RegionStream;
  private readonly room: Uint8Array;
  private atEnd = false;

  constructor(
    source: ByteSource,
    /** Of the byte that is wanted next, in the file. */
    public position: number,
    length: number,
  ) {
    this.region = new RegionStream(source, position, length);
    this.room = new Uint8Array(Math.min(WINDOW_BYTES, Math.max(length, 1)));
  }

  /** Nothing stands behind the window. */
  get isLast(): boolean {
    return this.atEnd;
  }

  /** Reads until the window is full, or all of the region is in it. */
  async fill(): Promise<void> {
    if (this.atEnd) return;
    this.room.set(this.bytes);
    let filled = this.bytes.length;
    while (filled < this.room.length && !this.atEnd) {
      filled += await this.region.read(this.room.subarray(filled));
      this.atEnd = this.region.isRead;
    }
    this.bytes = this.room.subarray(0, filled);
  }

  skip(length: number): void {
    this.bytes = this.bytes.subarray(length);
    this.position += length;
  }
}

/** Inflates the streams of a region; an error tells where the next sound one begins. */
async function* inflatedStreams(source: ByteSource, position: number, length: number): AsyncGenerator<Uint8Array> {
  const window = new Window(source, position, length);
  const progress = { begin: position };
  try {
    yield* inflated(window, progress);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UnpackError(message, await nextStream(source, progress.begin + 1, position + length));
  }
}

/** The first place at which a stream begins; undefined when there is none. */
async function nextStream(source: ByteSource, position: number, end: number): Promise<number | undefined> {
  const window = new Window(source, position, end - position);
  for (;;) {
    await window.fill();
    const { bytes } = window;
    // Where less follows a stream may not be known as one.
    const trusted = window.isLast ? bytes.length : bytes.length - LOW_WINDOW;
    for (let at = bytes.indexOf(DEFLATE); at >= 0 && at < trusted; at = bytes.indexOf(DEFLATE, at + 1)) {
      if ((DEFLATE * 256 + (bytes[at + 1] ?? 0)) % 31 === 0 && isStream(bytes.subarray(at)))
        return window.position + at;
    }
    if (window.isLast) return undefined;
    window.skip(trusted);
  }
}

/** The first byte of a zlib stream as zlib itself makes them: deflate, with a window of 32 KiB. */
const DEFLATE = 0x78;

function isStream(bytes: Uint8Array): boolean {
  try {
    inflateSync(bytes, { maxOutputLength: AT_ONCE_BYTES });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // So much of what is no stream would not have been inflated.
    return code === 'ERR_BUFFER_TOO_LARGE' || (code === 'Z_BUF_ERROR' && bytes.length >= LOW_WINDOW);
  }
}

/**
 * Inflates complete zlib streams that stand one behind the other (RFC 1950). Short ones are inflated at once, because a
 * round through zlib's thread takes longer than they do; for long ones that thread works while the caller does.
 * @param progress is told where the stream begins that is inflated.
 */
async function* inflated(window: Window, progress: { begin: number }): AsyncGenerator<Uint8Array> {
  let areLong = false;
  for (;;) {
    progress.begin = window.position;
    if (window.bytes.length < LOW_WINDOW) await window.fill();
    if (window.bytes.length === 0) return;
    const whole = areLong ? undefined : inflatedAtOnce(window.bytes);
    if (whole !== undefined) {
      window.skip(whole.stored);
      if (whole.bytes.length > 0) yield whole.bytes;
      continue;
    }
    const unpacked = yield* inflatedAside(window);
    areLong = unpacked > AT_ONCE_BYTES;
  }
}

/** A stream that stands in the window as a whole; undefined when it does not, is long, or is damaged. */
function inflatedAtOnce(stored: Uint8Array): { bytes: Uint8Array; stored: number } | undefined {
  try {
    const options = { info: true, maxOutputLength: AT_ONCE_BYTES, chunkSize: 1 << 15 };
    // With `info` the result is an object, which the types do not tell.
    const result = inflateSync(stored, options) as unknown as { buffer: Buffer; engine: Inflate };
    return { bytes: result.buffer, stored: result.engine.bytesWritten };
  } catch {
    return undefined;
  }
}

/** Inflates one stream on zlib's thread; returns how many bytes it gave. */
async function* inflatedAside(window: Window): AsyncGenerator<Uint8Array, number> {
  const first = window.bytes.slice();
  const run = new InflateRun(window, CHUNK_BYTES);
  let given = 0;
  for await (const piece of run.pieces()) {
    given += piece.length;
    yield piece;
  }
  if (run.failure === undefined) return given;
  // What stands in front of the damage in its chunk was not handed out: again, in small chunks.
  if (!run.readFurther) {
    const again = new InflateRun(new Remembered(first), SMALL_CHUNK_BYTES);
    let skipped = 0;
    for await (const piece of again.pieces()) {
      const known = Math.min(piece.length, given - skipped);
      skipped += known;
      if (known < piece.length) yield piece.subarray(known);
    }
  }
  throw run.failure;
}

/** Stored bytes that are inflated a second time. */
class Remembered {
  constructor(public bytes: Uint8Array) {}
  fill(): Promise<void> {
    return Promise.resolve();
  }
  skip(length: number): void {
    this.bytes = this.bytes.subarray(length);
  }
}

/** One stream on its way through zlib's thread. */
class InflateRun {
  failure: Error | undefined;
  /** The stream took more than what stood in the window at its beginning. */
  readFurther = false;
  private readonly inflate: Inflate;
  private readonly ready: Uint8Array[] = [];
  private waiting = 0;
  private finished = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly window: Pick<Window, 'bytes' | 'fill' | 'skip'>,
    chunkSize: number,
  ) {
    this.inflate = createInflate({ chunkSize });
    this.inflate.on('data', (chunk: Uint8Array) => {
      this.ready.push(chunk);
      this.waiting += chunk.length;
      if (this.waiting > MOST_WAITING) this.inflate.pause();
      this.wake();
    });
    this.inflate.on('error', (error) => {
      this.failure = inWords(error);
    });
    this.inflate.on('close', () => {
      this.finished = true;
      this.wake();
    });
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    const fed = this.feed();
    try {
      for (;;) {
        const piece = this.ready.shift();
        if (piece !== undefined) {
          this.waiting -= piece.length;
          if (this.waiting <= MOST_WAITING) this.inflate.resume();
          yield piece;
        } else if (this.finished) return;
        else await new Promise<void>((resolve) => (this.wake = resolve));
      }
    } finally {
      this.inflate.destroy();
      await fed;
    }
  }

  /** Writes stored bytes until the stream says that it is complete, and takes them out of the window. */
  private async feed(): Promise<void> {
    while (!this.finished && !this.inflate.readableEnded) {
      const { bytes } = this.window;
      if (bytes.length === 0) {
        this.inflate.end();
        return;
      }
      const before = this.inflate.bytesWritten;
      await this.written(bytes.slice());
      this.window.skip(this.inflate.bytesWritten - before);
      // What it leaves belongs to the next stream.
      if (this.window.bytes.length > 0) {
        this.inflate.end();
        return;
      }
      this.readFurther = true;
      await this.window.fill();
    }
  }

  private written(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.inflate.once('close', resolve);
      this.inflate.write(bytes, () => {
        this.inflate.off('close', resolve);
        resolve();
      });
    });
  }
}

function inWords(error: Error): DamagedError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return cutOff('zlib');
  if (error.message === 'incorrect data check') {
    return new DamagedError('the checksum of the zlib data is wrong: values before this place may be wrong');
  }
  return new DamagedError(`the zlib data are damaged (${error.message})`);
}
