/** The files that most bytes went to and from, as each module counted them. */
import type { CounterLog, CounterTable, FileLayout } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import type { FileTable } from '../../trace/files.ts';
import { processesOf } from './categories.ts';
import { counterPrefix, operationCounters, sizeCounters, SMALL_BINS } from './module-counters.ts';
import { MountTable } from './mounts.ts';
import { FileGroups } from './sums.ts';
import { extremesOf, greatestOf, sumOfAll, type FileRank } from './group-figures.ts';

/** A file as one module counted it. */
export interface FileRow {
  /** '' when the log holds no name for it. */
  readonly path: string;
  readonly module: string;
  readonly mountPoint: string;
  /** `UNKNOWN` where no mount point fits. */
  readonly fileSystem: string;
  /** Processes that used it: all of the job when the record is a shared one. */
  readonly processes: number;
  /** The process, where it is only one; else null. */
  readonly rank: number | null;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly readSeconds: number;
  readonly writeSeconds: number;
  readonly metadataSeconds: number;
  /** Offset of the last byte that was accessed; null when not measured. */
  readonly maxOffset: number | null;
  readonly opens: number;
  readonly reads: number;
  readonly writes: number;
  /** Shares of reads and writes together: of at most 1 MiB; not aligned to the file system's block; behind the access
   * before; right behind it. null when not measured or when there are none. */
  readonly smallShare: number | null;
  readonly misalignedShare: number | null;
  readonly sequentialShare: number | null;
  readonly consecutiveShare: number | null;
  /** Of a file that several processes used: the one that took least and the one that took most time. */
  readonly fastest: FileRank | null;
  readonly slowest: FileRank | null;
  /** How it lies on Lustre (first component); null when it does not, or the log does not tell. */
  readonly stripes: Stripes | null;
}

interface Stripes {
  readonly bytes: number;
  readonly count: number;
  /** Object storage targets, at most 64 of them. */
  readonly targets: readonly number[];
  readonly allTargets: number;
  /** Components of the layout; more than one when it is progressive. */
  readonly components: number;
}

const MOST_TARGETS = 64;

export interface FileRows {
  readonly rows: readonly FileRow[];
  /** Rows beyond the bound. */
  readonly leftOut: { readonly rows: number; readonly bytes: number };
}

/** Files of one module with what they are ordered by. */
interface Candidates {
  readonly table: CounterTable;
  readonly groups: FileGroups;
  /** Read and written, of each group. */
  readonly bytes: Float64Array;
}

/** One row for each file and module, most bytes first; no more than `most` of them. */
export function fileRows(log: CounterLog, files: FileTable, most: number): FileRows {
  const candidates = log.modules
    .filter(({ module }) => operationCounters(module) !== undefined)
    .map((table): Candidates => {
      const groups = new FileGroups(table);
      const prefix = counterPrefix(table.module);
      return { table, groups, bytes: sumOfAll(groups, [`${prefix}_BYTES_READ`, `${prefix}_BYTES_WRITTEN`]) };
    });
  const chosen = largest(candidates, most);
  const layouts = layoutsOf(log, candidates, chosen);
  const mounts = new MountTable(log.job.mounts);
  const rows = candidates.flatMap((each, i) => rowsOf(each, chosen[i]!, { log, files, layouts, mounts }));
  rows.sort((a, b) => bytesOf(b) - bytesOf(a) || secondsOf(b) - secondsOf(a));
  let [allRows, allBytes] = [0, 0];
  for (const { groups, bytes } of candidates) {
    allRows += groups.length;
    for (const each of bytes) allBytes += each;
  }
  const shownBytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
  return { rows, leftOut: { rows: allRows - rows.length, bytes: allBytes - shownBytes } };
}

function bytesOf(row: FileRow): number {
  return row.bytesRead + row.bytesWritten;
}

function secondsOf(row: FileRow): number {
  return row.readSeconds + row.writeSeconds + row.metadataSeconds;
}

/** The groups of each module that are among the `most` with most bytes in all modules. */
function largest(candidates: readonly Candidates[], most: number): number[][] {
  const all = candidates.reduce((sum, { groups }) => sum + groups.length, 0);
  const sorted = new Float64Array(all);
  let at = 0;
  for (const { bytes } of candidates) {
    sorted.set(bytes, at);
    at += bytes.length;
  }
  sorted.sort();
  // What is above the bound is in; of what is equal to it as many as there is room for.
  const bound = all <= most ? -1 : sorted[all - most]!;
  let roomForEqual = most - sorted.reduce((count, each) => (each > bound ? count + 1 : count), 0);
  return candidates.map(({ bytes }) => {
    const chosen: number[] = [];
    bytes.forEach((each, group) => {
      if (each > bound || (each === bound && roomForEqual-- > 0)) chosen.push(group);
    });
    return chosen;
  });
}

/** Layouts of the chosen files: of the others none is kept. */
function layoutsOf(
  log: CounterLog,
  candidates: readonly Candidates[],
  chosen: readonly (readonly number[])[],
): ReadonlyMap<number, FileLayout> {
  const wanted = new Set(chosen.flatMap((groups, i) => groups.map((group) => candidates[i]!.groups.file(group))));
  const layouts = new Map<number, FileLayout>();
  for (const layout of log.layouts) {
    if (layout.file !== NONE && wanted.has(layout.file) && !layouts.has(layout.file)) layouts.set(layout.file, layout);
  }
  return layouts;
}

interface RowContext {
  readonly log: CounterLog;
  readonly files: FileTable;
  readonly layouts: ReadonlyMap<number, FileLayout>;
  readonly mounts: MountTable;
}

function rowsOf(candidates: Candidates, chosen: readonly number[], context: RowContext): FileRow[] {
  const { table } = candidates;
  const isChosen = new Uint8Array(candidates.groups.length);
  for (const group of chosen) isChosen[group] = 1;
  // Sums of the chosen files only: a job may have a million others.
  const groups = new FileGroups(table, (record) => isChosen[candidates.groups.groupOf[record]!] === 1);
  const sums = rowSums(table, groups, context.log.job.processes);
  const extremes = extremesOf(table, groups);
  const measuresSizes = sizeCounters(table, 'READ').length > 0;
  const isPosix = table.module === 'POSIX';
  return Array.from({ length: groups.length }, (_, group): FileRow => {
    const path = groups.file(group) === NONE ? '' : context.files.at(groups.file(group)).path;
    const at = (values: Float64Array): number => values[group]!;
    const accesses = at(sums.reads) + at(sums.writes);
    const share = (part: Float64Array, isMeasured: boolean): number | null =>
      isMeasured && accesses > 0 ? at(part) / accesses : null;
    const layout = context.layouts.get(groups.file(group));
    return {
      path,
      module: table.module,
      ...context.mounts.find(path),
      processes: table.rank(groups.firstRecord(group)) < 0 ? context.log.job.processes : at(sums.users),
      rank: at(sums.users) === 1 ? table.rank(groups.firstRecord(group)) : null,
      bytesRead: at(sums.bytesRead),
      bytesWritten: at(sums.bytesWritten),
      readSeconds: at(sums.readSeconds),
      writeSeconds: at(sums.writeSeconds),
      metadataSeconds: at(sums.metadataSeconds),
      maxOffset: sums.maxOffset === undefined ? null : at(sums.maxOffset),
      opens: at(sums.opens),
      reads: at(sums.reads),
      writes: at(sums.writes),
      smallShare: share(sums.small, measuresSizes),
      misalignedShare: share(sums.misaligned, isPosix),
      sequentialShare: share(sums.sequential, isPosix),
      consecutiveShare: share(sums.consecutive, isPosix),
      fastest: extremes.get(group)?.fastest ?? null,
      slowest: extremes.get(group)?.slowest ?? null,
      stripes: layout === undefined ? null : stripesOf(layout),
    };
  });
}

interface RowSums {
  readonly users: Float64Array;
  readonly bytesRead: Float64Array;
  readonly bytesWritten: Float64Array;
  readonly opens: Float64Array;
  readonly reads: Float64Array;
  readonly writes: Float64Array;
  readonly readSeconds: Float64Array;
  readonly writeSeconds: Float64Array;
  readonly metadataSeconds: Float64Array;
  readonly small: Float64Array;
  readonly misaligned: Float64Array;
  readonly sequential: Float64Array;
  readonly consecutive: Float64Array;
  readonly maxOffset: Float64Array | undefined;
}

function rowSums(table: CounterTable, groups: FileGroups, processes: number): RowSums {
  const prefix = counterPrefix(table.module);
  const operations = operationCounters(table.module)!;
  const sum = (...counters: string[]): Float64Array => sumOfAll(groups, counters);
  return {
    users: processesOf(table, groups, processes),
    bytesRead: sum(`${prefix}_BYTES_READ`),
    bytesWritten: sum(`${prefix}_BYTES_WRITTEN`),
    opens: sum(...operations.opens),
    reads: sum(...operations.reads),
    writes: sum(...operations.writes),
    readSeconds: sum(`${prefix}_F_READ_TIME`),
    writeSeconds: sum(`${prefix}_F_WRITE_TIME`),
    metadataSeconds: sum(`${prefix}_F_META_TIME`),
    small: sum(...(['READ', 'WRITE'] as const).flatMap((each) => sizeCounters(table, each).slice(0, SMALL_BINS))),
    misaligned: sum('POSIX_FILE_NOT_ALIGNED'),
    sequential: sum('POSIX_SEQ_READS', 'POSIX_SEQ_WRITES'),
    consecutive: sum('POSIX_CONSEC_READS', 'POSIX_CONSEC_WRITES'),
    maxOffset: greatestOf(groups, [`${prefix}_MAX_BYTE_READ`, `${prefix}_MAX_BYTE_WRITTEN`]),
  };
}

function stripesOf(layout: FileLayout): Stripes | null {
  const component = layout.components[0];
  if (component === undefined) return null;
  return {
    bytes: component.stripeSize,
    count: component.stripeCount,
    targets: component.targets.slice(0, MOST_TARGETS),
    allTargets: component.targets.length,
    components: layout.components.length,
  };
}
