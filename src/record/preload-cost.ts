/** What recording by the library costs on this machine: measured beforehand by a small program, with and without it. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { preloadVariables } from './preload-recorder.ts';
import { countRecorded } from './recorded-chunks.ts';

/** NaN when it could not be measured. */
export interface PreloadCost {
  /** Nanoseconds of a recorded call without a stack. */
  readonly plain: number;
  /** Nanoseconds of one with a call stack of a few frames; deeper ones cost more. */
  readonly withStack: number;
  /** Bytes of a call in the recording. */
  readonly bytes: number;
  /** Nanoseconds by which a process starts and ends later: loading the library, making the file. */
  readonly start: number;
}

export const UNKNOWN_COST: PreloadCost = { plain: NaN, withStack: NaN, bytes: NaN, start: NaN };

/** Reads and writes of one byte by `dd`: a short and a longer run, whose difference is that of the calls alone. */
const FEW = 1000;
const MANY = 41_000;
const CALLS = 2 * (MANY - FEW);
/** A busy machine needs more rounds until nothing of it is left in the shortest runs. */
const [FEWEST_ROUNDS, MOST_ROUNDS] = [3, 8];

/**
 * Measures for about half a second, on a busy machine up to two.
 * @param parent folder on the file system that the recording goes to.
 */
export async function measurePreload(library: string, parent: string): Promise<PreloadCost> {
  const folder = await mkdtemp(path.join(parent, '.iolens-cost-')).catch(() => undefined);
  if (folder === undefined) return UNKNOWN_COST;
  try {
    const record = (stackDepth: number): NodeJS.ProcessEnv =>
      preloadVariables(library, folder, { stackDepth }, process.env);
    const without = new Times({});
    const plain = new Times(record(0));
    const withStacks = new Times(record(64));
    const ofCall = ({ short, long }: Times): number => (long - short - (without.long - without.short)) / CALLS;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      for (const times of [without, plain, withStacks]) await times.measure();
      if (round + 1 >= FEWEST_ROUNDS && ofCall(plain) > 0 && ofCall(withStacks) > 0) break;
    }
    const { bytes, events } = await countRecorded(folder);
    const withStack = positive(ofCall(withStacks));
    return {
      plain: positive(ofCall(plain)),
      withStack,
      bytes: positive(bytes / events),
      start: positive(withStacks.short - without.short - 2 * FEW * withStack),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function positive(value: number): number {
  return value > 0 ? value : NaN;
}

/** Nanoseconds of the shortest of short and of longer runs; NaN when one failed. */
class Times {
  short = Infinity;
  long = Infinity;

  constructor(private readonly variables: NodeJS.ProcessEnv) {}

  async measure(): Promise<void> {
    this.short = Math.min(this.short, await wallTime(FEW, this.variables));
    this.long = Math.min(this.long, await wallTime(MANY, this.variables));
  }
}

/** Nanoseconds; NaN when it fails. */
function wallTime(count: number, variables: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const started = process.hrtime.bigint();
    const options = ['if=/dev/zero', 'of=/dev/null', 'bs=1', `count=${count}`];
    const child = spawn('dd', options, { stdio: 'ignore', env: { ...process.env, ...variables } });
    child.on('error', () => resolve(NaN));
    child.on('close', (code) => resolve(code === 0 ? Number(process.hrtime.bigint() - started) : NaN));
  });
}

/** What was recorded, as far as it tells what that cost. */
interface RecordedAmount {
  readonly processes: number;
  /** Events of the process with the most. */
  readonly mostEvents: number;
}

/**
 * Nanoseconds of a recorded run that were the recorder's, at most: the calls of the process with the most, since processes
 * run beside each other, and the start of all processes, of which as many run at once as there are processors.
 */
export function recordingTime(
  { processes, mostEvents }: RecordedAmount,
  cost: PreloadCost,
  hasStacks: boolean,
  sample: number,
): number {
  const stack = hasStacks ? (cost.withStack - cost.plain) / sample : 0;
  const starts = Math.ceil(processes / availableParallelism()) * (Number.isNaN(cost.start) ? 0 : cost.start);
  return mostEvents * (cost.plain + stack) + starts;
}
