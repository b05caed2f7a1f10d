import { backendKind } from '../../replay/backends/catalogue.ts';
import { bindNumber, type Names } from '../../replay/expressions/evaluate.ts';
import { ExpressionError } from '../../replay/expressions/expression-error.ts';
import { bindPath } from '../../replay/expressions/path-template.ts';
import { barriersOf } from '../../replay/run/barriers.ts';
import { ContentNames } from '../../replay/run/content-names.ts';
import { errorCode, type Clock } from '../../replay/run/file-calls.ts';
import { PoolFiles } from '../../replay/run/pool-files.ts';
import { ReplayError } from '../../replay/run/replay-error.ts';
import { DeadlockError, StoppedError, Synchronisation } from '../../replay/run/synchronisation.ts';
import { TaskProgram } from '../../replay/run/task-program.ts';
import { TaskRun } from '../../replay/run/task-run.ts';
import { messageOf } from '../../base/error-message.ts';
import { ReplayFolder } from './replay-folder.ts';
import type { FailedCall, TaskEnd, TaskStart } from './task-protocol.ts';

/** Failed calls that a task names. */
const MOST_NAMED = 5;
/** Seconds that one wait of the system can last. */
const LONGEST_WAIT = 2 ** 31 / 1000 - 1;

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

const clock: Clock = {
  now: () => performance.now() / 1000,
  sleep: (seconds) => {
    for (let left = seconds; left > 0; left -= LONGEST_WAIT)
      Atomics.wait(neverWoken, 0, 0, 1000 * Math.min(left, LONGEST_WAIT));
  },
};

/** Seconds of a clock that all threads of this process share. */
function commonClock(): number {
  return Number(process.hrtime.bigint()) / 1e9;
}

/** Does all that one task does, from its first preparations to its end. */
export function runTask(start: TaskStart): TaskEnd {
  const barriers = barriersOf(start.program, start.size);
  const synchronisation = new Synchronisation(start.synchronisation, start.size, start.rank, [...barriers.values()]);
  const names: Names = { size: start.size, rank: start.rank, series: [], variables: start.variables };
  let program: TaskProgram | undefined;
  const place = (): string => program?.place ?? 'before its first operation';
  try {
    program = new TaskProgram(start.program, names, start.mostOperations);
    const pools = new Map(start.program.pools.map((pool) => [pool.name, new PoolFiles(pool, names)]));
    const backends = start.backends.map((name) => backendKind(name).start(() => synchronisation.nextNumber()));
    const numbered = [...barriers].map(([key, tasks], number) => [key, { number, tasks }] as const);
    const contentNames = new ContentNames(start.contentNames, (act) => synchronisation.exclusively(act));
    const task = new TaskRun({
      rank: start.rank,
      size: start.size,
      calls: new ReplayFolder(start.root, start.existing),
      clock,
      synchronisation,
      barriers: new Map(numbered),
      pools,
      backends,
      contentNames: start.checkContent ? contentNames : undefined,
      place,
    });
    prepare(task, start, names, pools.values());
    synchronisation.meet(0);
    const began = commonClock();
    const counts = runOperations(task, program, start, synchronisation);
    const ended = commonClock();
    synchronisation.end();
    const states = backends.map((backend) => backend.state());
    return { kind: 'done', rank: start.rank, began, ended, ...counts, states, content: task.content };
  } catch (error) {
    if (error instanceof StoppedError) return { kind: 'stopped', rank: start.rank };
    synchronisation.stop();
    return { kind: 'failed', rank: start.rank, message: wordsFor(error, start.rank, place()) };
  }
}

/** Makes this task's share of what must be there before the replay. */
function prepare(task: TaskRun, { program, rank, size }: TaskStart, names: Names, pools: Iterable<PoolFiles>): void {
  program.inputs.forEach(({ path, bytes }, number) => {
    // Of the task that makes it, a path may not depend.
    if (number % size === rank) task.prepare(bindPath(path, { ...names, rank: 0 })([]), bindNumber(bytes, names)([]));
  });
  for (const pool of pools) for (const { path, bytes } of pool.toMake()) task.prepare(path, bytes);
}

type Counts = Pick<TaskEnd & { kind: 'done' }, 'operations' | 'failures' | 'failed'>;

function runOperations(
  task: TaskRun,
  program: TaskProgram,
  { rank, keepGoing }: TaskStart,
  synchronisation: Synchronisation,
): Counts {
  const failed: FailedCall[] = [];
  let operations = 0;
  let failures = 0;
  for (const operation of program.operations()) {
    if (synchronisation.isStopped) throw new StoppedError('another task failed');
    operations++;
    try {
      task.do(operation);
    } catch (error) {
      if (!keepGoing || errorCode(error) === '') throw error;
      failures++;
      if (failed.length < MOST_NAMED) failed.push({ rank, message: wordsFor(error, rank, program.place) });
    }
  }
  task.finish();
  return { operations, failures, failed };
}

function wordsFor(error: unknown, rank: number, place: string): string {
  // These say where by themselves.
  if (error instanceof DeadlockError || error instanceof ExpressionError) return error.message;
  const message = messageOf(error);
  const isExpected = error instanceof ReplayError || error instanceof RangeError || errorCode(error) !== '';
  const words = isExpected || !(error instanceof Error) ? message : (error.stack ?? message);
  return `rank ${rank}, ${place}: ${words}`;
}
