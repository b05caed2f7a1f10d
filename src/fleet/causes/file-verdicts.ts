import { counted, formatBytes, formatCount, formatShare } from '../../base/quantities.ts';
import type { CauseFile, CauseJob } from './causes.ts';
import { contention } from './contributing-factors.ts';
import {
  BOUNDS,
  criticalWhere,
  filesWhere,
  named,
  seconds,
  timeOf,
  verdict,
  WORDS,
  type FileTimes,
  type Rule,
} from './evidence.ts';

/** Physics1.1 of Table II: all processes write to one large file on only one target. */
export const oneTargetForAll: Rule = (evidence) => {
  const { files, share, first } = filesWhere(
    evidence,
    (file) => file.stripeCount === 1 && file.processes > BOUNDS.contention,
  );
  if (files.length === 0 || share < BOUNDS.share) return undefined;
  const target = first.osts.length === 1 ? `storage target ${first.osts[0]!}` : 'one storage target';
  return verdict(
    'one-target-for-all',
    files,
    `${timeOf(share, evidence)} goes to ${named(first, files.length)}:`,
    `${formatCount(first.processes)} processes share ${target}.`,
    'Stripe over more targets (lfs setstripe -c) before the file is made.',
  );
};

export const contendedTargets: Rule = (evidence) => {
  const { files, share, first } = filesWhere(
    evidence,
    (file) => (file.stripeCount ?? 0) > 1 && contention(file)! > BOUNDS.contention,
  );
  if (files.length === 0 || share < BOUNDS.share) return undefined;
  return verdict(
    'contended-targets',
    files,
    `${timeOf(share, evidence)} goes to ${named(first, files.length)}:`,
    `${formatCount(first.processes)} processes compete for ${counted(first.stripeCount!, 'storage target')}`,
    `(${formatCount(contention(first)!)} for each).`,
    'More stripes, or fewer processes that do I/O (collective buffering), would lower that.',
  );
};

/** Physics1.2 and Chemistry1 of Table II: one process moves far more than the others, and the path waits for it. */
export const oneWriter: Rule = (evidence) => oneRank(evidence) ?? oneOfSharedFile(evidence);

const oneRank: Rule = (evidence) => {
  const { job, causes, times } = evidence;
  const byRank = new Map<number, number>();
  for (const { file, seconds } of times.files) {
    const { rank } = job.files[file]!;
    if (rank !== null) byRank.set(rank, (byRank.get(rank) ?? 0) + seconds);
  }
  let rank = -1;
  for (const [one, time] of byRank) if (time > (byRank.get(rank) ?? 0)) rank = one;
  const isIts = (file: CauseFile): boolean => file.rank === rank;
  const { files, share, first } = filesWhere(evidence, isIts);
  const others = otherUsers(job, rank);
  if (job.processes < 2 || files.length === 0 || !isWaitedFor(share, others, times)) return undefined;
  const own = job.files.reduce((sum, file) => sum + (isIts(file) ? file.bytes : evenly(file)), 0);
  const each = (causes.bytes - own) / Math.max(1, others);
  if (own < BOUNDS.dominance * each) return undefined;
  const { verb } = WORDS[causes.direction];
  return verdict(
    'one-writer-dominates',
    files,
    `${timeOf(share, evidence)} is process ${rank} alone (${named(first, files.length)}):`,
    `it ${verb} ${formatBytes(own)}, each other one ${formatBytes(each)} on average.`,
    'Let all processes take part (MPI-IO, parallel HDF5), or several aggregators.',
  );
};

/** The calls of many that go on at the same time add up to more than those of the one that all wait for. */
function isWaitedFor(share: number, others: number, { isOfCalls }: FileTimes): boolean {
  return share >= BOUNDS.share || (isOfCalls && share >= (BOUNDS.dominance * (1 - share)) / Math.max(1, others));
}

/** Processes beside this one that use a file; those without any have nothing to compare with. */
function otherUsers({ files }: CauseJob, rank: number): number {
  const ranks = new Set<number>();
  let shared = 0;
  for (const file of files) {
    if (file.rank === null) shared = Math.max(shared, file.processes - 1);
    else if (file.rank !== rank) ranks.add(file.rank);
  }
  return Math.max(shared, ranks.size);
}

/** What a process may be taken to have moved of a file of which only the sum is known. */
function evenly({ rank, bytes, processes }: CauseFile): number {
  return rank === null && processes > 0 ? bytes / processes : 0;
}

const oneOfSharedFile: Rule = (evidence) => {
  const { files, share, first } = filesWhere(evidence, ({ processes, bytes, slowestBytes }) => {
    if (processes < 2 || !slowestBytes || slowestBytes < BOUNDS.share * bytes) return false;
    return slowestBytes >= (BOUNDS.dominance * (bytes - slowestBytes)) / (processes - 1);
  });
  if (files.length === 0 || share < BOUNDS.share) return undefined;
  const { verb } = WORDS[evidence.causes.direction];
  return verdict(
    'one-writer-dominates',
    files,
    `${timeOf(share, evidence)} goes to ${named(first, files.length)}, which ${formatCount(first.processes)} processes`,
    `share, though one of them ${verb} ${formatShare(Math.min(1, first.slowestBytes! / first.bytes))} of the bytes.`,
    'Let all processes take part (collective I/O), or several aggregators.',
  );
};

/** Physics1 of Table I: all factors are low, but one file takes 95 % of the time. */
export const oneFile: Rule = (evidence) => {
  const { job, causes, times } = evidence;
  const [{ file, seconds }] = times.files as [FileTimes['files'][number]];
  const share = seconds / times.total;
  if (job.files.length < 2 || share < BOUNDS.oneFile) return undefined;
  const { path, bytes, osts } = job.files[file]!;
  const where = osts.length > 0 && osts.length <= 8 ? `It lies on storage target ${osts.join(', ')}.` : '';
  const part = causes.bytes > 0 ? formatShare(bytes / causes.bytes) : '0 %';
  return verdict(
    'one-file-dominates',
    [file],
    `${timeOf(share, evidence)} goes to ${path}, one of ${formatCount(job.files.length)} files,`,
    `with ${part} of the bytes.`,
    where,
  );
};

/** App1 of Table II: all factors are low, but files are used one after the other. */
export const filesInTurn: Rule = (evidence) => {
  const { job, causes } = evidence;
  const { critical, activeSeconds } = causes;
  if (job.processes < 2 || critical.length < BOUNDS.followingFiles) return undefined;
  if (critical[0]!.exclusiveSeconds >= BOUNDS.share * activeSeconds) return undefined;
  const lengths = job.files.reduce((sum, { start, end }) => sum + (end > start ? end - start : 0), 0);
  const atOnce = lengths / activeSeconds;
  const busy = criticalWhere(evidence, ({ processes }) => processes > job.processes / 2);
  if (atOnce > BOUNDS.concurrency || busy.share > BOUNDS.share) return undefined;
  const { done } = WORDS[causes.direction];
  const idle = causes.spanSeconds - activeSeconds;
  return verdict(
    'intermittent-files',
    critical.map(({ file }) => file),
    `${counted(critical.length, 'file')} are ${done} one after the other: ${atOnce.toFixed(1)} at once on average,`,
    `by at most half of the ${formatCount(job.processes)} processes${idle > 0 ? `, with ${seconds(idle)} without I/O between them` : ''}.`,
    'Use them at the same time, and look for synchronisation between them.',
  );
};
