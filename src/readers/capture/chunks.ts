/** The chunks of a file of the recorder library (docs/recording-format.md). */
import type { ByteStream } from '../../trace/byte-source.ts';
import { UnreadableRecordingError } from '../../trace/trace.ts';

const MAGIC = new TextEncoder().encode('IOLENSRC');
/** Holds files of several processes (merged/merged-files.ts). */
export const MERGED_VERSION = 3;
/** Of version 1 checksums are of payloads alone. */
const VERSIONS: readonly number[] = [1, 2, MERGED_VERSION];
export const FILE_HEADER_BYTES = 16;
export const CHUNK_MAGIC = 0x4b4e4843;
export const CHUNK_HEADER_BYTES = 40;
/** The library writes some 64 KiB at once; a length beyond this is damage. */
const MOST_PAYLOAD_BYTES = 1 << 24;
/** What is read at once of a file. */
export const READ_BYTES = 1 << 20;
/** Damaged bytes that are summed up once more for every byte of the file, looking for the next chunk. */
const MOST_TRIES = 8;

export const CHUNK_KIND = { definitions: 1, events: 2, live: 3, member: 4 } as const;

export interface Chunk {
  readonly kind: number;
  /** Valid until the next chunk is asked for. */
  readonly payload: Uint8Array;
  /** Nanoseconds on the monotonic clock. Of an area (`live`): the bytes of a slot. */
  readonly time: bigint;
  /** Of an area: the bytes in front of its first slot. */
  readonly thread: number;
  /** Of an area: its slots. */
  readonly records: number;
  /** Events of the thread that were lost in front of it. */
  readonly lost: number;
  /** Its place in the file, in bytes. */
  readonly position: number;
}

/** Bytes between two sound chunks, or behind the last. */
type OnGap = (position: number, bytes: number, isAtEnd: boolean) => void;

/** What stands in front of the first chunk. */
export function fileHeader(version: number): Uint8Array {
  const header = new Uint8Array(FILE_HEADER_BYTES);
  header.set(MAGIC);
  const view = new DataView(header.buffer);
  view.setUint16(8, version, true);
  view.setUint16(10, FILE_HEADER_BYTES, true);
  return header;
}

/** Whether a file begins like one of the recorder library. */
export function looksLikeCapture(head: Uint8Array): boolean {
  return head.length >= MAGIC.length && MAGIC.every((byte, i) => head[i] === byte);
}

/**
 * The sound chunks of a file.
 * @param onGap is told what lies between them.
 * @param room bytes that are read at once.
 * @param from where the stream begins in the file: at its beginning, or at a chunk.
 * @throws UnreadableRecordingError when it is no such file, or one of a later version.
 */
export async function* chunksOf(stream: ByteStream, onGap: OnGap, room = READ_BYTES, from = 0): AsyncGenerator<Chunk> {
  const window = new Window(stream, room, from);
  let position = from === 0 ? await headerBytes(window) : from;
  let gapFrom = -1;
  let tries = 0;
  for (;;) {
    const available = await window.have(position, CHUNK_HEADER_BYTES);
    if (available < CHUNK_HEADER_BYTES) {
      const begin = gapFrom < 0 ? position : gapFrom;
      if (position + available > begin) onGap(begin, position + available - begin, true);
      return;
    }
    const bytes = window.claimedAt(position);
    let next = position + 8;
    if (bytes >= 0) {
      const isThere = (await window.have(position, CHUNK_HEADER_BYTES + bytes)) >= CHUNK_HEADER_BYTES + bytes;
      if (isThere && window.isSound(position, bytes)) {
        if (gapFrom >= 0) onGap(gapFrom, position - gapFrom, false);
        gapFrom = -1;
        yield window.chunkAt(position, bytes);
        position += CHUNK_HEADER_BYTES + bytes;
        continue;
      }
      // Damage that looks like chunks within chunks must not cost the square of its length.
      if (isThere) tries += bytes;
      if (tries > MOST_TRIES * position + MOST_PAYLOAD_BYTES) next = position + CHUNK_HEADER_BYTES + bytes;
    }
    if (gapFrom < 0) gapFrom = position;
    position = window.nextMagic(next);
  }
}

async function headerBytes(window: Window): Promise<number> {
  if ((await window.have(0, FILE_HEADER_BYTES)) < FILE_HEADER_BYTES)
    throw new UnreadableRecordingError('the file ends within its header');
  const header = window.view(0, FILE_HEADER_BYTES);
  if (!MAGIC.every((byte, i) => header.getUint8(i) === byte))
    throw new UnreadableRecordingError('this is no file of the recorder library');
  const version = header.getUint16(8, true);
  if (!VERSIONS.includes(version)) {
    throw new UnreadableRecordingError(
      `it is of version ${version} of the recording format, which is not known here: ${version > Math.max(...VERSIONS) ? 'update I/O Lens' : 'the file is damaged'}`,
    );
  }
  const bytes = header.getUint16(10, true);
  return bytes >= FILE_HEADER_BYTES && bytes % 8 === 0 ? bytes : FILE_HEADER_BYTES;
}

/** The stretch of a file that is looked at. */
class Window {
  private bytes: Uint8Array<ArrayBuffer>;
  private length = 0;
  private isAtEnd = false;

  /** @param first position in the file of its first byte. */
  constructor(
    private readonly stream: ByteStream,
    private readonly room: number,
    private first: number,
  ) {
    this.bytes = new Uint8Array(room);
  }

  /** Reads on; nothing before `position` is needed from now on. @returns the bytes that there are, at most `wanted`. */
  async have(position: number, wanted: number): Promise<number> {
    while (!this.isAtEnd && this.first + this.length < position + wanted) {
      this.makeRoom(position, wanted);
      const got = await this.stream.read(this.bytes.subarray(this.length));
      this.length += got;
      if (got === 0) this.isAtEnd = true;
    }
    return Math.max(0, Math.min(wanted, this.first + this.length - position));
  }

  private makeRoom(position: number, wanted: number): void {
    if (this.length < this.bytes.length) return;
    const passed = Math.min(this.length, position - this.first);
    const kept = this.bytes.subarray(passed, this.length);
    const isTight = kept.length + this.room / 2 > this.bytes.length;
    const target = isTight
      ? new Uint8Array(Math.min(this.bytes.length * 2, kept.length + wanted + this.room))
      : this.bytes;
    if (isTight) target.set(kept);
    else this.bytes.copyWithin(0, passed, this.length);
    this.bytes = target;
    this.first += passed;
    this.length = kept.length;
  }

  view(position: number, length: number): DataView {
    return new DataView(this.bytes.buffer, position - this.first, length);
  }

  /** Bytes of the payload by the header at a position; −1 when there is none. */
  claimedAt(position: number): number {
    const header = this.view(position, CHUNK_HEADER_BYTES);
    if (header.getUint32(0, true) !== CHUNK_MAGIC) return -1;
    const bytes = header.getUint32(8, true);
    const kind = header.getUint32(4, true);
    const isPossible = bytes % 8 === 0 && bytes <= MOST_PAYLOAD_BYTES && kind > 0 && kind < 256;
    return isPossible ? bytes : -1;
  }

  isSound(position: number, bytes: number): boolean {
    const header = this.view(position, CHUNK_HEADER_BYTES);
    if (header.getUint32(4, true) === CHUNK_KIND.live && !isArea(header, bytes)) return false;
    return isSoundChunk(header, this.view(position + CHUNK_HEADER_BYTES, bytes));
  }

  chunkAt(position: number, bytes: number): Chunk {
    const header = this.view(position, CHUNK_HEADER_BYTES);
    const from = position + CHUNK_HEADER_BYTES - this.first;
    return {
      kind: header.getUint32(4, true),
      payload: this.bytes.subarray(from, from + bytes),
      time: header.getBigUint64(16, true),
      thread: header.getUint32(24, true),
      records: header.getUint32(28, true),
      lost: header.getUint32(32, true),
      position,
    };
  }

  /** The first place from `position` on, a multiple of 8, that may be a chunk; or the last place that was read. */
  nextMagic(position: number): number {
    const last = this.first + this.length - CHUNK_HEADER_BYTES;
    let at = position;
    while (at <= last && this.claimedAt(at) < 0) at += 8;
    return at;
  }
}

/** Whether an area has room for its slots. */
function isArea(header: DataView, bytes: number): boolean {
  const slots = header.getBigUint64(16, true) * BigInt(header.getUint32(28, true));
  return BigInt(header.getUint32(24, true)) + slots <= BigInt(bytes);
}

/**
 * Whether a chunk is as it was written. In files of version 1 the sum is that of the payload alone, and areas have none: what
 * stands in them changes as long as the process runs.
 */
export function isSoundChunk(header: DataView, payload: DataView): boolean {
  const isOfArea = header.getUint32(4, true) === CHUNK_KIND.live;
  const recorded = header.getUint32(12, true);
  const sum = isOfArea ? sumOf(NOTHING) : sumOf(payload);
  return recorded === (isOfArea ? 0 : sum) || recorded === chunkSum(header, sum);
}

const NOTHING = new DataView(new ArrayBuffer(0));

/** Sums up a payload. */
export function sumOf(payload: DataView): number {
  return addToSum((0x811c9dc5 ^ payload.byteLength) | 0, payload);
}

/** Adds to the sum of a payload what stands in front of it, but for the place of the sum itself. */
export function chunkSum(header: DataView, payloadSum: number): number {
  const others = new DataView(header.buffer.slice(header.byteOffset, header.byteOffset + CHUNK_HEADER_BYTES));
  others.setUint32(12, 0, true);
  return addToSum(payloadSum, others);
}

function addToSum(begin: number, bytes: DataView): number {
  let sum = begin;
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const mixed = sum ^ bytes.getInt32(at, true);
    sum = Math.imul((mixed << 5) | (mixed >>> 27), 0x9e3779b1);
  }
  return sum >>> 0;
}
