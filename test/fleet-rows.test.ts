/**
 * Rows of the store against what is known of the recordings. For Darshan logs each number is worked out once more here,
 * file by file from the records as they are, and held against what darshan-parser printed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Row, StoreRows } from '../src/fleet/schema/tables.ts';
import { recogniseRecording } from '../src/session/recognise-recording.ts';
import type { CounterLog } from '../src/trace/counters.ts';
import type { Trace } from '../src/trace/trace.ts';
import { absent, corpus } from './corpus.ts';
import { rowsOf } from './store-rows.ts';

const folder = corpus('darshan');
const names =
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((name) => name.endsWith('.darshan'))
        .map((name) => name.replace(/\.darshan$/, ''));

interface Expected {
  readonly records: Readonly<Record<string, { readonly totals: Readonly<Record<string, number>> } | undefined>>;
  readonly header: {
    readonly jobid: number | string;
    readonly uid: number | string;
    readonly nprocs: number;
    readonly exe: string;
  };
  readonly dxt?: Readonly<
    Record<
      string,
      { readonly ops: Readonly<Record<string, { segments: number; sum_length: number } | undefined>> } | undefined
    >
  >;
}

function expectedOf(name: string): Expected {
  return JSON.parse(readFileSync(path.join(folder!, `${name}.expected.json`), 'utf8')) as Expected;
}

/** Records of one file by module. */
type Records = Map<string, { rank: number; get: (counter: string) => number }[]>;

const measured = (value: number): number => (value > 0 ? value : 0);
const PREFIX: Readonly<Record<string, string>> = { 'MPI-IO': 'MPIIO' };
const LOW = ['POSIX', 'DFS'];

function recordsByFile({ counters, files }: Trace): Map<string, Records> {
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

const BINS = ['0_100', '100_1K', '1K_10K', '10K_100K', '100K_1M'];
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  'MPI-IO': ['INDEP_*S', 'COLL_*S', 'SPLIT_*S', 'NB_*S'],
  DFS: ['*S', '*XS', 'NB_*S'],
};

/** The transfers of a file, straight from the definition of the schema. */
function transfersOf(records: Records): Record<string, number> {
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

function processesOf(records: Records, job: CounterLog['job']): number {
  const all = [...records]
    .filter(([module]) => [...LOW, 'MPI-IO', 'STDIO'].includes(module))
    .flatMap(([, each]) => each);
  if (all.some(({ rank }) => rank < 0)) return job.processes;
  return new Set(all.map(({ rank }) => rank)).size;
}

const moves = (transfers: Record<string, number>): boolean =>
  transfers['reads']! + transfers['writes']! + transfers['bytes_read']! + transfers['bytes_written']! > 0;

/** Unknown numbers are null in a row, and 0 or endless here. */
function comparable(row: Readonly<Record<string, unknown>>, name: string): number {
  return (row[name] as number | null) ?? (name.endsWith('_start') ? Infinity : 0);
}

describe.skipIf(folder === undefined)(`rows of Darshan logs (${absent('darshan')})`, () => {
  test.each(names)('%s: job, files, segments', async (name) => {
    const location = path.join(folder!, `${name}.darshan`);
    const { format, files } = await recogniseRecording([location]);
    const trace = await format.read(files, {});
    const { rows } = await rowsOf(location);
    const expected = [...recordsByFile(trace)]
      .map(([file, records]) => ({ file, records, transfers: transfersOf(records) }))
      .filter(({ transfers }) => moves(transfers));
    const found = new Map(rows.file!.map((row) => [row.path ?? `?${BigInt(`0x${row.file_id!}`)}`, row]));
    expect([...found.keys()].sort()).toEqual(expected.map(({ file }) => file).sort());
    const sums: Record<string, number> = {};
    for (const { file, records, transfers } of expected) {
      const row = found.get(file)!;
      for (const [column, value] of Object.entries(transfers)) {
        expect(comparable(row, column), `${file} ${column}`).toBeCloseTo(value, 6);
        sums[column] = (sums[column] ?? 0) + (Number.isFinite(value) ? value : 0);
      }
      expect(row.processes, file).toBe(processesOf(records, trace.counters!.job));
    }
    const [job] = rows.job!;
    expect(job!.files).toBe(expected.length);
    for (const column of Object.keys(sums).filter((each) => !/_(start|end)$/.test(each))) {
      expect(comparable(job!, column), column).toBeCloseTo(sums[column]!, 5);
    }
    holdsAgainstParser(job!, rows.file!, name, trace);
    holdsSegments(rows, name);
  });
});

/** Segments as darshan-dxt-parser counted them. */
function holdsSegments({ segment_summary: summaries, file: files }: StoreRows, name: string): void {
  const { dxt } = expectedOf(name);
  for (const [module, layer] of [
    ['DXT_POSIX', 'POSIX'],
    ['DXT_MPIIO', 'MPI-IO'],
  ] as const) {
    for (const direction of ['read', 'write']) {
      const of = summaries!.filter((row) => row.layer === layer && row.direction === direction);
      const printed = dxt?.[module]?.ops[direction];
      expect(of.reduce((sum, row) => sum + row.segments!, 0)).toBe(printed?.segments ?? 0);
      expect(of.reduce((sum, row) => sum + row.bytes!, 0)).toBe(printed?.sum_length ?? 0);
    }
  }
  const ids = new Set(files!.map(({ file_id }) => file_id));
  for (const { file_id, active_seconds, summed_seconds, first_start, last_end } of summaries!) {
    expect(ids).toContain(file_id);
    expect(active_seconds!).toBeLessThanOrEqual(Math.min(summed_seconds!, last_end! - first_start!) + 1e-9);
  }
}

/** Totals that darshan-parser printed, where one module alone says them. */
function holdsAgainstParser(job: Row<'job'>, files: readonly Row<'file'>[], name: string, trace: Trace): void {
  const { records, header } = expectedOf(name);
  const total = (module: string, ...counters: string[]): number =>
    counters.reduce((sum, counter) => sum + measured(records[module]?.totals[counter] ?? 0), 0);
  expect(job.processes).toBe(header.nprocs);
  expect(Number(job.job_id)).toBe(Number(header.jobid));
  expect(Number(job.user_id)).toBe(Number(header.uid));
  expect(job.command).toBe(header.exe.trim());
  const { modules } = trace.counters!;
  const posix = modules.find(({ module }) => module === 'POSIX');
  // A program may write to its standard output by POSIX calls: that is no file.
  const used = new Set(Array.from({ length: posix?.length ?? 0 }, (_, record) => posix!.file(record)));
  const hasStreams = trace.files.files.some(({ kind }, file) => kind !== 'regular' && used.has(file));
  const posixAlone = !hasStreams && !modules.some(({ module }) => ['DFS', 'DAOS'].includes(module));
  // MPI-IO's requests count only for files that POSIX knows none of.
  if (posixAlone && files.every((file) => file.uses_mpi_io !== true || file.placed_reads! + file.placed_writes! > 0)) {
    expect(job.placed_reads ?? 0).toBe(total('POSIX', 'POSIX_READS'));
    expect(job.consecutive_writes ?? 0).toBe(total('POSIX', 'POSIX_CONSEC_WRITES'));
    expect(job.small_reads ?? 0).toBe(total('POSIX', ...BINS.map((bin) => `POSIX_SIZE_READ_${bin}`)));
  }
  expect(job.collective_writes ?? 0).toBe(total('MPI-IO', 'MPIIO_COLL_WRITES', 'MPIIO_SPLIT_WRITES'));
  if (records['MPI-IO'] === undefined && posixAlone && records['STDIO'] === undefined) {
    expect(job.bytes_written).toBe(total('POSIX', 'POSIX_BYTES_WRITTEN'));
  }
}

describe.skipIf(folder === undefined)('what stands in single logs', () => {
  const job = async (name: string): Promise<Row<'job'>> =>
    (await rowsOf(path.join(folder!, `${name}.darshan`))).rows.job![0]!;

  test('storage targets, striping and hosts', async () => {
    expect(await job('ior_hdf5_example')).toMatchObject({
      osts: [106],
      ost_count: 1,
      customised_striping: false,
      nodes: 1,
    });
    expect(await job('apmpi_apxc_mpi-io-test')).toMatchObject({
      osts: [117],
      application: 'mpi-io-test',
      uses_hdf5: false,
    });
    expect(await job('ior-HDF5')).toMatchObject({ osts: null, uses_hdf5: true, uses_netcdf: false, uses_mpi_io: true });
    expect(await job('ior-PNETCDF')).toMatchObject({ uses_netcdf: true });
    expect(await job('stdio_no_posix')).toMatchObject({ uses_posix: false, uses_stdio: true, placed_writes: 0 });
  });

  test('a killed program has no end, an empty log no transfers', async () => {
    expect(await job('uncompressed_killed_3.5.0')).toMatchObject({ end_time: null, run_seconds: null });
    expect(await job('empty_log')).toMatchObject({ files: 0, bytes_read: 0, read_start: null, io_seconds: null });
  });
});

describe('rows of our own recordings', () => {
  const own = (name: string): string => path.join(import.meta.dirname, 'data', name);

  test('bytes through MPI-IO and the POSIX below count once; its lines and findings have rows', async () => {
    const location = own('darshan-stack/badmpi_4ranks.darshan');
    const { rows, format, damage } = await rowsOf(location);
    const [job] = rows.job!;
    expect([format, damage]).toEqual(['darshan', []]);
    expect(job).toMatchObject({ log: 'key', path: location, processes: 4, application: 'badmpi', uses_mpi_io: true });
    expect(rows.file!.reduce((sum, { bytes_written }) => sum + bytes_written!, 0)).toBe(job!.bytes_written);
    for (const { log, job_id, start_time } of [...rows.file!, ...rows.site!, ...rows.insight!]) {
      expect([log, job_id, start_time]).toEqual(['key', job!.job_id, job!.start_time]);
    }
    expect(rows.site!.reduce((sum, { share }) => sum + share!, 0)).toBeLessThanOrEqual(1 + 1e-9);
    expect(rows.site!.every(({ line, source_file }) => line! > 0 && source_file!.endsWith('badmpi.c'))).toBe(true);
    const small = rows.insight!.filter(({ trigger, line }) => trigger === 'posix-small-writes' && line !== null);
    expect(small.length).toBeGreaterThan(0);
  });

  test('strace: processes and files of system calls; what it cannot show is not known', async () => {
    const { rows } = await rowsOf(own('strace/ls'), strace('ls'));
    expect(rows.job![0]).toMatchObject({ format: 'strace', uses_posix: true, uses_mpi_io: null, job_id: null });
  });

  test.each([
    ['otf2/collective_write_agg', 16_777_216, 16],
    ['recorder/collective_write', 16_777_216, 16],
    // HDF5's calls do not say how much they move: what they became does, with the library's own data.
    ['recorder/hdf5_chunked', 8_392_816, 0],
  ])('%s: bytes of the outermost calls, requests below', async (name, written, collective) => {
    const location = own(name);
    const { rows } = await rowsOf(
      location,
      readdirSync(location).map((file) => path.join(location, file)),
    );
    const [job] = rows.job!;
    expect(job).toMatchObject({
      bytes_written: written,
      collective_writes: collective,
      files: 1,
    });
    expect(job!.write_end!).toBeGreaterThan(job!.write_start!);
    expect(rows.segment_summary!.every(({ active_seconds, segments }) => active_seconds! > 0 && segments! > 0)).toBe(
      true,
    );
  });

  function strace(name: string): string[] {
    const location = own(`strace/${name}`);
    return readdirSync(location)
      .filter((file) => file.endsWith('.st'))
      .map((file) => path.join(location, file));
  }
});

describe('other sources', () => {
  test('a dump of LMT becomes server load', async () => {
    const location = path.join(import.meta.dirname, 'data/others/lmt');
    const files = readdirSync(location).map((file) => path.join(location, file));
    const { format, rows, damage } = await rowsOf(location, files);
    expect([format, damage]).toEqual(['lmt', []]);
    expect(rows.server_load!.filter(({ target_kind }) => target_kind === 'OST')).toHaveLength(4 * 56);
    expect(rows.server_load![0]).toMatchObject({
      log: 'key',
      file_system: 'scratch',
      target: 'OST0000',
      target_index: 0,
    });
  });

  test('a table of the batch system becomes jobs and steps', async () => {
    const { format, rows } = await rowsOf(path.join(import.meta.dirname, 'data/slurm/sacct_all.txt'));
    expect(format).toBe('sacct');
    expect(rows.scheduler_job!.length).toBeGreaterThan(0);
    expect(rows.scheduler_job!.every(({ log }) => log === 'key')).toBe(true);
  });

  test('what is no source at all says so', async () => {
    await expect(rowsOf(import.meta.filename)).rejects.toThrow(/no recording of a known format|this is no recording/);
    await expect(rowsOf('/nowhere/x.darshan')).rejects.toThrow(/nowhere/);
  });
});
