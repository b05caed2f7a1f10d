import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AccountedJob, AccountedStep, Accounting } from '../../../fleet/scheduler/accounting.ts';
import { mergeAccountings } from '../../../fleet/scheduler/merge-accountings.ts';
import { readAccounting } from '../../../fleet/scheduler/read-accounting.ts';
import { dependencyOfSubmitLine } from '../../../fleet/scheduler/submit-line.ts';
import { jobLogOf } from '../../../fleet/scheduler/write-job-log.ts';
import { messageOf } from '../../../base/error-message.ts';
import { LocalStore } from '../local-store.ts';

/** Files of the collector, `joblog_ID.json` in a folder: what was kept of a job when it was submitted is kept when it ends. */
export class JobLogFiles {
  private readonly folder: LocalStore;

  /** @param version of `iolens`, for the files. */
  constructor(
    folder: string,
    private readonly version: string,
  ) {
    this.folder = new LocalStore(path.resolve(folder));
  }

  /**
   * Puts what is known now together with what the file says, and writes it: all of it or nothing.
   * @param declaredIn where the dependency was declared, if somebody has just found out.
   * @returns the file.
   * @throws Error in words for the user.
   */
  async add(id: string, tables: readonly Accounting[], declaredIn: string | null): Promise<string> {
    const name = nameOf(id);
    const before = await this.read(name);
    const { jobs, steps } = mergeAccountings([...tables, ...(before === undefined ? [] : [before.accounting])]);
    const found = jobs.find((each) => each.job_id === id);
    if (found === undefined) throw new Error(`job ${id}: the batch system says nothing about it`);
    const { job, from } = await this.withDependency(found, declaredIn ?? before?.dependencyFrom ?? null);
    const dependencyFrom = job.dependency === null ? null : (from ?? saidBy(job));
    const own = steps.filter((step) => step.job_id === id).sort(byNumber);
    const log = jobLogOf(job, own, { version: this.version, dependencyFrom });
    await this.folder
      .write(name, new TextEncoder().encode(`${JSON.stringify(log, null, 1)}\n`))
      .catch((error: unknown) => {
        const reason = messageOf(error);
        throw new Error(`${this.folder.location(name)}: cannot be written: ${reason}`, { cause: error });
      });
    return this.folder.location(name);
  }

  /** What a task of an array waits for was declared for the array, and stands in its file. */
  private async withDependency(
    job: AccountedJob,
    from: string | null,
  ): Promise<{ job: AccountedJob; from: string | null }> {
    if (from !== null || job.array_job_id === null || job.array_job_id === job.job_id) return { job, from };
    const array = await this.read(nameOf(job.array_job_id));
    const dependency = array?.accounting.jobs[0]?.dependency ?? null;
    return dependency === null ? { job, from } : { job: { ...job, dependency }, from: array!.dependencyFrom };
  }

  private async read(name: string): Promise<{ accounting: Accounting; dependencyFrom: string | null } | undefined> {
    const bytes = await readFile(this.folder.location(name)).catch(() => undefined);
    const accounting = bytes && readAccounting(name, bytes);
    if (bytes === undefined || accounting === undefined) return undefined;
    const { DependencyFrom: from } = JSON.parse(bytes.toString()) as { DependencyFrom?: unknown };
    return { accounting, dependencyFrom: typeof from === 'string' ? from : null };
  }
}

function saidBy({ submit_line: line, dependency }: AccountedJob): string {
  return dependencyOfSubmitLine(line) === dependency ? 'command line' : 'controller';
}

/** Numbers only: they become names of files. */
function nameOf(id: string): string {
  if (!/^\d+$/.test(id)) throw new Error(`"${id}" is not a job number`);
  return `joblog_${id}.json`;
}

function byNumber(a: AccountedStep, b: AccountedStep): number {
  return parseFloat(a.step ?? '') - parseFloat(b.step ?? '');
}
