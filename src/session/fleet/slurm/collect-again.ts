import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AccountedJob } from '../../../fleet/scheduler/accounting.ts';
import { readAccounting } from '../../../fleet/scheduler/read-accounting.ts';
import { isUnfinished } from '../../../fleet/scheduler/values.ts';
import { messageOf } from '../../../base/error-message.ts';
import { collectJob, jobTables } from './collect-job.ts';

/** Folders within folders that are looked into, as those of a workflow are. */
const MOST_DEPTH = 8;
/** Jobs that the batch system is asked about for one workflow. */
const MOST_JOBS = 1000;

/**
 * Asks the batch system again for jobs that were not over when `iolens collect` wrote of them: a file from the last line of a job
 * script calls its job running for ever. Only where it still speaks of the same job: numbers come round again.
 * @returns what became of each, in words for the user.
 */
export async function collectAgain(folder: string, version: string): Promise<string[]> {
  const notes: string[] = [];
  const files = await collectedFiles(path.resolve(folder), 0);
  const unfinished = (await Promise.all(files.map(unfinishedJob))).filter((found) => found !== undefined);
  for (const { file, job } of unfinished.slice(0, MOST_JOBS)) {
    const written = `${file}: job ${job.job_id} was ${job.state} when this was written`;
    try {
      notes.push(`${written}; ${await askedAgain(file, job, version)}`);
    } catch (error) {
      notes.push(`${written}, and it stays so (${messageOf(error)})`);
    }
  }
  if (unfinished.length > MOST_JOBS)
    notes.push(`${unfinished.length - MOST_JOBS} more files are of jobs that were not over; they stay as they are`);
  return notes;
}

async function askedAgain(file: string, before: AccountedJob, version: string): Promise<string> {
  const id = before.job_id!;
  const now = (await jobTables(id)).flatMap(({ jobs }) => jobs);
  if (now.length === 0) return 'the batch system says nothing about it any more: it stays so';
  const isSame = ({ cluster, submit_time: submit }: AccountedJob): boolean =>
    (cluster === null || before.cluster === null || cluster === before.cluster) &&
    (submit === null || before.submit_time === null || Math.abs(submit - before.submit_time) < 1);
  if (!now.every(isSame)) return 'the batch system knows another job of this number: it stays so';
  await collectJob(id, path.dirname(file), version);
  const after = await jobIn(file);
  return after === undefined || isUnfinished(after.state)
    ? 'it is not over yet'
    : `it is ${after.state} now, as the batch system says, and the file was renewed`;
}

async function collectedFiles(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = entries.filter((entry) => entry.isFile() && /^joblog_\d+\.json$/.test(entry.name));
  const inner = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && depth < MOST_DEPTH);
  const below = await Promise.all(inner.map(({ name }) => collectedFiles(path.join(folder, name), depth + 1)));
  return [...own.map(({ name }) => path.join(folder, name)), ...below.flat()].sort();
}

async function unfinishedJob(file: string): Promise<{ file: string; job: AccountedJob } | undefined> {
  const job = await jobIn(file);
  // Only its own file is written anew.
  const isOwn = path.basename(file) === `joblog_${job?.job_id}.json`;
  return isOwn && job !== undefined && isUnfinished(job.state) ? { file, job } : undefined;
}

/** The job of a file that `iolens collect` wrote; JobLog's own are left alone. */
async function jobIn(file: string): Promise<AccountedJob | undefined> {
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined || !/"Collector":\s*\{\s*"Name":\s*"iolens"/.test(bytes.toString())) return undefined;
  return readAccounting(path.basename(file), bytes)?.jobs[0];
}
