/** Bytes over time by process: Darshan's heatmaps of all processes in one, or made of segments where there are none. */
import { addToGroup } from '../../base/grouping.ts';
import type { CounterLog, Heatmap } from '../../trace/counters.ts';
import { moduleOfApi } from './module-counters.ts';
import { RankSums } from './rank-sums.ts';
import { RANK_COLUMNS, tracingWasCut, type RankColumn, type TracedModule } from './segments.ts';
import { TimeGrid } from './time-grid.ts';

export interface MergedHeatmap {
  /** `POSIX`, `MPI-IO`, `STDIO`, … */
  readonly module: string;
  /** Darshan's own heatmap, or the segments of extended tracing where it has none, or one of a few bins. */
  readonly source: 'heatmap' | 'segments';
  readonly grid: TimeGrid;
}

/** Darshan's bins begin with 0.1 s: a run of a second has a handful of them, which is no picture. */
const FEW_COLUMNS = 10;

/** The heatmaps of each module; those of segments where the log has none of that module, or one of a few bins only. */
export function mergedHeatmaps(
  log: CounterLog,
  traced: readonly TracedModule[],
  size: { readonly rows: number; readonly columns: number },
): MergedHeatmap[] {
  const merged = [...byModule(log)].map(([module, heatmaps]): MergedHeatmap => ({
    module,
    source: 'heatmap',
    grid: mergedGrid(heatmaps, log.job.processes, size),
  }));
  for (const { module, grid } of traced) {
    const at = merged.findIndex((each) => each.module === module);
    const isFine = at >= 0 && (merged[at]!.grid.columns >= FEW_COLUMNS || tracingWasCut(log, module));
    if (!isFine) merged.splice(at < 0 ? merged.length : at, 1, { module, source: 'segments', grid });
  }
  return merged.sort((a, b) => placeOf(a.module) - placeOf(b.module));
}

/** Interfaces from above to below, as PyDarshan orders its heatmaps. */
const ORDER = ['MPI-IO', 'POSIX', 'DFS', 'DAOS', 'STDIO'];

function placeOf(module: string): number {
  const place = ORDER.indexOf(module);
  return place < 0 ? ORDER.length : place;
}

/** Bytes that each process moved, from the heatmaps. */
export function heatmapRanks(log: CounterLog): Map<string, RankSums<RankColumn>> {
  return new Map(
    [...byModule(log)].map(([module, heatmaps]) => {
      const ranks = new RankSums(RANK_COLUMNS);
      for (const { rank, read, written } of heatmaps) {
        for (const bytes of read) ranks.add(rank, 'bytesRead', bytes);
        for (const bytes of written) ranks.add(rank, 'bytesWritten', bytes);
      }
      return [module, ranks];
    }),
  );
}

/** Seconds: what a bin can be wide. Other widths are those of damaged logs. */
const LEAST_WIDTH = 1e-6;
const MOST_WIDTH = 1e9;

/** Heatmaps of a process, with a width of bins that means something. */
function byModule(log: CounterLog): Map<string, Heatmap[]> {
  const heatmaps = new Map<string, Heatmap[]>();
  for (const heatmap of log.heatmaps) {
    const { binWidth, rank } = heatmap;
    if (!(binWidth >= LEAST_WIDTH && binWidth <= MOST_WIDTH) || rank < 0) continue;
    const module = moduleOfApi(heatmap.api);
    addToGroup(heatmaps, module, heatmap);
  }
  return heatmaps;
}

/** Processes may have bins of different widths (Darshan doubles them when a process runs longer): all get the widest. */
function mergedGrid(
  heatmaps: readonly Heatmap[],
  processes: number,
  size: { readonly rows: number; readonly columns: number },
): TimeGrid {
  const widest = heatmaps.reduce((width, { binWidth }) => Math.max(width, binWidth), 0);
  const end = heatmaps.reduce((last, each) => Math.max(last, lastActivity(each)), 0);
  const bins = Math.max(1, Math.ceil(end / widest - 1e-6));
  const binsPerColumn = Math.ceil(bins / size.columns);
  const columns = Math.ceil(bins / binsPerColumn);
  const grid = new TimeGrid(processes, size.rows, columns, widest * binsPerColumn);
  for (const { rank, binWidth, read, written } of heatmaps) {
    read.forEach((bytes, bin) => {
      if (bytes > 0) grid.add(rank, true, (bin + 0.5) * binWidth, bytes);
    });
    written.forEach((bytes, bin) => {
      if (bytes > 0) grid.add(rank, false, (bin + 0.5) * binWidth, bytes);
    });
  }
  return grid;
}

/** End of the last bin that has any bytes, in seconds: the bins go on behind the end of the run. */
function lastActivity({ binWidth, read, written }: Heatmap): number {
  const last = (bins: Float64Array): number => bins.findLastIndex((bytes) => bytes > 0) + 1;
  return Math.max(last(read), last(written)) * binWidth;
}
