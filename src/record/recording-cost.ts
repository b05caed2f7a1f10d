/** What recording costs: measured on this machine beforehand, and counted afterwards. */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { straceOptions, type StraceAbilities } from './strace-command.ts';

/** Nanoseconds of wall time that a recorded call costs on this machine; NaN when it could not be measured. */
export interface CostPerCall {
  readonly plain: number;
  /** With a call stack of a few frames; deeper ones cost more. */
  readonly withStack: number;
}

/** Reads and writes of one byte by `dd`: a short and a longer run, whose difference is that of the calls alone. */
const RUNS = { plain: [20, 1020], withStack: [10, 110] } as const;
/** Measurements of a cost at the most, until one says something. */
const ATTEMPTS = 3;
const REPEATS = 2;

/** Measures what tracing costs, which takes less than a second. Standard output and error stay untouched. */
export async function measureCost(abilities: StraceAbilities): Promise<CostPerCall> {
  const plain = await costOf(abilities, false, RUNS.plain);
  return { plain, withStack: abilities.stacks ? await costOf(abilities, true, RUNS.withStack) : NaN };
}

async function costOf(
  abilities: StraceAbilities,
  stacks: boolean,
  [few, many]: readonly [number, number],
): Promise<number> {
  const options = straceOptions({
    output: '/dev/null',
    abilities,
    filePerProcess: false,
    stacks,
    calls: ['read', 'write'],
  });
  const shortest = async (count: number): Promise<number> => {
    let best = Infinity;
    for (let i = 0; i < REPEATS; i++) {
      const dd = ['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1', `count=${count}`];
      best = Math.min(best, await wallTime('strace', [...options, ...dd]));
    }
    return best;
  };
  // On a busy machine the longer run can be the faster one, which says nothing: it is tried again.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const difference = (await shortest(many)) - (await shortest(few));
    // Each byte is one read and one write.
    if (difference > 0) return difference / (2 * (many - few));
    if (Number.isNaN(difference)) break;
  }
  return NaN;
}

/** Nanoseconds that a command takes; NaN when it fails. */
function wallTime(program: string, options: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const started = process.hrtime.bigint();
    const child = spawn(program, options, { stdio: 'ignore' });
    child.on('error', () => resolve(NaN));
    child.on('close', (code) => resolve(code === 0 ? Number(process.hrtime.bigint() - started) : NaN));
  });
}

const NEWLINE = 10;
const UNFINISHED = Buffer.from('<unfinished ...>');

/** What a recording's lines tell without being understood. */
interface RecordedCalls {
  readonly calls: number;
  /** How many of them have a stack. */
  readonly stacks: number;
  /** Nanoseconds between the beginnings of two calls of a process, the median of a sample; NaN when unknown. */
  readonly betweenCalls: number;
}

/** Every so many calls the distance to the next is looked at. */
const SAMPLE_EVERY = 16;

export async function countCalls(file: string): Promise<RecordedCalls> {
  let lines = 0;
  let unfinished = 0;
  let stacks = 0;
  let wasFrame = false;
  const distances: number[] = [];
  let last: { pid: number; time: number } | undefined;
  const count = (line: Buffer): void => {
    const isFrame = line[0] === 32 && line[1] === 62;
    if (isFrame && !wasFrame) stacks++;
    else if (!isFrame && line.length > 0) {
      lines++;
      if (line.subarray(-UNFINISHED.length).equals(UNFINISHED)) unfinished++;
      if (lines % SAMPLE_EVERY < 2) {
        const [pid, time] = line.toString('latin1', 0, 40).split(/ +/).map(Number) as [number, number];
        if (last?.pid === pid && lines % SAMPLE_EVERY === 1) distances.push((time - last.time) * 1e9);
        last = { pid, time };
      }
    }
    wasFrame = isFrame;
  };
  let rest = Buffer.alloc(0);
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, piece as Buffer]);
    let at = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
      count(bytes.subarray(at, end));
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
  count(rest);
  distances.sort((a, b) => a - b);
  return { calls: lines - unfinished, stacks, betweenCalls: distances[distances.length >> 1] ?? NaN };
}

/**
 * Nanoseconds of a recorded run that are strace's. The cost measured beforehand is that of a small program; of a larger
 * one, or on a busy machine, a call costs more. What a call costs at most is the time between two calls; so much more than
 * measured is not believed, because the program may compute between its calls.
 */
export function tracingTime({ calls, stacks, betweenCalls }: RecordedCalls, cost: CostPerCall): number {
  const MOST_BELIEVED = 4;
  const measured = (calls - stacks) * (cost.plain || 0) + stacks * (cost.withStack || 0);
  const atMost = calls * betweenCalls;
  return atMost > measured ? Math.min(atMost, MOST_BELIEVED * measured) : measured;
}
