import type { AccountedJob, AccountedStep } from '../../scheduler/accounting.ts';
import type { JobDraft, StepDraft } from './job-draft.ts';

/** The jobs that tables of the batch system list, with their steps. */
export function accountedJobs(jobs: readonly AccountedJob[], steps: readonly AccountedStep[]): JobDraft[] {
  const stepsOf = new Map<string, AccountedStep[]>();
  for (const step of steps) {
    const key = keyOf(step);
    stepsOf.set(key, [...(stepsOf.get(key) ?? []), step]);
  }
  return jobs.flatMap((job) => {
    if (job.job_id === null) return [];
    // What is left of an array in the queue has the number of one of its tasks.
    return [draftOf(job, job.job_id, isRemainder(job) ? [] : (stepsOf.get(keyOf(job)) ?? []))];
  });
}

function isRemainder({ job_id: number, array_job_id: array, array_task_id: task, state }: AccountedJob): boolean {
  return array === number && task === null && state === 'PENDING';
}

function keyOf({
  cluster,
  job_id: number,
}: {
  readonly cluster: string | null;
  readonly job_id: string | null;
}): string {
  return `${cluster ?? ''} ${number ?? ''}`;
}

function draftOf(job: AccountedJob, number: string, accounted: readonly AccountedStep[]): JobDraft {
  const isTask = job.array_job_id !== null && job.array_task_id !== null;
  const id = isTask ? `${job.array_job_id}_${job.array_task_id}` : number;
  const steps = accounted.map((step) => stepOf(id, step)).sort(byStartThenNumber);
  const resources = resourcesOf(job);
  const end = resources.end ?? (isOver(job.state, steps) ? latest(steps) : null);
  const { start } = resources;
  const draft = {
    ...resources,
    end,
    elapsed: start !== null && end !== null ? end - start : resources.elapsed,
    id,
    number,
    array: job.array_job_id,
    task: job.array_task_id,
    name: job.name ?? '',
    user: job.user,
    submit: job.submit_time,
    eligible: job.eligible_time,
    declared: job.dependency,
    workDirectory: job.work_directory,
  };
  if (steps.length > 0 || start === null) return { ...draft, steps };
  // What a job script starts without srun is one step that has no number of its own.
  return { ...draft, steps: [{ ...resources, end, id, step: '0', name: draft.name, recordings: [] }] };
}

/** What JobLog wrote inside of a job calls it running: it is over as far as its steps show, when all of them are. */
function isOver(state: string | null, steps: readonly StepDraft[]): boolean {
  return state !== 'PENDING' && steps.length > 0 && steps.every(({ end }) => end !== null);
}

function latest(steps: readonly StepDraft[]): number {
  return Math.max(...steps.map(({ end }) => end!));
}

function stepOf(job: string, step: AccountedStep): StepDraft {
  const number = step.step ?? '0';
  return { ...resourcesOf(step), id: `${job}.${number}`, step: number, name: step.name ?? '', recordings: [] };
}

function resourcesOf(accounted: AccountedJob | AccountedStep): Omit<StepDraft, 'id' | 'step' | 'name' | 'recordings'> {
  const { start_time: start, end_time: end, elapsed_seconds: elapsed } = accounted;
  return {
    state: accounted.state ?? '',
    exitCode: accounted.exit_code,
    start,
    end,
    elapsed: elapsed ?? (start !== null && end !== null ? end - start : null),
    nodes: accounted.nodes,
    cpus: accounted.cpus,
    tasks: accounted.tasks,
    nodeList: accounted.node_list ?? [],
  };
}

/** Steps in the order of time; Slurm's numbers tell those of one second apart. */
export function byStartThenNumber(
  a: { readonly start: number | null; readonly id: string },
  b: { readonly start: number | null; readonly id: string },
): number {
  const [first, second] = [a.start ?? Infinity, b.start ?? Infinity];
  if (first !== second) return first - second;
  return a.id.localeCompare(b.id, 'en', { numeric: true });
}
