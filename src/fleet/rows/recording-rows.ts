import type { Trace } from '../../trace/trace.ts';
import { FILE_MODULES } from '../../analysis/counters/categories.ts';
import type { StoreRows } from '../schema/tables.ts';
import { countedFiles } from './counted-files.ts';
import { jobRow } from './job-row.ts';
import { recordedFiles } from './recorded-files.ts';
import type { RecordingFacts, RowKey } from './recording-facts.ts';

/** A recording that was read and judged. */
export interface StoredRecording {
  /** Key of its content. */
  readonly log: string;
  /** Where it lies. */
  readonly path: string;
  readonly trace: Trace;
  /** 1 for files that do not count. */
  readonly ignored: Uint8Array;
}

/** The rows of a recording in all tables. */
export function recordingRows({ log, path, trace, ignored }: StoredRecording): StoreRows {
  const job = trace.counters?.job;
  const key: RowKey = {
    log,
    job_id: job === undefined || job.jobId === '' ? null : job.jobId,
    start_time: trace.startTime,
  };
  const facts = factsOf(trace, ignored);
  return {
    job: [jobRow(key, path, trace, facts)],
    file: facts.files.map((file) => ({ ...key, ...file })),
  };
}

/** Where a log counts, its counters are the truth: it may have had no room for all single calls. */
function factsOf(trace: Trace, ignored: Uint8Array): RecordingFacts {
  const { counters } = trace;
  const counts = counters?.modules.some(({ module, length }) => FILE_MODULES.includes(module) && length > 0) === true;
  if (counters !== undefined && (counts || trace.events.length === 0)) return countedFiles(counters, trace.files);
  return recordedFiles(trace, ignored);
}
