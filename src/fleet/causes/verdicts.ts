import { counted, formatBytes, formatCount, formatDuration, formatShare } from '../../analysis/quantities.ts';
import type { CauseFile, CauseJob, Causes, Direction, Verdict, VerdictKind } from './causes.ts';
import { contention, nonConsecutivePercent, smallPercent } from './contributing-factors.ts';

/** From where on a factor weighs: the bounds of the paper's section III.F, and ours where it names none (docs/causes.md). */
const BOUNDS = {
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
  /** Share of the critical path that calls fill, at most, in files used intermittently. */
  filled: 0.2,
  /** Bytes from which on the link of a single node may limit a job. */
  singleNodeBytes: 2 ** 30,
};

interface Evidence {
  readonly job: CauseJob;
  readonly causes: Omit<Causes, 'verdicts'>;
}

type Rule = (evidence: Evidence) => Verdict | undefined;

const WORDS: Readonly<Record<Direction, { noun: string; verb: string; done: string }>> = {
  read: { noun: 'read', verb: 'reads', done: 'read' },
  write: { noun: 'write', verb: 'writes', done: 'written' },
};

/** What slows a job down: first what the critical files show, then the sums (Tables I and II of IOMiner and their text). */
export function findVerdicts(job: CauseJob, causes: Omit<Causes, 'verdicts'>): Verdict[] {
  if (causes.activeSeconds === 0) return [];
  const evidence = { job, causes };
  const structural = [oneTargetForAll, contendedTargets, oneWriter].map((rule) => rule(evidence));
  const explained = structural.some((verdict) => verdict?.files[0] === causes.critical[0]!.file);
  const others = [
    ...(explained ? [] : [oneFile]),
    intermittent,
    smallRequests,
    nonConsecutive,
    noCollective,
    singleNode,
  ];
  return [...structural, ...others.map((rule) => rule(evidence))].filter((verdict) => verdict !== undefined);
}

/** The critical files of a kind, and the share of the active time that is theirs. */
function criticalWhere({ job, causes }: Evidence, condition: (file: CauseFile) => boolean) {
  const found = causes.critical.filter(({ file }) => condition(job.files[file]!));
  const seconds = found.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0);
  const files = found.map(({ file }) => file);
  return { files, share: seconds / causes.activeSeconds, first: job.files[files[0] ?? 0]! };
}

function verdict(kind: VerdictKind, files: readonly number[], ...sentences: string[]): Verdict {
  return { kind, files, message: sentences.filter((sentence) => sentence !== '').join(' ') };
}

function timeOf(share: number, { causes }: Evidence): string {
  return `${formatShare(share)} of the ${WORDS[causes.direction].noun} time on the critical path`;
}

/** `/scratch/a`, or `/scratch/a and 3 more files`. */
function named(first: CauseFile, count: number): string {
  return count === 1 ? first.path : `${first.path} and ${counted(count - 1, 'more file')}`;
}

/** Physics1.1 of Table II: all processes write to one large file on only one target. */
const oneTargetForAll: Rule = (evidence) => {
  const { files, share, first } = criticalWhere(
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

const contendedTargets: Rule = (evidence) => {
  const { files, share, first } = criticalWhere(
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
const oneWriter: Rule = (evidence) => oneRank(evidence) ?? oneOfSharedFile(evidence);

const oneRank: Rule = (evidence) => {
  const { job, causes } = evidence;
  const seconds = new Map<number, number>();
  for (const { file, exclusiveSeconds } of causes.critical) {
    const { rank } = job.files[file]!;
    if (rank !== null) seconds.set(rank, (seconds.get(rank) ?? 0) + exclusiveSeconds);
  }
  let rank = -1;
  for (const [one, time] of seconds) if (time > (seconds.get(rank) ?? 0)) rank = one;
  const { files, share, first } = criticalWhere(evidence, (file) => file.rank === rank);
  if (job.processes < 2 || files.length === 0 || share < BOUNDS.share) return undefined;
  const own = job.files.reduce((sum, file) => sum + (file.rank === rank ? file.bytes : evenly(file)), 0);
  const others = (causes.bytes - own) / Math.max(1, otherUsers(job, rank));
  if (own < BOUNDS.dominance * others) return undefined;
  const { verb } = WORDS[causes.direction];
  return verdict(
    'one-writer-dominates',
    files,
    `${timeOf(share, evidence)} is process ${rank} alone (${named(first, files.length)}):`,
    `it ${verb} ${formatBytes(own)}, each other one ${formatBytes(others)} on average.`,
    'Let all processes take part (MPI-IO, parallel HDF5), or several aggregators.',
  );
};

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
  const { files, share, first } = criticalWhere(evidence, ({ processes, bytes, slowestBytes }) => {
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
const oneFile: Rule = (evidence) => {
  const { job, causes } = evidence;
  const [{ file, exclusiveSeconds }] = causes.critical as [Causes['critical'][number]];
  const share = exclusiveSeconds / causes.activeSeconds;
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

/** App1 of Table II: all factors are low, but files are used one after the other, or hardly at all in their time. */
const intermittent: Rule = (evidence) => sparseCalls(evidence) ?? filesInTurn(evidence);

const sparseCalls: Rule = (evidence) => {
  const { job, causes } = evidence;
  let filled = 0;
  for (const { file, exclusiveSeconds } of causes.critical) {
    const { summedSeconds } = job.files[file]!;
    if (summedSeconds === null) return undefined;
    filled += Math.min(exclusiveSeconds, summedSeconds);
  }
  if (filled > BOUNDS.filled * causes.activeSeconds) return undefined;
  const { noun, done } = WORDS[causes.direction];
  return verdict(
    'intermittent-files',
    causes.critical.map(({ file }) => file),
    `Files are ${done} intermittently: the calls take at most ${seconds(filled)} of the ${seconds(causes.activeSeconds)}`,
    `between the first and the last ${noun} of the critical files. The program does something else in between.`,
  );
};

const filesInTurn: Rule = (evidence) => {
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

/**
 * Small writes that are consecutive are no culprit: the operating system gathers them (Table II). Small reads are (Table
 * I: Quantum1 is slowed down by "one or multiple factors" and has no other).
 */
const smallRequests: Rule = (evidence) => {
  const { smallPercent: small, nonConsecutivePercent: percent } = evidence.causes.factors;
  if (small === null || percent === null || small <= BOUNDS.percent) return undefined;
  const scattered = percent > BOUNDS.percent;
  if (evidence.causes.direction === 'write' && !scattered) return undefined;
  const { files } = criticalWhere(evidence, (file) => (smallPercent(file) ?? 0) > BOUNDS.percent);
  const { noun } = WORDS[evidence.causes.direction];
  return verdict(
    'small-requests',
    files,
    `${formatShare(small / 100)} of the ${noun}s of the critical files are smaller than 1 MB,`,
    scattered
      ? `and ${formatShare(percent / 100)} do not begin where the last one ended: nothing can gather them.`
      : 'though most begin where the last one ended: reading ahead hides a part of their cost. Read larger blocks.',
  );
};

const nonConsecutive: Rule = (evidence) => {
  const { nonConsecutivePercent: percent } = evidence.causes.factors;
  if (percent === null || percent <= BOUNDS.percent) return undefined;
  // The first request of a process follows none: a file that each process uses once tells nothing.
  const { files, share } = criticalWhere(
    evidence,
    (file) => (nonConsecutivePercent(file) ?? 0) > BOUNDS.percent && file.requests > 2 * Math.max(1, file.processes),
  );
  if (share < BOUNDS.share) return undefined;
  return verdict(
    'non-consecutive-requests',
    files,
    `${formatShare(percent / 100)} of the ${WORDS[evidence.causes.direction].noun}s of the critical files do not begin`,
    'where the last one ended. Order the requests by offset, or let collective I/O do it.',
  );
};

const noCollective: Rule = (evidence) => {
  const { factors, direction } = evidence.causes;
  const { smallPercent: small, nonConsecutivePercent: percent } = factors;
  if (factors.collective === 1 || (small ?? 0) <= BOUNDS.percent || (percent ?? 0) <= BOUNDS.percent) return undefined;
  const { files, share } = criticalWhere(evidence, ({ processes }) => processes > 1);
  if (share < BOUNDS.share) return undefined;
  return verdict(
    'no-collective',
    files,
    `No ${WORDS[direction].noun} is collective, though processes share the files that take`,
    `${timeOf(share, evidence)}: MPI_File_${direction}_at_all would turn small scattered requests into few large ones.`,
  );
};

const singleNode: Rule = ({ job, causes }) => {
  if (job.nodes !== 1 || job.processes < 2 || causes.bytes < BOUNDS.singleNodeBytes) return undefined;
  return verdict(
    'single-node',
    [],
    `All ${formatCount(job.processes)} processes run on one node: its link to the storage bounds the bandwidth.`,
  );
};

function seconds(value: number): string {
  return formatDuration(value * 1e9);
}
