import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { BackendReport, RunFacts } from '../../replay/backends/backend.ts';
import { backendKind } from '../../replay/backends/catalogue.ts';
import type { Variables } from '../../replay/expressions/evaluate.ts';
import { needsMpi } from '../../replay/mpi/instructions.ts';
import type { ReplayProgram } from '../../replay/program.ts';
import { barriersOf } from '../../replay/run/barriers.ts';
import { contentNamesMemory } from '../../replay/run/content-names.ts';
import { ReplayError } from '../../replay/run/replay-error.ts';
import type { ContentReport } from '../../replay/run/surroundings.ts';
import { synchronisationMemory } from '../../replay/run/synchronisation.ts';
import { MOST_OPERATIONS } from '../../replay/run/task-program.ts';
import type { SessionResources } from '../session-resources.ts';
import { CancelledError } from '../worker/worker-protocol.ts';
import { hasNativeRanks, obstacleToRanks, runRanks } from './rank-processes.ts';
import { prepareFolder } from './replay-folder.ts';
import type { DoneTask, FailedCall, TaskEnd, TaskStart } from './task-protocol.ts';

export { ReplayError };

export interface ReplayOptions {
  /** Number of tasks: SIZE. */
  readonly size: number;
  /** The folder that the replay stays below: absent or empty, unless `existing`. */
  readonly directory: string;
  /** Where replay-task.cjs is. */
  readonly resources: SessionResources;
  /** Names of back ends (BACKEND_NAMES); none by default. */
  readonly backends?: readonly string[];
  /** Writes what can be told apart by file, place and writer, and looks at it when it is read. */
  readonly checkContent?: boolean;
  /** Variables of expressions; those of the environment by default. */
  readonly variables?: Variables;
  /** Calls that the system refuses are counted, and do not end the replay. */
  readonly keepGoing?: boolean;
  /** The folder may hold files, which are read, overwritten and deleted. */
  readonly existing?: boolean;
  /** Operations of one task; a thousand million by default. */
  readonly mostOperations?: number;
  /** Threads unless said. What calls MPI runs by MPI, whatever is said. */
  readonly engine?: ReplayEngine;
  /** Ends all tasks. */
  readonly signal?: AbortSignal;
}

/**
 * What runs the tasks: threads of Node; processes of a program in C, which are as quick as the program that was recorded and
 * have real positions, duplicates and locks (`native`), or the same by mpirun (`mpi`); `quickest`: native where that is possible.
 */
export type ReplayEngine = 'threads' | 'native' | 'mpi' | 'quickest';

/** What a replay did. */
export interface ReplayReport extends RunFacts {
  readonly operations: number;
  /** Calls that the system refused, and the first of them. */
  readonly failures: number;
  readonly failed: readonly FailedCall[];
  readonly backends: readonly BackendReport[];
  /** Where contents were checked. */
  readonly content: ContentReport | undefined;
}

/** Tasks in one replay: each is a thread. */
export const MOST_TASKS = 4096;
const PREPARING = { size: 1, backends: [] };
/** Failures and wrong places that a report names. */
const MOST_NAMED = 20;

/**
 * Runs a replay program on files below a folder, each task in a thread of its own (docs/decisions/0101).
 * @throws ReplayError, ExpressionError or RangeError in words for the user; CancelledError.
 */
export async function runProgram(program: ReplayProgram, options: ReplayOptions): Promise<ReplayReport> {
  const { size, signal } = options;
  if (!(Number.isInteger(size) && size >= 1 && size <= MOST_TASKS))
    throw new RangeError(`${size} tasks: 1 to ${MOST_TASKS} are possible`);
  const kinds = (options.backends ?? []).map(backendKind);
  const barriers = barriersOf(program, size);
  const { folder, read = readFile } = options.resources;
  const script = new TextDecoder().decode(await read(path.join(folder, 'replay-task.cjs')));
  const root = prepareFolder(options.directory, options.existing ?? false);
  const start: Omit<TaskStart, 'rank'> = {
    program,
    size,
    variables: { ...(options.variables ?? process.env) },
    root,
    existing: options.existing ?? false,
    backends: kinds.map(({ name }) => name),
    checkContent: options.checkContent ?? false,
    keepGoing: options.keepGoing ?? false,
    mostOperations: options.mostOperations ?? MOST_OPERATIONS,
    synchronisation: synchronisationMemory(size, barriers.size),
    contentNames: contentNamesMemory(),
  };
  const engine = await engineFor(start, options);
  // Of tasks that are processes what is there before them is made by one thread.
  if (engine !== 'threads')
    await runThreads(script, { ...start, ...PREPARING, program: { ...program, tasks: [] } }, signal);
  const ends =
    engine === 'threads'
      ? await runThreads(script, start, signal)
      : await runRanks(start, engine, kinds, options.resources, signal);
  return reportOf(
    ends,
    kinds.map(({ report }) => report),
    options.checkContent ?? false,
  );
}

async function engineFor(
  start: Omit<TaskStart, 'rank'>,
  { engine = 'threads', resources }: Pick<ReplayOptions, 'engine' | 'resources'>,
): Promise<Exclude<ReplayEngine, 'quickest'>> {
  if (needsMpi(start.program)) return 'mpi';
  if (engine !== 'quickest') return engine;
  // Processes tell sums, no single calls.
  if (start.backends.includes('EventLog') || obstacleToRanks(start, 'native') !== undefined) return 'threads';
  return (await hasNativeRanks(resources)) ? 'native' : 'threads';
}

/** All tasks' ends, by rank. */
async function runThreads(
  script: string,
  start: Omit<TaskStart, 'rank'>,
  signal: AbortSignal | undefined,
): Promise<DoneTask[]> {
  if (signal?.aborted === true) throw new CancelledError('the replay was cancelled');
  const threads = Array.from(
    { length: start.size },
    (_, rank) => new Worker(script, { eval: true, workerData: { ...start, rank } satisfies TaskStart }),
  );
  let cancel = (): void => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    cancel = () => reject(new CancelledError('the replay was cancelled'));
  });
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const ends = await Promise.race([Promise.all(threads.map(endOf)), cancelled]);
    const failed = ends.find((end) => end.kind === 'failed');
    if (failed !== undefined) throw new ReplayError(failed.message);
    return ends.filter((end) => end.kind === 'done');
  } finally {
    signal?.removeEventListener('abort', cancel);
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

/** @throws Error when the thread ends without a word: the race is lost, and all others are ended. */
function endOf(thread: Worker, rank: number): Promise<TaskEnd> {
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', (error) => {
      const { message } = error;
      reject(new ReplayError(`the thread of rank ${rank} failed: ${message}`));
    });
    thread.once('exit', (code) => reject(new ReplayError(`the thread of rank ${rank} ended with ${code}`)));
  });
}

function reportOf(
  ends: readonly DoneTask[],
  reports: readonly ((states: readonly unknown[], run: RunFacts) => BackendReport)[],
  checked: boolean,
): ReplayReport {
  const began = Math.min(...ends.map((end) => end.began));
  const ended = Math.max(...ends.map((end) => end.ended));
  const run: RunFacts = { size: ends.length, seconds: ended - began };
  const sum = (value: (end: DoneTask) => number): number => ends.reduce((total, end) => total + value(end), 0);
  return {
    ...run,
    operations: sum((end) => end.operations),
    failures: sum((end) => end.failures),
    failed: ends.flatMap((end) => end.failed).slice(0, MOST_NAMED),
    backends: reports.map((report, index) =>
      report(
        ends.map((end) => end.states[index]),
        run,
      ),
    ),
    content: checked ? contentOf(ends.map((end) => end.content)) : undefined,
  };
}

function contentOf(contents: readonly ContentReport[]): ContentReport {
  const sum = (value: (content: ContentReport) => number): number =>
    contents.reduce((total, content) => total + value(content), 0);
  return {
    right: sum((content) => content.right),
    unwritten: sum((content) => content.unwritten),
    wrong: sum((content) => content.wrong),
    unchecked: sum((content) => content.unchecked),
    wrongPlaces: contents.flatMap((content) => content.wrongPlaces).slice(0, MOST_NAMED),
  };
}
