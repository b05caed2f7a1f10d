import path from 'node:path';
import type { Command } from 'commander';
import { collectJob } from '../session/fleet/slurm/collect-job.ts';
import { collectSubmission } from '../session/fleet/slurm/collect-submit.ts';
import { UsageError } from './arguments.ts';
import { say } from './say.ts';
import { VERSION } from './version.ts';

/** Where the files go unless told. */
const FOLDER_VARIABLE = 'IOLENS_JOB_LOGS';

/** `iolens collect`: keeps what Slurm forgets, for `iolens workflow`. */
export function addCollect(program: Command): void {
  const collect = program.command('collect').description('keep what the batch system forgets about jobs');
  collect
    .command('submit')
    .description('run sbatch, and keep what was declared: joblog_ID.json')
    .argument('<command...>', 'after --: sbatch with its options')
    .option('-o, --output <dir>', `folder (default: ${FOLDER_VARIABLE}, or this one)`)
    .passThroughOptions()
    .action(async (command: string[], { output }: { output?: string }) => {
      if (path.basename(command[0] ?? '') !== 'sbatch')
        throw new UsageError(`collect submit: sbatch is expected after --, not ${command[0] ?? 'nothing'}`);
      const { status, file } = await collectSubmission(command, folderOf(output), VERSION);
      if (file !== null) say(`kept in ${file}`);
      process.exitCode = Number.isNaN(status) ? 1 : status;
    });
  collect
    .command('job')
    .description('for an epilogue or the end of a job script: keep what is known of a job in joblog_ID.json')
    .argument('[jobid]', 'number of the job (default: SLURM_JOB_ID)')
    .option('-o, --output <dir>', `folder (default: ${FOLDER_VARIABLE}, or this one)`)
    .action(async (given: string | undefined, { output }: { output?: string }) => {
      const id = given ?? process.env['SLURM_JOB_ID'];
      if (id === undefined) throw new UsageError('collect job: name a job; SLURM_JOB_ID is not set here');
      if (!/^\d+$/.test(id)) throw new UsageError(`collect job: "${id}" is not a job number`);
      say(`kept in ${await collectJob(id, folderOf(output), VERSION)}`);
    });
}

function folderOf(output: string | undefined): string {
  return output ?? process.env[FOLDER_VARIABLE] ?? '.';
}
