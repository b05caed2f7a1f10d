import { counted, formatDuration, formatShare } from '../../base/quantities.ts';
import type { CauseFile, CauseJob, Causes, Direction, Verdict, VerdictKind } from './causes.ts';

/** From where on a factor weighs: the bounds of the paper's section III.F, and ours where it names none (docs/causes.md). */
export const BOUNDS = {
  /** Percent of small and of non-consecutive requests ("> 50 %"). */
  percent: 50,
  /** Processes for each storage target ("larger than 3"). */
  contention: 3,
  /** Share of the critical path that files of a kind must take to be a cause. */
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

export interface Evidence {
  readonly job: CauseJob;
  readonly causes: Omit<Causes, 'verdicts'>;
}

export type Rule = (evidence: Evidence) => Verdict | undefined;

export const WORDS: Readonly<Record<Direction, { noun: string; verb: string; done: string }>> = {
  read: { noun: 'read', verb: 'reads', done: 'read' },
  write: { noun: 'write', verb: 'writes', done: 'written' },
};

/** The critical files of a kind, and the share of the active time that is theirs. */
export function criticalWhere({ job, causes }: Evidence, condition: (file: CauseFile) => boolean) {
  const found = causes.critical.filter(({ file }) => condition(job.files[file]!));
  const seconds = found.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0);
  const files = found.map(({ file }) => file);
  return { files, share: seconds / causes.activeSeconds, first: job.files[files[0] ?? 0]! };
}

export function verdict(kind: VerdictKind, files: readonly number[], ...sentences: string[]): Verdict {
  return { kind, files, message: sentences.filter((sentence) => sentence !== '').join(' ') };
}

export function timeOf(share: number, { causes }: Evidence): string {
  return `${formatShare(share)} of the ${WORDS[causes.direction].noun} time on the critical path`;
}

/** `/scratch/a`, or `/scratch/a and 3 more files`. */
export function named(first: CauseFile, count: number): string {
  return count === 1 ? first.path : `${first.path} and ${counted(count - 1, 'more file')}`;
}

export function seconds(value: number): string {
  return formatDuration(value * 1e9);
}
