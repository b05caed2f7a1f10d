import { counted, formatDuration, formatShare } from '../../base/quantities.ts';
import type { CauseFile, CauseJob, Causes, ContributingFactors, Direction, Verdict, VerdictKind } from './causes.ts';
import { contributingFactors } from './contributing-factors.ts';

/** From where on a factor weighs: the bounds of the paper's section III.F, and ours where it names none (docs/causes.md). */
export const BOUNDS = {
  /** Percent of small and of non-consecutive requests ("> 50 %"). */
  percent: 50,
  /** Processes for each storage target ("larger than 3"). */
  contention: 3,
  /** Share of the time that files of a kind must take to be a cause. */
  share: 0.5,
  /** The same for one file by itself (the paper's case has 95 %). */
  oneFile: 0.9,
  /** How many times as many bytes as the others a process must move to be one that dominates. */
  dominance: 2,
  /** Files that follow one another, at least, and how many are active at once on average, at most. */
  followingFiles: 3,
  concurrency: 1.5,
  /** Share of a file's time that its calls fill, at most, in one that is used intermittently. */
  filled: 0.2,
  /** Bytes from which on the link of a single node may limit a job. */
  singleNodeBytes: 2 ** 30,
};

/** How much of the time is whose: the verdicts are about the time that goes by in calls, where that is known. */
export interface FileTimes {
  /** The files with time of their own, the longest first. */
  readonly files: readonly { readonly file: number; readonly seconds: number }[];
  readonly total: number;
  /** `of the write time`, or that of the critical path, where the time of the calls is not known of each file. */
  readonly isOfCalls: boolean;
}

export interface Evidence {
  readonly job: CauseJob;
  readonly causes: Omit<Causes, 'verdicts'>;
  readonly times: FileTimes;
  /** Means over these times. */
  readonly factors: ContributingFactors;
}

export function evidenceOf(job: CauseJob, causes: Evidence['causes']): Evidence {
  const times = callTimes(job) ?? pathTimes(causes);
  return { job, causes, times, factors: times.isOfCalls ? contributingFactors(job, times.files) : causes.factors };
}

/** Undefined where a file does not say how long its calls take. */
function callTimes({ files }: CauseJob): FileTimes | undefined {
  if (files.some(({ summedSeconds }) => summedSeconds === null)) return undefined;
  const times = files.map(({ summedSeconds }, file) => ({ file, seconds: summedSeconds! }));
  const longest = times.filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds || a.file - b.file);
  const total = longest.reduce((sum, { seconds }) => sum + seconds, 0);
  return total > 0 ? { files: longest, total, isOfCalls: true } : undefined;
}

function pathTimes({ critical, activeSeconds }: Evidence['causes']): FileTimes {
  const files = critical.map(({ file, exclusiveSeconds }) => ({ file, seconds: exclusiveSeconds }));
  return { files, total: activeSeconds, isOfCalls: false };
}

export type Rule = (evidence: Evidence) => Verdict | undefined;

export const WORDS: Readonly<Record<Direction, { noun: string; verb: string; done: string }>> = {
  read: { noun: 'read', verb: 'reads', done: 'read' },
  write: { noun: 'write', verb: 'writes', done: 'written' },
};

/** The files of a kind, and the share of the time that is theirs. */
export function filesWhere({ job, times }: Pick<Evidence, 'job' | 'times'>, condition: (file: CauseFile) => boolean) {
  const found = times.files.filter(({ file }) => condition(job.files[file]!));
  const sum = found.reduce((all, { seconds }) => all + seconds, 0);
  const files = found.map(({ file }) => file);
  return { files, share: sum / times.total, first: job.files[files[0] ?? 0]! };
}

/** The critical files of a kind, and the share of the active time that is theirs. */
export function criticalWhere({ job, causes }: Evidence, condition: (file: CauseFile) => boolean) {
  return filesWhere({ job, times: pathTimes(causes) }, condition);
}

export function verdict(kind: VerdictKind, files: readonly number[], ...sentences: string[]): Verdict {
  return { kind, files, message: sentences.filter((sentence) => sentence !== '').join(' ') };
}

export function timeOf(share: number, { causes, times }: Evidence): string {
  return `${formatShare(share)} of the ${WORDS[causes.direction].noun} time${times.isOfCalls ? '' : ' on the critical path'}`;
}

/** `/scratch/a`, or `/scratch/a and 3 more files`. */
export function named(first: CauseFile, count: number): string {
  return count === 1 ? first.path : `${first.path} and ${counted(count - 1, 'more file')}`;
}

export function seconds(value: number): string {
  return formatDuration(value * 1e9);
}
