import type { CallTree } from '../../analysis/call-tree/call-tree.ts';
import type { MetricTable } from '../../analysis/metrics/metric-table.ts';
import type { Metrics } from '../../analysis/metrics/access-metrics.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { JobDocument } from './job-document.ts';
import type {
  AmountDocument,
  AnalysisDocument,
  FrameDocument,
  GraphDocument,
  SitesDocument,
} from '../analysis/documents.ts';

/** Lines of source files that are on this machine: file, then line (from 1), then its text. */
export type SourceExcerpts = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** Lines of source that are shown above and below the one that is meant. */
export const EXCERPT_REACH = 3;

/** What calls on a file amount to. */
export interface FileAmount extends AmountDocument {
  readonly path: string;
  readonly readBytes: number;
  readonly writtenBytes: number;
}

export interface RecordingMaterial {
  /** As the user named it. */
  readonly recording: string;
  readonly sites: SitesDocument;
  /** By time, then calls; only files that count. */
  readonly files: readonly FileAmount[];
  readonly graph: GraphDocument;
  /** What a Darshan log says of its job; undefined for other recordings. */
  readonly job: JobDocument | undefined;
  readonly callTree: CallTree;
}

/** Everything that a report shows. Plain data: it crosses from the worker. */
export interface ReportMaterial {
  readonly analysis: AnalysisDocument;
  readonly recordings: readonly RecordingMaterial[];
  readonly excerpts: SourceExcerpts;
}

/** The files that count with what was done to them, by time. */
export function fileAmounts(trace: Trace, metrics: Metrics): FileAmount[] {
  const sums = new Map<number, { events: number; timeNs: number; readBytes: number; writtenBytes: number }>();
  for (let cell = 0; cell < metrics.cells.length; cell++) {
    const file = metrics.fileOfCell[cell]!;
    if (file === NONE) continue;
    const sum = sums.get(file) ?? { events: 0, timeNs: 0, readBytes: 0, writtenBytes: 0 };
    addCell(sum, metrics.cells, cell);
    sums.set(file, sum);
  }
  return [...sums]
    .map(([file, sum]) => ({ path: trace.files.at(file).path, ...sum, bytes: sum.readBytes + sum.writtenBytes }))
    .filter(({ events, timeNs }) => events > 0 || timeNs > 0)
    .sort((a, b) => b.timeNs - a.timeNs || b.events - a.events);
}

function addCell(
  sum: { events: number; timeNs: number; readBytes: number; writtenBytes: number },
  cells: MetricTable,
  cell: number,
): void {
  sum.events += cells.get(cell, 'events');
  sum.timeNs += cells.get(cell, 'time');
  sum.readBytes += cells.get(cell, 'readBytes');
  sum.writtenBytes += cells.get(cell, 'writtenBytes');
}

/** The frames that called a site, innermost first, as far as they have a source line. */
export function callersOf(site: { readonly depth: number; readonly stack: readonly FrameDocument[] }): FrameDocument[] {
  return site.stack.slice(site.depth + 1).filter(({ line }) => line > 0);
}
