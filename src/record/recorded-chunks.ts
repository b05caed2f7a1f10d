/** What the chunks of a recording tell without being understood (docs/recording-format.md). */
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { recordedFiles } from './recording-folder.ts';

export interface RecordedChunks {
  /** Files: one for each process image. */
  readonly processes: number;
  readonly bytes: number;
  /** Calls, and what the recorder notes beside them: processes that were made, descriptors that were there before. */
  readonly events: number;
  /** Those of the process with the most. */
  readonly mostEvents: number;
  /** Calls that could not be written. */
  readonly lost: number;
}

const FILE_HEADER = 16;
const CHUNK_HEADER = 40;
const CHUNK_MARK = 0x4b4e4843;
const LIVE_MARK = 0x4556494c;
const EVENTS = 2;
const LIVE = 3;
const OPEN_AT_ONCE = 16;

/** Counts the events of all processes; a file is counted up to the first place where no chunk begins. */
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
    events: sum(({ events }) => events),
    mostEvents: counts.reduce((most, { events }) => Math.max(most, events), 0),
    lost: sum(({ lost }) => lost),
  };
}

interface RecordedFile {
  readonly bytes: number;
  readonly events: number;
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
  let [events, lost] = [0, 0];
  for (let at = FILE_HEADER; at + CHUNK_HEADER <= bytes;) {
    await handle.read(head, 0, CHUNK_HEADER, at);
    if (head.readUInt32LE(0) !== CHUNK_MARK) break;
    if (head.readUInt32LE(4) === EVENTS) {
      events += head.readUInt32LE(28);
      lost += head.readUInt32LE(32);
    } else if (head.readUInt32LE(4) === LIVE) events += await countLive(handle, at, head);
    at += CHUNK_HEADER + head.readUInt32LE(8);
  }
  return { bytes, events, lost };
}

/** Events that a process had gathered when it was killed, or has. */
async function countLive(handle: FileHandle, at: number, area: Buffer): Promise<number> {
  const [slotBytes, inFront, slots] = [area.readUInt32LE(16), area.readUInt32LE(24), area.readUInt32LE(28)];
  const slot = Buffer.alloc(CHUNK_HEADER);
  let events = 0;
  for (let i = 0; i < slots; i++) {
    await handle.read(slot, 0, CHUNK_HEADER, at + CHUNK_HEADER + inFront + i * slotBytes);
    if (slot.readUInt32LE(0) === LIVE_MARK && slot.readUInt32LE(4) === EVENTS) events += slot.readUInt32LE(12);
  }
  return events;
}
