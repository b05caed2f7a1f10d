import { FileGroups, totalOf } from '../../../analysis/counters/sums.ts';
import { counterPrefix, operationCounters } from '../../../analysis/counters/module-counters.ts';
import type { CounterLog, CounterTable } from '../../../trace/counters.ts';
import { ShareSum } from './share-sum.ts';

/** Records of MPI's own module; absent in most logs. */
const MPI_MODULE = 'APMPI';

/** Whether the log measured communication; else it is part of the computation. */
export function measuresCommunication({ modules }: CounterLog): boolean {
  return modules.some(({ module }) => module === MPI_MODULE);
}

/**
 * What a Darshan log says of the time of its processes. The time of a layer is its own: a call of MPI-IO lasts as long as
 * the POSIX calls that it makes, file by file, and those of HDF5 and PnetCDF as long as the calls on their files below.
 */
export function counterShare(log: CounterLog): ShareSum {
  const table = (name: string): CounterTable | undefined => log.modules.find(({ module }) => module === name);
  const [posix, mpi] = [fileSeconds(table('POSIX')), fileSeconds(table('MPI-IO'))];
  const sum = new ShareSum();
  const add = (paradigm: string, seconds: number, counted: CounterTable | undefined): void => {
    if (counted !== undefined && counted.length > 0)
      sum.add('io', paradigm, Math.max(0, seconds), callsOf(counted), bytesOf(counted));
  };
  let aboveFiles = 0;
  for (const [file, seconds] of mpi) aboveFiles += Math.max(0, seconds - (posix.get(file) ?? 0));
  add('POSIX', total(posix), table('POSIX'));
  add('STDIO', total(fileSeconds(table('STDIO'))), table('STDIO'));
  add('MPI-IO', aboveFiles, table('MPI-IO'));
  for (const [paradigm, ofFiles, ofData] of [
    ['HDF5', 'H5F', 'H5D'],
    ['PnetCDF', 'PNETCDF_FILE', 'PNETCDF_VAR'],
  ] as const) {
    const files = fileSeconds(table(ofFiles));
    let below = 0;
    for (const file of files.keys()) below += Math.max(mpi.get(file) ?? 0, posix.get(file) ?? 0);
    add(paradigm, total(files) + total(fileSeconds(table(ofData))) - below, table(ofData) ?? table(ofFiles));
  }
  for (const name of ['DFS', 'DAOS']) add(name, total(fileSeconds(table(name))), table(name));
  const communication = totalOf(table(MPI_MODULE), 'MPI_TOTAL_COMM_TIME');
  if (measuresCommunication(log)) sum.add('communication', 'MPI', communication, null, null);
  const { runTime, processes } = log.job;
  const rest = runTime * Math.max(1, processes) - sum.of('io') - sum.of('communication');
  if (rest > 0) sum.add('computation', 'program', rest, null, null);
  return sum;
}

/** Seconds by file, summed over processes. */
function fileSeconds(table: CounterTable | undefined): ReadonlyMap<bigint, number> {
  const seconds = new Map<bigint, number>();
  if (table === undefined) return seconds;
  const prefix = counterPrefix(table.module);
  const groups = new FileGroups(table);
  const sums = ['READ', 'WRITE', 'META'].map((what) => groups.sums(`${prefix}_F_${what}_TIME`));
  for (let group = 0; group < groups.length; group++) {
    const value = sums.reduce((all, each) => all + Math.max(0, each[group]!), 0);
    seconds.set(groups.recordId(group), value);
  }
  return seconds;
}

function total(seconds: ReadonlyMap<bigint, number>): number {
  let sum = 0;
  for (const value of seconds.values()) sum += value;
  return sum;
}

function callsOf(table: CounterTable): number | null {
  const counters = operationCounters(table.module);
  if (counters === undefined) return null;
  return [...counters.opens, ...counters.reads, ...counters.writes].reduce(
    (sum, counter) => sum + Math.max(0, totalOf(table, counter)),
    0,
  );
}

function bytesOf(table: CounterTable): number {
  const prefix = counterPrefix(table.module);
  return ['READ', 'WRITTEN'].reduce((sum, what) => sum + Math.max(0, totalOf(table, `${prefix}_BYTES_${what}`)), 0);
}
