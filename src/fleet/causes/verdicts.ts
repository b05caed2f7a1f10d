import { counted, formatRate } from '../../base/quantities.ts';
import type { CauseFile, CauseJob, Causes, Verdict } from './causes.ts';
import { BOUNDS, criticalWhere, named, seconds, timeOf, verdict, WORDS, type Evidence } from './evidence.ts';
import { contendedTargets, filesInTurn, oneFile, oneTargetForAll, oneWriter } from './file-verdicts.ts';
import { noCollective, nonConsecutive, singleNode, smallRequests } from './request-verdicts.ts';

type Found = Omit<Causes, 'verdicts'>;

/**
 * What slows a job down: first what the critical files show, then the sums (Tables I and II of IOMiner and their text).
 *
 * The time of a file runs from its first call to its last: one that is hardly used in between, such as a log, hides the
 * others behind it. What such files hide is judged without them.
 *
 * @param find the causes of a job with other files.
 */
export function findVerdicts(job: CauseJob, causes: Found, find: (job: CauseJob) => Found): Verdict[] {
  if (causes.activeSeconds === 0) return [];
  const evidence = { job, causes };
  if (criticalWhere(evidence, isSparse).share < BOUNDS.share) return verdictsOf(evidence);
  const numbers = job.files.flatMap((file, number) => (isSparse(file) ? [] : [number]));
  const others = { ...job, files: numbers.map((number) => job.files[number]!) };
  const found = find(others);
  if (found.bytes === 0 || found.bandwidth === null) return [sparseFiles(evidence), ...verdictsOf(evidence)];
  const hidden = verdictsOf({ job: others, causes: found }).map((each) => ({
    ...each,
    message: `Without these files: ${each.message}`,
    files: each.files.map((file) => numbers[file]!),
  }));
  return [sparseFiles(evidence, found), ...hidden];
}

function verdictsOf(evidence: Evidence): Verdict[] {
  const structural = [oneTargetForAll, contendedTargets, oneWriter].map((rule) => rule(evidence));
  const explained = structural.some((found) => found?.files[0] === evidence.causes.critical[0]!.file);
  const others = [
    ...(explained ? [] : [oneFile]),
    filesInTurn,
    smallRequests,
    nonConsecutive,
    noCollective,
    singleNode,
  ];
  return [...structural, ...others.map((rule) => rule(evidence))].filter((found) => found !== undefined);
}

/** Calls of all its processes together take hardly any of the time between the first and the last. */
function isSparse({ start, end, summedSeconds }: CauseFile): boolean {
  return summedSeconds !== null && summedSeconds <= BOUNDS.filled * (end - start);
}

/** @param without the causes of the job without them, where something is left. */
function sparseFiles(evidence: Evidence, without?: Found): Verdict {
  const { job, causes } = evidence;
  const { files, share, first } = criticalWhere(evidence, isSparse);
  const calls = files.reduce((sum, file) => sum + job.files[file]!.summedSeconds!, 0);
  const { noun, done } = WORDS[causes.direction];
  const rest =
    without === undefined
      ? ''
      : `Without them, ${counted(without.critical.length, 'critical file takes', 'critical files take')} ${seconds(without.activeSeconds)}: ${formatRate(without.bandwidth!)}.`;
  return verdict(
    'intermittent-files',
    files,
    `${timeOf(share, evidence)} goes to ${named(first, files.length)}, ${done} intermittently:`,
    `between the first ${noun} and the last, the calls take ${seconds(calls)} only.`,
    rest,
  );
}
