import type { CounterTable } from '../../trace/counters.ts';
import type { Trace } from '../../trace/trace.ts';
import { leftOutFiles, leftOutRecords } from '../counters/left-out-records.ts';
import { counterPrefix } from '../counters/module-counters.ts';
import { performance } from '../counters/performance.ts';
import { totalOf } from '../counters/sums.ts';
import type { IoTime } from './cost.ts';

const NS = 1e9;

/** Nanoseconds that modules count. */
interface ModuleTime {
  /** Of the slowest process as darshan-parser estimates it (agg_perf_by_slowest). */
  readonly slowest: IoTime;
  /** Of all processes together. */
  readonly all: number;
}

export interface CountedIo {
  /** What the job spends in I/O. */
  readonly io: IoTime;
  /** What all processes spend in it, added up. */
  readonly allNs: number;
  /** Time of the run for each nanosecond of all processes: in POSIX and STDIO, and in MPI-IO. */
  readonly perNs: number;
  readonly perNsOfMpi: number;
}

/**
 * What a job spends in I/O on its own files by Darshan's counters. What MPI-IO does stands in POSIX once more; where that is less, the rest is
 * what processes wait for each other in MPI-IO, and no less of their time.
 */
export function countedIo(trace: Trace, ignored: Uint8Array): CountedIo {
  const { counters, durationNs } = trace;
  const leftOut = leftOutFiles(trace, ignored);
  const timeOf = (module: string): ModuleTime =>
    moduleTime(
      counters?.modules.find((each) => each.module === module),
      leftOut,
    );
  const [posix, stdio, mpi] = [timeOf('POSIX'), timeOf('STDIO'), timeOf('MPI-IO')];
  const below = bounded(sum(posix, stdio), durationNs);
  const waiting = bounded(mpi, durationNs);
  const io = total(mpi.slowest) > total(posix.slowest) ? bounded(sum(mpi, stdio), durationNs) : below;
  return { io: io.slowest, allNs: io.all, perNs: rate(below), perNsOfMpi: rate(waiting) };
}

function moduleTime(table: CounterTable | undefined, leftOutFiles: Uint8Array): ModuleTime {
  if (table === undefined) return { slowest: { transferNs: 0, metadataNs: 0, bufferedNs: 0 }, all: 0 };
  const leftOut = leftOutRecords(table, leftOutFiles);
  const time = (name: string): number =>
    Math.max(0, totalOf(table, `${counterPrefix(table.module)}_F_${name}_TIME`, leftOut)) * NS;
  const [moved, asked] = [time('READ') + time('WRITE'), time('META')];
  const ns = (performance(table, leftOut)?.seconds ?? 0) * NS;
  const share = moved + asked > 0 ? moved / (moved + asked) : 1;
  return { slowest: { transferNs: ns * share, metadataNs: ns * (1 - share), bufferedNs: 0 }, all: moved + asked };
}

function sum(a: ModuleTime, b: ModuleTime): ModuleTime {
  const transferNs = a.slowest.transferNs + b.slowest.transferNs;
  const metadataNs = a.slowest.metadataNs + b.slowest.metadataNs;
  return { slowest: { transferNs, metadataNs, bufferedNs: 0 }, all: a.all + b.all };
}

/** The slowest process of each shared file may be another: no run is shorter than its I/O. */
function bounded({ slowest, all }: ModuleTime, durationNs: number): ModuleTime {
  const most = Math.min(1, durationNs / (total(slowest) || 1));
  const { transferNs, metadataNs } = slowest;
  return { slowest: { transferNs: most * transferNs, metadataNs: most * metadataNs, bufferedNs: 0 }, all };
}

function rate({ slowest, all }: ModuleTime): number {
  return all > 0 ? total(slowest) / all : 0;
}

function total({ transferNs, metadataNs }: IoTime): number {
  return transferNs + metadataNs;
}
