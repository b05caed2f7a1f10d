import type { Accounting } from '../../../fleet/scheduler/accounting.ts';
import { readAccounting } from '../../../fleet/scheduler/read-accounting.ts';
import { JobLogFiles } from './job-log-files.ts';
import { clusterTool } from './cluster-tool.ts';

/** The columns of sacct that `scheduler_job` and `job_step` have; free text last, since nothing quotes it. */
const FIELDS = [
  'JobIDRaw,JobID,Cluster,User,Account,Partition,State,ExitCode,Submit,Eligible,Start,End,ElapsedRaw',
  'NNodes,NTasks,NCPUS,NodeList,JobName,WorkDir',
].join(',');
/** Slurm 21.08 and later. */
const WITH_SUBMIT_LINE = `${FIELDS},SubmitLine`;

/**
 * Keeps what the batch system knows of a job in `joblog_ID.json`: from its accounting (`sacct`) where there is one, and from the
 * controller, which knows for some minutes after the end. For an epilogue, or the last line of a job script.
 * @returns the file.
 * @throws Error in words for the user.
 */
export async function collectJob(id: string, folder: string, version: string): Promise<string> {
  return new JobLogFiles(folder, version).add(id, await jobTables(id), null);
}

/** What controller and accounting say of a job; none when both know nothing. @throws Error in words for the user. */
export async function jobTables(id: string): Promise<Accounting[]> {
  // It may stand in a file that anybody wrote, and becomes a word of a command.
  if (!/^\d+$/.test(id)) throw new Error(`"${id}" is not a job number`);
  const tables = [await controllerTable(id), ...(await accountingTables(id))];
  return tables.filter((table) => table !== undefined);
}

/** What the controller says of a job. */
export async function controllerTable(id: string): Promise<Accounting | undefined> {
  const answer = await clusterTool('scontrol', ['show', 'job', '--details', '--oneliner', id]);
  if (answer === undefined)
    throw new Error('scontrol: not found; are the commands of Slurm installed on this machine?');
  return answer.status === 0 ? tableOf('scontrol', id, answer.output) : undefined;
}

async function accountingTables(id: string): Promise<Accounting[]> {
  for (const fields of [WITH_SUBMIT_LINE, FIELDS]) {
    const answer = await clusterTool('sacct', ['--parsable2', `--jobs=${id}`, `--format=${fields}`]);
    const table = answer?.status === 0 ? tableOf('sacct', id, answer.output) : undefined;
    if (table !== undefined) return [table];
  }
  return [];
}

/** Of an array both commands tell all tasks. */
function tableOf(name: string, id: string, output: string): Accounting | undefined {
  const table = readAccounting(name, new TextEncoder().encode(output));
  if (table === undefined) return undefined;
  const jobs = table.jobs.filter((job) => job.job_id === id);
  return jobs.length === 0 ? undefined : { ...table, jobs, steps: table.steps.filter((step) => step.job_id === id) };
}
