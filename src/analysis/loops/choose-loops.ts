import { IntegerColumn } from '../../trace/columns.ts';
import type { Runs } from './runs.ts';

/** Parts of a sequence in their order: from `start` on either `count` times `period` places, or (count 1) one place. */
export class Parts {
  readonly start = new IntegerColumn(4);
  readonly period = new IntegerColumn(4);
  readonly count = new IntegerColumn(4);

  get length(): number {
    return this.start.length;
  }
}

/** Fewest iterations of a loop whose calls are all the same, and of one in which numbers count: two are always a line. */
const LEAST_ITERATIONS = 2;
const LEAST_COUNTING_ITERATIONS = 3;

/** The shortest loop: its own line with two calls, or with one that counts. */
const LEAST_LOOP_LINES = 3;

/**
 * Chooses the loops of a sequence among its runs: those that make its outline shortest, in lines.
 *
 * The shortest outline up to each place is worked out from left to right. A loop may begin anywhere in its run and end
 * after any iteration; its body takes the lines by which the outline grew over the first iteration. (Where another loop
 * lies across the beginning that is too little by what is cut from it, and the choice may not be the shortest of all.)
 * Between equals the later loop takes the call that both could have, as in the paper's figures 3 and 7. Each place lies in O(log n) runs at most, so this takes O(n log n) for the worst sequences, and O(n) for those
 * whose loops are not nested deeply.
 */
export class LoopChooser {
  private cost = new Int32Array(1);
  private loopStart = new Int32Array(1);
  private loopPeriod = new Int32Array(1);
  private changes: Int32Array = new Int32Array(0);
  private firstRun = new Int32Array(1);
  private readonly nextRun = new IntegerColumn();
  private readonly firstBest = new IntegerColumn();
  private readonly active = new IntegerColumn();
  /** For each run with a choice of beginnings, and each rest of the division by its period: the best beginning. */
  private readonly best = new IntegerColumn();

  /**
   * @param firstCounting the runs from this one on are those in which numbers count.
   * @param changes for each place how many calls before it, and it itself, are not the one before them.
   */
  choose(length: number, runs: Runs, firstCounting: number, changes: Int32Array): Parts {
    this.prepare(length, runs, firstCounting);
    this.changes = changes;
    for (let end = 1; end <= length; end++) {
      this.cost[end] = this.cost[end - 1]! + 1;
      this.loopPeriod[end] = 0;
      for (let run = this.firstRun[end]!; run >= 0; run = this.nextRun.at(run)) this.active.push(run);
      this.tryActive(end, runs, firstCounting);
    }
    return this.trackBack(length);
  }

  private prepare(length: number, runs: Runs, firstCounting: number): void {
    if (this.cost.length <= length) {
      this.cost = new Int32Array(length + 1);
      this.loopStart = new Int32Array(length + 1);
      this.loopPeriod = new Int32Array(length + 1);
      this.firstRun = new Int32Array(length + 1);
    }
    this.cost[0] = 0;
    this.firstRun.fill(-1, 0, length + 1);
    for (const column of [this.nextRun, this.firstBest, this.active, this.best]) column.length = 0;
    for (let run = 0; run < runs.length; run++) {
      const least = run < firstCounting ? LEAST_ITERATIONS : LEAST_COUNTING_ITERATIONS;
      const period = runs.period.at(run);
      const first = runs.start.at(run) + least * period;
      this.nextRun.push(this.firstRun[first]!);
      this.firstRun[first] = run;
      this.firstBest.push(this.best.length);
      if (first + period <= runs.end.at(run)) for (let i = 0; i < period; i++) this.best.push(-1);
    }
  }

  private tryActive(end: number, runs: Runs, firstCounting: number): void {
    const { active, cost } = this;
    const open = active.values;
    const ends = runs.end.values;
    const periods = runs.period.values;
    for (let i = 0; i < active.length; i++) {
      const run = open[i]!;
      if (ends[run]! < end) {
        open[i--] = open[--active.length]!;
        continue;
      }
      const period = periods[run]!;
      const isExact = run < firstCounting;
      const start = this.bestStart(run, end, period, isExact ? LEAST_ITERATIONS : LEAST_COUNTING_ITERATIONS, runs);
      const around = linesOfLoop(isExact, period);
      // A body has a line at least: most candidates need no closer look.
      if (cost[start]! + around >= cost[end]!) continue;
      const lines = this.linesFrom(start, period) + around;
      if (isExact ? lines <= cost[end]! : lines < cost[end]!) {
        cost[end] = lines;
        this.loopStart[end] = start;
        this.loopPeriod[end] = period;
      }
    }
  }

  private bestStart(run: number, end: number, period: number, least: number, runs: Runs): number {
    const latest = end - least * period;
    const runStart = runs.start.values[run]!;
    if (runStart + (least + 1) * period > runs.end.values[run]!) return latest;
    const slot = this.firstBest.values[run]! + ((end - runStart) % period);
    const known = this.best.values[slot]!;
    if (known >= 0 && this.linesFrom(known, period) <= this.linesFrom(latest, period)) return known;
    this.best.values[slot] = latest;
    return latest;
  }

  /** Lines up to the end of a loop that begins here, but for what makes it a loop. */
  private linesFrom(start: number, period: number): number {
    const before = this.cost[start]!;
    return before + Math.max(this.cost[start + period]! - before, this.leastLines(start, period));
  }

  /** Lines that calls take at least, whatever is looped in them. */
  private leastLines(start: number, period: number): number {
    const different = this.changes[start + period - 1]! - this.changes[start]! + 1;
    return different < LEAST_LOOP_LINES ? different : LEAST_LOOP_LINES;
  }

  private trackBack(length: number): Parts {
    const parts = new Parts();
    for (let end = length; end > 0;) {
      const period = this.loopPeriod[end]!;
      const start = period === 0 ? end - 1 : this.loopStart[end]!;
      parts.start.push(start);
      parts.period.push(period === 0 ? 1 : period);
      parts.count.push(period === 0 ? 1 : (end - start) / period);
      end = start;
    }
    for (const { values } of [parts.start, parts.period, parts.count]) values.subarray(0, parts.length).reverse();
    return parts;
  }
}

/**
 * Lines that a loop takes beside its body. One call again and again is no loop but a number before the call. What counts
 * costs one more: three calls whose sizes happen to be 1, 2 and 3 are no loop.
 */
function linesOfLoop(isExact: boolean, period: number): number {
  if (!isExact) return 2;
  return period === 1 ? 0 : 1;
}
