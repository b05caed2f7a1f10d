import { processCount } from '../../analysis/metrics/process-noun.ts';
import type { Job } from '../../trace/counters.ts';
import type { Trace } from '../../trace/trace.ts';
import { recordedBatch, type RecordedBatch } from '../scheduler/recorded-batch.ts';
import type { Row } from '../schema/tables.ts';
import { isCustomised } from './layout-facts.ts';
import type { FileFacts, RecordingFacts, RowKey } from './recording-facts.ts';
import { joinedTransfers } from './transfers.ts';

/** @param path where the recording lies. */
export function jobRow(key: RowKey, path: string, trace: Trace, facts: RecordingFacts): Row<'job'> {
  const batch = recordedBatch(trace);
  const { files } = facts;
  return {
    log: key.log,
    job_id: key.job_id,
    step: batch.step,
    task: batch.task,
    path,
    format: trace.format,
    ...runOf(trace, batch),
    account: batch.account,
    start_time: key.start_time,
    nodes: batch.nodes.length === 0 ? null : batch.nodes.length,
    node_list: batch.nodes.length === 0 ? null : batch.nodes,
    files: files.length,
    shared_files: files.filter(({ processes }) => processes !== null && processes > 1).length,
    ...joinedTransfers(files),
    metadata_seconds: facts.metadataSeconds,
    io_seconds: facts.ioSeconds,
    ...facts.interfaces,
    ...storageTargets(files),
    segments: trace.events.length,
    damage: trace.damage.length,
  };
}

type Run = Pick<Row<'job'>, 'user_id' | 'application' | 'command' | 'end_time' | 'run_seconds' | 'processes'>;

function runOf(trace: Trace, { user }: RecordedBatch): Run {
  const job = trace.counters?.job;
  const command = job?.command ?? trace.program;
  const named = { application: applicationOf(command), command: command === '' ? null : command };
  return {
    ...named,
    ...(job === undefined ? recordedRun(trace, user) : countedRun(job)),
    processes: processCount(trace),
  };
}

type Span = Pick<Run, 'user_id' | 'end_time' | 'run_seconds'>;

function countedRun({ userId, startTime, endTime, runTime }: Job): Span {
  return {
    user_id: userId === '' ? null : userId,
    end_time: endTime >= startTime && endTime > 0 ? endTime : null,
    run_seconds: Number.isNaN(runTime) ? null : runTime,
  };
}

function recordedRun({ startTime, durationNs }: Trace, user: string | null): Span {
  const seconds = durationNs / 1e9;
  const isKnown = Number.isFinite(seconds);
  return {
    user_id: user,
    end_time: startTime !== null && isKnown ? startTime + seconds : null,
    run_seconds: isKnown ? seconds : null,
  };
}

/** Name of the executable; null when the recording does not say. */
function applicationOf(command: string): string | null {
  const [executable = ''] = command.trim().split(/\s+/);
  const name = executable.slice(executable.lastIndexOf('/') + 1);
  return name === '' ? null : name;
}

/** Storage targets of all files together. */
function storageTargets(files: readonly FileFacts[]): Pick<Row<'job'>, 'osts' | 'ost_count' | 'customised_striping'> {
  const onLustre = files.filter(({ file_system, stripe_count }) => file_system === 'lustre' || stripe_count !== null);
  if (onLustre.length === 0) return { osts: null, ost_count: null, customised_striping: null };
  const osts = [...new Set(onLustre.flatMap((file) => file.osts ?? []))].sort((a, b) => a - b);
  const withLayout = onLustre.filter(({ stripe_count }) => stripe_count !== null);
  const customised_striping = withLayout.length === 0 ? null : withLayout.some(isCustomised);
  return { osts, ost_count: withLayout.length === 0 ? null : osts.length, customised_striping };
}
