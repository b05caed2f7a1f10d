import type { ChunkStore } from '../../trace/chunk-store.ts';
import { CHUNK_MASK, EventTable, LINK, NONE, type EventChunk, type EventColumn } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';

/**
 * The events of some streams as a trace of its own: with the same streams, files, handles, calls and stacks, so that every
 * index means the same. Counters are of all streams together, and are left out.
 *
 * @param store where the events go that memory has no room for.
 */
export function traceOfStreams(trace: Trace, keeps: (stream: StreamIndex) => boolean, store: ChunkStore): Trace {
  const kept = trace.streams.map((_, stream) => keeps(stream));
  const events = new EventTable(store);
  const rowOf = new Int32Array(trace.events.length).fill(NONE);
  let before = 0;
  let [first, last] = [Infinity, -Infinity];
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (kept[chunk.stream[i]!] !== true) continue;
      const row = events.append();
      rowOf[before + i] = row;
      const target = events.chunkOf(row);
      copyRow(chunk, i, target, row & CHUNK_MASK);
      if (Number.isNaN(chunk.start[i]!)) continue;
      first = Math.min(first, chunk.start[i]!);
      last = Math.max(last, chunk.start[i]! + (chunk.duration[i]! > 0 ? chunk.duration[i]! : 0));
    }
    before += rows;
  });
  events.trim();
  moveParents(events, rowOf);
  const { counters, ...rest } = trace;
  return {
    ...rest,
    events,
    durationNs: last > first ? last - first : 0,
    ...(counters && { counters: { ...counters, modules: [] } }),
  };
}

/** A parent may stand behind its children, or in a stream that is left out: then it is the program's own call here. */
function moveParents(events: EventTable, rowOf: Int32Array): void {
  events.update((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (chunk.parent[i] === NONE) continue;
      chunk.parent[i] = rowOf[chunk.parent[i]!] ?? NONE;
      if (chunk.parent[i] === NONE) chunk.link[i] = LINK.none;
    }
  });
}

function copyRow(from: EventChunk, row: number, to: EventChunk, at: number): void {
  for (const name of Object.keys(from) as EventColumn[]) to[name][at] = from[name][row]!;
}
