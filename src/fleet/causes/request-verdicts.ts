import { formatCount, formatShare } from '../../base/quantities.ts';
import { nonConsecutivePercent, smallPercent } from './contributing-factors.ts';
import { BOUNDS, filesWhere, timeOf, verdict, WORDS, type Evidence, type Rule } from './evidence.ts';

function weighed({ times }: Evidence): string {
  return times.isOfCalls ? 'its files, each weighed by the time in its calls,' : 'the critical files';
}

/**
 * Small writes that are consecutive are no culprit: the operating system gathers them (Table II). Small reads are (Table
 * I: Quantum1 is slowed down by "one or multiple factors" and has no other).
 */
export const smallRequests: Rule = (evidence) => {
  const { smallPercent: small, nonConsecutivePercent: percent } = evidence.factors;
  if (small === null || percent === null || small <= BOUNDS.percent) return undefined;
  const scattered = percent > BOUNDS.percent;
  if (evidence.causes.direction === 'write' && !scattered) return undefined;
  const { files } = filesWhere(evidence, (file) => (smallPercent(file) ?? 0) > BOUNDS.percent);
  const { noun } = WORDS[evidence.causes.direction];
  return verdict(
    'small-requests',
    files,
    `${formatShare(small / 100)} of the ${noun}s of ${weighed(evidence)} are of at most 1 MiB,`,
    scattered
      ? `and ${formatShare(percent / 100)} do not begin where the last one ended: nothing can gather them.`
      : 'though most begin where the last one ended: reading ahead hides a part of their cost. Read larger blocks.',
  );
};

export const nonConsecutive: Rule = (evidence) => {
  const { nonConsecutivePercent: percent } = evidence.factors;
  if (percent === null || percent <= BOUNDS.percent) return undefined;
  // The first request of a process follows none: a file that each process uses once tells nothing.
  const { files, share } = filesWhere(
    evidence,
    (file) =>
      (nonConsecutivePercent(file) ?? 0) > BOUNDS.percent &&
      (file.placed ?? file.requests) > 2 * Math.max(1, file.processes),
  );
  if (share < BOUNDS.share) return undefined;
  return verdict(
    'non-consecutive-requests',
    files,
    `${formatShare(percent / 100)} of the ${WORDS[evidence.causes.direction].noun}s of ${weighed(evidence)} do not begin`,
    'where the last one ended. Order the requests by offset, or let collective I/O do it.',
  );
};

export const noCollective: Rule = (evidence) => {
  const { factors } = evidence;
  const { direction } = evidence.causes;
  const { smallPercent: small, nonConsecutivePercent: percent } = factors;
  if (factors.collective === 1 || (small ?? 0) <= BOUNDS.percent || (percent ?? 0) <= BOUNDS.percent) return undefined;
  const { files, share } = filesWhere(evidence, ({ processes }) => processes > 1);
  if (share < BOUNDS.share) return undefined;
  return verdict(
    'no-collective',
    files,
    `No ${WORDS[direction].noun} is collective, though processes share the files that take`,
    `${timeOf(share, evidence)}: MPI_File_${direction}_at_all would turn small scattered requests into few large ones.`,
  );
};

export const singleNode: Rule = ({ job, causes }) => {
  if (job.nodes !== 1 || job.processes < 2 || causes.bytes < BOUNDS.singleNodeBytes) return undefined;
  return verdict(
    'single-node',
    [],
    `All ${formatCount(job.processes)} processes run on one node: its link to the storage bounds the bandwidth.`,
  );
};
