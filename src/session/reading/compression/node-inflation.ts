import { createInflate, inflateSync, type Inflate } from 'node:zlib';
import type { Inflation, StoredWindow } from '../../machine/machine.ts';
import { gunzipped } from './gzip.ts';
import { AT_ONCE_BYTES, CHUNK_BYTES, LOW_WINDOW } from './inflation-bounds.ts';
import { cutOff, DamagedError } from './stored-bytes.ts';

/** Chunks in which a damaged stream is unpacked again: the one in which the damage stands is lost. */
const SMALL_CHUNK_BYTES = 1 << 11;
/** Unpacked bytes that may wait to be fetched. */
const MOST_WAITING = 1 << 20;

/** Inflation by Node's zlib; long streams go through its own thread while their first part is worked on. */
export const nodeInflation: Inflation = { gunzipped, isStream, atOnce, piecewise };

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

/** A stream that stands in the window as a whole; undefined when it does not, is long, or is damaged. */
function atOnce(stored: Uint8Array): { bytes: Uint8Array; stored: number } | undefined {
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
async function* piecewise(window: StoredWindow): AsyncGenerator<Uint8Array, number> {
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
class Remembered implements StoredWindow {
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
    private readonly window: StoredWindow,
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
