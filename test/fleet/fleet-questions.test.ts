import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { groupBy } from '../../src/base/grouping.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryValue } from '../../src/fleet/query/query-engine.ts';
import { QUESTIONS } from '../../src/fleet/query/questions/questions.ts';
import type { Row } from '../../src/fleet/schema/tables.ts';
import type { JobFilter } from '../../src/features/store/methods.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { BULLY, DAY, HOT_LINE, plantedRows, SLOW_TARGET, START, TARGETS, VICTIM } from '../support/fleet-planted.ts';
import { writeStore } from '../support/fleet-rows.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'questions-'));
const rows = plantedRows();
const { job: jobs, file: files } = rows;
let store: OpenedStore;

beforeAll(async () => {
  await writeStore(folder, rows);
  store = await OpenedStore.open(folder);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** Rows of an answer by the names of their columns. */
async function answer(
  id: string,
  values: QueryValue[] = [],
  filter: JobFilter = {},
): Promise<Record<string, QueryValue>[]> {
  const { result } = await store.answer(id, values, filter);
  return result.rows.map((row) => Object.fromEntries(result.columns.map(({ name }, i) => [name, row[i]!])));
}

const total = (of: readonly Row<'job'>[], column: 'bytes_read' | 'bytes_written'): number =>
  of.reduce((sum, job) => sum + job[column]!, 0);

function counted<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function grouped<Key>(of: readonly Row<'job'>[], key: (job: Row<'job'>) => Key): Map<Key, Row<'job'>[]> {
  const groups = new Map<Key, Row<'job'>[]>();
  for (const job of of) groups.set(key(job), [...(groups.get(key(job)) ?? []), job]);
  return groups;
}

describe('ready-made questions give planted answers up', () => {
  test.each([
    ['top-read-applications', 'bytes_read'],
    ['top-write-applications', 'bytes_written'],
  ] as const)('%s', async (id, column) => {
    const expected = [...grouped(jobs, (job) => job.application)]
      .map(([application, own]) => ({ application, bytes: total(own, column), jobs: own.length }))
      .sort((a, b) => b.bytes - a.bytes);
    const found = await answer(id, [3]);
    expect(found.map((row) => [row['application'], row[column], row['jobs']])).toEqual(
      expected.slice(0, 3).map(({ application, bytes, jobs: count }) => [application, bytes, count]),
    );
    const three = expected.slice(0, 3).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(found[2]!['share_so_far']).toBeCloseTo(three / total(jobs, column), 12);
  });

  test('sequential-share: equation 3, as a distribution', async () => {
    const shares = jobs
      .filter((job) => job.reads! + job.writes! > 0)
      .map((job) => (100 * (job.consecutive_reads! + job.consecutive_writes!)) / (job.reads! + job.writes!))
      .sort((a, b) => a - b);
    const found = await answer('sequential-share');
    expect(found).toHaveLength(101);
    for (const p of [0, 1, 10, 50, 99, 100])
      expect(found[p]!['sequential_percent']).toBeCloseTo(
        shares[Math.max(0, Math.ceil((shares.length * p) / 100) - 1)]!,
        9,
      );
  });

  test('read-ratio: equation 4, in bins', async () => {
    const bins = jobs.flatMap(({ bytes_read: read, bytes_written: written }) => {
      const moved = read! + written!;
      if (moved === 0) return [];
      return read === 0 ? [0] : written === 0 ? [100] : [Math.min(99, Math.ceil((100 * read!) / moved))];
    });
    const found = await answer('read-ratio');
    const counts = counted(bins);
    expect(found.map((row) => row['jobs'])).toEqual(Array.from({ length: 101 }, (_, bin) => counts.get(bin) ?? 0));
  });

  test('sharing-patterns and sharing-ratio: equation 5, without jobs of one process', async () => {
    const several = jobs.filter((job) => job.processes! > 1);
    const byLog = new Map(several.map(({ log }) => [log, files.filter((file) => file.log === log)]));
    const patterns = several.flatMap(({ log, processes }) => {
      const own = byLog.get(log)!.map((file) => file.processes ?? processes!);
      if (byLog.get(log)!.every((file) => file.processes === null)) return [];
      if (own.every((used) => used === processes)) return ['N-1'];
      return own.every((used) => used === 1) && own.length === processes ? ['N-N'] : ['N-M'];
    });
    const found = await answer('sharing-patterns');
    expect(new Map(found.map((row) => [row['pattern'], row['jobs']]))).toEqual(counted(patterns));
    expect([...counted(patterns).keys()].sort()).toEqual(['N-1', 'N-M', 'N-N']);
    const ratios = several.map((job) => job.processes! / job.files!);
    const one = (await answer('sharing-ratio')).find((row) => row['ratio'] === '1')!;
    expect(one['jobs']).toBe(ratios.filter((ratio) => ratio === 1).length);
    for (const { least, most, jobs: count } of await answer('sharing-ratio'))
      expect(ratios.filter((ratio) => ratio >= Number(least) && ratio <= Number(most))).toHaveLength(Number(count));
  });

  test('middleware-by-size: One, Small, Medium, Large', async () => {
    const found = await answer('middleware-by-size');
    const classOf = ({ processes: count }: Row<'job'>): string =>
      count === 1 ? 'One' : count! <= 1024 ? 'Small' : count! <= 8192 ? 'Medium' : 'Large';
    const classes = grouped(jobs, classOf);
    expect(found.map((row) => row['size'])).toEqual(['One', 'Small', 'Medium', 'Large']);
    for (const row of found) {
      const own = classes.get(String(row['size']))!;
      const percent = (of: (job: Row<'job'>) => boolean): number => (100 * own.filter(of).length) / own.length;
      expect(row['jobs']).toBe(own.length);
      expect(row['collective_percent']).toBeCloseTo(
        percent((job) => (job.collective_writes ?? 0) > 0),
        9,
      );
      expect(row['independent_percent']).toBeCloseTo(
        percent((job) => job.uses_mpi_io === true && (job.collective_writes ?? 0) === 0),
        9,
      );
      expect(row['posix_percent']).toBeCloseTo(
        percent((job) => job.uses_posix === true && job.uses_mpi_io !== true),
        9,
      );
    }
    expect(found[3]!['collective_percent']).toBeGreaterThan(0);
  });

  test('customised-striping: against the default that is asked for', async () => {
    const onLustre = new Map<string, boolean>();
    for (const { log, stripe_count: count } of files)
      if (count !== null) onLustre.set(log!, (onLustre.get(log!) ?? false) || count !== 1);
    const found = await answer('customised-striping');
    const counts = counted([...onLustre.values()]);
    expect(found.map((row) => [row['striping'], row['jobs']])).toEqual([
      ['customised', counts.get(true)],
      ['default', counts.get(false)],
    ]);
    const other = await answer('customised-striping', [2 ** 20, 4, -1]);
    expect(other.find((row) => row['striping'] === 'customised')!['jobs']).toBeGreaterThan(counts.get(false)! - 1);
  });

  test('shared-targets: union and intersection', async () => {
    const chosen = jobs.filter((job) => job.osts !== null).slice(0, 12);
    const found = await answer('shared-targets', [chosen.map(({ log }) => log).join(', ')]);
    const union = [...new Set(chosen.flatMap(({ osts }) => osts!))].sort((a, b) => a - b);
    expect(found.map((row) => Number(row['ost'])).sort((a, b) => a - b)).toEqual(union);
    const common = union.filter((ost) => chosen.every(({ osts }) => osts!.includes(ost)));
    expect(found.flatMap((row) => (row['all_of_them'] === true ? [row['ost']] : []))).toEqual(common);
  });

  test('interference and load-on-targets: who disturbs the victim, and what the servers moved meanwhile', async () => {
    const [first, ...others] = await answer('interference', ['777']);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ log: BULLY, application: 'wrf', targets: 2, seconds: 40 });
    const meanwhile = (target: number, from: number, to: number): number =>
      rows.server_load
        .filter((load) => load.target_index === target)
        .reduce((sum, { start_time: start, end_time: end, bytes_written: bytes }) => {
          const seconds = Math.min(end!, to) - Math.max(start!, from);
          return sum + (seconds > 0 ? (bytes! * seconds) / 5 : 0);
        }, 0);
    const at = START + 10 * DAY;
    expect(Number(first!['server_bytes'])).toBeCloseTo(
      meanwhile(3, at + 20, at + 60) + meanwhile(4, at + 20, at + 60),
      -1,
    );
    const load = await answer('load-on-targets', [VICTIM]);
    expect(load.map((row) => [row['ost'], row['job_bytes'], row['other_jobs']]).sort()).toEqual([
      [3, 300e6, 1],
      [4, 300e6, 1],
    ]);
    for (const row of load) expect(row['server_bytes']).toBeCloseTo(meanwhile(Number(row['ost']), at, at + 60), -1);
  });

  test('slow-targets: the slow one stands first', async () => {
    const found = await answer('slow-targets');
    expect(found).toHaveLength(TARGETS);
    expect(found[0]).toMatchObject({ target: 'OST0007', file_system: 'scratch' });
    expect(Number(found[0]!['target']?.toString().slice(3))).toBe(SLOW_TARGET);
    expect(found[0]!['of_median']).toBeLessThan(0.2);
    expect(Math.min(...found.slice(1).map((row) => Number(row['of_median'])))).toBeGreaterThan(0.9);
  });

  test('server-load: bytes a second of the time that was sampled, not of the hour', async () => {
    const found = await answer('server-load');
    const hours = groupBy(rows.server_load, ({ end_time: end }) => Math.floor(end! / 3600));
    expect(found).toHaveLength(hours.size);
    const rates = [...hours]
      .sort(([a], [b]) => a - b)
      .map(([, loads]) => {
        const targets = [...groupBy(loads, ({ target }) => target).values()];
        const total = (samples: typeof loads, name: 'bytes_written' | 'seconds'): number =>
          samples.reduce((sum, load) => sum + load[name]!, 0);
        return targets.reduce((sum, samples) => sum + total(samples, 'bytes_written') / total(samples, 'seconds'), 0);
      });
    found.forEach((row, index) => expect(row['written_per_second']).toBeCloseTo(rates[index]!, 2));
    expect(Math.min(...found.map((row) => Number(row['sampled_seconds'])))).toBeLessThan(3600);
  });

  test('findings: how often, since when, in which lines', async () => {
    const withSmallWrites = rows.insight.filter(({ code }) => code === 'P06');
    const [first] = await answer('frequent-insights');
    expect(first).toMatchObject({
      trigger: 'posix-small-writes',
      jobs: new Set(withSmallWrites.map(({ log }) => log)).size,
    });
    const months = await answer('insights-over-time', ['posix-small-writes']);
    const monthOf = ({ start_time: at }: { start_time: number | null }): string =>
      new Date(at! * 1000).toISOString().slice(0, 7);
    const perMonth = counted(withSmallWrites.filter(({ place }) => place === 0).map(monthOf));
    expect(new Map(months.map((row) => [row['month'], row['with_finding']]))).toEqual(perMonth);
    const [line] = await answer('lines-behind-insights');
    const hot = rows.insight.filter((found) => found.source_file === HOT_LINE.source_file);
    expect(line).toMatchObject({
      ...{ ...HOT_LINE, jobs: hot.length, first_month: '2018-02', last_month: '2018-03', applications: ['vasp'] },
      ...{ events: 100 * hot.length, seconds: 2.5 * hot.length },
    });
    const overTime = (await answer('lines-over-time')).filter((row) => row['source_file'] === HOT_LINE.source_file);
    expect(new Map(overTime.map((row) => [row['month'], row['jobs']]))).toEqual(counted(hot.map(monthOf)));
  });

  test('low-bandwidth-jobs: the bounds of section III.F', async () => {
    const found = await answer('low-bandwidth-jobs', ['write', 1e8, 1000, 1000, 1000]);
    const expected = jobs.filter((job) => {
      const seconds = job.write_end! - job.write_start!;
      return (
        job.write_start !== null &&
        job.processes! >= 1000 &&
        job.bytes_written! / seconds < 1e8 &&
        job.bytes_written! / job.processes! >= 1000
      );
    });
    expect(found.map((row) => row['log']).sort()).toEqual(
      expected
        .map(({ log }) => log!)
        .slice()
        .sort(),
    );
    expect(expected.length).toBeGreaterThan(5);
  });
});

describe('questions', () => {
  test('each is of the jobs that a filter leaves, and its query can be asked again', async () => {
    const filter = {
      application: "o'neil",
      text: '/LOGS/1',
      from: START,
      to: START + 80 * DAY,
      leastBytes: 1,
      leastProcesses: 1,
      mostBandwidth: 1e12,
    };
    const own = jobs.filter(
      (job) =>
        job.application === filter.application &&
        job.path!.toLowerCase().includes('/logs/1') &&
        job.start_time! < filter.to &&
        job.bytes_read! + job.bytes_written! >= 1 &&
        (job.bytes_read! / (job.read_end! - job.read_start!) <= 1e12 ||
          job.bytes_written! / (job.write_end! - job.write_start!) <= 1e12),
    );
    expect(own.length).toBeGreaterThan(3);
    expect(await answer('top-read-applications', [], filter)).toMatchObject([
      { jobs: own.length, bytes_read: total(own, 'bytes_read') },
    ]);
    for (const { id } of QUESTIONS) {
      const { sql, result } = await store.answer(id, [], { ...filter, insight: 'P06' });
      expect((await store.query(sql)).rows, id).toEqual(result.rows);
    }
  });

  test('say which there are, and what they take', async () => {
    await expect(answer('nothing')).rejects.toThrow(/no question nothing; there are top-read-applications,/);
    await expect(answer('top-read-applications', ['many'])).rejects.toThrow('rows is many; a whole number is expected');
    await expect(answer('low-bandwidth-jobs', ['sideways'])).rejects.toThrow('read or write is expected');
    await expect(answer('top-read-applications', [1, 2])).rejects.toThrow('takes 1 values, not 2');
    for (const { chart, id } of QUESTIONS) {
      const { result } = await store.answer(id, []);
      const names = result.columns.map(({ name }) => name);
      const drawn =
        chart.kind === 'lines' ? [chart.x, ...chart.y] : chart.kind === 'table' ? [] : [chart.label, ...chart.values];
      for (const name of drawn) expect(names, id).toContain(name);
    }
  });

  test('values never become part of the query', async () => {
    const nasty = "x' OR 1=1; DROP VIEW job; --";
    expect(await answer('interference', [nasty])).toEqual([]);
    expect(await answer('shared-targets', [nasty])).toEqual([]);
    expect(
      await answer('top-read-applications', [], { application: nasty, text: nasty, user: nasty, insight: nasty }),
    ).toEqual([]);
    const { sql, result } = await store.answer('top-read-applications', [], { application: nasty });
    expect((await store.query(sql)).rows).toEqual(result.rows);
    expect((await store.query('SELECT count(*) FROM job')).rows).toEqual([[jobs.length]]);
  });
});

describe('jobs of a store', () => {
  test('come by the page, in any order', async () => {
    const ordered = jobs.map(({ log, bytes_written: bytes }) => ({ log: log!, bytes: bytes! }));
    ordered.sort((a, b) => b.bytes - a.bytes || (a.log < b.log ? -1 : 1));
    const page = { filter: {}, orderBy: 'bytes_written', descending: true, first: 100, count: 50 };
    const { total: all, result } = await store.jobs(page);
    expect([all, result.rows.map((row) => row[0])]).toEqual([
      jobs.length,
      ordered.slice(100, 150).map(({ log }) => log),
    ]);
    const few = await store.jobs({ ...page, filter: { application: 'wrf' }, first: 0, count: 1000 });
    expect(few.total).toBe(few.result.rows.length);
    await expect(store.jobs({ ...page, orderBy: 'log; DROP VIEW job' })).rejects.toThrow(/no column/);
  });

  test('are told with everything that belongs to them', async () => {
    const { log, job_id: id } = jobs[7]!;
    const detail = await store.job(log!);
    expect(detail.job).toMatchObject({
      log,
      job_id: id,
      read_bandwidth: jobs[7]!.bytes_read! / (jobs[7]!.read_end! - jobs[7]!.read_start!),
    });
    expect(detail.files.rows).toHaveLength(files.filter((file) => file.log === log).length);
    expect(detail.insights.rows).toHaveLength(rows.insight.filter((insight) => insight.log === log).length);
    expect(detail.schedulerJobs.rows).toHaveLength(rows.scheduler_job.filter((one) => one.job_id === id).length);
    expect(detail.recording).toBeNull();
    await expect(store.job("x' OR true")).rejects.toThrow(/no recording/);
  });

  test('have causes, those of the lowest bandwidth first', async () => {
    const request = { filter: {}, direction: 'write', leastBandwidth: 0, mostBandwidth: 50e6, mostJobs: 20 } as const;
    const found = await store.causes(request);
    const bandwidths = found.map(({ causes }) => causes.bandwidth!);
    expect(bandwidths).toEqual([...bandwidths].sort((a, b) => a - b));
    expect(found).toHaveLength(20);
    const all = await store.causes({ ...request, mostJobs: 10_000 });
    expect(all.slice(0, 20).map(({ log }) => log)).toEqual(found.map(({ log }) => log));
    // Over the time from the first to the last write the bandwidth is lower still.
    const slower = jobs.filter(
      (job) => job.bytes_written! > 0 && job.bytes_written! / (job.write_end! - job.write_start!) <= 50e6,
    );
    expect(all.length).toBeLessThanOrEqual(slower.length);
    const one = all.find(({ log }) => files.filter((file) => file.log === log).length === 1)!;
    const file = files.find((row) => row.log === one.log)!;
    expect(one.causes.bandwidth).toBeCloseTo(file.bytes_written! / (file.write_end! - file.write_start!), 6);
    expect(one.criticalFiles).toEqual([{ path: file.path, exclusiveSeconds: file.write_end! - file.write_start! }]);
  });
});
