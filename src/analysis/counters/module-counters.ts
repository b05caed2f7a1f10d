/** How the counters of each of Darshan's modules are called (darshan-util, `darshan-*-log-format.h`). */
import type { CounterTable } from '../../trace/counters.ts';

/** What the counters of a module begin with: `MPIIO` for `MPI-IO`. */
export function counterPrefix(module: string): string {
  if (module === 'MPI-IO') return 'MPIIO';
  return module === 'BG/Q' ? 'BGQ' : module;
}

/** Name of a module as darshan-parser prints it, from the name that heatmaps use for it (`MPIIO`). */
export function moduleOfApi(api: string): string {
  return api === 'MPIIO' ? 'MPI-IO' : api;
}

/** Darshan's ten bins of sizes, as they stand in the names of counters. */
const SIZE_BINS = ['0_100', '100_1K', '1K_10K', '10K_100K', '100K_1M', '1M_4M', '4M_10M', '10M_100M', '100M_1G'];
SIZE_BINS.push('1G_PLUS');

/** Bins of accesses of at most 1 MiB, which Drishti calls small. */
export const SMALL_BINS = 5;

/** The counters of accesses by size, smallest first; [] when the module has none. Most modules count whole datatypes (AGG). */
export function sizeCounters(table: CounterTable, direction: 'READ' | 'WRITE'): string[] {
  const prefix = counterPrefix(table.module);
  for (const form of [`${prefix}_SIZE_${direction}_`, `${prefix}_SIZE_${direction}_AGG_`]) {
    if (table.find(`${form}0_100`) !== undefined) return SIZE_BINS.map((bin) => `${form}${bin}`);
  }
  return [];
}

/** Counters that together say how often something was done. */
interface CountedOperations {
  readonly opens: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const OPERATION_COUNTERS: Readonly<Record<string, CountedOperations>> = {
  POSIX: { opens: ['POSIX_OPENS'], reads: ['POSIX_READS'], writes: ['POSIX_WRITES'] },
  'MPI-IO': {
    opens: ['MPIIO_INDEP_OPENS', 'MPIIO_COLL_OPENS'],
    reads: ['MPIIO_INDEP_READS', 'MPIIO_COLL_READS', 'MPIIO_SPLIT_READS', 'MPIIO_NB_READS'],
    writes: ['MPIIO_INDEP_WRITES', 'MPIIO_COLL_WRITES', 'MPIIO_SPLIT_WRITES', 'MPIIO_NB_WRITES'],
  },
  STDIO: { opens: ['STDIO_OPENS'], reads: ['STDIO_READS'], writes: ['STDIO_WRITES'] },
  H5F: { opens: ['H5F_OPENS'], reads: [], writes: [] },
  H5D: { opens: ['H5D_OPENS'], reads: ['H5D_READS'], writes: ['H5D_WRITES'] },
  PNETCDF_FILE: { opens: ['PNETCDF_FILE_OPENS', 'PNETCDF_FILE_CREATES'], reads: [], writes: [] },
  PNETCDF_VAR: {
    opens: ['PNETCDF_VAR_OPENS'],
    reads: ['PNETCDF_VAR_INDEP_READS', 'PNETCDF_VAR_COLL_READS', 'PNETCDF_VAR_NB_READS'],
    writes: ['PNETCDF_VAR_INDEP_WRITES', 'PNETCDF_VAR_COLL_WRITES', 'PNETCDF_VAR_NB_WRITES'],
  },
  DFS: {
    opens: ['DFS_OPENS', 'DFS_GLOBAL_OPENS', 'DFS_LOOKUPS'],
    reads: ['DFS_READS', 'DFS_READXS', 'DFS_NB_READS'],
    writes: ['DFS_WRITES', 'DFS_WRITEXS', 'DFS_NB_WRITES'],
  },
  DAOS: {
    opens: ['DAOS_OBJ_OPENS', 'DAOS_ARRAY_OPENS', 'DAOS_KV_OPENS'],
    reads: ['DAOS_OBJ_FETCHES', 'DAOS_ARRAY_READS', 'DAOS_KV_GETS'],
    writes: ['DAOS_OBJ_UPDATES', 'DAOS_ARRAY_WRITES', 'DAOS_KV_PUTS'],
  },
};

/** How often files were opened, read and written; undefined for modules whose records are about something else. */
export function operationCounters(module: string): CountedOperations | undefined {
  return OPERATION_COUNTERS[module];
}

/** A bar of the chart of operations: PyDarshan's bars, and the counters that it leaves out. */
type OperationBar = readonly [operation: string, ...counters: string[]];

const bars = (prefix: string, entries: readonly (readonly [operation: string, ...ends: string[]])[]): OperationBar[] =>
  entries.map(([operation, ...ends]) => [operation, ...ends.map((end) => `${prefix}_${end}`)]);

const OPERATION_BARS: Readonly<Record<string, readonly OperationBar[]>> = {
  POSIX: bars('POSIX', [
    ['read', 'READS'],
    ['write', 'WRITES'],
    ['open', 'OPENS'],
    ['stat', 'STATS'],
    ['seek', 'SEEKS'],
    ['mmap', 'MMAPS'],
    ['fsync', 'FSYNCS', 'FDSYNCS'],
    ['fileno', 'FILENOS'],
    ['dup', 'DUPS'],
    ['rename', 'RENAME_SOURCES'],
  ]),
  'MPI-IO': bars('MPIIO', [
    ['independent read', 'INDEP_READS'],
    ['independent write', 'INDEP_WRITES'],
    ['independent open', 'INDEP_OPENS'],
    ['collective read', 'COLL_READS'],
    ['collective write', 'COLL_WRITES'],
    ['collective open', 'COLL_OPENS'],
    ['split read', 'SPLIT_READS'],
    ['split write', 'SPLIT_WRITES'],
    ['nonblocking read', 'NB_READS'],
    ['nonblocking write', 'NB_WRITES'],
    ['sync', 'SYNCS'],
    ['set view', 'VIEWS'],
  ]),
  STDIO: bars('STDIO', [
    ['read', 'READS'],
    ['write', 'WRITES'],
    ['open', 'OPENS'],
    ['fdopen', 'FDOPENS'],
    ['seek', 'SEEKS'],
    ['flush', 'FLUSHES'],
  ]),
  H5F: bars('H5F', [
    ['file open', 'OPENS'],
    ['file flush', 'FLUSHES'],
  ]),
  H5D: bars('H5D', [
    ['dataset read', 'READS'],
    ['dataset write', 'WRITES'],
    ['dataset open', 'OPENS'],
    ['dataset flush', 'FLUSHES'],
  ]),
  PNETCDF_FILE: bars('PNETCDF_FILE', [
    ['file open', 'OPENS', 'CREATES'],
    ['file sync', 'SYNCS'],
    ['independent wait', 'INDEP_WAITS'],
    ['collective wait', 'COLL_WAITS'],
    ['redefinition', 'REDEFS'],
  ]),
  PNETCDF_VAR: bars('PNETCDF_VAR', [
    ['independent read', 'INDEP_READS'],
    ['independent write', 'INDEP_WRITES'],
    ['variable open', 'OPENS'],
    ['collective read', 'COLL_READS'],
    ['collective write', 'COLL_WRITES'],
    ['nonblocking read', 'NB_READS'],
    ['nonblocking write', 'NB_WRITES'],
  ]),
  DFS: bars('DFS', [
    ['read', 'READS', 'READXS'],
    ['write', 'WRITES', 'WRITEXS'],
    ['nonblocking read', 'NB_READS'],
    ['nonblocking write', 'NB_WRITES'],
    ['open', 'OPENS'],
    ['global open', 'GLOBAL_OPENS'],
    ['lookup', 'LOOKUPS'],
    ['get size', 'GET_SIZES'],
    ['punch', 'PUNCHES'],
    ['remove', 'REMOVES'],
    ['stat', 'STATS'],
  ]),
  DAOS: bars('DAOS', [
    ['object fetch', 'OBJ_FETCHES'],
    ['object update', 'OBJ_UPDATES'],
    ['object open', 'OBJ_OPENS'],
    ['object punch', 'OBJ_PUNCHES', 'OBJ_DKEY_PUNCHES', 'OBJ_AKEY_PUNCHES'],
    ['object list', 'OBJ_DKEY_LISTS', 'OBJ_AKEY_LISTS', 'OBJ_RECX_LISTS'],
    ['array read', 'ARRAY_READS'],
    ['array write', 'ARRAY_WRITES'],
    ['array open', 'ARRAY_OPENS'],
    ['array size or stat', 'ARRAY_GET_SIZES', 'ARRAY_SET_SIZES', 'ARRAY_STATS'],
    ['array punch', 'ARRAY_PUNCHES'],
    ['key-value get', 'KV_GETS'],
    ['key-value put', 'KV_PUTS'],
    ['key-value open', 'KV_OPENS'],
    ['key-value remove', 'KV_REMOVES'],
    ['key-value list', 'KV_LISTS'],
    ['nonblocking operation', 'NB_OPS'],
  ]),
};

/** The operations that a module counts, with the counters that make up each. */
export function operationBars(table: CounterTable): readonly OperationBar[] {
  if (table.module !== 'APMPI') return OPERATION_BARS[table.module] ?? [];
  return table.counters
    .filter((counter) => counter.endsWith('_CALL_COUNT'))
    .map((counter) => [counter.replace(/_CALL_COUNT$/, ''), counter]);
}
