import { jsonText } from '../../export/json-text.ts';
import { isSea } from 'node:sea';
import { Option, type Command } from 'commander';
import type { FoundSource } from '../../session/fleet/source.ts';
import { slurmArray } from '../../session/fleet/slurm/slurm-array.ts';
import type { ArrayOptions, RunState } from '../../session/fleet/batch/ingest-array.ts';
import type { LocalStore } from '../../session/fleet/local-store.ts';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import { collect, NONE_GIVEN, UsageError, wholeNumber } from '../arguments.ts';
import { STATUS } from '../exit-status.ts';
import { Progress } from '../progress.ts';
import { say } from '../say.ts';

/** Runs that are missing sources tell some of them. */
const MOST_NAMED = 5;

export interface SlurmOptions {
  slurm?: true;
  partition?: string;
  time?: string;
  tasks?: number;
  maxRunning?: number;
  sbatchOption: string[];
  wait?: true;
  retries: number;
  resume?: string;
  shard?: string;
}

/** What is passed on to each task. */
interface TaskOptions extends SlurmOptions {
  workers?: number;
  memoryBudget: number;
  batchLogs: number;
  retry?: true;
  json?: true;
  progress: 'never' | 'auto' | 'plain';
}

export function withSlurmOptions(command: Command): Command {
  return command
    .option('--slurm', 'as a Slurm job array; all nodes must see the store and the folders')
    .option('--partition <name>', 'with --slurm: where the tasks run')
    .option('--time <limit>', 'with --slurm: time limit of a task, such as 01:00:00')
    .option('--tasks <number>', 'with --slurm: tasks of the array (default: by the amount of work)', wholeNumber)
    .option('--max-running <number>', 'with --slurm: tasks that run at once', wholeNumber)
    .option(
      '--sbatch-option <word>',
      'with --slurm: passed on to sbatch, such as --account=p7 (repeatable)',
      collect,
      NONE_GIVEN,
    )
    .option('--wait', 'with --slurm or --resume: wait until all is taken in')
    .option('--retries <number>', 'with --slurm or --resume: how often failed shards are tried again', wholeOrZero, 2)
    .option('--resume <run>', 'finds what an array did not take in, and submits it again')
    .addOption(new Option('--shard <file>', 'what a task of an array takes in').hideHelp());
}

export function isForSlurm({ slurm, resume }: SlurmOptions): boolean {
  return slurm === true || resume !== undefined;
}

/**
 * Submits, or looks after, an array, and tells how far it is.
 * @returns whether all is taken in.
 * @throws Error in words for the user.
 */
export async function ingestWithSlurm(
  sources: AsyncIterable<FoundSource>,
  store: LocalStore,
  options: TaskOptions,
  signal: AbortSignal,
): Promise<boolean> {
  if (options.retry === true)
    throw new UsageError('--retry: not with --slurm; a log that cannot be read is not a failed task');
  const array = slurmArray(store, ownCommand());
  const { resume, retries, wait } = options;
  const isWaiting = wait === true;
  let state =
    resume === undefined
      ? await array.start(sources, arrayOptions(store, options), isWaiting ? undefined : retries)
      : await array.resume(resume, retries, !isWaiting, askedFor(options));
  if (isWaiting) {
    if (state.kind === 'submitted') say(inWords(state));
    const left = resume !== undefined && state.kind === 'submitted' ? retries - 1 : retries;
    const shown = new Progress(options.progress, 'tasks');
    state = await array
      .wait(state, left, {
        signal,
        progress: ({ waiting, running }, all) => shown.update((all - waiting - running) / all),
      })
      .finally(() => shown.done());
  }
  tell(state, store, options.json === true);
  if (signal.aborted) throw new CancelledError('interrupted');
  return state.kind === 'done';
}

function arrayOptions(store: LocalStore, options: TaskOptions): ArrayOptions {
  const { tasks, workers = 1, memoryBudget, batchLogs } = options;
  const amounts = { '--workers': workers, '--memory-budget': memoryBudget, '--batch-logs': batchLogs };
  return {
    words: [],
    cpus: workers,
    ...askedFor(options),
    ...(tasks !== undefined && { tasks }),
    taskWords: ['--store', store.folder, ...Object.entries(amounts).map(([name, value]) => `${name}=${value}`)],
  };
}

/** What the user asks the batch system for; what was not said stays as it was. */
function askedFor({ partition, time, maxRunning, sbatchOption, workers }: TaskOptions): Partial<ArrayOptions> {
  return {
    ...(partition !== undefined && { partition }),
    ...(time !== undefined && { time }),
    ...(maxRunning !== undefined && { maxRunning }),
    ...(sbatchOption.length > 0 && { words: sbatchOption }),
    ...(workers !== undefined && { cpus: workers }),
  };
}

function tell(state: RunState, store: LocalStore, asJson: boolean): void {
  if (asJson) {
    const document = { schema: 'iolens/ingest-run-state@1', store: store.folder, ...state };
    process.stdout.write(jsonText(document));
  } else say(inWords(state));
  if (state.kind !== 'incomplete') return;
  process.exitCode = STATUS.unreadable;
  for (const { path } of state.missing.slice(0, MOST_NAMED)) say(`  not taken in: ${path}`);
}

function inWords(state: RunState): string {
  switch (state.kind) {
    case 'nothing-to-do':
      return 'nothing to do: all that was found is in the store';
    case 'submitted':
      return `run ${state.run}: ${state.sources} logs in ${state.shards} tasks, job ${state.job}`;
    case 'running':
      return `run ${state.run}: still under way${state.job === null ? '' : ` (job ${state.job})`}`;
    case 'done':
      return `run ${state.run}: all ${state.sources} logs are taken in`;
    case 'incomplete':
      return `run ${state.run}: ${state.missing.length} logs of ${state.shards} tasks are not taken in; --resume ${state.run} tries again`;
  }
}

/** How the nodes run this command line. */
function ownCommand(): string[] {
  return isSea() ? [process.execPath] : [process.execPath, process.argv[1]!];
}

function wholeOrZero(text: string): number {
  return text === '0' ? 0 : wholeNumber(text);
}
