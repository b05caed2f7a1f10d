import { groupBy } from '../../../base/grouping.ts';
import type { WorkflowDependency, WorkflowJob } from '../workflow-document.ts';
import { waitsForStart } from './schedule.ts';

/**
 * The jobs that the length of the whole hangs on: the one that ended last, of those that it waited for the one that let it go
 * last, and so on to the beginning.
 * @returns indices in the order of time; none when no job has ended.
 */
export function criticalChain(
  jobs: readonly WorkflowJob[],
  dependencies: readonly WorkflowDependency[],
): readonly number[] {
  let at: number | undefined;
  jobs.forEach(({ end }, index) => {
    if (end !== null && (at === undefined || end > jobs[at]!.end!)) at = index;
  });
  const into = groupBy(dependencies, (edge) => edge.to);
  const chain: number[] = [];
  while (at !== undefined) {
    chain.push(at);
    let last: { job: number; free: number } | undefined;
    for (const edge of into.get(at) ?? []) {
      const free = freedAt(jobs, edge);
      if (free !== null && (last === undefined || free > last.free)) last = { job: edge.from, free };
    }
    at = last?.job;
  }
  return chain.reverse();
}

/** When an earlier job let a later one go; null when that is not known. */
export function freedAt(
  jobs: readonly Pick<WorkflowJob, 'start' | 'end'>[],
  edge: Pick<WorkflowDependency, 'from' | 'type'>,
): number | null {
  const { start, end } = jobs[edge.from]!;
  return waitsForStart(edge) ? start : end;
}
