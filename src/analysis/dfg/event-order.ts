import { CHUNK_BITS, CHUNK_MASK, type EventTable } from '../../trace/events.ts';

/**
 * Rows by increasing start. Rows of one recording file stand in that order already; several files are merged.
 * @returns undefined when the rows are in order as they stand.
 */
export function rowsByStart(events: EventTable): Uint32Array | undefined {
  const runs = sortedRuns(events);
  if (runs.length <= 1) return undefined;
  const { chunks } = events;
  const startOf = (row: number): number => chunks[row >>> CHUNK_BITS]!.start[row & CHUNK_MASK]!;
  // A heap of runs, the one with the earliest next row on top; ties keep the order of the rows.
  const order = new Uint32Array(events.length);
  const heap = runs.map(({ first, end }) => ({ row: first, end, start: startOf(first) }));
  const before = (a: (typeof heap)[number], b: (typeof heap)[number]): boolean =>
    a.start < b.start || (a.start === b.start && a.row < b.row);
  const sink = (from: number): void => {
    for (let at = from; ;) {
      const left = 2 * at + 1;
      let least = at;
      if (left < heap.length && before(heap[left]!, heap[least]!)) least = left;
      if (left + 1 < heap.length && before(heap[left + 1]!, heap[least]!)) least = left + 1;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  };
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at);
  for (let position = 0; position < order.length; position++) {
    const top = heap[0]!;
    order[position] = top.row;
    top.row++;
    if (top.row < top.end) top.start = startOf(top.row);
    else {
      const last = heap.pop()!;
      if (heap.length === 0) continue;
      if (last !== top) heap[0] = last;
    }
    sink(0);
  }
  return order;
}

function sortedRuns(events: EventTable): { first: number; end: number }[] {
  const runs: { first: number; end: number }[] = [];
  let first = 0;
  let last = -Infinity;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const start = chunk.start[i]!;
      if (start < last) {
        const row = number * (CHUNK_MASK + 1) + i;
        runs.push({ first, end: row });
        first = row;
      }
      last = start;
    }
  });
  if (events.length > first) runs.push({ first, end: events.length });
  return runs;
}
