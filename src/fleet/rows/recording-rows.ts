import { FILE_MODULES } from '../../analysis/counters/categories.ts';
import type { Metrics } from '../../analysis/metrics/access-metrics.ts';
import type { CallSites } from '../../analysis/sites/call-sites.ts';
import type { Insight } from '../../analysis/triggers/insight.ts';
import type { Trace } from '../../trace/trace.ts';
import { recordedBatch } from '../scheduler/recorded-batch.ts';
import type { StoreRows } from '../schema/tables.ts';
import { countedFiles } from './counted-files.ts';
import { insightRows } from './insight-rows.ts';
import { jobRow } from './job-row.ts';
import { recordedFiles } from './recorded-files.ts';
import type { RecordingFacts, RowKey, WhichFiles } from './recording-facts.ts';
import { segmentSummaries } from './segment-summaries.ts';
import { siteRows } from './site-rows.ts';

/** A recording that was read and judged. */
interface StoredRecording {
  /** Key of its content. */
  readonly log: string;
  /** Where it lies. */
  readonly path: string;
  readonly trace: Trace;
  /** 1 for files that do not count. */
  readonly ignored: Uint8Array;
  readonly callSites: CallSites;
  readonly metrics: Metrics;
  readonly insights: readonly Insight[];
}

/** The rows of a recording in all tables. */
export function recordingRows(recording: StoredRecording): StoreRows {
  const { log, path, trace, ignored, callSites } = recording;
  const key: RowKey = { log, job_id: recordedBatch(trace).job, start_time: trace.startTime };
  const facts = factsOf(trace, ignored);
  const keyed = <Rest extends object>(rows: readonly Rest[]): (RowKey & Rest)[] =>
    rows.map((row) => ({ ...key, ...row }));
  return {
    job: [jobRow(key, path, trace, facts)],
    file: keyed(facts.files),
    segment_summary: keyed(segmentSummaries(trace, facts.fileIds)),
    site: keyed(siteRows(recording.metrics, callSites)),
    insight: keyed(insightRows(recording.insights, callSites, trace.files)),
  };
}

/** Where a log counts, its counters are the truth: it may have had no room for all single calls. */
export function factsOf(trace: Trace, ignored: Uint8Array, which?: WhichFiles): RecordingFacts {
  const { counters } = trace;
  const counts = counters?.modules.some(({ module, length }) => FILE_MODULES.includes(module) && length > 0) === true;
  if (counters !== undefined && (counts || trace.events.length === 0))
    return countedFiles(counters, trace.files, which);
  return recordedFiles(trace, ignored, which);
}
