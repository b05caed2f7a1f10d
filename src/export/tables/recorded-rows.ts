import type { Cost } from '../../analysis/gain/cost.ts';
import type { EstimatedInsight } from '../../analysis/gain/gain.ts';
import type { RunCosts } from '../../analysis/gain/run-costs.ts';
import type { Metrics } from '../../analysis/metrics/access-metrics.ts';
import { getOrCreate } from '../../base/grouping.ts';
import { amountOf, wholeOf } from '../../fleet/rows/insight-rows.ts';
import { factsOf } from '../../fleet/rows/recording-rows.ts';
import { measuredSites } from '../../fleet/rows/site-rows.ts';
import type { RowOf } from '../../fleet/schema/table.ts';
import type { EventSource } from '../events/event-labels.ts';
import { FILES, type FINDINGS, type RECORDED_TABLES, type RecordedTableName, type SITES } from './recorded-tables.ts';

/** A recording that was read and judged. */
export interface TabledRecording {
  readonly events: EventSource;
  readonly metrics: Metrics;
  readonly costs: RunCosts;
  /** 1 for files that do not count. */
  readonly ignored: Uint8Array;
  readonly insights: readonly EstimatedInsight[];
}

type SiteRow = RowOf<typeof SITES>;
type FileRow = RowOf<typeof FILES>;
type FindingRow = RowOf<typeof FINDINGS>;

/** What makes the rows of each table but the events, of which there may be more than memory holds. */
export const RECORDED_ROWS: {
  readonly [Name in Exclude<RecordedTableName, 'events'>]: (
    recording: TabledRecording,
  ) => RowOf<(typeof RECORDED_TABLES)[Name]>[];
} = {
  sites: (recording) => known(recording, siteRows(recording)),
  files: (recording) => known(recording, fileRows(recording)),
  findings: (recording) => known(recording, findingRows(recording)),
};

/** What durations tell, summed or as the end of something. */
const OF_DURATIONS: ReadonlySet<string> = new Set([
  ...['seconds', 'read_seconds', 'write_seconds', 'metadata_seconds', 'read_end', 'write_end'],
  ...['slowest_rank_seconds', 'fastest_rank_seconds'],
]);

/** Rows as they are where the recording has durations; where it has none, sums of them are not 0 but unknown. */
function known<Row extends object>({ events: { trace } }: TabledRecording, rows: Row[]): Row[] {
  if (trace.capabilities.duration || trace.counters !== undefined) return rows;
  return rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, OF_DURATIONS.has(name) ? null : (value as unknown)]),
      ) as Row,
  );
}

function siteRows({ events: { callSites, locate }, metrics, costs }: TabledRecording): SiteRow[] {
  const costOf = costs.ofSites(callSites, metrics);
  return measuredSites(metrics, callSites).map(({ site, row }) => ({
    ...row,
    site,
    source_file: row.source_file === null ? null : locate(row.source_file),
    ...costFacts(costOf(site, row.seconds! * 1e9)),
  }));
}

function fileRows({ events: { trace }, metrics, costs, ignored }: TabledRecording): FileRow[] {
  const { files, fileIds } = factsOf(trace, ignored, 'all');
  const byId = new Map(files.map((facts) => [facts.file_id, facts]));
  const sums = sumsOfFiles(metrics);
  const indexed = fileIds.flatMap((id, file): FileRow[] => {
    const facts = id === undefined ? undefined : byId.get(id);
    const sum = sums.get(file);
    if (ignored[file] === 1 || (facts === undefined && sum === undefined)) return [];
    if (id !== undefined) byId.delete(id);
    const cost = sum === undefined ? undefined : costs.ofFile(file, sum.timeNs);
    const { path } = trace.files.at(file);
    return [{ ...NOTHING_KNOWN, ...facts, file, path, ...callsOf(sum), ...costFacts(cost) }];
  });
  // Records of a log whose name nobody knows are in no table of files.
  const others = [...byId.values()].map((facts): FileRow => ({
    ...NOTHING_KNOWN,
    ...facts,
    ...callsOf(undefined),
  }));
  return [...indexed, ...others].sort((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0));
}

const NOTHING_KNOWN = Object.fromEntries(Object.keys(FILES.columns).map((name) => [name, null])) as FileRow;

function callsOf(sum: FileSum | undefined): Pick<FileRow, 'events' | 'seconds'> {
  return { events: sum?.events ?? null, seconds: sum === undefined ? null : sum.timeNs / 1e9 };
}

interface FileSum {
  events: number;
  timeNs: number;
}

function sumsOfFiles({ cells, fileOfCell }: Metrics): Map<number, FileSum> {
  const sums = new Map<number, FileSum>();
  for (let cell = 0; cell < cells.length; cell++) {
    const sum = getOrCreate(sums, fileOfCell[cell]!, () => ({ events: 0, timeNs: 0 }));
    sum.events += cells.get(cell, 'events');
    sum.timeNs += cells.get(cell, 'time');
  }
  return sums;
}

function findingRows({ insights }: TabledRecording): FindingRow[] {
  return insights.map((insight, finding) => {
    const { code, trigger, severity, title, message, cost, gain, sites, files } = insight;
    return {
      finding,
      ...{ code, trigger, severity, title, message },
      ...amountOf(wholeOf(insight)),
      ...costFacts(cost),
      saved_seconds: secondsOf(gain.savedNs),
      saved_low_seconds: secondsOf(gain.lowNs),
      saved_high_seconds: secondsOf(gain.highNs),
      sites: sites.map(({ site }) => site),
      files: files.map(({ file }) => file),
    };
  });
}

function costFacts(cost: Cost | undefined): Pick<SiteRow, 'cost_seconds' | 'cost_low_seconds' | 'cost_high_seconds'> {
  return {
    cost_seconds: secondsOf(cost?.untracedNs),
    cost_low_seconds: secondsOf(cost?.lowNs),
    cost_high_seconds: secondsOf(cost?.highNs),
  };
}

function secondsOf(ns: number | null | undefined): number | null {
  return ns === null || ns === undefined ? null : ns / 1e9;
}
