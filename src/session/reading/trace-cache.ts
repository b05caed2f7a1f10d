import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink, utimes, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { RecordingFile } from '../../trace/byte-source.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import { messageOf } from '../../base/error-message.ts';
import {
  allocateChunk,
  BYTES_PER_EVENT,
  bytesOfChunk,
  CHUNK_BYTES,
  CHUNK_ROWS,
  EventTable,
} from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { traceCacheFolder } from './cache-folders.ts';
import type { EventSpill } from '../machine/machine.ts';
import { readFully } from './spill-file.ts';
import {
  checkRows,
  DamagedEncodingError,
  decodeTrace,
  encodeTrace,
  HANDLE_NUMBERS,
  type TraceHead,
} from './trace-encoding.ts';

/** Recordings smaller than this (bytes as stored) are read faster than anybody notices. */
const LEAST_TO_CACHE = 8 << 20;
const DEFAULT_CACHE_BYTES = 2 * 2 ** 30;

const MAGIC = Buffer.from('IOLENS1\n');
/** Raised whenever the layout of the cache's files changes. */
const LAYOUT = 2;
const PREFIX_BYTES = MAGIC.length + 8;
const SAMPLE_BYTES = 4096;
/** A file that changed this recently may change again within the same tick of the file system's clock (milliseconds). */
const STILL_CHANGING = 2000;
/** Unfinished files older than this were left behind by a process that was killed (milliseconds). */
const ABANDONED = 3_600_000;
const ENDING = '.iolens-trace';

/** What a stored trace says before the trace. */
interface StoredHead {
  readonly layout: number;
  readonly identity: string;
  readonly trace: TraceHead;
  readonly handlesSum: number;
  /** CRC-32 of each chunk of events. */
  readonly chunkSums: readonly number[];
}

export interface CacheOptions {
  readonly folder?: string;
  /** The cache never grows beyond this. */
  readonly most?: number;
  readonly least?: number;
  readonly stillChanging?: number;
}

/** What a recording's files are, so exactly that a changed one is another. */
interface Identity {
  readonly text: string;
  /** Where the trace is stored; the same for every version of these files, so that a newer one takes the older's place. */
  readonly name: string;
  /** Milliseconds since 1970 of the last change of any of the files. */
  readonly changed: number;
}

/**
 * Traces as they were read, kept in files: opening a recording again takes as long as reading its cached columns.
 *
 * A recording is known by path, device, inode, size, times of modification **and** of change (which no program can set
 * back), the first and last bytes of each of its files, the build of the reader and its options. One that changed within
 * the last two seconds is not stored. Whatever is wrong with a stored trace, it counts as absent.
 */
export class TraceCache {
  private readonly folder: string;
  private readonly most: number;
  private readonly least: number;
  private readonly stillChanging: number;

  /** @param reader the build of the readers. */
  constructor(
    private readonly reader: string,
    options: CacheOptions = {},
  ) {
    this.folder = options.folder ?? traceCacheFolder(process.env);
    this.most = options.most ?? DEFAULT_CACHE_BYTES;
    this.least = options.least ?? LEAST_TO_CACHE;
    this.stillChanging = options.stillChanging ?? STILL_CHANGING;
  }

  /** @returns undefined when the recording is not worth it, or is no files. */
  async identify(files: readonly RecordingFile[], sharedPaths: readonly string[]): Promise<Identity | undefined> {
    const bytes = files.reduce((sum, { size }) => sum + (size ?? NaN), 0);
    if (this.most === 0 || !(bytes >= this.least)) return undefined;
    const known: string[] = [];
    let changed = 0;
    for (const file of files) {
      const found = await identifyFile(file.path).catch(() => undefined);
      if (found === undefined) return undefined;
      known.push(found.text);
      changed = Math.max(changed, found.changed);
    }
    const paths = files.map((file) => file.path);
    const name = createHash('sha256')
      .update(JSON.stringify([paths, sharedPaths]))
      .digest('hex')
      .slice(0, 40);
    return { text: JSON.stringify([this.reader, sharedPaths, known]), name: `${name}${ENDING}`, changed };
  }

  /**
   * The stored trace of these files, when there is one and all of it is sound.
   * @param spill where chunks go that are changed later and that memory has no room for.
   */
  async load(
    identity: Identity,
    spill: EventSpill,
    sharedPaths: readonly string[],
    progress?: (share: number) => void,
  ): Promise<{ trace: Trace; close: () => void } | { problem: string } | undefined> {
    const name = path.join(this.folder, identity.name);
    let file: number;
    try {
      // A link that somebody else put there is not followed.
      file = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch {
      return undefined;
    }
    try {
      const trace = readStored(file, identity, spill, sharedPaths, progress);
      if (trace === undefined) {
        closeSync(file);
        return undefined;
      }
      // What was used last goes last.
      await utimes(name, new Date(), new Date()).catch(() => undefined);
      return {
        trace,
        close: () => closeSync(file),
      };
    } catch (error) {
      closeSync(file);
      await unlink(name).catch(() => undefined);
      const what = messageOf(error);
      return { problem: `the cached reading of this recording was damaged (${what}) and is made again` };
    }
  }

  /**
   * Stores a trace. Nobody is kept waiting: chunks are written one by one while other work goes on.
   * @returns false when it was not stored; a cache that cannot be written is no error.
   */
  async store(identity: Identity, trace: Trace, readAt: number): Promise<boolean> {
    if (readAt - identity.changed < this.stillChanging) return false;
    const encoded = encodeTrace(trace);
    if (encoded === undefined) return false;
    const bytes = trace.events.length * BYTES_PER_EVENT + encoded.handles.byteLength;
    // One recording must not push everything else out.
    if (bytes > this.most / 2) return false;
    const temporary = path.join(this.folder, `${identity.name}.${randomBytes(6).toString('hex')}.part`);
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const file = await open(temporary, 'wx', 0o600);
      try {
        await writeStored(file, identity, trace, encoded);
      } finally {
        await file.close();
      }
      await rename(temporary, path.join(this.folder, identity.name));
      await this.evict();
      return true;
    } catch {
      await unlink(temporary).catch(() => undefined);
      return false;
    }
  }

  /** Removes what was not used for longest until the rest fits, and what killed processes left behind. */
  private async evict(): Promise<void> {
    const entries: { name: string; bytes: number; used: number }[] = [];
    for (const entry of await readdir(this.folder)) {
      const name = path.join(this.folder, entry);
      const status = await stat(name).catch(() => undefined);
      if (status === undefined) continue;
      if (entry.endsWith(ENDING)) entries.push({ name, bytes: status.size, used: status.mtimeMs });
      else if (entry.endsWith('.part') && Date.now() - status.mtimeMs > ABANDONED)
        await unlink(name).catch(() => undefined);
    }
    entries.sort((a, b) => a.used - b.used);
    let total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { name, bytes } of entries) {
      if (total <= this.most) break;
      await unlink(name).catch(() => undefined);
      total -= bytes;
    }
  }
}

async function identifyFile(name: string): Promise<{ text: string; changed: number }> {
  const file = await open(name);
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = await file.stat({ bigint: true });
    const sample = Buffer.alloc(SAMPLE_BYTES);
    const hash = createHash('sha256');
    for (const position of [0, Math.max(0, Number(size) - SAMPLE_BYTES)]) {
      const { bytesRead } = await file.read(sample, 0, SAMPLE_BYTES, position);
      hash.update(sample.subarray(0, bytesRead));
    }
    const changed = Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
    return { text: [name, dev, ino, size, mtimeNs, ctimeNs, hash.digest('hex')].join(' '), changed };
  } finally {
    await file.close();
  }
}

/** Positions of a stored trace: prefix, head, columns of handles, chunks of events. */
function layoutOf(headBytes: number, handles: number): { handlesAt: number; eventsAt: number } {
  const handlesAt = PREFIX_BYTES + headBytes;
  return { handlesAt, eventsAt: handlesAt + handles * HANDLE_NUMBERS * 4 };
}

async function writeStored(
  file: FileHandle,
  identity: Identity,
  trace: Trace,
  encoded: { head: TraceHead; handles: Int32Array },
): Promise<void> {
  const { events } = trace;
  const handles = new Uint8Array(encoded.handles.buffer);
  // The sums stand in the head, whose length they decide: numbers of a fixed width are put in afterwards.
  const sums: number[] = [];
  const makeHead = (): Buffer => {
    const widened = Array.from({ length: events.chunks.length }, (_, i) => 2 ** 32 + (sums[i] ?? 0));
    const head: StoredHead = {
      layout: LAYOUT,
      identity: identity.text,
      trace: encoded.head,
      handlesSum: crc32(handles),
      chunkSums: widened,
    };
    return Buffer.from(JSON.stringify(head));
  };
  const { handlesAt, eventsAt } = layoutOf(makeHead().length, encoded.head.handles);
  await file.write(handles, 0, handles.length, handlesAt);
  for (let number = 0; number < events.chunks.length; number++) {
    const rows = events.rowsIn(number);
    const first = number * CHUNK_ROWS;
    let chunk = events.inMemory(first);
    if (chunk === undefined) {
      chunk = allocateChunk(rows);
      events.copyRows(first, chunk, rows);
    }
    const bytes = bytesOfChunk(chunk);
    sums.push(crc32(bytes));
    await file.write(bytes, 0, bytes.length, eventsAt + number * CHUNK_BYTES);
  }
  const head = makeHead();
  const prefix = Buffer.alloc(PREFIX_BYTES);
  MAGIC.copy(prefix);
  prefix.writeUInt32LE(head.length, MAGIC.length);
  prefix.writeUInt32LE(crc32(head), MAGIC.length + 4);
  await file.write(Buffer.concat([prefix, head]), 0, PREFIX_BYTES + head.length, 0);
}

function require(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new DamagedEncodingError(what);
}

/** @returns undefined when the file is sound but of other recordings. */
function readStored(
  file: number,
  identity: Identity,
  spill: EventSpill,
  sharedPaths: readonly string[],
  progress?: (share: number) => void,
): Trace | undefined {
  const { size } = fstatSync(file);
  require(size >= PREFIX_BYTES, 'it is cut off');
  const prefix = Buffer.alloc(PREFIX_BYTES);
  readFully(file, 0, prefix, 'the file');
  require(prefix.subarray(0, MAGIC.length).equals(MAGIC), 'its first bytes are wrong');
  const headBytes = prefix.readUInt32LE(MAGIC.length);
  require(PREFIX_BYTES + headBytes <= size, 'it is cut off');
  const text = Buffer.alloc(headBytes);
  readFully(file, PREFIX_BYTES, text, 'the file');
  require(crc32(text) === prefix.readUInt32LE(MAGIC.length + 4), 'the sum of its head is wrong');
  const stored = JSON.parse(text.toString()) as StoredHead;
  if (stored.layout !== LAYOUT || stored.identity !== identity.text) return undefined;
  const { trace: head } = stored;
  const { handlesAt, eventsAt } = layoutOf(headBytes, head.handles);
  require(size === eventsAt + head.events * BYTES_PER_EVENT, 'it is cut off');
  const handles = new Int32Array(head.handles * HANDLE_NUMBERS);
  const handleBytes = new Uint8Array(handles.buffer);
  readFully(file, handlesAt, handleBytes, 'the file');
  require(crc32(handleBytes) === stored.handlesSum, 'the sum of its handles is wrong');
  const events = EventTable.stored(new StoredChunks(file, eventsAt, spill), head.events);
  const trace = decodeTrace(head, handles, events, sharedPaths);
  events.loadAll((chunk, number) => {
    const sum = 2 ** 32 + crc32(bytesOfChunk(chunk));
    require(sum === stored.chunkSums[number], `the sum of its events ${number * CHUNK_ROWS} and following is wrong`);
    checkRows(chunk, events.rowsIn(number), head);
    progress?.((number + 1) / events.chunks.length);
  });
  return trace;
}

/** Chunks of a cached trace; those that were changed since stand in the spill file. */
class StoredChunks implements ChunkStore {
  private readonly changed = new Set<number>();

  constructor(
    private readonly file: number,
    private readonly eventsAt: number,
    private readonly spill: EventSpill,
  ) {}

  keeps(bytes: number): boolean {
    return this.spill.keeps(bytes);
  }

  write(position: number, bytes: Uint8Array): boolean {
    if (!this.spill.write(position, bytes)) return false;
    this.changed.add(Math.floor(position / CHUNK_BYTES));
    return true;
  }

  read(position: number, target: Uint8Array): void {
    if (this.changed.has(Math.floor(position / CHUNK_BYTES))) this.spill.read(position, target);
    else readFully(this.file, this.eventsAt + position, target, 'the cached recording');
  }
}
