import { FILE_MODULES, fileCategories } from '../../analysis/counters/categories.ts';
import { commonValues } from '../../analysis/counters/common-values.ts';
import { fileRows } from '../../analysis/counters/file-rows.ts';
import { accessByFileSystem } from '../../analysis/counters/file-systems.ts';
import { mergedHeatmaps, type MergedHeatmap } from '../../analysis/counters/heatmaps.ts';
import { libraryVersion, mpiHints } from '../../analysis/counters/hints.ts';
import { counterPrefix } from '../../analysis/counters/module-counters.ts';
import {
  accessPattern,
  accessSizes,
  measuredTotal,
  operationCounts,
  operationTimes,
} from '../../analysis/counters/module-figures.ts';
import { performance } from '../../analysis/counters/performance.ts';
import { rankFigures } from '../../analysis/counters/ranks.ts';
import { tracedModules } from '../../analysis/counters/segments.ts';
import { counterTotals, exactTotals, inexactTotals } from '../../analysis/counters/totals.ts';
import type { CounterLog, CounterTable, Job } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import {
  MOST_CHARACTERS,
  MOST_ENTRIES,
  MOST_FILES,
  MOST_RANK_ROWS,
  MOST_TIME_BINS,
  type JobDocument,
  type JobHeader,
  type JobHeatmap,
  type JobModule,
  type JobModuleSummary,
  type JobSummary,
  type JobTime,
} from './job-document.ts';

/** Modules whose records are files; those of the others are datasets, variables, nodes of the machine. */
const MODULES_OF_FILES: readonly string[] = [...FILE_MODULES, 'H5F', 'PNETCDF_FILE'];

/**
 * What a Darshan log says about its job.
 * @param recording as the user named it.
 * @returns undefined for recordings that count nothing.
 */
export function jobDocument(trace: Trace, recording: string): JobDocument | undefined {
  const log = trace.counters;
  if (log === undefined) return undefined;
  const size = { rows: MOST_RANK_ROWS, columns: MOST_TIME_BINS };
  const seconds = Math.max(trace.durationNs / 1e9, Number.MIN_VALUE);
  const traced = tracedModules(trace, log.job.processes, seconds, size);
  const files = fileRows(log, trace.files, MOST_FILES);
  return {
    schema: 'iolens/job@1',
    recording,
    job: header(trace, log.job),
    regions: log.regions,
    usedFiles: usedFiles(log, trace),
    modules: log.modules.map((table) => moduleDocument(table, log.job)),
    fileSystems: accessByFileSystem(log, trace.files).slice(0, MOST_ENTRIES),
    files: { ...files, rows: files.rows.map((row) => ({ ...row, path: bounded(row.path) })) },
    ranks: rankFigures(log, traced, MOST_RANK_ROWS),
    heatmaps: mergedHeatmaps(log, traced, size).map(heatmapDocument),
    segments: log.segments,
  };
}

/** The part of it that a text says. */
export function jobSummary(trace: Trace): JobSummary | undefined {
  const log = trace.counters;
  if (log === undefined) return undefined;
  return {
    job: header(trace, log.job),
    regions: log.regions,
    usedFiles: usedFiles(log, trace),
    modules: log.modules.map((table) => moduleSummary(table, log.job)),
  };
}

function bounded(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
}

function boundedPairs(pairs: readonly (readonly [string, string])[]): [string, string][] {
  return pairs.slice(0, MOST_ENTRIES).map(([key, value]) => [bounded(key), bounded(value)]);
}

function header(trace: Trace, job: Job): JobHeader {
  const hosts = new Set(trace.streams.map(({ host }) => host).filter((host) => host !== ''));
  return {
    jobId: bounded(job.jobId),
    userId: bounded(job.userId),
    command: bounded(job.command),
    executable: bounded(job.command.trim().split(/\s/, 1)[0]!.split('/').at(-1)!),
    processes: job.processes,
    hosts: hosts.size,
    startTime: job.startTime > 0 ? job.startTime : null,
    endTime: job.endTime > 0 ? job.endTime : null,
    runSeconds: Number.isNaN(job.runTime) ? null : job.runTime,
    wasKilled: job.endTime === 0,
    logVersion: job.logVersion,
    libraryVersion: bounded(libraryVersion(job.metadata)),
    compression: job.compression,
    hints: boundedPairs(mpiHints(job.metadata)),
    metadata: boundedPairs(job.metadata.filter(([key]) => key !== 'h' && key !== 'lib_ver')),
    mounts: boundedPairs(job.mounts),
  };
}

/** Files are counted by name: the same file through two interfaces is one. Those without a name count by their record. */
function usedFiles(log: CounterLog, trace: Trace): JobDocument['usedFiles'] {
  const all = new Set<number | bigint>();
  const byModule = log.modules
    .filter(({ module }) => MODULES_OF_FILES.includes(module))
    .map((table) => {
      const files = new Set<number | bigint>();
      for (let record = 0; record < table.length; record++) {
        const file = table.file(record);
        files.add(file === NONE ? table.recordId(record) : file);
      }
      for (const file of files) all.add(file);
      return { module: table.module, files: files.size };
    });
  // Without counters the traced segments tell.
  if (byModule.length === 0) {
    for (let handle = 0; handle < trace.handles.length; handle++) all.add(trace.handles.file.at(handle));
  }
  return { files: all.size, byModule };
}

function moduleSummary(table: CounterTable, job: Job): JobModuleSummary {
  const prefix = counterPrefix(table.module);
  return {
    module: table.module,
    categories: fileCategories(table, job.processes) ?? null,
    performance: performance(table) ?? null,
    time: timeDocument(table, job),
    bytesRead: measuredTotal(table, `${prefix}_BYTES_READ`),
    bytesWritten: measuredTotal(table, `${prefix}_BYTES_WRITTEN`),
  };
}

function moduleDocument(table: CounterTable, job: Job): JobModule {
  const { module, categories, performance, time, bytesRead, bytesWritten } = moduleSummary(table, job);
  const totals = Object.fromEntries(counterTotals(table));
  const inexact = inexactTotals(totals);
  return {
    module,
    version: table.version,
    records: table.length,
    incomplete: table.incomplete,
    totals,
    ...(inexact.length > 0 && { inexact, exact: exactTotals(table, inexact, -1n) }),
    categories,
    performance,
    time,
    bytesRead,
    bytesWritten,
    accessSizes: accessSizes(table) ?? null,
    commonAccesses: commonValues(table, 'ACCESS'),
    commonStrides: commonValues(table, 'STRIDE'),
    operations: operationCounts(table),
    pattern: accessPattern(table) ?? null,
  };
}

function timeDocument(table: CounterTable, job: Job): JobTime | null {
  const times = operationTimes(table);
  if (times === undefined) return null;
  const whole = job.runTime * Math.max(1, job.processes);
  const shareOfRun =
    whole > 0
      ? {
          read: times.readSeconds / whole,
          write: times.writeSeconds / whole,
          metadata: times.metadataSeconds / whole,
          wait: times.waitSeconds / whole,
        }
      : null;
  return { ...times, shareOfRun };
}

/** Bytes of each rank over time, of any recording that knows ranks, with how many there are. */
export function heatmapsOf(trace: Trace): { readonly heatmaps: readonly JobHeatmap[]; readonly processes: number } {
  const log = trace.counters;
  const ranks = trace.streams.reduce((most, { rank }) => Math.max(most, (rank ?? -1) + 1), 0);
  const processes = log?.job.processes ?? ranks;
  if (processes === 0 || !(trace.capabilities.time || log)) return { heatmaps: [], processes };
  const size = { rows: MOST_RANK_ROWS, columns: MOST_TIME_BINS };
  const seconds = Math.max(trace.durationNs / 1e9, Number.MIN_VALUE);
  const traced = tracedModules(trace, processes, seconds, size);
  const merged =
    log === undefined
      ? traced.map(({ module, grid }): MergedHeatmap => ({ module, source: 'segments', grid }))
      : mergedHeatmaps(log, traced, size);
  return { heatmaps: merged.map(heatmapDocument), processes };
}

function heatmapDocument({ module, source, grid }: MergedHeatmap): JobHeatmap {
  const rows = Array.from({ length: grid.rows }, (_, row) => [
    ...grid.cells.subarray(row * grid.columns, (row + 1) * grid.columns),
  ]);
  return {
    module,
    source,
    binSeconds: grid.binSeconds,
    ranksPerRow: grid.ranksPerRow,
    rows,
    read: [...grid.read],
    written: [...grid.written],
  };
}
