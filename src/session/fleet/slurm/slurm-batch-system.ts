import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BatchOptions, BatchSystem, BatchWork, OpenTasks } from '../../../fleet/batch/batch-system.ts';
import { taskNumbers } from '../../../fleet/batch/task-numbers.ts';
import { requiredOutput, clusterTool } from './cluster-tool.ts';

/** Slurm's default for MaxArraySize; the largest number of a task is one less. */
const USUAL_ARRAY_SIZE = 1001;

/** What runs on a node. Nothing is ever put into the text of a script: the command comes as words behind it. */
const TASK_SCRIPT = `#!/bin/sh
folder=$1
shift
exec "$@" "$folder/$SLURM_ARRAY_TASK_ID.json"
`;
const STEP_SCRIPT = `#!/bin/sh
exec "$@"
`;

/** The Slurm of this machine, by its commands. */
export class SlurmBatchSystem implements BatchSystem {
  readonly name = 'Slurm';

  async mostTasks(): Promise<number> {
    const configuration = await requiredOutput('scontrol', ['show', 'config']);
    const size = Number(/^\s*MaxArraySize\s*=\s*(\d+)/m.exec(configuration)?.[1] ?? USUAL_ARRAY_SIZE);
    return Math.max(1, size - 1);
  }

  async submitArray(work: BatchWork, numbers: readonly number[], options: BatchOptions): Promise<string> {
    const script = await scriptIn(work.folder, 'task.sh', TASK_SCRIPT);
    const atOnce = options.maxRunning === undefined ? '' : `%${options.maxRunning}`;
    const words = [`--array=${taskNumbers(numbers)}${atOnce}`, '--output=task-%A-%a.out', ...placeWords(work, options)];
    return submit([...words, script, work.folder, ...work.command]);
  }

  async submitAfter(job: string, work: BatchWork, options: BatchOptions): Promise<string> {
    const script = await scriptIn(work.folder, 'step.sh', STEP_SCRIPT);
    const words = [
      `--dependency=afterany:${job}`,
      '--output=step-%j.out',
      ...placeWords(work, { ...options, cpus: 1 }),
    ];
    return submit([...words, script, ...work.command]);
  }

  async openTasks(job: string): Promise<OpenTasks> {
    const answer = await clusterTool('squeue', ['--noheader', '--array', `--jobs=${job}`, '--format=%T']);
    if (answer === undefined)
      throw new Error('squeue: not found; are the commands of Slurm installed on this machine?');
    // The controller forgets jobs that are over.
    if (answer.status !== 0 && /Invalid job id/i.test(answer.errors)) return { waiting: 0, running: 0 };
    if (answer.status !== 0) throw new Error(`squeue failed (status ${answer.status}): ${answer.errors.trim()}`);
    // A task that is COMPLETING has ended; its node is cleared up.
    const states = answer.output.split(/\s+/).filter((state) => state !== '' && state !== 'COMPLETING');
    const waiting = states.filter((state) => state === 'PENDING').length;
    return { waiting, running: states.length - waiting };
  }
}

function placeWords({ name, folder }: BatchWork, options: BatchOptions): string[] {
  return [
    '--parsable',
    `--job-name=${name}`,
    `--chdir=${folder}`,
    `--cpus-per-task=${options.cpus}`,
    ...(options.partition === undefined ? [] : [`--partition=${options.partition}`]),
    ...(options.time === undefined ? [] : [`--time=${options.time}`]),
    ...options.words,
  ];
}

async function submit(words: readonly string[]): Promise<string> {
  const output = await requiredOutput('sbatch', words);
  const job = /^(\d+)(;.*)?$/m.exec(output)?.[1];
  if (job === undefined) throw new Error(`sbatch: a number of a job is expected, not "${output.trim().slice(0, 200)}"`);
  return job;
}

async function scriptIn(folder: string, name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}
