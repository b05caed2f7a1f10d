import { describe, expect, test } from 'vitest';
import type { ChunkStore } from './chunk-store.ts';
import { allocateChunk, CHUNK_BYTES, CHUNK_MASK, CHUNK_ROWS, EventTable, NONE } from './events.ts';

/** A store in memory that counts what is done to it. */
class CountingStore implements ChunkStore {
  readonly held = new Map<number, Uint8Array>();
  reads = 0;

  constructor(
    private room: number,
    private readonly isFull = false,
  ) {}

  keeps(): boolean {
    return this.room-- > 0;
  }
  write(position: number, bytes: Uint8Array): boolean {
    if (this.isFull) return false;
    this.held.set(position / CHUNK_BYTES, bytes.slice());
    return true;
  }
  read(position: number, target: Uint8Array): void {
    this.reads++;
    const chunk = this.held.get(Math.floor(position / CHUNK_BYTES))!;
    target.set(chunk.subarray(position % CHUNK_BYTES, (position % CHUNK_BYTES) + target.length));
  }
}

const CHUNKS = 12;
const ROWS = CHUNKS * CHUNK_ROWS - 1000;

/** A table whose values tell their row. */
function filled(store?: ChunkStore): EventTable {
  const events = new EventTable(store);
  for (let row = 0; row < ROWS; row++) {
    events.append();
    const chunk = events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.start[i] = row * 10;
    chunk.bytes[i] = row + 0.5;
    chunk.file[i] = row % 7 === 0 ? NONE : row;
    chunk.call[i] = row & 0xffff;
    chunk.layer[i] = row & 0xff;
  }
  return events;
}

function expectFilled(events: EventTable): void {
  let wrong = 0;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    expect(chunk.start).toHaveLength(rows);
    for (let i = 0; i < rows; i++) {
      const row = number * CHUNK_ROWS + i;
      const isRight =
        chunk.start[i] === row * 10 &&
        chunk.bytes[i] === row + 0.5 &&
        chunk.file[i] === (row % 7 === 0 ? NONE : row) &&
        chunk.call[i] === (row & 0xffff) &&
        chunk.layer[i] === (row & 0xff);
      if (!isRight) wrong++;
    }
  });
  expect(wrong).toBe(0);
}

describe('an event table with room for few chunks', () => {
  test.each([0, 3, 100])('holds the same with room for %d', (room) => {
    const store = new CountingStore(room);
    const events = filled(store);
    events.trim();
    expect(events.chunks.length).toBe(CHUNKS);
    expectFilled(events);
    for (const row of [0, 5 * CHUNK_ROWS, ROWS - 1, 7]) expect(events.value('start', row)).toBe(row * 10);
    expect(store.reads === 0).toBe(room === 100);
  });

  test('calls that return late are written into chunks that were put aside', () => {
    const events = filled(new CountingStore(1));
    // One in every chunk, so that each has to come back and leave again.
    for (let row = 5; row < ROWS; row += CHUNK_ROWS) events.chunkOf(row).duration[row & CHUNK_MASK] = row;
    const added = events.append();
    events.chunkOf(added).duration[added & CHUNK_MASK] = 77;
    events.trim();
    for (let row = 5; row < ROWS; row += CHUNK_ROWS) expect(events.value('duration', row)).toBe(row);
    expect(events.value('duration', added)).toBe(77);
  });

  test('a store that is full keeps nothing from being read', () => {
    const events = filled(new CountingStore(2, true));
    events.trim();
    expectFilled(events);
  });

  test('a change of every chunk lasts', () => {
    const events = filled(new CountingStore(2));
    events.trim();
    events.update((chunk, number) => chunk.stack.fill(number));
    expectFilled(events);
    for (let number = 0; number < CHUNKS; number++) expect(events.value('stack', number * CHUNK_ROWS)).toBe(number);
  });

  test('some rows of a chunk, in memory or not', () => {
    const events = filled(new CountingStore(2));
    events.trim();
    const copy = allocateChunk(50);
    for (const row of [CHUNK_ROWS + 3, 4 * CHUNK_ROWS + 9, ROWS - 50]) {
      events.copyRows(row, copy, 50);
      expect([copy.start[0], copy.bytes[49], copy.call[49]]).toEqual([row * 10, row + 49.5, (row + 49) & 0xffff]);
    }
    expect(events.inMemory(0)).toBeDefined();
    expect(events.inMemory(5 * CHUNK_ROWS)).toBeUndefined();
  });

  test('a table that stands in a store as a whole', () => {
    const store = new CountingStore(100);
    const original = filled();
    original.trim();
    original.chunks.forEach((chunk, number) => store.write(number * CHUNK_BYTES, new Uint8Array(chunk.start.buffer)));
    const events = EventTable.stored(store, ROWS);
    const seen: number[] = [];
    events.loadAll((_, number) => seen.push(number));
    expect(seen).toHaveLength(CHUNKS);
    const { reads } = store;
    expectFilled(events);
    expect(store.reads).toBe(reads);
  });
});
