import { expect, test } from 'vitest';
import { sumOf, CHUNK_HEADER_BYTES, CHUNK_KIND, type Chunk } from './chunks.ts';
import { LiveSlots } from './live-slots.ts';

const SLOT_BYTES = 64;
const IN_FRONT = 8;
const LIVE = 0x4556494c;
const CHUNK = 0x4b4e4843;

interface Slot {
  magic: number;
  kind: number;
  time: bigint;
  thread: number;
  payload: readonly number[];
}

/** An area with these slots, each of three records. */
function area(...slots: readonly Slot[]): Chunk {
  const payload = new Uint8Array(IN_FRONT + slots.length * SLOT_BYTES);
  for (const [i, slot] of slots.entries()) {
    const from = IN_FRONT + i * SLOT_BYTES;
    const header = new DataView(payload.buffer, from, CHUNK_HEADER_BYTES);
    payload.set(slot.payload, from + CHUNK_HEADER_BYTES);
    const written = new DataView(payload.buffer, from + CHUNK_HEADER_BYTES, slot.payload.length);
    header.setUint32(0, slot.magic, true);
    header.setUint32(4, slot.kind, true);
    header.setUint32(8, slot.payload.length, true);
    header.setUint32(12, slot.magic === LIVE ? 3 : sumOf(written), true);
    header.setBigUint64(16, slot.time, true);
    header.setUint32(24, slot.thread, true);
    header.setUint32(28, slot.magic === LIVE ? 0 : 3, true);
  }
  const head = { kind: CHUNK_KIND.live, time: BigInt(SLOT_BYTES), thread: IN_FRONT, records: slots.length, lost: 0 };
  return { ...head, payload, position: 1000 };
}

const events = (thread: number, time: bigint, payload: readonly number[], magic = LIVE): Slot => ({
  ...{ magic, kind: CHUNK_KIND.events, time, thread, payload },
});

function unwritten(...chunks: readonly Chunk[]): (readonly [thread: number, records: number, payload: number[]])[] {
  const live = new LiveSlots();
  for (const chunk of chunks) live.look(chunk);
  return live.unwritten().map(({ thread, records, payload }) => [thread, records, [...payload]] as const);
}

test('what a killed process had gathered is read behind its chunks, definitions first', () => {
  const definitions = { ...events(7, 0n, [1, 2]), kind: CHUNK_KIND.definitions };
  const found = unwritten(area(events(7, 50n, [3]), definitions, events(8, 60n, [])));
  expect(found).toEqual([
    [7, 3, [1, 2]],
    [7, 3, [3]],
  ]);
});

test('what was appended all the same is not read twice', () => {
  const slots = area(events(7, 50n, [3]), events(8, 60n, [4]));
  const appended: Chunk = {
    ...{ kind: CHUNK_KIND.events, payload: new Uint8Array([3]), time: 50n, thread: 7 },
    ...{ records: 3, lost: 0, position: 5000 },
  };
  expect(unwritten(slots, appended)).toEqual([[8, 3, [4]]]);
});

test('a slot that was about to be appended counts where it is whole', () => {
  const slots = area(events(7, 50n, [1, 2, 3, 4, 5, 6, 7, 8], CHUNK), events(8, 60n, [1, 2, 3, 4], CHUNK));
  slots.payload[IN_FRONT + SLOT_BYTES + CHUNK_HEADER_BYTES] = 9;
  expect(unwritten(slots)).toEqual([[7, 3, [1, 2, 3, 4, 5, 6, 7, 8]]]);
});
