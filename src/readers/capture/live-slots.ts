import { CHUNK_HEADER_BYTES, CHUNK_KIND, CHUNK_MAGIC, isSoundChunk, type Chunk } from './chunks.ts';

/** Marks a slot whose chunk is being filled. */
const LIVE_MAGIC = 0x4556494c;

/**
 * What a process had gathered, and not yet written, when it ended without a word: the slots of an area of its file that was
 * its memory. Their bytes are copied.
 */
function slotsOf(area: Chunk): Chunk[] {
  const slotBytes = Number(area.time);
  const slots = Array.from({ length: area.records }, (_, i) => {
    const from = area.thread + i * slotBytes;
    return slotAt(area.payload.slice(from, from + slotBytes), area.position + CHUNK_HEADER_BYTES + from);
  });
  return slots.filter((slot) => slot !== undefined);
}

function slotAt(bytes: Uint8Array, position: number): Chunk | undefined {
  const header = new DataView(bytes.buffer);
  const magic = header.getUint32(0, true);
  const used = header.getUint32(8, true);
  if (used === 0 || CHUNK_HEADER_BYTES + used > bytes.length) return undefined;
  const chunk = {
    kind: header.getUint32(4, true),
    payload: bytes.subarray(CHUNK_HEADER_BYTES, CHUNK_HEADER_BYTES + used),
    time: header.getBigUint64(16, true),
    thread: header.getUint32(24, true),
    lost: 0,
    position,
  };
  if (magic === LIVE_MAGIC) return { ...chunk, records: header.getUint32(12, true) };
  // It was about to be written.
  const isWhole = magic === CHUNK_MAGIC && isSoundChunk(header, new DataView(bytes.buffer, CHUNK_HEADER_BYTES, used));
  return isWhole ? { ...chunk, records: header.getUint32(28, true), lost: header.getUint32(32, true) } : undefined;
}

/** The areas of a file, and which of its chunks were written after all. */
export class LiveSlots {
  private readonly slots: Chunk[] = [];
  /** By thread, the time from which the times of its last chunk count: chunks of a thread stand in their order. */
  private readonly written = new Map<number, bigint>();

  /** @param chunk any of the file, in its order. */
  look(chunk: Chunk): void {
    if (chunk.kind === CHUNK_KIND.live) this.slots.push(...slotsOf(chunk));
    else if (chunk.kind === CHUNK_KIND.events) this.written.set(chunk.thread, chunk.time);
  }

  /** What stands in no chunk, once all of them are known: definitions first. */
  unwritten(): Chunk[] {
    const of = (kind: number): Chunk[] => this.slots.filter((slot) => slot.kind === kind);
    const events = of(CHUNK_KIND.events).filter(({ thread, time }) => time > (this.written.get(thread) ?? -1n));
    return [...of(CHUNK_KIND.definitions), ...events];
  }
}
