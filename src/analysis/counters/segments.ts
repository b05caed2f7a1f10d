/** The segments of extended tracing (DXT) by process and over time: one pass over the events. */
import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { NOT_MEASURED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { RankSums } from './rank-sums.ts';
import { TimeGrid } from './time-grid.ts';

/** Layers that Darshan traces, by the name of the module that counts the same accesses. */
const TRACED_MODULES: ReadonlyMap<string, string> = new Map([
  ['POSIX', 'POSIX'],
  ['MPI-IO', 'MPI-IO'],
]);

export type RankColumn = 'bytesRead' | 'bytesWritten' | 'readSeconds' | 'writeSeconds' | 'metadataSeconds';

export const RANK_COLUMNS: readonly RankColumn[] = [
  'bytesRead',
  'bytesWritten',
  'readSeconds',
  'writeSeconds',
  'metadataSeconds',
];

export interface TracedModule {
  readonly module: string;
  readonly ranks: RankSums<RankColumn>;
  readonly grid: TimeGrid;
}

/**
 * @param seconds that the columns of the grids share.
 * @param size of the grids.
 */
export function tracedModules(
  trace: Trace,
  processes: number,
  seconds: number,
  size: { readonly rows: number; readonly columns: number },
): TracedModule[] {
  const traced = new Map<number, TracedModule>();
  const { operation } = trace.calls;
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const isRead = operation[chunk.call[i]!] === OPERATION.read;
      if (!isRead && operation[chunk.call[i]!] !== OPERATION.write) continue;
      const rank = trace.streams[chunk.stream[i]!]?.rank;
      const module = TRACED_MODULES.get(LAYERS[chunk.layer[i]!] ?? '');
      if (rank === undefined || module === undefined || (chunk.flags[i]! & NOT_MEASURED) !== 0) continue;
      let sums = traced.get(chunk.layer[i]!);
      if (sums === undefined) {
        const grid = new TimeGrid(processes, size.rows, size.columns, seconds / size.columns);
        sums = { module, ranks: new RankSums(RANK_COLUMNS), grid };
        traced.set(chunk.layer[i]!, sums);
      }
      sums.ranks.add(rank, isRead ? 'bytesRead' : 'bytesWritten', chunk.bytes[i]!);
      sums.ranks.add(rank, isRead ? 'readSeconds' : 'writeSeconds', (chunk.duration[i]! || 0) / 1e9);
      sums.grid.addSpan(rank, isRead, (chunk.start[i]! || 0) / 1e9, (chunk.duration[i]! || 0) / 1e9, chunk.bytes[i]!);
    }
  });
  return [...traced.values()];
}
