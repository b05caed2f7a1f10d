import type { Trace } from '../../trace/trace.ts';
import { recordedBatch } from '../scheduler/recorded-batch.ts';
import { calledFiles } from './files/called-files.ts';
import { countedFiles } from './files/counted-files.ts';
import type { RecordingFacts } from './recording-facts.ts';
import { shareOfTrace } from './shares/share-of-trace.ts';

/**
 * What a workflow wants to know of a recording.
 * @param paths that open it, absolute.
 * @param place relative to the folder of the workflow.
 */
export function factsOfTrace(trace: Trace, paths: readonly string[], place: string): RecordingFacts {
  const { counters, startTime, durationNs, format, program, damage } = trace;
  const { share, lack } = shareOfTrace(trace);
  const start = counters === undefined ? startTime : counters.job.startTime > 0 ? counters.job.startTime : null;
  const seconds = counters !== undefined && counters.job.runTime > 0 ? counters.job.runTime : durationNs / 1e9;
  const { job, step, user, nodes } = recordedBatch(trace);
  const notes = lack === '' ? [] : [lack];
  if (damage.length > 0) notes.push(`read in part: ${damage[0]!.what} (${damage[0]!.lost})`);
  return {
    format,
    paths,
    place,
    otherPlaces: [],
    jobId: job,
    step,
    user,
    program,
    hosts: nodes,
    start,
    end: start === null ? null : start + seconds,
    share,
    files: counters === undefined ? calledFiles(trace) : countedFiles(trace, counters),
    notes,
  };
}
