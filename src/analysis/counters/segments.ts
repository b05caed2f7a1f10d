/** The segments of extended tracing (DXT) by process and over time: one pass over the events. */
import { LAYERS, OPERATION } from '../../trace/calls.ts';
import type { CounterLog } from '../../trace/counters.ts';
import { NONE, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
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

/** The recorder had no room for all accesses of a module. */
export function tracingWasCut(log: CounterLog, module: string): boolean {
  const name = module === 'POSIX' ? 'DXT_POSIX' : 'DXT_MPIIO';
  return log.regions.some((region) => region.name === name && region.incomplete);
}

/** Sums of one layer while the events go by: a column for each number, a place for each stream. */
interface LayerSums {
  readonly module: string;
  readonly columns: Readonly<Record<RankColumn, Float64Array>>;
  readonly isUsed: Uint8Array;
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
  const layers = LAYERS.map((layer): LayerSums | undefined => {
    const module = TRACED_MODULES.get(layer);
    if (module === undefined) return undefined;
    const columns = Object.fromEntries(RANK_COLUMNS.map((name) => [name, new Float64Array(trace.streams.length)]));
    return {
      module,
      columns: columns as Record<RankColumn, Float64Array>,
      isUsed: new Uint8Array(trace.streams.length),
      grid: new TimeGrid(processes, size.rows, size.columns, seconds / size.columns),
    };
  });
  const ranks = Int32Array.from(trace.streams, ({ rank }) => rank ?? NONE);
  trace.events.chunks.forEach((chunk, number) =>
    addChunk(chunk, trace.events.rowsIn(number), trace.calls.operation, ranks, layers),
  );
  return layers.flatMap((layer) => (layer?.isUsed.includes(1) === true ? [tracedModule(layer, ranks)] : []));
}

function addChunk(
  chunk: EventChunk,
  rows: number,
  operation: readonly number[],
  ranks: Int32Array,
  layers: readonly (LayerSums | undefined)[],
): void {
  for (let i = 0; i < rows; i++) {
    const isRead = operation[chunk.call[i]!] === OPERATION.read;
    if (!isRead && operation[chunk.call[i]!] !== OPERATION.write) continue;
    const stream = chunk.stream[i]!;
    const layer = layers[chunk.layer[i]!];
    const rank = ranks[stream] ?? NONE;
    if (layer === undefined || rank < 0 || (chunk.flags[i]! & NOT_MEASURED) !== 0) continue;
    const bytes = chunk.bytes[i]!;
    const duration = (chunk.duration[i]! || 0) / 1e9;
    layer.isUsed[stream] = 1;
    layer.columns[isRead ? 'bytesRead' : 'bytesWritten'][stream]! += bytes;
    layer.columns[isRead ? 'readSeconds' : 'writeSeconds'][stream]! += duration;
    layer.grid.addSpan(rank, isRead, (chunk.start[i]! || 0) / 1e9, duration, bytes);
  }
}

function tracedModule({ module, columns, isUsed, grid }: LayerSums, rankOfStream: Int32Array): TracedModule {
  const ranks = new RankSums(RANK_COLUMNS);
  rankOfStream.forEach((rank, stream) => {
    if (isUsed[stream] === 0) return;
    for (const name of RANK_COLUMNS) ranks.add(rank, name, columns[name][stream]!);
  });
  return { module, ranks, grid };
}
