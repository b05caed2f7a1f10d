import { accountedJob, type Accounting, type AccountingBuilder } from './accounting.ts';
import { withoutStates } from './dependency.ts';
import { readJsonJobs } from './json-jobs.ts';
import { exitAt, jobAt, numberAt, stateAt, textAt, timeAt } from './json-values.ts';
import { expandNodeList } from './node-list.ts';
import { dependencyOfSubmitLine } from './submit-line.ts';
import { isUnfinished, isWaiting } from './values.ts';

/** Reads what `squeue --json` or `scontrol show job --json` printed: the dependencies of jobs that still wait are in it. */
export function readSqueueJson(name: string, bytes: Uint8Array): Accounting {
  return readJsonJobs('squeue-json', name, bytes, addJob);
}

function addJob(builder: AccountingBuilder, job: unknown, id: string): void {
  const state = stateAt(job, 'job_state');
  const array = jobAt(job, 'array_job_id');
  const submitLine = textAt(job, 'submit_line');
  const declared = textAt(job, 'dependency');
  const start = isWaiting(state) ? null : timeAt(job, 'start_time');
  const end = isUnfinished(state) ? null : timeAt(job, 'end_time');
  builder.addJob(
    accountedJob({
      cluster: textAt(job, 'cluster'),
      job_id: id,
      array_job_id: array,
      array_task_id: array === null ? null : numberAt(job, 'array_task_id'),
      name: textAt(job, 'name'),
      user: textAt(job, 'user_name'),
      account: textAt(job, 'account'),
      partition: textAt(job, 'partition'),
      submit_time: timeAt(job, 'submit_time'),
      eligible_time: timeAt(job, 'eligible_time'),
      nodes: numberAt(job, 'node_count'),
      cpus: numberAt(job, 'cpus'),
      tasks: numberAt(job, 'tasks'),
      node_list: expandNodeList(textAt(job, 'nodes')),
      state,
      ...(isUnfinished(state) ? {} : exitAt(job)),
      start_time: start,
      end_time: end,
      elapsed_seconds: start === null || end === null ? null : end - start,
      dependency: declared === null ? dependencyOfSubmitLine(submitLine) : withoutStates(declared),
      submit_line: submitLine,
      work_directory: textAt(job, 'current_working_directory'),
    }),
  );
}
