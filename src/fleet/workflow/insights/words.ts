import { formatDuration } from '../../../base/quantities.ts';
import type { WorkflowInsight, WorkflowJob } from '../workflow-document.ts';

/** `90 s`, of seconds. */
export const seconds = (value: number): string => (value <= 0 ? '0 s' : formatDuration(value * 1e9));

/** `job 43`, `jobs 43 and 45`, `jobs 1, 2, 3 and 7 more`. */
export function jobNames(jobs: readonly WorkflowJob[], indices: readonly number[], most = 6): string {
  const ids = indices.slice(0, most).map((index) => jobs[index]!.id);
  const more = indices.length - ids.length;
  if (more > 0) ids.push(`${more} more`);
  return `${indices.length === 1 ? 'job' : 'jobs'} ${listed(ids)}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}

/** `step 2 of job 43 (43.1, solve)`: counted from 1 as in the graph, with what the batch system calls it. */
export function stepName(job: WorkflowJob, step: number): string {
  const { id, name } = job.steps[step]!;
  const called = name === '' || name === id ? id : `${id}, ${name}`;
  return job.steps.length === 1 ? `job ${job.id} (${called})` : `step ${step + 1} of job ${job.id} (${called})`;
}

/** How much of the whole something costs decides how loudly it is said. */
export function severityOf(saved: number | null, whole: number | null): WorkflowInsight['severity'] {
  if (saved === null || whole === null || whole <= 0) return 'info';
  const share = saved / whole;
  return share >= 0.2 ? 'high' : share >= 0.05 ? 'warn' : 'info';
}
