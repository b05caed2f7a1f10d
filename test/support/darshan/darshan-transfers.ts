/** What a Darshan log says of its files, worked out from its records as they are: nothing of the store's rows is used. */
import type { CounterLog } from '../../../src/trace/counters.ts';
import type { Trace } from '../../../src/trace/trace.ts';

/** Records of one file by module. */
export type Records = Map<string, { rank: number; get: (counter: string) => number }[]>;

export const measured = (value: number): number => (value > 0 ? value : 0);
const PREFIX: Readonly<Record<string, string>> = { 'MPI-IO': 'MPIIO' };
const LOW = ['POSIX', 'DFS'];

export function recordsByFile({ counters, files }: Trace): Map<string, Records> {
  const byFile = new Map<string, Records>();
  for (const table of counters!.modules) {
    const prefix = PREFIX[table.module] ?? table.module;
    for (let record = 0; record < table.length; record++) {
      const at = table.file(record);
      const name = at < 0 ? `?${table.recordId(record)}` : files.at(at).path;
      if (/^<STD(IN|OUT|ERR)>$/.test(name)) continue;
      const records = byFile.get(name) ?? (new Map() as Records);
      byFile.set(name, records);
      const get = (counter: string): number => measured(table.get(record, `${prefix}_${counter}`));
      records.set(table.module, [...(records.get(table.module) ?? []), { rank: table.rank(record), get }]);
    }
  }
  return byFile;
}

export const BINS = ['0_100', '100_1K', '1K_10K', '10K_100K', '100K_1M'];
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  'MPI-IO': ['INDEP_*S', 'COLL_*S', 'SPLIT_*S', 'NB_*S'],
  DFS: ['*S', '*XS', 'NB_*S'],
};

/** The transfers of a file, straight from the definition of the schema. */
export function transfersOf(records: Records): Record<string, number> {
  const sum = (module: string, ...counters: string[]): number =>
    (records.get(module) ?? []).reduce((all, { get }) => all + counters.reduce((some, name) => some + get(name), 0), 0);
  const calls = (module: string, way: string): number =>
    sum(module, ...(OPERATIONS[module] ?? ['*S']).map((name) => name.replace('*', way)));
  const throughMpiIo = sum('MPI-IO', 'BYTES_READ', 'BYTES_WRITTEN') > 0;
  const outer = [...(throughMpiIo ? ['MPI-IO'] : LOW), 'STDIO'];
  const low = [...LOW, 'STDIO'].filter((module) => calls(module, 'READ') + calls(module, 'WRITE') > 0);
  const requests = low.length > 0 ? low : ['MPI-IO'];
  const total = (modules: readonly string[], of: (module: string) => number): number =>
    modules.reduce((all, module) => all + of(module), 0);
  const ways = [
    ['READ', 'read', 'BYTES_READ'],
    ['WRITE', 'written', 'BYTES_WRITTEN'],
  ] as const;
  const found: Record<string, number> = { metadata_seconds: total(outer, (module) => sum(module, 'F_META_TIME')) };
  for (const [way, past, bytes] of ways) {
    const name = way.toLowerCase();
    const sized = requests.filter((module) => module !== 'STDIO');
    const bin = (module: string): string => (module === 'MPI-IO' ? `SIZE_${way}_AGG_` : `SIZE_${way}_`);
    found[`bytes_${past}`] = total(outer, (module) => sum(module, bytes));
    found[`${name}s`] = total(requests, (module) => calls(module, way));
    found[`sized_${name}s`] = total(sized, (module) => calls(module, way));
    found[`small_${name}s`] = total(sized, (module) => sum(module, ...BINS.map((each) => bin(module) + each)));
    found[`placed_${name}s`] = requests.includes('POSIX') ? calls('POSIX', way) : 0;
    found[`consecutive_${name}s`] = requests.includes('POSIX') ? sum('POSIX', `CONSEC_${way}S`) : 0;
    found[`sequential_${name}s`] = requests.includes('POSIX') ? sum('POSIX', `SEQ_${way}S`) : 0;
    found[`${name}_seconds`] = total(outer, (module) => sum(module, `F_${way}_TIME`));
    found[`collective_${name}s`] = sum('MPI-IO', `COLL_${way}S`, `SPLIT_${way}S`);
    found[`independent_${name}s`] = sum('MPI-IO', `INDEP_${way}S`, `NB_${way}S`);
    const moments = (end: string): number[] =>
      outer.flatMap((module) => (records.get(module) ?? []).map(({ get }) => get(`F_${way}_${end}_TIMESTAMP`)));
    found[`${name}_start`] = Math.min(...moments('START').filter((moment) => moment > 0));
    found[`${name}_end`] = Math.max(0, ...moments('END'));
  }
  return found;
}

export function processesOf(records: Records, job: CounterLog['job']): number {
  const all = [...records]
    .filter(([module]) => [...LOW, 'MPI-IO', 'STDIO'].includes(module))
    .flatMap(([, each]) => each);
  if (all.some(({ rank }) => rank < 0)) return job.processes;
  return new Set(all.map(({ rank }) => rank)).size;
}

export const moves = (transfers: Record<string, number>): boolean =>
  transfers['reads']! + transfers['writes']! + transfers['bytes_read']! + transfers['bytes_written']! > 0;
