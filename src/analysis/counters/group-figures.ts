/** Figures of the files of one module, over the records of each. */
import type { CounterTable } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import { valueOrZero } from './lacking.ts';
import { counterPrefix } from './module-counters.ts';
import type { FileGroups } from './sums.ts';
import { extremeOf } from './totals.ts';

/** A process among those that used a file. */
export interface FileRank {
  readonly rank: number;
  readonly seconds: number;
  readonly bytes: number;
}

/** What was measured of some counters, added up for each file. */
export function sumOfAll(groups: FileGroups, counters: readonly string[]): Float64Array {
  const sums = new Float64Array(groups.length);
  for (const counter of counters) {
    groups.forEach(counter, (value, group) => {
      if (value > 0) sums[group]! += value;
    });
  }
  return sums;
}

/** The greatest value of some counters for each file, 0 at least; undefined when the module has none of them. */
export function greatestOf(groups: FileGroups, counters: readonly string[]): Float64Array | undefined {
  let greatest: Float64Array | undefined;
  for (const counter of counters) {
    groups.forEach(counter, (value, group) => {
      greatest ??= new Float64Array(groups.length);
      if (value > greatest[group]!) greatest[group] = value;
    });
  }
  return greatest;
}

export interface Extremes {
  fastest: FileRank;
  slowest: FileRank;
}

/** Fastest and slowest process of the files that several processes used. */
export function extremesOf(table: CounterTable, groups: FileGroups): ReadonlyMap<number, Extremes> {
  const found = new Map<number, Extremes>();
  if (table.find(`${counterPrefix(table.module)}_FASTEST_RANK`) === undefined) return found;
  const records = groups.records();
  for (let record = 0; record < table.length; record++) {
    const group = groups.groupOf[record]!;
    if (group === NONE || (records[group] === 1 && table.rank(record) >= 0)) continue;
    const fastest = fileRank(extremeOf(table, record, true));
    const slowest = fileRank(extremeOf(table, record, false));
    const known = found.get(group);
    if (known === undefined) found.set(group, { fastest, slowest });
    else {
      if (fastest.seconds < known.fastest.seconds) known.fastest = fastest;
      if (slowest.seconds > known.slowest.seconds) known.slowest = slowest;
    }
  }
  return found;
}

function fileRank({ rank, time, bytes }: { rank: number; time: number; bytes: number }): FileRank {
  return { rank: valueOrZero(rank), seconds: valueOrZero(time), bytes: valueOrZero(bytes) };
}
