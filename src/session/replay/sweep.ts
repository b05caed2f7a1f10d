import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../../record/make-folders.ts';
import type { ReplayNode, ReplayProgram } from '../../replay/program.ts';
import { messageOf } from '../../base/error-message.ts';
import { OPEN_MODE } from '../../trace/events.ts';
import type { SessionResources } from '../session-resources.ts';
import { MOST_TASKS, ReplayError, runProgram } from './run-program.ts';

interface SweepOptions {
  /** Numbers of tasks. */
  readonly sizes: readonly number[];
  /** Bytes of one transfer. */
  readonly bytes: readonly number[];
  /** Bytes that each task moves at each point; rounded up to whole transfers. */
  readonly perTask: number;
  /** All tasks in one file, each in its own part; otherwise a file for each task. */
  readonly shared: boolean;
  /** By C streams, as the application of the paper's figures does; otherwise by read and write. */
  readonly buffered: boolean;
  /** Runs of each point; the median counts. */
  readonly repeat: number;
  readonly directory: string;
  readonly resources: SessionResources;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, all: number) => void;
}

/** Bytes per second of all tasks together. */
interface SweepPoint {
  readonly tasks: number;
  readonly bytes: number;
  readonly write: number;
  readonly read: number;
}

/** Bytes that the points of one sweep may hold on the disk at once. */
const MOST_BYTES = 2 ** 40;

/**
 * Measures a file system over number of tasks and transfer size (Figs. 9 and 10 of the DIOS paper). Writing counts until
 * the data is on the disk (fsync); reading comes after it, from wherever the system keeps the data. Everything happens in
 * a new folder within the directory, which is removed again.
 * @throws RangeError, ReplayError or CancelledError, in words for the user.
 */
export async function runSweep(options: SweepOptions): Promise<SweepPoint[]> {
  const { sizes, bytes, repeat, progress } = options;
  for (const tasks of sizes)
    if (tasks > MOST_TASKS || tasks * options.perTask > MOST_BYTES)
      throw new RangeError(`${tasks} tasks with ${options.perTask} bytes each are more than a sweep measures`);
  const folder = newFolder(options.directory);
  try {
    const points: SweepPoint[] = [];
    const all = sizes.length * bytes.length * repeat;
    let done = 0;
    for (const tasks of sizes)
      for (const size of bytes) {
        const runs: { write: number; read: number }[] = [];
        for (let time = 0; time < repeat; time++) {
          progress?.(done++, all);
          runs.push(await measure(options, path.join(folder, 'run'), tasks, size));
        }
        const write = median(runs.map((run) => run.write));
        points.push({ tasks, bytes: size, write, read: median(runs.map((run) => run.read)) });
      }
    progress?.(all, all);
    return points;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function newFolder(directory: string): string {
  try {
    makeFolders(directory);
    return mkdtempSync(path.join(directory, 'iolens-sweep-'));
  } catch (error) {
    throw new ReplayError(`${directory} cannot be measured: ${messageOf(error)}`);
  }
}

async function measure(
  options: SweepOptions,
  directory: string,
  size: number,
  bytes: number,
): Promise<{ write: number; read: number }> {
  const { resources, signal } = options;
  const common = { size, directory, resources, existing: true, ...(signal && { signal }) };
  const written = await runProgram(sweepProgram(options, bytes, 'write'), { ...common, backends: ['WriteBandwidth'] });
  const read = await runProgram(sweepProgram(options, bytes, 'read'), { ...common, backends: ['ReadBandwidth'] });
  rmSync(directory, { recursive: true, force: true });
  const rate = (report: typeof read): number => report.backends[0]!.values['bytesPerSecond'] as number;
  return { write: rate(written), read: rate(read) };
}

/** What is run at one point: also a sample of what a program for any number of tasks looks like. */
function sweepProgram(
  { perTask, shared, buffered }: Pick<SweepOptions, 'perTask' | 'shared' | 'buffered'>,
  bytes: number,
  direction: 'read' | 'write',
): ReplayProgram {
  const count = Math.max(1, Math.ceil(perTask / bytes));
  const path = shared ? 'shared' : 'task.{RANK:4}';
  const offset = shared ? `RANK * ${count} * ${bytes}` : 0;
  const isWrite = direction === 'write';
  const slot = 0;
  const nodes: ReplayNode[] = buffered
    ? [
        // A stream of "w" would cut what the other tasks write.
        { operation: 'open', slot: 1, path, mode: isWrite ? 1 | OPEN_MODE.create : 0 },
        { operation: 'close', slot: 1 },
        { operation: 'fopen', slot, path, mode: isWrite ? 'r+' : 'r' },
        { operation: 'buf_seek', slot, offset, whence: 0 },
        {
          operation: 'series',
          count,
          variable: '',
          body: [{ operation: isWrite ? 'buf_write' : 'buf_read', slot, bytes }],
        },
      ]
    : [
        { operation: 'open', slot, path, mode: isWrite ? 1 | OPEN_MODE.create : 0 },
        { operation: 'seek', slot, offset, whence: 0 },
        { operation: 'series', count, variable: '', body: [{ operation: direction, slot, bytes }] },
      ];
  if (isWrite) nodes.push({ operation: 'sync', slot, dataOnly: false });
  nodes.push({ operation: buffered ? 'fclose' : 'close', slot });
  return { tasks: [{ ranks: 'all', body: nodes }], pools: [], datatypes: [], inputs: [] };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
