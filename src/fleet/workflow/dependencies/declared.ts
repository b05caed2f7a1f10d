import { addToGroup } from '../../../base/grouping.ts';
import { parseDependency, type AwaitedJob, type DeclaredTerm } from '../../scheduler/dependency.ts';
import type { JobDraft } from '../jobs/job-draft.ts';
import type { WorkflowDependency } from '../workflow-document.ts';

interface DeclaredDependencies {
  readonly dependencies: WorkflowDependency[];
  /** What was declared and leads nowhere, in words. */
  readonly notes: string[];
}

/** The dependencies that the batch system was told. */
export function declaredDependencies(jobs: readonly JobDraft[]): DeclaredDependencies {
  const dependencies: WorkflowDependency[] = [];
  const notes: string[] = [];
  const seen = new Set<string>();
  const byNumber = new Map<string, number[]>();
  const note = (number: string | null, index: number): void => {
    if (number === null) return;
    addToGroup(byNumber, number, index);
  };
  jobs.forEach(({ number, array }, index) => {
    note(number, index);
    if (array !== number) note(array, index);
  });
  jobs.forEach((job, to) => {
    if (job.declared === null) return;
    const { terms, unknown } = parseDependency(job.declared);
    for (const text of unknown) notes.push(`job ${job.id}: the dependency "${text}" cannot be understood`);
    for (const term of terms) {
      for (const from of term.type === 'singleton' ? namesakes(jobs, to) : awaited(term, jobs, to, byNumber, notes)) {
        if (from >= to)
          notes.push(`job ${job.id} waits for job ${jobs[from]!.id}, which began later: this dependency is not shown`);
        else if (isNew(seen, `${from} ${to}`))
          dependencies.push({ kind: 'declared', from, to, fromStep: null, toStep: null, files: [], type: term.type });
      }
    }
  });
  return { dependencies, notes };
}

/** Notes a key. @returns whether it was not noted before. */
function isNew(seen: Set<string>, key: string): boolean {
  const before = seen.size;
  return seen.add(key).size > before;
}

function awaited(
  { type, jobs: awaitedJobs }: DeclaredTerm,
  jobs: readonly JobDraft[],
  to: number,
  byNumber: ReadonlyMap<string, readonly number[]>,
  notes: string[],
): number[] {
  return awaitedJobs.flatMap((named) => {
    const found = (byNumber.get(named.job) ?? []).filter((index) => index !== to && isMeant(jobs[index]!, named));
    if (found.length === 0)
      notes.push(`job ${jobs[to]!.id} waits for job ${named.job}, which none of the tables lists`);
    const { task } = jobs[to]!;
    return type === 'aftercorr' && task !== null ? found.filter((index) => jobs[index]!.task === task) : found;
  });
}

/** The number of an array means all its tasks, and one of them has it as its own. */
function isMeant({ array, number, task }: JobDraft, named: AwaitedJob): boolean {
  return named.task === null || (named.task === task && (array === named.job || number === named.job));
}

/** The job of the same name and user that ended last before. */
function namesakes(jobs: readonly JobDraft[], to: number): number[] {
  const { name, user, start } = jobs[to]!;
  let last: number | undefined;
  jobs.forEach((job, index) => {
    if (index >= to || job.name !== name || job.user !== user || job.end === null) return;
    if (start !== null && job.end > start) return;
    if (last === undefined || job.end >= jobs[last]!.end!) last = index;
  });
  return last === undefined ? [] : [last];
}
