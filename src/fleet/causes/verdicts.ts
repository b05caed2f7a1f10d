import { counted, formatRate, formatShare } from '../../base/quantities.ts';
import type { CauseFile, CauseJob, Causes, Verdict } from './causes.ts';
import {
  BOUNDS,
  criticalWhere,
  evidenceOf,
  named,
  seconds,
  verdict,
  WORDS,
  type Evidence,
  type Rule,
} from './evidence.ts';
import { contendedTargets, filesInTurn, oneFile, oneTargetForAll, oneWriter } from './file-verdicts.ts';
import { noCollective, nonConsecutive, singleNode, smallRequests } from './request-verdicts.ts';

type Found = Omit<Causes, 'verdicts'>;

/**
 * What slows a job down: first what the critical files show, then the sums (Tables I and II of IOMiner and their text).
 *
 * The time of a file on the path runs from its first call to its last: one that is hardly used in between, such as a
 * log, hides the others behind it. Where the time in calls is known, that decides; else what such files hide is judged
 * without them.
 *
 * @param find the causes of a job with other files.
 */
export function findVerdicts(job: CauseJob, causes: Found, find: (job: CauseJob) => Found): Verdict[] {
  if (causes.activeSeconds === 0) return [];
  const evidence = evidenceOf(job, causes);
  if (criticalWhere(evidence, isSparse).share < BOUNDS.share) return verdictsOf(evidence);
  const numbers = job.files.flatMap((file, number) => (isSparse(file) ? [] : [number]));
  const others = { ...job, files: numbers.map((number) => job.files[number]!) };
  const found = find(others);
  if (found.bytes === 0 || found.bandwidth === null) return [sparseFiles(evidence), ...verdictsOf(evidence)];
  const without = evidenceOf(others, found);
  const renamed = (hidden: Verdict): Verdict => ({
    ...hidden,
    message: `Without these files: ${hidden.message}`,
    files: hidden.files.map((file) => numbers[file]!),
  });
  // The time in calls tells by itself which files matter; in which order they are used only the path does.
  const hidden = evidence.times.isOfCalls ? [filesInTurn(without)] : verdictsOf(without);
  return [
    sparseFiles(evidence, found),
    ...(evidence.times.isOfCalls ? verdictsOf(evidence, []) : []),
    ...hidden.filter((one) => one !== undefined).map(renamed),
  ];
}

/** @param ofThePath rules that go by when files are used. */
function verdictsOf(evidence: Evidence, ofThePath: readonly Rule[] = [filesInTurn]): Verdict[] {
  const structural = [oneTargetForAll, contendedTargets, oneWriter].map((rule) => rule(evidence));
  const explained = structural.some((found) => found?.files[0] === evidence.times.files[0]!.file);
  const others = [
    ...(explained ? [] : [oneFile]),
    ...ofThePath,
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
    `${formatShare(share)} of the critical path is ${named(first, files.length)}, ${done} intermittently:`,
    `between the first ${noun} and the last, the calls take ${seconds(calls)} only.`,
    rest,
  );
}
