import { allocateChunk, CHUNK_MASK, CHUNK_ROWS, type EventChunk, type EventTable } from '../../trace/events.ts';

/** Rows in one stretch that stand in the order of their starts. */
interface Run {
  readonly first: number;
  readonly end: number;
}

/** Rows that all runs together hold copies of, where their chunks are not in memory. */
const COPIED_ROWS = 16 * CHUNK_ROWS;
const FEWEST_COPIED = 16;

/** Events that follow each other by start: rows `from` to before `to` of a chunk, the first of which is row `row` of the table. */
type VisitRows = (chunk: EventChunk, from: number, to: number, row: number) => void;

/**
 * Calls `visit` for all events by increasing start, ties in the order of the rows. Rows of one
 * recording file stand in that order already; several files are merged.
 */
export function forEachByStart(events: EventTable, visit: VisitRows): void {
  const runs = sortedRuns(events);
  if (runs.length > 1) merge(events, runs, visit);
  else {
    events.chunks.forEach((chunk, number) => visit(chunk, 0, events.rowsIn(number), number * CHUNK_ROWS));
  }
}

/** Walks over a run. Of chunks that are not in memory it holds a few rows at a time. */
class RunCursor {
  row: number;
  chunk: EventChunk;
  /** Place of the row in the chunk. */
  i = 0;
  start = NaN;
  /** Place behind the last row of the run that the chunk holds. */
  private stop = 0;
  private copy: EventChunk | undefined;

  constructor(
    private readonly events: EventTable,
    private readonly run: Run,
    private readonly mostCopied: number,
  ) {
    this.row = run.first;
    this.chunk = this.enter();
  }

  /** @returns false behind the end of the run. */
  next(): boolean {
    this.row++;
    if (++this.i === this.stop) {
      if (this.row === this.run.end) return false;
      this.chunk = this.enter();
    } else this.start = this.chunk.start[this.i]!;
    return true;
  }

  private enter(): EventChunk {
    const { events, row } = this;
    const place = row & CHUNK_MASK;
    const left = Math.min(CHUNK_ROWS - place, this.run.end - row);
    let chunk = events.inMemory(row);
    if (chunk !== undefined) {
      this.i = place;
      this.stop = place + left;
    } else {
      const count = Math.min(left, this.mostCopied);
      if (this.copy?.start.length !== count) this.copy = allocateChunk(count);
      chunk = this.copy;
      events.copyRows(row, chunk, count);
      this.i = 0;
      this.stop = count;
    }
    this.start = chunk.start[this.i]!;
    return chunk;
  }
}

function merge(events: EventTable, runs: readonly Run[], visit: VisitRows): void {
  const mostCopied = Math.max(FEWEST_COPIED, Math.min(CHUNK_ROWS, Math.floor(COPIED_ROWS / runs.length)));
  // A heap of runs, the one with the earliest next row on top.
  const heap = runs.map((run) => new RunCursor(events, run, mostCopied));
  const before = (a: RunCursor, b: RunCursor): boolean => a.start < b.start || (a.start === b.start && a.row < b.row);
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
  while (heap.length > 0) {
    const top = heap[0]!;
    visit(top.chunk, top.i, top.i + 1, top.row);
    if (!top.next()) {
      const last = heap.pop()!;
      if (last === top) continue;
      heap[0] = last;
    }
    sink(0);
  }
}

function sortedRuns(events: EventTable): Run[] {
  const runs: Run[] = [];
  let first = 0;
  let last = -Infinity;
  events.chunks.forEach(({ start }, number) => {
    const rows = events.rowsIn(number);
    for (let i = firstFall(start, 0, rows, last); i < rows; i = firstFall(start, i + 1, rows, start[i]!)) {
      const row = number * CHUNK_ROWS + i;
      runs.push({ first, end: row });
      first = row;
    }
    if (rows > 0) last = start[rows - 1]!;
  });
  if (events.length > first) runs.push({ first, end: events.length });
  return runs;
}

/** The place from `from` on at which a start lies before the one in front of it; `rows` when there is none. */
function firstFall(starts: Float64Array, from: number, rows: number, last: number): number {
  let before = last;
  for (let i = from; i < rows; i++) {
    const start = starts[i]!;
    if (start < before) return i;
    before = start;
  }
  return rows;
}
