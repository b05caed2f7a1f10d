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
  const difference = (await shortest(many)) - (await shortest(few));
  // Each byte is one read and one write.
  const perCall = difference / (2 * (many - few));
  return perCall > 0 ? perCall : NaN;
}

/** Nanoseconds that a command takes; NaN when it fails. */
function wallTime(program: string, options: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const started = process.hrtime.bigint();
    const child = spawn(program, options, { stdio: 'ignore' });
    child.on('error', () => {
      resolve(NaN);
    });
    child.on('close', (code) => {
      resolve(code === 0 ? Number(process.hrtime.bigint() - started) : NaN);
    });
  });
}

const NEWLINE = 10;
const UNFINISHED = Buffer.from('<unfinished ...>');

/** How many calls a recording holds, and how many of them have a stack: by its lines, without understanding them. */
export async function countCalls(file: string): Promise<{ calls: number; stacks: number }> {
  let lines = 0;
  let unfinished = 0;
  let stacks = 0;
  let wasFrame = false;
  const count = (line: Buffer): void => {
    const isFrame = line[0] === 32 && line[1] === 62;
    if (isFrame) {
      if (!wasFrame) stacks++;
    } else if (line.length > 0) {
      lines++;
      if (line.subarray(-UNFINISHED.length).equals(UNFINISHED)) unfinished++;
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
  return { calls: lines - unfinished, stacks };
}
