/**
 * Rows of the store against what is known of the recordings. For Darshan logs each number is worked out once more here,
 * file by file from the records as they are, and held against what darshan-parser printed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Row, StoreRows } from '../../src/fleet/schema/tables.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { recogniseRecording } from '../../src/session/reading/recognise-recording.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { absent, corpus } from '../support/corpus.ts';
import {
  BINS,
  measured,
  moves,
  processesOf,
  recordsByFile,
  transfersOf,
} from '../support/darshan/darshan-transfers.ts';
import { rowsOf } from '../support/store-rows.ts';

const dist = path.resolve(import.meta.dirname, '../../dist');
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

/** Unknown numbers are null in a row, and 0 or endless here. */
function comparable(row: Readonly<Record<string, unknown>>, name: string): number {
  return (row[name] as number | null) ?? (name.endsWith('_start') ? Infinity : 0);
}

describe.skipIf(folder === undefined)(`rows of Darshan logs (${absent('darshan')})`, () =>
  test.each(names)('%s: job, files, segments', async (name) => {
    const location = path.join(folder!, `${name}.darshan`);
    const { format, files } = await recogniseRecording([location]);
    const trace = await format.read(files, {});
    const { rows } = await rowsOf(location);
    const used = [...recordsByFile(trace)].map(([file, records]) => ({
      file,
      records,
      transfers: transfersOf(records),
    }));
    const expected = used.filter(({ transfers }) => moves(transfers));
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
    // A job spends time on files that it neither reads nor writes.
    sums['metadata_seconds'] = used.reduce((sum, { transfers }) => sum + transfers['metadata_seconds']!, 0);
    for (const column of Object.keys(sums).filter((each) => !/_(start|end)$/.test(each))) {
      expect(comparable(job!, column), column).toBeCloseTo(sums[column]!, 5);
    }
    holdsAgainstParser(job!, rows.file!, name, trace);
    holdsSegments(rows, name);
  }),
);

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
  const own = (name: string): string => path.join(import.meta.dirname, '../data', name);

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

  test.each([
    // Two ranks, six streams with the threads of MPI.
    ['capture/layers', 2],
    ['capture/processes', 2],
    ['otf2/collective_write_agg', 4],
    ['recorder/collective_write', 4],
    ['darshan-stack/badmpi_4ranks.darshan', 4],
    ['strace/ls', 6],
  ])('%s: a job has as many processes as `info` says', async (name, processes) => {
    const location = own(name);
    const isFolder = statSync(location).isDirectory();
    const files = isFolder ? readdirSync(location, { recursive: true, withFileTypes: true }) : [];
    const paths = files.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const { rows } = await rowsOf(location, isFolder ? paths : [location]);
    const { info } = await localSession({ folder: dist }).recordings.open(plainRequest(location));
    expect([rows.job!.map((job) => job.processes), info.processes]).toEqual([[processes], processes]);
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
    const location = path.join(import.meta.dirname, '../data/others/lmt');
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
    const { format, rows } = await rowsOf(path.join(import.meta.dirname, '../data/slurm/sacct_all.txt'));
    expect(format).toBe('sacct');
    expect(rows.scheduler_job!.length).toBeGreaterThan(0);
    expect(rows.scheduler_job!.every(({ log }) => log === 'key')).toBe(true);
  });

  test('what is no source at all says so', async () => {
    await expect(rowsOf(import.meta.filename)).rejects.toThrow(/no recording of a known format|this is no recording/);
    await expect(rowsOf('/nowhere/x.darshan')).rejects.toThrow(/nowhere/);
  });
});
