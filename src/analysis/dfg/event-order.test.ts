import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK_BYTES, CHUNK_MASK, EventTable } from '../../trace/events.ts';
import { forEachByStart } from './event-order.ts';

/** A store that gives nothing room in memory. */
function storeWithoutRoom(): ConstructorParameters<typeof EventTable>[0] {
  const bytes = new Map<number, Uint8Array>();
  return {
    keeps: () => false,
    write: (position, chunk) => {
      bytes.set(position / CHUNK_BYTES, chunk.slice());
      return true;
    },
    read: (position, target) => {
      const from = position % CHUNK_BYTES;
      target.set(bytes.get(Math.floor(position / CHUNK_BYTES))!.subarray(from, from + target.length));
    },
  };
}

function tableOf(starts: readonly number[], spilled: boolean): EventTable {
  const events = new EventTable(spilled ? storeWithoutRoom() : undefined);
  for (const [row, start] of starts.entries()) {
    events.append();
    const chunk = events.chunkOf(row);
    chunk.start[row & CHUNK_MASK] = start;
    chunk.line[row & CHUNK_MASK] = row;
  }
  events.trim();
  return events;
}

function order(events: EventTable): number[] {
  const rows: number[] = [];
  forEachByStart(events, (chunk, from, to, row) => {
    if (chunk.line[from] !== row) throw new Error(`row ${row} is called ${chunk.line[from]}`);
    rows.push(...chunk.line.subarray(from, to));
  });
  return rows;
}

test('rows by start, ties as they stand', () =>
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (starts) => {
      const expected = starts.map((_, row) => row).sort((a, b) => starts[a]! - starts[b]! || a - b);
      expect(order(tableOf(starts, false))).toEqual(expected);
    }),
  ));

test('several recordings that do not fit into memory are merged as those that do', () => {
  // Thirty files of 30,000 calls each, which ran at the same time: 14 chunks.
  const starts = Array.from(
    { length: 900_000 },
    (_, row) => (row % 30_000) * 100 + ((Math.floor(row / 30_000) * 37) % 91),
  );
  const spilled = order(tableOf(starts, true));
  expect(spilled).toHaveLength(starts.length);
  let wrong = 0;
  for (let at = 1; at < spilled.length; at++) {
    const [a, b] = [spilled[at - 1]!, spilled[at]!];
    if (starts[a]! > starts[b]! || (starts[a] === starts[b] && a > b)) wrong++;
  }
  expect(wrong).toBe(0);
  expect(new Set(spilled).size).toBe(starts.length);
});
