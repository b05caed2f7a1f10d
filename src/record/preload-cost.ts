/** What recording by the library costs on this machine: measured beforehand by a small program, with and without it. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { preloadVariables } from './preload-recorder.ts';
import { countRecorded } from './recorded-chunks.ts';

/** Of a recorded call; NaN when it could not be measured. */
export interface PreloadCost {
  /** Nanoseconds without a stack. */
  readonly plain: number;
  /** Nanoseconds with a call stack of a few frames; deeper ones cost more. */
  readonly withStack: number;
  /** Bytes in the recording. */
  readonly bytes: number;
}

export const UNKNOWN_COST: PreloadCost = { plain: NaN, withStack: NaN, bytes: NaN };

/** Reads and writes of one byte by `dd`: a short and a longer run, whose difference is that of the calls alone. */
const FEW = 1000;
const MANY = 41_000;
const CALLS = 2 * (MANY - FEW);
const REPEATS = 3;

/**
 * Measures for about half a second.
 * @param parent folder on the file system that the recording goes to.
 */
export async function measurePreload(library: string, parent: string): Promise<PreloadCost> {
  const folder = await mkdtemp(path.join(parent, '.iolens-cost-')).catch(() => undefined);
  if (folder === undefined) return UNKNOWN_COST;
  try {
    const record = (stackDepth: number): NodeJS.ProcessEnv =>
      preloadVariables(library, folder, { stackDepth }, process.env);
    const without = await timeOf({});
    const plain = (await timeOf(record(0))) - without;
    const withStack = (await timeOf(record(64))) - without;
    const { bytes, calls } = await countRecorded(folder);
    return { plain: positive(plain / CALLS), withStack: positive(withStack / CALLS), bytes: positive(bytes / calls) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function positive(value: number): number {
  return value > 0 ? value : NaN;
}

/** Nanoseconds of the calls between the short and the longer run, the shortest of each. */
async function timeOf(variables: NodeJS.ProcessEnv): Promise<number> {
  let [short, long] = [Infinity, Infinity];
  for (let i = 0; i < REPEATS; i++) {
    short = Math.min(short, await wallTime(FEW, variables));
    long = Math.min(long, await wallTime(MANY, variables));
  }
  return long - short;
}

/** Nanoseconds; NaN when it fails. */
function wallTime(count: number, variables: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const started = process.hrtime.bigint();
    const options = ['if=/dev/zero', 'of=/dev/null', 'bs=1', `count=${count}`];
    const child = spawn('dd', options, { stdio: 'ignore', env: { ...process.env, ...variables } });
    child.on('error', () => {
      resolve(NaN);
    });
    child.on('close', (code) => {
      resolve(code === 0 ? Number(process.hrtime.bigint() - started) : NaN);
    });
  });
}

/**
 * Nanoseconds of a recorded run that were the recorder's, at most: those of the process with the most calls, since
 * processes run beside each other.
 */
export function recordingTime(mostCalls: number, cost: PreloadCost, hasStacks: boolean, sample: number): number {
  const stack = hasStacks ? (cost.withStack - cost.plain) / sample : 0;
  return mostCalls * (cost.plain + stack);
}
