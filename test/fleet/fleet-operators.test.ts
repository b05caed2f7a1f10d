import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GROUP_FUNCTIONS } from '../../src/fleet/query/operators/group-functions.ts';
import { Miner } from '../../src/fleet/query/operators/miner.ts';
import type { QueryValue } from '../../src/fleet/query/query-engine.ts';
import type { Row } from '../../src/fleet/schema/tables.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { DAY, plantedRows, START } from '../support/fleet-planted.ts';
import { writeStore } from '../support/fleet-rows.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'operators-'));
const rows = plantedRows();
let store: OpenedStore;

beforeAll(async () => {
  await writeStore(folder, rows);
  store = await OpenedStore.open(folder);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** The paper's: [0, 1) GB is workload 0, [1, 10) GB is workload 1, what is above is workload 2. */
function classifyWorkload(bytesWritten: QueryValue): QueryValue {
  const gigabytes = Number(bytesWritten) / 1e9;
  return gigabytes < 1 ? 0 : gigabytes < 10 ? 1 : 2;
}

/** The paper's: the number of distinct OSTs of the files of a job. */
const calculateOstCount = {
  name: 'ost_count',
  columns: ['osts'],
  returns: 'integer',
  call: (files: readonly { readonly osts: readonly number[] | null }[]) =>
    new Set(files.flatMap(({ osts }) => osts ?? [])).size,
} as const;

const isIn = (month: number, { start_time }: { readonly start_time: number | null }): boolean =>
  new Date(start_time! * 1000).getUTCMonth() === month;

describe('Algorithm 1 of IOMiner', () =>
  test('runs with all its lines', async () => {
    // 1 # Instantiate an IOMiner instance
    // 2 miner = IOMiner("setup.json")
    const miner = new Miner(store.engine);
    // 3 # construct IOMiner's storage format
    // 4 miner.init_stores(start_date, end_date)
    miner.initStores('2018-01-01', '2018-02-01');
    // 5 # load Darshan's job-level statistics as tuples
    // 6 job_tuples = miner.load("darshan_job")
    const jobTuples = miner.load('job');
    // 7 # load Darshan's file-level statistics
    // 8 file_tuples = miner.load("darshan_file")
    const fileTuples = miner.load('file');
    // 9 # load Slurm job scheduler statistics
    // 10 slurm_tuples = miner.load("slurm")
    const slurmTuples = miner.load('scheduler_job');
    // 11 # load Lustre Monitoring Tools (LMT) traces
    // 12 lmt_tuples = miner.load("lmt")
    const lmtTuples = miner.load('server_load');
    // 13 # filter jobs that write less than 1GB data and bin them
    // 14 selected_tuples = job_tuples.project("job_id", "bytes_written").filter("bytes_written < 1GB")
    const selectedTuples = jobTuples.project('job_id', 'bytes_written').filter('bytes_written < 1GB');
    // 15 binned_tuples = job_tuples.bin("workload", classify_workload, "bytes_written")
    const binnedTuples = jobTuples.bin('workload', classifyWorkload, 'bytes_written');
    // 16 # select a list of tuples containing each job's ID and the number of Lustre storage targets (OSTs) used
    // 17 grouped_tuples = file_tuples.group("job_id", calculate_ost_count)
    const groupedTuples = fileTuples.group('job_id', calculateOstCount);
    // 18 # generate a percentile list for Bytes_Written
    // 19 percents = job_tuples.percentile("bytes_written")
    const percents = jobTuples.percentile('bytes_written');
    // 20 # return each job's node count (in Slurm log) and write/read size (in Darshan log)
    // 21 joined_tuples = job_tuples.join(slurm_tuples, "job_id").project("job_id", "node_count", "bytes_read", "bytes_written")
    const joinedTuples = jobTuples
      .join(slurmTuples, 'job_id')
      .project('job_id', 'scheduler_job_nodes', 'bytes_read', 'bytes_written');
    // 22 # return the jobs that write more than 10GB data
    // 23 low_bw_tuples = job_tuples.filter("bytes_written > 10GB").join(file_tuples, "job_id")
    const lowBandwidthTuples = jobTuples.filter('bytes_written > 10GB').join(fileTuples, 'job_id');
    // 24 # extract contributing factors for poor write performance
    // 25 perf_factors = low_bw_tuples.extract_perf_factors("0", "1GB", "write")
    const perfFactors = await lowBandwidthTuples.extractPerfFactors('0', '1GB', 'write');

    const january = rows.job.filter((job) => isIn(0, job));
    const written = january.map((job) => job.bytes_written!);
    expect(await lmtTuples.rows()).toHaveLength(rows.server_load.length);
    expect(sorted((await selectedTuples.rows()).map((tuple) => tuple.bytes_written!))).toEqual(
      sorted(written.filter((bytes) => bytes < 1e9)),
    );
    const workloads = (await binnedTuples.rows()).map((tuple) => tuple.workload!);
    expect(sorted(workloads)).toEqual(sorted(written.map((bytes) => (bytes < 1e9 ? 0 : bytes < 1e10 ? 1 : 2))));
    expect(new Set(workloads)).toEqual(new Set([0, 1, 2]));
    const counts = new Map((await groupedTuples.rows()).map((tuple) => [tuple.job_id, tuple.ost_count]));
    expect(counts).toEqual(ostCounts(rows.file.filter((file) => isIn(0, file))));
    expect((await percents.rows()).map(({ value }) => value)).toEqual(percentiles(written));
    expect((await joinedTuples.rows()).length).toBe(joinedRows(january));
    const wanted = january.filter(({ bytes_written: bytes }) => bytes! > 1e10).map(({ log }) => log);
    expect(perfFactors.map(({ log }) => log)).toEqual(wanted);
    expect(perfFactors.map(({ causes }) => causes.bandwidth)).toEqual([200e6]);
  }));

function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

function ostCounts(files: readonly Row<'file'>[]): Map<string | null, number> {
  const osts = new Map<string | null, Set<number>>();
  for (const file of files) osts.set(file.job_id, new Set([...(osts.get(file.job_id) ?? []), ...(file.osts ?? [])]));
  return new Map([...osts].map(([job, all]) => [job, all.size]));
}

/** Nearest rank. */
function percentiles(values: readonly number[]): number[] {
  const ordered = sorted(values);
  return Array.from({ length: 101 }, (_, p) => ordered[Math.max(0, Math.ceil((ordered.length * p) / 100) - 1)]!);
}

function joinedRows(jobs: readonly Row<'job'>[]): number {
  const scheduled = rows.scheduler_job.filter((job) => isIn(0, job));
  return jobs.reduce((sum, { job_id }) => sum + scheduled.filter((one) => one.job_id === job_id).length, 0);
}

describe('operators', () => {
  test('sort, first, bins by sizes, groups of the engine', async () => {
    const jobs = new Miner(store.engine).load('job');
    const largest = await jobs.sort('bytes_written', 'descending').first(3).project('bytes_written').rows();
    expect(largest.map((tuple) => tuple.bytes_written)).toEqual(
      sorted(rows.job.map((job) => job.bytes_written!))
        .reverse()
        .slice(0, 3),
    );
    const bins = await jobs
      .bin('size', ['100MB', 1e9], 'bytes_read')
      .group('size', GROUP_FUNCTIONS.count())
      .sort('size')
      .rows();
    const read = rows.job.map((job) => job.bytes_read!);
    const within = (from: number, to: number): number => read.filter((bytes) => bytes >= from && bytes < to).length;
    expect(bins.map((bin) => [bin.size, bin.count])).toEqual(
      [within(0, 1e8), within(1e8, 1e9), within(1e9, Infinity)].flatMap((count, bin) =>
        count > 0 ? [[bin, count]] : [],
      ),
    );
    const osts = await new Miner(store.engine).load('file').group(['log', 'job_id'], GROUP_FUNCTIONS.ostCount()).rows();
    const counts = new Map(rows.job.map(({ log, ost_count: count }) => [log, count]));
    for (const { log, ost_count: count } of osts) expect(count ?? null).toBe(counts.get(log));
    const sums = await jobs
      .group(
        'application',
        GROUP_FUNCTIONS.sum('bytes_read'),
        GROUP_FUNCTIONS.mean('processes'),
        GROUP_FUNCTIONS.most('files'),
      )
      .filter("application = 'o''neil'")
      .rows();
    const own = rows.job.filter(({ application }) => application === "o'neil");
    expect(sums).toEqual([
      {
        application: "o'neil",
        bytes_read: own.reduce((sum, job) => sum + job.bytes_read!, 0),
        processes: expect.closeTo(own.reduce((sum, job) => sum + job.processes!, 0) / own.length, 9) as number,
        files: Math.max(...own.map((job) => job.files!)),
      },
    ]);
  });

  test('dates are a range without its end, and only months in it are read', async () => {
    const miner = new Miner(store.engine);
    const [from, to] = [START + 20 * DAY, START + 40 * DAY];
    miner.initStores(new Date(from * 1000), new Date(to * 1000));
    expect((await miner.load('job').rows()).length).toBe(
      rows.job.filter(({ start_time: at }) => at! >= from && at! < to).length,
    );
    expect(() => miner.initStores('2018-02-01', '2018-01-01')).toThrow(/not before/);
    expect(() => miner.initStores('yesterday', '2018-01-01')).toThrow(/no date/);
  });

  test('say what there is not', async () => {
    const jobs = new Miner(store.engine).load('job');
    expect(() => jobs.project('bytes' as 'log')).toThrow(/no column bytes; there are log,/);
    expect(() => jobs.project('constructor' as 'log')).toThrow(/no column constructor/);
    expect(() => new Miner(store.engine).load('jobs' as 'job')).toThrow(/no table jobs; there are job,/);
    expect(() => jobs.bin('size', ['much'], 'files')).toThrow(/"much" is no size/);
    await expect(jobs.project('job_id').extractPerfFactors(0, '1GB', 'read')).rejects.toThrow(/no column log/);
  });

  test('functions of the user may fail: the query says so', async () => {
    const failing = new Miner(store.engine).load('job').bin(
      'bad',
      () => {
        throw new Error('no such class');
      },
      'files',
    );
    await expect(failing.rows()).rejects.toThrow(/no such class/);
  });
});
