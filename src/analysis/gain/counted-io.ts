import type { Trace } from '../../trace/trace.ts';
import { performance } from '../counters/performance.ts';
import { totalOf } from '../counters/sums.ts';
import type { IoTime } from './cost.ts';

const NS = 1e9;
/** What MPI-IO does stands in POSIX once more. */
const MODULES = ['POSIX', 'STDIO'];

/**
 * What a job spends in I/O by Darshan's counters: of the slowest process as darshan-parser estimates it (agg_perf_by_slowest),
 * and of all processes together.
 */
export function countedIo({ counters, durationNs }: Trace): { readonly slowest: IoTime; readonly all: number } {
  const tables = counters?.modules.filter(({ module }) => MODULES.includes(module)) ?? [];
  let [transferNs, metadataNs, all] = [0, 0, 0];
  for (const table of tables) {
    const sum = (name: string): number => Math.max(0, totalOf(table, `${table.module}_F_${name}_TIME`)) * NS;
    const [moved, asked] = [sum('READ') + sum('WRITE'), sum('META')];
    const ns = (performance(table)?.seconds ?? 0) * NS;
    const share = moved + asked > 0 ? moved / (moved + asked) : 1;
    transferNs += ns * share;
    metadataNs += ns * (1 - share);
    all += moved + asked;
  }
  // The slowest process of each shared file may be another: no run is shorter than its I/O.
  const most = Math.min(1, durationNs / (transferNs + metadataNs || 1));
  return { slowest: { transferNs: most * transferNs, metadataNs: most * metadataNs, bufferedNs: 0 }, all };
}
