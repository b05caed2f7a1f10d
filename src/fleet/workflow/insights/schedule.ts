import type { WorkflowDependency, WorkflowJob } from '../workflow-document.ts';

type Edge = Pick<WorkflowDependency, 'from' | 'to' | 'type'>;

/** Whether the later job waits for the start of the earlier one only (`after:42`). */
export function waitsForStart({ type }: Pick<WorkflowDependency, 'type'>): boolean {
  return type === 'after';
}

/**
 * Seconds that the jobs would take together if each began as soon as those it waits for have ended, with no queue and as
 * many nodes as wanted: the length of the longest way. Dependencies lead from jobs that stand earlier to later ones.
 */
export function shortestRun(jobs: readonly WorkflowJob[], dependencies: readonly Edge[]): number {
  const begins = new Float64Array(jobs.length);
  const into: Edge[][] = jobs.map(() => []);
  for (const edge of dependencies) into[edge.to]!.push(edge);
  let length = 0;
  jobs.forEach(({ elapsed }, index) => {
    for (const edge of into[index]!) {
      const free = begins[edge.from]! + (waitsForStart(edge) ? 0 : (jobs[edge.from]!.elapsed ?? 0));
      if (free > begins[index]!) begins[index] = free;
    }
    length = Math.max(length, begins[index]! + (elapsed ?? 0));
  });
  return length;
}
