import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ENVIRONMENT, type Variant } from '../support/truth/truth-programs.ts';

/** What a repair really saves: both programs run in turns without a tracer, and each pair is a difference. */

/** Milliseconds, between bounds that hold the median with at least 90 % probability. */
export interface Measured {
  readonly ms: number;
  readonly low: number;
  readonly high: number;
}

/** Difference of a pair that the clock surely tells, and the longest that a program shall run, in milliseconds. */
const MEASURABLE_MS = 20;
const LONG_MS = 250;
const MOST_REPEATS = 4096;
const TRIES = 3;
const RUNS = 5;

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}

interface Times {
  /** Of the workload, without waiting for a processor that another program has. */
  readonly workMs: number;
  readonly waitedMs: number;
  /** Of the program from its begin. */
  readonly wholeMs: number;
}

/** Removes what programs call so that make their files anew in each repetition. */
export function withoutResults(folder: string): void {
  spawnSync('find', [path.join(folder, 'data'), '-name', 'result-*', '-delete']);
}

function run(variant: Variant, repeats: number, folder: string, computing: boolean): Times {
  const [command, ...options] = variant.command(repeats);
  const env = computing ? ENVIRONMENT : { ...ENVIRONMENT, WITHOUT_COMPUTING: '1' };
  const { status, stdout, stderr } = spawnSync(command!, options, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${command} ${options.join(' ')}: ${stderr}`);
  withoutResults(folder);
  const [time, waited, whole] = stdout.split(' ').map((text) => Number(text) / 1e6);
  return { workMs: Math.max(0, time! - waited!), waitedMs: waited!, wholeMs: whole! };
}

/** Milliseconds of a run as a whole, of one repetition. */
export function runMs(variant: Variant, folder: string): number {
  const times = Array.from({ length: RUNS }, () => run(variant, 1, folder, true));
  return median(times.map(({ wholeMs, waitedMs }) => Math.max(0.1, wholeMs - waitedMs)));
}

function pairs(before: Variant, after: Variant, repeats: number, count: number, folder: string): number[] {
  return Array.from({ length: count }, (_, i) => {
    // Which of the two comes first changes: what one leaves behind (dirty pages, say) the other meets.
    const first = i % 2 === 0;
    const a = first ? run(before, repeats, folder, false).workMs : undefined;
    const b = run(after, repeats, folder, false).workMs;
    return (a ?? run(before, repeats, folder, false).workMs) - b;
  });
}

/** How often the workload has to run for a difference that the clock tells. */
function enoughRepeats(before: Variant, after: Variant, folder: string): number {
  for (let repeats = 1; ;) {
    const found = median(pairs(before, after, repeats, TRIES, folder));
    const lasted = run(before, repeats, folder, false).workMs;
    if (found >= MEASURABLE_MS || lasted >= LONG_MS || repeats >= MOST_REPEATS) return repeats;
    const wanted = found > 2 ? Math.ceil(MEASURABLE_MS / found) : 8;
    const bearable = Math.max(2, Math.floor(LONG_MS / Math.max(lasted, 0.01)));
    repeats = Math.min(MOST_REPEATS, repeats * Math.min(wanted, bearable));
  }
}

/** The median of differences, and two of them between which the true one lies with 90 % probability (the sign test's). */
export function medianDifference(differences: readonly number[]): Measured {
  const sorted = differences.toSorted((a, b) => a - b);
  const count = sorted.length;
  let probability = 2 ** -count;
  let outside = probability;
  let rank = 0;
  // `outside` is the chance that at most `rank` differences lie on one side of the true median.
  while (rank + 1 < count / 2) {
    probability *= (count - rank) / (rank + 1);
    if (outside + probability > 0.05) break;
    outside += probability;
    rank++;
  }
  return { ms: median(sorted), low: sorted[rank]!, high: sorted[count - 1 - rank]! };
}

/** What the repaired program saves of one repetition. */
export function measuredSaving(before: Variant, after: Variant, count: number, folder: string): Measured {
  const repeats = enoughRepeats(before, after, folder);
  const { ms, low, high } = medianDifference(pairs(before, after, repeats, count, folder));
  return { ms: ms / repeats, low: low / repeats, high: high / repeats };
}
