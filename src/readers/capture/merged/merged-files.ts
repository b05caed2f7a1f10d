/** Files of processes that stand one behind the other in a file (docs/recording-format.md, "Merged files"). */
import type { PackedSource, Packing, RecordingFile } from '../../../trace/byte-source.ts';
import { messageOf } from '../../../base/error-message.ts';
import type { DamageLog } from '../../../trace/damage.ts';
import {
  CHUNK_HEADER_BYTES,
  CHUNK_KIND,
  CHUNK_MAGIC,
  chunkSum,
  FILE_HEADER_BYTES,
  isSoundChunk,
  sumOf,
} from '../chunks.ts';
import { RecordCursor } from '../record-cursor.ts';

/** Of the chunk in front of each: by its field of the thread. */
const PACKINGS: readonly Packing[] = ['none', 'zlib'];
/** What is read at once while the next one is looked for. */
const SEARCH_BYTES = 1 << 20;
/** Names are those of files. */
const MOST_NAME_BYTES = 4096;

/** A file of a process within a merged file. */
interface Member {
  readonly name: string;
  readonly packing: Packing;
  /** Where its packed bytes begin, and how many there are. */
  readonly position: number;
  readonly length: number;
}

/**
 * The files of the processes that a merged file holds, as if they lay beside it.
 * @throws Error in words for the user when it cannot be opened.
 */
export async function filesIn(merged: RecordingFile, damage: DamageLog): Promise<RecordingFile[]> {
  const source = await merged.openAt();
  try {
    const folder = merged.path.slice(0, -merged.name.length);
    const found: RecordingFile[] = [];
    let position = FILE_HEADER_BYTES;
    while (position < source.size) {
      const member = await memberAt(source, position);
      if (member === undefined) {
        const next = await nextMember(source, position + 8);
        const where = `${merged.name}, byte ${position}`;
        damage.add('region', where, `no file of a process is there (${next - position} bytes)`, 'the calls in it');
        position = next;
        continue;
      }
      found.push(new MemberFile(merged, member, folder, damage));
      position = member.position + wholeWords(member.length);
    }
    return found;
  } finally {
    await source.close();
  }
}

/** What stands in front of a file of a process, which is packed by zlib. @param length its packed bytes. */
export function memberHeader(name: string, length: number, number: number): Uint8Array {
  const text = new TextEncoder().encode(name);
  const varint = text.length < 0x80 ? [text.length] : [(text.length & 0x7f) | 0x80, text.length >> 7];
  const bytes = wholeWords(varint.length + text.length);
  const chunk = new Uint8Array(CHUNK_HEADER_BYTES + bytes);
  chunk.set(varint, CHUNK_HEADER_BYTES);
  chunk.set(text, CHUNK_HEADER_BYTES + varint.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, CHUNK_MAGIC, true);
  view.setUint32(4, CHUNK_KIND.member, true);
  view.setUint32(8, bytes, true);
  view.setBigUint64(16, BigInt(length), true);
  view.setUint32(24, PACKINGS.indexOf('zlib'), true);
  view.setUint32(36, number, true);
  view.setUint32(12, chunkSum(view, sumOf(new DataView(chunk.buffer, CHUNK_HEADER_BYTES))), true);
  return chunk;
}

/** Everything in these files begins at multiples of 8. */
export function wholeWords(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

async function memberAt(source: PackedSource, position: number): Promise<Member | undefined> {
  const header = await viewAt(source, position, CHUNK_HEADER_BYTES);
  if (header === undefined || !looksLikeMember(header)) return undefined;
  const bytes = header.getUint32(8, true);
  const payload = await viewAt(source, position + CHUNK_HEADER_BYTES, bytes);
  if (payload === undefined || !isSoundChunk(header, payload)) return undefined;
  const cursor = new RecordCursor();
  cursor.set(new Uint8Array(payload.buffer, payload.byteOffset, bytes));
  const packing = PACKINGS[header.getUint32(24, true)];
  const length = Number(header.getBigUint64(16, true));
  const begin = position + CHUNK_HEADER_BYTES + bytes;
  // What was cut off is told when the file is read; nothing is read beyond the end.
  return packing === undefined
    ? undefined
    : { name: cursor.text(), packing, position: begin, length: Math.min(length, source.size - begin) };
}

function looksLikeMember(header: DataView): boolean {
  const bytes = header.getUint32(8, true);
  return (
    header.getUint32(0, true) === CHUNK_MAGIC &&
    header.getUint32(4, true) === CHUNK_KIND.member &&
    bytes % 8 === 0 &&
    bytes <= MOST_NAME_BYTES
  );
}

/** The first place from `position` on where a file of a process begins; the end where none does. */
async function nextMember(source: PackedSource, position: number): Promise<number> {
  for (let from = position; from < source.size; from += SEARCH_BYTES) {
    const room = new Uint8Array(Math.min(SEARCH_BYTES + CHUNK_HEADER_BYTES, source.size - from));
    const view = new DataView(room.buffer, 0, await source.read(from, room));
    for (let at = 0; at < SEARCH_BYTES && at + CHUNK_HEADER_BYTES <= view.byteLength; at += 8)
      if (
        looksLikeMember(new DataView(room.buffer, at, CHUNK_HEADER_BYTES)) &&
        (await memberAt(source, from + at)) !== undefined
      )
        return from + at;
  }
  return source.size;
}

async function viewAt(source: PackedSource, position: number, length: number): Promise<DataView | undefined> {
  const bytes = new Uint8Array(length);
  return (await source.read(position, bytes)) === length ? new DataView(bytes.buffer) : undefined;
}

class MemberFile implements RecordingFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;

  constructor(
    private readonly merged: RecordingFile,
    private readonly member: Member,
    folder: string,
    private readonly damage: DamageLog,
  ) {
    this.name = member.name;
    this.path = `${folder}${member.name}`;
    this.size = member.length;
  }

  async open(): ReturnType<RecordingFile['open']> {
    const { merged, member, damage } = this;
    const source = await merged.openAt();
    const pieces = source.unpack(member.packing, member.position, member.length);
    let rest: Uint8Array = new Uint8Array();
    let position = 0;
    const read = async (target: Uint8Array): Promise<number> => {
      try {
        while (rest.length === 0) {
          const next = await pieces.next();
          if (next.done === true) return 0;
          rest = next.value;
        }
      } catch (error) {
        damage.add('region', `${merged.name}, byte ${member.position}`, messageOf(error), `the rest of ${member.name}`);
        return 0;
      }
      const taken = rest.subarray(0, target.length);
      target.set(taken);
      rest = rest.subarray(taken.length);
      position += taken.length;
      return taken.length;
    };
    return {
      read,
      /** As if nothing were packed: it is for the progress. */
      get position() {
        return Math.min(position, member.length);
      },
      close: async () => {
        await pieces.return(undefined);
        await source.close();
      },
    };
  }

  openAt(): Promise<never> {
    return Promise.reject(new Error(`${this.name} is a part of ${this.merged.path}`));
  }
}
