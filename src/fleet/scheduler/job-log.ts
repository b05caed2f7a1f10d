import { AccountingBuilder, accountedJob, accountedStep, type Accounting, type AccountedStep } from './accounting.ts';
import { withoutStates } from './dependency.ts';
import { isNumberedStep, parseJobNumber } from './job-number.ts';
import { at } from './json-values.ts';
import { expandNodeList } from './node-list.ts';
import { dependencyOfSubmitLine } from './submit-line.ts';
import { countOf, durationOf, exitOf, instantOf, isUnfinished, stateOf, textOf } from './values.ts';

/** The job as JobLog keeps it; undefined when the text is none of its files. */
export function parseJobLog(text: string): object | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const id = field(value, 'JobID', 'JobId');
    // Profiles of OTF2-Profile have a JobId too: always 0, which no job has.
    return typeof value === 'object' && value !== null && id !== undefined && id !== '0' ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a file of JobLog, or of `iolens collect`: the names of sacct's fields at the top, or those of scontrol (Table 4.1 of the
 * dissertation), and the steps by their numbers.
 */
export function readJobLog(name: string, log: object): Accounting {
  const builder = new AccountingBuilder('joblog', name);
  const written = field(log, 'JobID', 'JobId') ?? '';
  const number = parseJobNumber(written);
  if (number === undefined) {
    builder.lost(`"${written.slice(0, 40)}" is not a job number`);
    return builder.finish();
  }
  const job = field(log, 'JobIDRaw') ?? number.job;
  const steps = stepsOf(builder, log, job);
  for (const step of steps) builder.addStep(step);
  const submitLine = textOf(field(log, 'SubmitLine'));
  const declared = textOf(field(log, 'Dependency'));
  builder.addJob(
    accountedJob({
      ...resourcesOf(builder, log, job),
      ...endOf(builder, log, steps),
      array_job_id: number.array ?? textOf(field(log, 'ArrayJobID')),
      array_task_id: number.task ?? countOf(field(log, 'ArrayTaskID')),
      user: textOf(field(log, 'User')),
      account: textOf(field(log, 'Account')),
      partition: textOf(field(log, 'Partition')),
      submit_time: timeOf(builder, log, 'Submit', 'SubmitTime'),
      eligible_time: timeOf(builder, log, 'Eligible', 'EligibleTime'),
      dependency: declared === null ? dependencyOfSubmitLine(submitLine) : withoutStates(declared),
      submit_line: submitLine,
      work_directory: textOf(field(log, 'WorkDir')),
    }),
  );
  return builder.finish();
}

function stepsOf(builder: AccountingBuilder, log: object, job: string): AccountedStep[] {
  const steps = at(log, 'steps');
  const cluster = textOf(field(log, 'Cluster'));
  if (typeof steps !== 'object' || steps === null) return [];
  return Object.entries(steps).flatMap(([key, step]) => {
    const number = parseJobNumber(key)?.step;
    // A job without steps has one that goes by the number of the job.
    if (number === undefined || number === null || !isNumberedStep(number)) return [];
    return [accountedStep({ ...resourcesOf(builder, step, job), cluster, step: number })];
  });
}

function resourcesOf(builder: AccountingBuilder, value: unknown, job: string) {
  return {
    cluster: textOf(field(value, 'Cluster')),
    job_id: job,
    name: textOf(field(value, 'JobName')),
    nodes: countOf(field(value, 'NNodes', 'NumNodes')),
    cpus: countOf(field(value, 'NCPUS', 'NumCPUs')),
    tasks: countOf(field(value, 'NTasks', 'NumTasks')),
    node_list: expandNodeList(textOf(field(value, 'NodeList'))),
    state: stateOf(field(value, 'State', 'JobState')),
    ...exitOf(field(value, 'ExitCode')),
    start_time: timeOf(builder, value, 'Start', 'StartTime'),
    end_time: timeOf(builder, value, 'End', 'EndTime'),
    elapsed_seconds: durationOf(field(value, 'Elapsed', 'RunTime')),
  };
}

/** JobLog mostly runs within the job, which is then not over: its steps are, and tell when it was nearly so. */
function endOf(builder: AccountingBuilder, log: object, steps: readonly AccountedStep[]) {
  if (timeOf(builder, log, 'End', 'EndTime') !== null || !isUnfinished(stateOf(field(log, 'State')))) return {};
  const ends = steps.flatMap(({ end_time: end }) => (end === null ? [] : [end]));
  if (ends.length === 0) return { exit_code: null, exit_signal: null };
  builder.note('written while the job ran: its end is that of its last step');
  return { end_time: ends.reduce((a, b) => Math.max(a, b)), exit_code: null, exit_signal: null };
}

function timeOf(builder: AccountingBuilder, value: unknown, ...names: readonly string[]): number | null {
  const instant = instantOf(field(value, ...names));
  if (instant?.withoutZone) builder.timesWithoutZone();
  return instant?.seconds ?? null;
}

/** The first of these names that has a value. */
function field(value: unknown, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = at(value, name);
    if (typeof found === 'string') return found;
    if (typeof found === 'number') return String(found);
  }
  return undefined;
}
