import type { CommonExtension } from './common-extension.ts';
import { IntegerColumn } from '../../trace/columns.ts';

/**
 * The runs of a sequence: all its maximal repetitions. A run begins at `start`, ends before `end`, and each of its
 * symbols is the one `period` before, as far as that lies in the run; it is at least two periods long.
 */
export class Runs {
  readonly start = new IntegerColumn();
  readonly end = new IntegerColumn();
  readonly period = new IntegerColumn();

  get length(): number {
    return this.start.length;
  }

  clear(): void {
    this.start.length = 0;
    this.end.length = 0;
    this.period.length = 0;
  }

  add(start: number, end: number, period: number): void {
    this.start.push(start);
    this.end.push(end);
    this.period.push(period);
  }
}

/**
 * Finds all runs, fewer than `length` (some at the sequence's end twice): the period of every run is the length of a
 * longest Lyndon word that begins in its first period, by one of the two orders of the symbols (Bannai, I, Inenaga,
 * Nakashima, Takeda, Tsuruta: The "Runs" Theorem, SIAM Journal on Computing 46, 2017). That is a linear number of
 * comparisons, each O(1) but for long ones.
 *
 * @param words room for `length` numbers.
 */
export function findRuns(
  symbols: Int32Array,
  length: number,
  common: CommonExtension,
  words: Int32Array,
  runs: Runs,
): void {
  for (const isRising of [true, false]) {
    for (let at = length - 1; at >= 0; at--) {
      let end = at + 1;
      let same = 0;
      while (end < length) {
        same = common.forwards(at, end);
        if (end + same === length || symbols[at + same]! < symbols[end + same]! !== isRising) break;
        end = words[end]!;
        same = 0;
      }
      words[at] = end;
      if (end < length) addRun(at, end, same, common, runs);
    }
  }
}

function addRun(at: number, end: number, same: number, common: CommonExtension, runs: Runs): void {
  const period = end - at;
  const before = common.backwards(at, end);
  // Each later period of the run leads to the same run.
  if (before < period && before + same >= period) runs.add(at - before, end + same, period);
}
