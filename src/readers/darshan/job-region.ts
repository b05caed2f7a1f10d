import type { Job } from '../../trace/counters.ts';
import { int64At, textOf } from './region-reader.ts';

const METADATA_BYTES = 1024;
/** A job region holds no more (darshan-log-format.h, DARSHAN_JOB_RECORD_SIZE); what follows is not looked at. */
export const MOST_JOB_BYTES = 4096;

const MOST_PROCESSES = 2 ** 31;
const MOST_SECONDS = 2 ** 36;

/** What the header and the place of the job say of it. */
export type JobRecord = Omit<Job, 'logVersion' | 'compression'>;

/** A part of a job that cannot be true, and what is not known because of it. */
export interface JobProblem {
  readonly what: string;
  readonly lost: string;
}

interface ReadJob {
  /** What cannot be true is unknown in it. */
  readonly record: JobRecord;
  readonly problems: readonly JobProblem[];
  /** Parts that only a job has in their places: the more, the less other bytes can pass for one. At most MOST_SIGNS. */
  readonly signs: number;
}

export const MOST_SIGNS = 4;

/**
 * Reads the unpacked job region.
 * @param minor of the version of the log.
 * @returns undefined when these are too few bytes for a job.
 */
export function readJob(bytes: Uint8Array, minor: number, littleEndian: boolean): ReadJob | undefined {
  const hasNanoseconds = minor >= 41;
  const headBytes = (hasNanoseconds ? 7 : 5) * 8;
  if (bytes.length < headBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const word = (index: number): number => int64At(view, index * 8, littleEndian);
  const text = (index: number): string => view.getBigInt64(index * 8, littleEndian).toString();
  const [start, startNs, end, endNs, processes, jobId] = hasNanoseconds
    ? [word(1), word(2), word(3), word(4), word(5), text(6)]
    : [word(1), 0, word(2), 0, word(3), text(4)];
  const problems: JobProblem[] = [];
  const hasStart = isTime(start, startNs);
  if (!hasStart) problems.push({ what: `a start at second ${start} and ${startNs} ns`, lost: 'when the job started' });
  const hasEnd = isTime(end, endNs);
  if (!hasEnd) problems.push({ what: `an end at second ${end} and ${endNs} ns`, lost: 'when the job ended' });
  const hasProcesses = processes >= 1 && processes <= MOST_PROCESSES;
  if (!hasProcesses) problems.push({ what: `a job of ${processes} processes`, lost: 'how many processes there were' });
  // Whole seconds were begun ones: darshan-util adds one, so that nothing took no time (darshan_log_get_job_runtime).
  const runTime = hasNanoseconds ? end - start + (endNs - startNs) / 1e9 : end - start + 1;
  const hasRunTime = hasStart && hasEnd && end > 0;
  if (hasRunTime && runTime < 0) {
    problems.push({ what: `the job ends before it starts (by ${-runTime} seconds)`, lost: 'how long the job ran' });
  }
  const { command, mounts } = readCommandAndMounts(textOf(bytes.subarray(headBytes + METADATA_BYTES)));
  const metadata = readMetadata(textOf(bytes.subarray(headBytes, headBytes + METADATA_BYTES)));
  const signs = [hasStart && start > 0, hasEnd, hasProcesses, metadata.some(([key]) => /^\w+$/.test(key))];
  const record: JobRecord = {
    command,
    mounts,
    userId: text(0),
    jobId,
    startTime: hasStart ? start + startNs / 1e9 : 0,
    endTime: hasEnd ? end + endNs / 1e9 : NaN,
    runTime: hasRunTime && runTime >= 0 ? runTime : NaN,
    processes: hasProcesses ? processes : 0,
    metadata,
  };
  return { record, problems, signs: signs.filter(Boolean).length };
}

function isTime(seconds: number, ns: number): boolean {
  return seconds >= 0 && seconds < MOST_SECONDS && ns >= 0 && ns < 1e9;
}

function readMetadata(text: string): [string, string][] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): [string, string] => {
      const at = line.indexOf('=');
      return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
    });
}

/** The command in the first line, then `FILE SYSTEM<tab>MOUNT POINT` in each. */
function readCommandAndMounts(text: string): { command: string; mounts: [string, string][] } {
  const [command = '', ...lines] = text.split('\n');
  const mounts: [string, string][] = [];
  for (const line of lines) {
    const at = line.indexOf('\t');
    if (at > 0) mounts.push([line.slice(at + 1), line.slice(0, at)]);
  }
  // Longest first, as darshan-util looks for the one that a file lies under.
  mounts.sort(([a], [b]) => b.length - a.length);
  return { command: command.trimEnd(), mounts };
}
