import { groupBy } from '../../../base/grouping.ts';
import { freedAt } from '../insights/critical-chain.ts';
import type { JobDraft } from '../jobs/job-draft.ts';
import type { WorkflowDependency } from '../workflow-document.ts';

/**
 * Seconds that each job waited although nothing but the queue kept it: from the moment when it was eligible, or, where no table
 * says when that was, when the last job that it was declared to wait for had let it go; null when nothing is known.
 */
export function queueTimes(
  jobs: readonly JobDraft[],
  declared: readonly WorkflowDependency[],
): readonly (number | null)[] {
  const into = groupBy(declared, ({ to }) => to);
  return jobs.map(({ submit, eligible, start }, index) => {
    if (submit === null || start === null) return null;
    const freed = (into.get(index) ?? []).map((edge) => freedAt(jobs, edge));
    // Of jobs of which any one was enough some end later.
    const awaited = freed.filter((time) => time !== null && time <= start).map((time) => time!);
    return Math.max(0, start - Math.max(submit, ...(eligible === null ? awaited : [eligible])));
  });
}
