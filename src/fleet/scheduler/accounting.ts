import type { Row } from '../schema/tables.ts';

/** A job of the batch system; the store adds which log it comes from. */
export type AccountedJob = Omit<Row<'scheduler_job'>, 'log'>;
/** A step of one. */
export type AccountedStep = Omit<Row<'job_step'>, 'log'>;

/** What a table of the batch system says. */
export interface Accounting {
  /** `sacct`, `sacct-json`, `scontrol`, `squeue-json`, `jobcomp` or `joblog`. */
  readonly format: string;
  readonly jobs: AccountedJob[];
  readonly steps: AccountedStep[];
  /** What was lost, in words. */
  readonly damage: string[];
  /** What was assumed, in words. */
  readonly notes: string[];
}

const RESOURCES = {
  nodes: null,
  cpus: null,
  tasks: null,
  node_list: null,
  state: null,
  exit_code: null,
  exit_signal: null,
  start_time: null,
  end_time: null,
  elapsed_seconds: null,
};

const NO_JOB: AccountedJob = {
  cluster: null,
  job_id: null,
  array_job_id: null,
  array_task_id: null,
  name: null,
  user: null,
  account: null,
  partition: null,
  submit_time: null,
  eligible_time: null,
  ...RESOURCES,
  dependency: null,
  submit_line: null,
  work_directory: null,
};

/** A job of which only this is known. */
export function accountedJob(known: Partial<AccountedJob>): AccountedJob {
  return { ...NO_JOB, ...known };
}

/** A step of which only this is known. */
export function accountedStep(known: Partial<AccountedStep>): AccountedStep {
  return { cluster: null, job_id: null, step: null, name: null, ...RESOURCES, ...known };
}

/** Gathers what one file says. */
export class AccountingBuilder {
  private readonly jobs = new Map<string, AccountedJob>();
  private readonly steps = new Map<string, AccountedStep>();
  private readonly damage: string[] = [];
  private readonly notes = new Set<string>();
  private earlierRuns = 0;

  constructor(
    private readonly format: string,
    private readonly file: string,
  ) {}

  /** A job that was put back and ran again is listed again: the last run counts. */
  addJob(job: AccountedJob): void {
    // What remains of an array goes by the number that its last task will have.
    const remainder = job.array_job_id === job.job_id && job.array_task_id === null;
    const key = `${job.cluster} ${job.job_id} ${remainder}`;
    if (this.jobs.has(key)) this.earlierRuns++;
    this.jobs.set(key, job);
  }

  addStep(step: AccountedStep): void {
    this.steps.set(`${step.cluster} ${step.job_id} ${step.step}`, step);
  }

  /** Ten places are enough to find out what is wrong with a file. */
  lost(message: string): void {
    if (this.damage.length < 10) this.damage.push(`${this.file}: ${message}`);
    else if (this.damage.length === 10) this.damage.push(`${this.file}: more of the kind follows`);
  }

  note(message: string): void {
    this.notes.add(`${this.file}: ${message}`);
  }

  timesWithoutZone(): void {
    this.note('times say no zone and are taken as UTC (SLURM_TIME_FORMAT=%s makes them certain)');
  }

  finish(): Accounting {
    if (this.earlierRuns > 0) this.note(`${this.earlierRuns} earlier runs of jobs that ran again are left out`);
    const { format, damage } = this;
    return { format, jobs: [...this.jobs.values()], steps: [...this.steps.values()], damage, notes: [...this.notes] };
  }
}
