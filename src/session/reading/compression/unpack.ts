import { machine } from '#machine';
import {
  UnpackError,
  type ByteSource,
  type ByteStream,
  type PackedSource,
  type Packing,
} from '../../../trace/byte-source.ts';
import { messageOf } from '../../../base/error-message.ts';
import { bunzipped } from './bzip2.ts';
import { AT_ONCE_BYTES, CHUNK_BYTES, LOW_WINDOW } from './inflation-bounds.ts';
import { StoredBytes } from './stored-bytes.ts';

const WINDOW_BYTES = 1 << 18;

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
    throw new UnpackError(messageOf(error), undefined);
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
    const message = messageOf(error);
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
      if ((DEFLATE * 256 + (bytes[at + 1] ?? 0)) % 31 === 0 && machine.inflation.isStream(bytes.subarray(at)))
        return window.position + at;
    }
    if (window.isLast) return undefined;
    window.skip(trusted);
  }
}

/** The first byte of a zlib stream as zlib itself makes them: deflate, with a window of 32 KiB. */
const DEFLATE = 0x78;

/**
 * Inflates complete zlib streams that stand one behind the other (RFC 1950). Short ones are inflated at once, because a
 * round through zlib's thread takes longer than they do.
 * @param progress is told where the stream begins that is inflated.
 */
async function* inflated(window: Window, progress: { begin: number }): AsyncGenerator<Uint8Array> {
  let areLong = false;
  for (;;) {
    progress.begin = window.position;
    if (window.bytes.length < LOW_WINDOW) await window.fill();
    if (window.bytes.length === 0) return;
    const whole = areLong ? undefined : machine.inflation.atOnce(window.bytes);
    if (whole !== undefined) {
      window.skip(whole.stored);
      if (whole.bytes.length > 0) yield whole.bytes;
      continue;
    }
    const unpacked = yield* machine.inflation.piecewise(window);
    areLong = unpacked > AT_ONCE_BYTES;
  }
}
