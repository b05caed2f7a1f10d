/** How many calls a recording holds, told without reading it as one (docs/recording-format.md). */
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { recordedFiles } from './recording-folder.ts';

export interface RecordedChunks {
  /** Files: one for each process image. */
  readonly processes: number;
  readonly bytes: number;
  readonly calls: number;
  /** Calls of the process with the most. */
  readonly mostCalls: number;
  /** Calls that could not be written. */
  readonly lost: number;
}

const FILE_HEADER = 16;
const CHUNK_HEADER = 40;
const CHUNK_MARK = 0x4b4e4843;
const [DEFINITIONS, EVENTS] = [1, 2];
const FUNCTION = 3;
const [RECORDER, POSIX, STDIO] = [0, 1, 2];
/** End, duration, stack. */
const OF_EVERY_EVENT = 3;
const OPEN_AT_ONCE = 16;

/** Counts the calls of all processes; a file is counted up to the first place where no chunk begins. */
export async function countRecorded(folder: string): Promise<RecordedChunks> {
  const names = recordedFiles(folder);
  const counts: RecordedFile[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < names.length) counts.push(await countFile(path.join(folder, names[next++]!)));
  };
  await Promise.all(Array.from({ length: Math.min(OPEN_AT_ONCE, names.length) }, work));
  const sum = (of: (count: RecordedFile) => number): number => counts.reduce((total, count) => total + of(count), 0);
  return {
    processes: counts.length,
    bytes: sum(({ bytes }) => bytes),
    calls: sum(({ calls }) => calls),
    mostCalls: counts.reduce((most, { calls }) => Math.max(most, calls), 0),
    lost: sum(({ lost }) => lost),
  };
}

interface RecordedFile {
  readonly bytes: number;
  readonly calls: number;
  readonly lost: number;
}

async function countFile(file: string): Promise<RecordedFile> {
  const handle = await open(file, 'r');
  try {
    return await countChunks(handle, (await handle.stat()).size);
  } finally {
    await handle.close();
  }
}

async function countChunks(handle: FileHandle, bytes: number): Promise<RecordedFile> {
  const head = Buffer.alloc(CHUNK_HEADER);
  const counter = new CallCounter();
  let payload = new Uint8Array(1 << 16);
  let lost = 0;
  for (let at = FILE_HEADER; at + CHUNK_HEADER <= bytes;) {
    await handle.read(head, 0, CHUNK_HEADER, at);
    if (head.readUInt32LE(0) !== CHUNK_MARK) break;
    const [kind, length] = [head.readUInt32LE(4), head.readUInt32LE(8)];
    at += CHUNK_HEADER;
    if (at + length > bytes) break;
    if (length > payload.length) payload = new Uint8Array(length);
    await handle.read(payload, 0, length, at);
    at += length;
    if (kind === DEFINITIONS) counter.define(payload.subarray(0, length));
    if (kind !== EVENTS) continue;
    counter.count(payload.subarray(0, length), head.readUInt32LE(28));
    lost += head.readUInt32LE(32);
  }
  return { bytes, calls: counter.calls, lost };
}

/** Counts the program's calls: what the recorder says itself (layer 0) is none. */
class CallCounter {
  calls = 0;
  /** By number: the letters of a function's arguments, and whether a negative result is followed by an error's number. */
  private readonly functions = new Map<number, { layer: number; roles: string; hasError: boolean }>();
  private bytes: Uint8Array = new Uint8Array();
  private at = 0;

  define(payload: Uint8Array): void {
    this.bytes = payload;
    this.at = 0;
    while (this.at < payload.length && payload[this.at] !== 0) {
      const kind = payload[this.at++];
      const end = this.varint() + this.at;
      if (kind === FUNCTION) {
        const [number, layer] = [this.varint(), this.varint()];
        this.text();
        const roles = this.text();
        this.functions.set(number, { layer, roles, hasError: layer === POSIX || layer === STDIO });
      }
      this.at = end;
    }
  }

  /** @param records events that the chunk's header names. */
  count(payload: Uint8Array, records: number): void {
    this.bytes = payload;
    this.at = 0;
    for (let i = 0; i < records; i++) {
      const known = this.functions.get(this.varint());
      // Where its length is not known nothing behind it can be told apart.
      if (known === undefined || this.at >= payload.length) return;
      if (known.layer !== RECORDER) this.calls++;
      for (let skipped = 0; skipped < OF_EVERY_EVENT; skipped++) this.varint();
      for (const role of known.roles) {
        const isNegative = (this.varint() & 1) === 1;
        if (role === 'e' || (role === 'r' && known.hasError && isNegative)) this.varint();
      }
    }
  }

  private text(): string {
    const length = this.varint();
    const text = String.fromCharCode(...this.bytes.subarray(this.at, this.at + length));
    this.at += length;
    return text;
  }

  /** Exact up to 28 bits, which numbers of functions and lengths have; of any other the last bit is. */
  private varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++] ?? 0;
      if (shift < 28) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
}
