import { CHUNK_MASK, CHUNK_ROWS, type EventChunk, type EventTable } from '../../trace/events.ts';

/** Columns whose values differ between the rows of one process in one file. */
const SORTED = ['start', 'duration', 'offset', 'bytes', 'requested', 'stack', 'line', 'call'] as const;

/**
 * Brings rows of the event table into the order of their starts; rows that start together keep their order. They consist
 * of few runs that are in order already (the writes of a file, then its reads), so that runs are merged. Works column by
 * column, for the rows may be most of what memory holds.
 */
export function sortRows(events: EventTable, from: number, end: number): void {
  const runs = runsOf(events, from, end);
  if (runs.length <= 2) return;
  const starts = new Float64Array(end - from);
  forEachPart(events, from, end, (chunk, first, last, offset) => starts.set(chunk.start.subarray(first, last), offset));
  const order = mergedRuns(starts, runs);
  const values = new Float64Array(end - from);
  for (const column of SORTED) {
    forEachPart(events, from, end, (chunk, first, last, offset) =>
      values.set(chunk[column].subarray(first, last), offset),
    );
    forEachPart(events, from, end, (chunk, first, last, offset) => {
      const target = chunk[column];
      for (let at = first; at < last; at++) target[at] = values[order[offset + at - first]!]!;
    });
  }
}

/** Calls `visit` with the rows of each chunk that lie in the range, and how many of the range stand before them. */
function forEachPart(
  events: EventTable,
  from: number,
  end: number,
  visit: (chunk: EventChunk, first: number, last: number, offset: number) => void,
): void {
  for (let row = from; row < end;) {
    const first = row & CHUNK_MASK;
    const last = Math.min(CHUNK_ROWS, first + end - row);
    visit(events.chunkOf(row), first, last, row - from);
    row += last - first;
  }
}

/** Where runs in order begin, counted from the first row, and the number of rows. */
function runsOf(events: EventTable, from: number, end: number): number[] {
  const runs = [0];
  let before = -Infinity;
  forEachPart(events, from, end, ({ start }, first, last, offset) => {
    for (let at = first; at < last; at++) {
      if (start[at]! < before) runs.push(offset + at - first);
      before = start[at]!;
    }
  });
  runs.push(end - from);
  return runs;
}

/** The rows in the order of their starts: neighbouring runs are merged until one is left. */
function mergedRuns(starts: Float64Array, begins: readonly number[]): Uint32Array {
  let source = new Uint32Array(starts.length);
  for (let row = 0; row < source.length; row++) source[row] = row;
  let target = new Uint32Array(starts.length);
  let runs = begins;
  while (runs.length > 2) {
    const merged: number[] = [];
    for (let run = 0; run + 1 < runs.length; run += 2) {
      const [from, middle] = [runs[run]!, runs[run + 1]!];
      const end = runs[run + 2] ?? middle;
      merge(starts, source, target, { from, middle, end });
      merged.push(from);
    }
    merged.push(starts.length);
    [source, target] = [target, source];
    runs = merged;
  }
  return source;
}

interface NeighbouringRuns {
  readonly from: number;
  /** Where the second one begins. */
  readonly middle: number;
  readonly end: number;
}

function merge(starts: Float64Array, source: Uint32Array, target: Uint32Array, runs: NeighbouringRuns): void {
  const { from, middle, end } = runs;
  let [left, right] = [from, middle];
  for (let at = from; at < end; at++) {
    const takesLeft = left < middle && (right >= end || starts[source[left]!]! <= starts[source[right]!]!);
    target[at] = takesLeft ? source[left++]! : source[right++]!;
  }
}
