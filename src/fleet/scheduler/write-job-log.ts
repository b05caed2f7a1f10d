import type { AccountedJob, AccountedStep } from './accounting.ts';

/** What the collector adds to JobLog's format. */
interface CollectorFacts {
  /** Of `iolens`. */
  readonly version: string;
  /** Where the dependency was declared: `command line`, `SBATCH_DEPENDENCY`, `script` or `controller`; null without one. */
  readonly dependencyFrom: string | null;
}

/**
 * A job and its steps as a file of JobLog, with what JobLog does not keep: user, account, partition, cluster, eligible time,
 * array, submit line, working directory, and the dependency always.
 */
export function jobLogOf(job: AccountedJob, steps: readonly AccountedStep[], facts: CollectorFacts): object {
  const id = job.job_id ?? '';
  const queued = job.start_time === null || job.submit_time === null ? null : job.start_time - job.submit_time;
  return {
    steps: Object.fromEntries(steps.map((step) => [`${id}.${step.step}`, fieldsOf(step)])),
    JobID: id,
    ...fieldsOf(job),
    Submit: isoOf(job.submit_time),
    QueueTime: queued === null ? null : timedelta(queued),
    Version: { Major: 0, Minor: 1 },
    Dependency: job.dependency,
    DependencyFrom: facts.dependencyFrom,
    Eligible: isoOf(job.eligible_time),
    Cluster: job.cluster,
    User: job.user,
    Account: job.account,
    Partition: job.partition,
    ArrayJobID: job.array_job_id,
    ArrayTaskID: textOf(job.array_task_id),
    SubmitLine: job.submit_line,
    WorkDir: job.work_directory,
    Collector: { Name: 'iolens', Version: facts.version },
  };
}

/** By the names of sacct's fields, all texts. */
function fieldsOf(row: AccountedJob | AccountedStep) {
  return {
    NNodes: textOf(row.nodes) ?? '',
    NTasks: textOf(row.tasks) ?? '',
    NCPUS: textOf(row.cpus) ?? '',
    Start: isoOf(row.start_time),
    End: isoOf(row.end_time),
    Elapsed: row.elapsed_seconds === null ? '' : clock(row.elapsed_seconds, '-'),
    JobName: row.name ?? '',
    NodeList: row.node_list?.join(',') ?? '',
    ExitCode: row.exit_code === null && row.exit_signal === null ? '' : `${row.exit_code ?? 0}:${row.exit_signal ?? 0}`,
    State: row.state ?? '',
  };
}

function textOf(value: number | null): string | null {
  return value === null ? null : String(value);
}

function isoOf(seconds: number | null): string | null {
  return seconds === null ? null : new Date(seconds * 1000).toISOString().replace(/\.000Z$|Z$/, '+00:00');
}

/** As Python writes a timedelta, since JobLog does: `1 day, 2:03:04`. */
function timedelta(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const rest = clock(seconds - days * 86_400, '').replace(/^0(\d:)/, '$1');
  return days === 0 ? rest : `${days} day${days === 1 ? '' : 's'}, ${rest}`;
}

/** `HH:MM:SS`, days before the joint. */
function clock(seconds: number, joint: string): string {
  const whole = Math.round(seconds);
  const days = joint === '' ? 0 : Math.floor(whole / 86_400);
  const rest = whole - days * 86_400;
  const parts = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60];
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return days === 0 ? text : `${days}${joint}${text}`;
}
