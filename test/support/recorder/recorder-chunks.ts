import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readRecorded, type RecordedCall } from './recorder-stacks.ts';

/** Whether recordings of the recorder library are sound, by the letter of docs/recording-format.md. */

export interface SoundRecording {
  files: number;
  calls: RecordedCall[];
  notes: Set<string>;
  /** Events that the recording itself says are missing. */
  lost: number;
  /** Bytes behind the last whole chunk of each file, where there are any. */
  torn: number[];
}

const FILE_HEADER = 16;
const CHUNK_HEADER = 40;

function checksum(header: Buffer, payload: Buffer): number {
  const others = Buffer.from(header);
  others.writeUInt32LE(0, 12);
  let sum = 0x811c9dc5 ^ payload.length;
  const summed = Buffer.concat([payload, others]);
  for (let at = 0; at < summed.length; at += 4) {
    sum ^= summed.readUInt32LE(at);
    sum = Math.imul((sum << 5) | (sum >>> 27), 0x9e3779b1);
  }
  return sum >>> 0;
}

/**
 * The end of the chunk at a place, or nothing where the file ends within it.
 * @throws Error when it is not sound.
 */
function chunkEnd(bytes: Buffer, at: number, number: number): number | undefined {
  if (at + CHUNK_HEADER > bytes.length) return undefined;
  if (bytes.toString('latin1', at, at + 4) !== 'CHNK') throw new Error(`no chunk begins at ${at}`);
  const size = bytes.readUInt32LE(at + 8);
  const end = at + CHUNK_HEADER + size;
  if (size % 8 !== 0) throw new Error(`the chunk at ${at} has ${size} bytes`);
  if (bytes.readUInt32LE(at + 36) !== number) throw new Error(`the chunk at ${at} is not number ${number}`);
  if (end > bytes.length) return undefined;
  // What stands in an area that was the memory of the process has changed since.
  const summed = bytes.readUInt32LE(at + 4) === 3 ? 0 : size;
  const sum = checksum(bytes.subarray(at, at + CHUNK_HEADER), bytes.subarray(at + CHUNK_HEADER).subarray(0, summed));
  if (sum !== bytes.readUInt32LE(at + 12)) throw new Error(`the chunk at ${at} has another checksum`);
  return end;
}

interface Counts {
  end: number;
  events: number;
  lost: number;
}

/** Events that a process had gathered in an area of its file, and not written. */
function liveEvents(area: Buffer): number {
  const [slotBytes, inFront, slots] = [area.readUInt32LE(16), area.readUInt32LE(24), area.readUInt32LE(28)];
  const slotsOfEvents = Array.from({ length: slots }, (_, i) =>
    area.subarray(CHUNK_HEADER + inFront + i * slotBytes),
  ).filter((slot) => slot.toString('latin1', 0, 4) === 'LIVE' && slot.readUInt32LE(4) === 2);
  return slotsOfEvents.reduce((sum, slot) => sum + slot.readUInt32LE(12), 0);
}

function countChunks(bytes: Buffer): Counts {
  const counts = { end: FILE_HEADER, events: 0, lost: 0 };
  for (let number = 0; ; number++) {
    const at = counts.end;
    const end = chunkEnd(bytes, at, number);
    if (end === undefined) return counts;
    if (bytes.readUInt32LE(at + 4) === 2) {
      counts.events += bytes.readUInt32LE(at + 28);
      counts.lost += bytes.readUInt32LE(at + 32);
    } else if (bytes.readUInt32LE(at + 4) === 3) counts.events += liveEvents(bytes.subarray(at));
    counts.end = end;
  }
}

/** @throws Error when a file is not sound, but for a last chunk that is not whole. */
export function soundRecording(folder: string): SoundRecording {
  const names = readdirSync(folder).filter((name) => name.endsWith('.iorec'));
  const all: SoundRecording = { files: names.length, calls: [], notes: new Set(), lost: 0, torn: [] };
  for (const name of names) {
    const bytes = readFileSync(path.join(folder, name));
    const { end, events, lost } = countChunks(bytes);
    const { calls, notes } = readRecorded(name, bytes.subarray(0, end));
    if (calls.length !== events) throw new Error(`${name}: ${calls.length} events instead of ${events}`);
    for (const call of calls) all.calls.push(call);
    for (const note of notes) all.notes.add(note);
    all.lost += lost;
    if (end < bytes.length) all.torn.push(bytes.length - end);
  }
  return all;
}

/** How many of the calls moved this many bytes, which they asked for. */
export function callsOf(recording: SoundRecording, name: string, bytes: number): number {
  const moved = BigInt(bytes);
  const { calls } = recording;
  return calls.filter(({ functionName, values }) => functionName === name && values.get('r') === moved).length;
}
