/** What each process of the job did, in a form that ten thousand processes do not burst. */
import type { CounterLog, CounterTable } from '../../trace/counters.ts';
import { FILE_MODULES } from './categories.ts';
import { heatmapRanks } from './heatmaps.ts';
import { counterPrefix } from './module-counters.ts';
import { RankSums } from './rank-sums.ts';
import { RANK_COLUMNS, tracingWasCut, type RankColumn, type TracedModule } from './segments.ts';

export interface RankFigures {
  /** `POSIX`, `MPI-IO`, `STDIO`, … */
  readonly module: string;
  /**
   * Where the numbers are from, best first: every access (`segments`); bytes over time (`heatmap`: times are unknown);
   * records of one process (`records`: what shared records count together is not in them).
   */
  readonly source: 'segments' | 'heatmap' | 'records';
  /** Processes that did anything. */
  readonly active: number;
  /** Consecutive processes that are added up in one element of the arrays; the last may hold fewer. */
  readonly ranksPerRow: number;
  readonly bytesRead: readonly number[];
  readonly bytesWritten: readonly number[];
  /** Empty when unknown. */
  readonly readSeconds: readonly number[];
  readonly writeSeconds: readonly number[];
  readonly metadataSeconds: readonly number[];
  /** Of each element: the most that one of its processes has. Bytes, and seconds (empty when unknown). */
  readonly mostBytes: readonly number[];
  readonly mostSeconds: readonly number[];
  /** Processes that stand for the others, by time where known, else by bytes. */
  readonly exemplars: readonly ExemplarRank[];
}

interface ExemplarRank {
  readonly role: 'slowest' | 'median' | 'fastest' | 'most bytes' | 'median bytes' | 'least bytes';
  readonly rank: number;
  readonly bytes: number;
  /** null when unknown. */
  readonly seconds: number | null;
}

type Source = RankFigures['source'];

/** One entry for each module of which something is known by process. */
export function rankFigures(log: CounterLog, traced: readonly TracedModule[], mostRows: number): RankFigures[] {
  const heatmaps = heatmapRanks(log);
  const modules = new Set([...FILE_MODULES, ...heatmaps.keys()]);
  return [...modules].flatMap((module) => {
    const segments = traced.find((each) => each.module === module)?.ranks;
    const heatmap = heatmaps.get(module);
    const table = log.modules.find((each) => each.module === module);
    // Segments that the recorder had no room for are missing: the heatmap counts all bytes.
    if (segments !== undefined && (heatmap === undefined || !tracingWasCut(log, module))) {
      return figures(log, module, 'segments', segments, mostRows);
    }
    if (heatmap !== undefined) return figures(log, module, 'heatmap', heatmap, mostRows);
    return table === undefined ? [] : figures(log, module, 'records', recordRanks(table), mostRows);
  });
}

function recordRanks(table: CounterTable): RankSums<RankColumn> {
  const ranks = new RankSums(RANK_COLUMNS);
  const prefix = counterPrefix(table.module);
  const columns: readonly (readonly [RankColumn, number | undefined])[] = [
    ['bytesRead', table.find(`${prefix}_BYTES_READ`)],
    ['bytesWritten', table.find(`${prefix}_BYTES_WRITTEN`)],
    ['readSeconds', table.find(`${prefix}_F_READ_TIME`)],
    ['writeSeconds', table.find(`${prefix}_F_WRITE_TIME`)],
    ['metadataSeconds', table.find(`${prefix}_F_META_TIME`)],
  ];
  for (let record = 0; record < table.length; record++) {
    const rank = table.rank(record);
    if (rank < 0) continue;
    for (const [name, column] of columns) {
      if (column !== undefined) ranks.add(rank, name, Math.max(0, table.value(record, column)));
    }
  }
  return ranks;
}

function figures(
  log: CounterLog,
  module: string,
  source: Source,
  sums: RankSums<RankColumn>,
  mostRows: number,
): RankFigures[] {
  if (sums.size === 0) return [];
  const ranks = sums.ranks();
  const bytes = (rank: number): number => sums.get(rank, 'bytesRead') + sums.get(rank, 'bytesWritten');
  const seconds = (rank: number): number =>
    sums.get(rank, 'readSeconds') + sums.get(rank, 'writeSeconds') + sums.get(rank, 'metadataSeconds');
  const processes = Math.max(log.job.processes, ranks.at(-1)! + 1);
  const ranksPerRow = Math.ceil(processes / mostRows);
  const rows = Math.ceil(processes / ranksPerRow);
  const perRow = (value: (rank: number) => number, join: (a: number, b: number) => number): number[] => {
    const values = Array.from({ length: rows }, () => 0);
    for (const rank of ranks) {
      const row = Math.floor(rank / ranksPerRow);
      values[row] = join(values[row]!, value(rank));
    }
    return values;
  };
  const column = (name: RankColumn): number[] =>
    perRow(
      (rank) => sums.get(rank, name),
      (a, b) => a + b,
    );
  const knowsTimes = source !== 'heatmap';
  return [
    {
      module,
      source,
      active: ranks.length,
      ranksPerRow,
      bytesRead: column('bytesRead'),
      bytesWritten: column('bytesWritten'),
      readSeconds: knowsTimes ? column('readSeconds') : [],
      writeSeconds: knowsTimes ? column('writeSeconds') : [],
      metadataSeconds: source === 'records' ? column('metadataSeconds') : [],
      mostBytes: perRow(bytes, Math.max),
      mostSeconds: knowsTimes ? perRow(seconds, Math.max) : [],
      exemplars: exemplars(ranks, bytes, knowsTimes ? seconds : undefined),
    },
  ];
}

/** The first, the middle and the last of the processes; one process stands for itself only once. */
function exemplars(
  ranks: readonly number[],
  bytes: (rank: number) => number,
  seconds: ((rank: number) => number) | undefined,
): ExemplarRank[] {
  const by = seconds ?? bytes;
  const sorted = [...ranks].sort((a, b) => by(b) - by(a) || a - b);
  const roles = seconds === undefined ? BYTE_ROLES : TIME_ROLES;
  const places = [0, Math.floor(sorted.length / 2), sorted.length - 1];
  return places.flatMap((place, i) => {
    const rank = sorted[place]!;
    if (places.indexOf(place) !== i) return [];
    return [{ role: roles[i]!, rank, bytes: bytes(rank), seconds: seconds?.(rank) ?? null }];
  });
}

const TIME_ROLES = ['slowest', 'median', 'fastest'] as const;
const BYTE_ROLES = ['most bytes', 'median bytes', 'least bytes'] as const;
