import { valueOrZero } from '../../analysis/counters/lacking.ts';
import { counterPrefix } from '../../analysis/counters/module-counters.ts';
import { RankSums } from '../../analysis/counters/rank-sums.ts';
import type { CountedModule } from './counted-module.ts';

/**
 * Seconds in I/O calls of the process that spent most: in files of its own, and the slowest process of each shared file,
 * as `darshan-parser --perf` adds them up for one module.
 *
 * @param counts whether the module's calls on the file are the program's own.
 * @returns null when nothing measures times.
 */
export function busiestProcess(
  modules: readonly CountedModule[],
  counts: (counted: CountedModule, group: number) => boolean,
): number | null {
  const own = new RankSums(['seconds'] as const);
  let shared = 0;
  let measures = false;
  for (const counted of modules) {
    const { table, groups } = counted;
    const column = (name: string): number | undefined => table.find(`${counterPrefix(table.module)}_F_${name}`);
    const times = ['READ_TIME', 'WRITE_TIME', 'META_TIME'].map(column).filter((index) => index !== undefined);
    const slowest = column('SLOWEST_RANK_TIME');
    measures ||= times.length > 0 && table.length > 0;
    for (let record = 0; record < table.length; record++) {
      if (!counts(counted, groups.groupOf[record]!)) continue;
      const value = (index: number): number => Math.max(0, valueOrZero(table.value(record, index)));
      if (table.rank(record) < 0) shared += slowest === undefined ? 0 : value(slowest);
      else for (const index of times) own.add(table.rank(record), 'seconds', value(index));
    }
  }
  if (!measures) return null;
  return shared + own.ranks().reduce((most, rank) => Math.max(most, own.get(rank, 'seconds')), 0);
}
