import type { ByteStream } from '../../trace/byte-source.ts';
import { isDigit, NEWLINE, startsWith } from './bytes.ts';
import { isFrameLine } from './frame-lines.ts';

export interface RecordStreamLimits {
  /** Bytes that are read at once; fewer when the whole file is smaller. */
  chunkBytes: number;
  /** Longest line (or call with its stack) that is kept whole. */
  longestRecord: number;
}

const LIMITS: RecordStreamLimits = { chunkBytes: 1 << 22, longestRecord: 1 << 24 };
/** A folder of thousands of small files must not take and clear megabytes for each. */
const SMALLEST_CHUNK = 1 << 12;

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const ESCAPE = 27;

/** Node's Buffer searches for a byte three times as fast as a plain Uint8Array; a browser has none. */
function allocate(length: number): Uint8Array {
  return typeof Buffer === 'undefined' ? new Uint8Array(length) : Buffer.alloc(length);
}

/** A run of whole records; the bytes are valid until the next call of `next`. */
interface Records {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Bytes of a line that was too long to be kept; it stood in front of `start`. */
  skipped: number;
}

/** Bytes at the beginning of a file that tell whether it is coloured. */
const COLOUR_SEARCH = 1 << 16;

/**
 * Cuts a byte stream into runs of whole records. A record is a line together with the lines of the call stack behind it,
 * so that a stack is never torn from its call. While a run is worked on, the next one is being read.
 *
 * Of a file that grows, the end of the stream is the end of what there is: the last record waits, because more lines of its
 * stack may follow, until `resume` says that there is more, or `finish` that there will be none.
 */
export class RecordStream {
  private current: Uint8Array;
  private other: Uint8Array = new Uint8Array();
  /** Bytes at the start of `current` that belong to the record not yet given out. */
  private filled = 0;
  private reading: Promise<number> | undefined;
  private atEnd = false;
  /** Why the stream ended before its end; thrown when everything before has been given out. */
  private failure: { readonly error: unknown } | undefined;
  /** Bytes of the file that stood in front of those in `current`. */
  private passed = 0;
  private coloured = false;
  private skipping = 0;
  private readonly limits: RecordStreamLimits;

  /** @param size of the file in bytes as stored, where it is known: how much room is worth taking. */
  constructor(
    private readonly stream: ByteStream,
    limits: Partial<RecordStreamLimits> = {},
    size?: number,
    private grows = false,
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.current = allocate(this.roomFor(size ?? this.limits.chunkBytes));
  }

  /** Whether more may come when all that there is was given out. */
  get isGrowing(): boolean {
    return this.grows;
  }

  private roomFor(size: number): number {
    return Math.min(this.limits.chunkBytes, Math.max(SMALLEST_CHUNK, size + 1));
  }

  /** There are more bytes of a file that grows. @param more how many, as far as it is known. */
  resume(more: number): void {
    this.atEnd = false;
    const room = Math.max(this.roomFor(this.filled + more), Math.min(this.filled * 2, this.limits.longestRecord));
    if (room <= this.current.length) return;
    const rest = this.current;
    this.current = allocate(room);
    this.current.set(rest.subarray(0, this.filled));
  }

  /** A file that grew is complete: its last record is one, too. */
  finish(): void {
    this.grows = false;
    this.resume(0);
  }

  /** Keeps no more memory than what waits needs: a recording may have thousands of files. */
  private wait(): void {
    const rest = this.current.subarray(0, this.filled);
    this.current = allocate(this.filled);
    this.current.set(rest);
    this.other = new Uint8Array();
  }

  /**
   * The next run, or undefined at the end (of what there is).
   * @throws what the stream threw, when all that was read before has been given out.
   */
  async next(): Promise<Records | undefined> {
    for (;;) {
      const length = await this.fill();
      if (length === 0) return this.atRest();
      let start = this.startOf(length);
      let skipped = 0;
      if (this.skipping > 0) {
        const newline = this.current.indexOf(NEWLINE);
        if (newline < 0 || newline >= length) {
          this.skipping += length;
          this.passed += length;
          this.filled = 0;
          continue;
        }
        skipped = this.skipping + newline + 1;
        this.skipping = 0;
        start = newline + 1;
      }
      const isLast = this.atEnd && !this.grows;
      const cut = isLast ? length : this.cutAt(start, length);
      if (cut > start || isLast || skipped > 0) return this.give(start, cut, length, skipped);
      if (this.atEnd) return this.atRest();
      this.growOrSkip(length);
    }
  }

  private atRest(): Records | undefined {
    if (this.grows) {
      this.wait();
      return undefined;
    }
    // What is skipped at the end has no end of its own.
    const skipped = this.skipping;
    this.skipping = 0;
    if (skipped > 0) return { bytes: this.current, start: 0, end: 0, skipped };
    if (this.failure !== undefined) throw this.failure.error;
    return undefined;
  }

  /** Reads until the buffer is full or the stream ends. Returns the number of bytes in the buffer. */
  private async fill(): Promise<number> {
    while (!this.atEnd && (this.reading !== undefined || this.filled < this.current.length)) {
      this.filled += await (this.reading ?? this.readMore(this.filled));
      this.reading = undefined;
    }
    return this.filled;
  }

  private async readMore(from: number): Promise<number> {
    try {
      const got = await this.stream.read(this.current.subarray(from));
      if (got === 0) this.atEnd = true;
      return got;
    } catch (error) {
      this.failure = { error };
      this.atEnd = true;
      // What stands behind the failure is never reached.
      this.grows = false;
      return 0;
    }
  }

  private startOf(length: number): number {
    if (this.passed < COLOUR_SEARCH)
      this.coloured ||= this.current.subarray(0, Math.min(length, COLOUR_SEARCH - this.passed)).includes(ESCAPE);
    if (this.passed > 0) return 0;
    return startsWith(this.current, 0, length, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  }

  /** Start of the last line that is no stack frame: what is before it is complete. `start` when there is none. */
  private cutAt(start: number, length: number): number {
    let newline = this.current.lastIndexOf(NEWLINE, length - 1);
    while (newline >= start) {
      const line = newline + 1;
      // Behind the last newline stands a beginning of a line: too little to tell whether it is a frame.
      if (line + 3 <= length && !isFrameLine(this.current, line)) return line;
      if (newline === 0) break;
      newline = this.current.lastIndexOf(NEWLINE, newline - 1);
    }
    return start;
  }

  private give(start: number, cut: number, length: number, skipped: number): Records {
    const bytes = this.current;
    const rest = length - cut;
    this.passed += cut;
    this.filled = rest;
    if (!this.atEnd || rest > 0) {
      if (this.other.length < bytes.length) this.other = allocate(bytes.length);
      this.other.set(bytes.subarray(cut, length));
      this.current = this.other;
      this.other = bytes;
      if (!this.atEnd && rest < this.current.length) this.reading = this.readMore(rest);
    }
    const end = this.coloured ? withoutColours(bytes, start, cut) : cut;
    return { bytes, start, end, skipped };
  }

  private growOrSkip(length: number): void {
    if (this.current.length < this.limits.longestRecord) {
      const wider = allocate(Math.min(this.limits.longestRecord, this.current.length * 2));
      wider.set(this.current.subarray(0, length));
      this.current = wider;
      return;
    }
    this.skipping = length;
    this.passed += length;
    this.filled = 0;
  }

  async close(): Promise<void> {
    await this.reading;
    await this.stream.close();
  }
}

const BRACKET = 91;
const SEMICOLON = 59;
const COLOUR_END = 109;

/** Takes `ESC [ … m` out (`strace --color`, 7.0). Returns the new end. */
function withoutColours(bytes: Uint8Array, start: number, end: number): number {
  let to = start;
  for (let at = start; at < end; at++) {
    if (bytes[at] === ESCAPE && bytes[at + 1] === BRACKET) {
      let stop = at + 2;
      while (stop < end && (isDigit(bytes[stop]!) || bytes[stop] === SEMICOLON)) stop++;
      if (stop < end && bytes[stop] === COLOUR_END) {
        at = stop;
        continue;
      }
    }
    bytes[to++] = bytes[at]!;
  }
  return to;
}
