import {
  accountedJob,
  accountedStep,
  type AccountedStep,
  type Accounting,
  type AccountingBuilder,
} from './accounting.ts';
import { isNumberedStep } from './job-number.ts';
import { readJsonJobs } from './json-jobs.ts';
import { at, exitAt, jobAt, numberAt, stateAt, textAt, timeAt } from './json-values.ts';
import { expandNodeList } from './node-list.ts';
import { dependencyOfSubmitLine } from './submit-line.ts';
import { isUnfinished, isWaiting } from './values.ts';

/** Reads what `sacct --json` printed, Slurm 21.08 to 24.11. */
export function readSacctJson(name: string, bytes: Uint8Array): Accounting {
  return readJsonJobs('sacct-json', name, bytes, addJob);
}

function addJob(builder: AccountingBuilder, job: unknown, id: string): void {
  const cluster = textAt(job, 'cluster');
  const submitLine = textAt(job, 'submit_line');
  const state = stateAt(job, 'state', 'current');
  const array = jobAt(job, 'array', 'job_id');
  builder.addJob(
    accountedJob({
      cluster,
      job_id: id,
      array_job_id: array,
      array_task_id: array === null ? null : numberAt(job, 'array', 'task_id'),
      name: textAt(job, 'name'),
      user: textAt(job, 'user') ?? textAt(job, 'association', 'user'),
      account: textAt(job, 'account'),
      partition: textAt(job, 'partition'),
      submit_time: timeAt(job, 'time', 'submission'),
      eligible_time: timeAt(job, 'time', 'eligible'),
      nodes: numberAt(job, 'allocation_nodes'),
      cpus: allocated(job, 'cpu') ?? numberAt(job, 'required', 'CPUs'),
      node_list: expandNodeList(textAt(job, 'nodes')),
      state,
      ...exitOf(builder, job, state),
      ...timesOf(job, isWaiting(state)),
      dependency: dependencyOfSubmitLine(submitLine),
      submit_line: submitLine,
      work_directory: textAt(job, 'working_directory'),
    }),
  );
  const steps = at(job, 'steps');
  for (const step of Array.isArray(steps) ? steps : []) {
    const row = stepOf(builder, step, cluster, id);
    if (row !== undefined) builder.addStep(row);
  }
}

function stepOf(
  builder: AccountingBuilder,
  step: unknown,
  cluster: string | null,
  job: string,
): AccountedStep | undefined {
  const number = stepNumber(at(step, 'step', 'id'));
  if (number === undefined) return undefined;
  const state = stateAt(step, 'state');
  return accountedStep({
    cluster,
    job_id: job,
    step: number,
    name: textAt(step, 'step', 'name'),
    nodes: numberAt(step, 'nodes', 'count'),
    cpus: allocated(step, 'cpu'),
    tasks: numberAt(step, 'tasks', 'count'),
    node_list: expandNodeList(textAt(step, 'nodes', 'range')),
    state,
    ...exitOf(builder, step, state),
    ...timesOf(step, false),
  });
}

/** `0`, `"23.0"`, `{step_id: "0"}`; undefined for batch, extern and interactive, whose numbers are at the end of 32 bits. */
function stepNumber(id: unknown): string | undefined {
  if (typeof id === 'number') return id >= 0 && id < 0xfffffff0 ? String(id) : undefined;
  if (typeof id === 'string') {
    const number = id.slice(id.indexOf('.') + 1);
    return isNumberedStep(number) ? number : undefined;
  }
  return id === null || id === undefined ? undefined : stepNumber(at(id, 'step_id') ?? at(id, 'number'));
}

/** Slurm 22.05 says `return_code: 0` of all, whatever sacct's text says. */
function exitOf(builder: AccountingBuilder, value: unknown, state: string | null) {
  const exit = exitAt(value);
  const impossible = state === 'FAILED' && exit.exit_code === 0 && exit.exit_signal === 0;
  if (impossible) builder.note('exit codes of failed jobs and steps are not in this JSON (it says 0)');
  return impossible || isUnfinished(state) ? { exit_code: null, exit_signal: null } : exit;
}

function timesOf(value: unknown, waiting: boolean) {
  return {
    start_time: waiting ? null : timeAt(value, 'time', 'start'),
    end_time: waiting ? null : timeAt(value, 'time', 'end'),
    elapsed_seconds: waiting ? null : numberAt(value, 'time', 'elapsed'),
  };
}

function allocated(value: unknown, type: string): number | null {
  const resources = at(value, 'tres', 'allocated');
  if (!Array.isArray(resources)) return null;
  return numberAt(
    resources.find((resource) => at(resource, 'type') === type),
    'count',
  );
}
