/**
 * Real logs, copied under fresh numbers of jobs, taken in by the real command: each ready-made question against numbers that
 * are worked out here from the logs' records, from what darshan-parser and Drishti printed (`*.expected.json`) and from the
 * tables of the server dump, never from our rows.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryValue } from '../../src/fleet/query/query-engine.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { originalJob, type Job } from '../support/copied-jobs.ts';
import { copyLogs } from '../support/copied-logs.ts';
import { absent, corpus } from '../support/corpus.ts';

const own = path.join(import.meta.dirname, '../data');
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const source = corpus('darshan');
const COPIES = 3;
/** Copies of one log overlap in time, and others with them. */
const LATER = 10;
/** Larger logs have nothing that these questions ask for, and take their time. */
const MOST_BYTES = 72_000;

let folder = '';
let store: OpenedStore;
let jobs: Job[] = [];

const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);
const total = (job: Job, name: string): number => sum(job.files.map(({ transfers }) => transfers[name]!));
const bytesOf = (job: Job): number => total(job, 'bytes_read') + total(job, 'bytes_written');

function grouped<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

async function answer(id: string, values: QueryValue[] = []): Promise<Record<string, QueryValue>[]> {
  const { result } = await store.answer(id, values);
  return result.rows.map((row) => Object.fromEntries(result.columns.map(({ name }, i) => [name, row[i]!])));
}

describe.skipIf(source === undefined)(`questions about copies of real logs (${absent('darshan')})`, () => {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'copies-'));
    const logs = readdirSync(source!)
      .filter((name) => name.endsWith('.darshan'))
      .map((name) => path.join(source!, name))
      .filter((log) => statSync(log).size < MOST_BYTES);
    logs.push(path.join(own, 'darshan-stack/badmpi_4ranks_small.darshan'));
    const from = path.join(folder, 'logs');
    await copyLogs(logs, from, COPIES * logs.length, { later: LATER });
    const originals = await Promise.all(logs.map(originalJob));
    jobs = Array.from({ length: COPIES * logs.length }, (_, index) => {
      const original = originals[index % logs.length]!;
      const start = original.start > 0 ? original.start + index * LATER : original.start;
      return { ...original, id: String(1_000_000 + index), start };
    });
    cpSync(path.join(own, 'others/lmt'), path.join(from, 'lmt'), { recursive: true });
    cpSync(path.join(own, 'slurm/sacct_all.txt'), path.join(from, 'sacct_all.txt'));
    writeFileSync(path.join(from, 'notes.txt'), 'no log\n');
    const words = ['fleet', 'ingest', from, '--store', path.join(folder, 'store'), '--progress', 'never'];
    const { status, stderr } = spawnSync(process.execPath, [cli, ...words], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    store = await OpenedStore.open(path.join(folder, 'store'));
  }, 120_000);
  afterAll(() => {
    (store as OpenedStore | undefined)?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('all are there, and a file that is no log is not counted as unreadable', async () => {
    const { logs, tables } = store.summary(0);
    expect(logs).toMatchObject({ unreadable: 0, other: 1 });
    expect(logs.stored + logs.damaged).toBe(jobs.length + 2);
    expect(tables.find(({ table }) => table === 'job')!.rows).toBe(jobs.length);
    const { rows } = await store.query('SELECT job_id, processes, files, application FROM job ORDER BY job_id');
    expect(rows).toEqual(jobs.map((job) => [job.id, job.processes, job.files.length, job.application]));
  });

  test.each([
    ['top-read-applications', 'bytes_read', 'reads'],
    ['top-write-applications', 'bytes_written', 'writes'],
  ] as const)('%s', async (id, bytes, requests) => {
    const applications = [...grouped(jobs, (job) => job.application)].map(([application, of]) => {
      const [moved, asked] = [bytes, requests].map((name) => sum(of.map((job) => total(job, name))));
      const users = new Set(of.map(({ user }) => user)).size;
      return { moved: moved!, shown: { application, jobs: of.length, users, [bytes]: moved, [requests]: asked } };
    });
    applications.sort((a, b) => b.moved - a.moved || (a.shown.application < b.shown.application ? -1 : 1));
    const found = await answer(id, [1000]);
    expect(found).toHaveLength(applications.length);
    expect(found).toMatchObject(applications.map(({ shown }) => shown));
    const all = sum(jobs.map((job) => total(job, bytes)));
    for (const row of found) expect(row['share']).toBeCloseTo(Number(row[bytes]) / all, 12);
    expect(found.at(-1)!['share_so_far']).toBeCloseTo(1, 12);
  });

  test('low-bandwidth-jobs', async () => {
    const expected = jobs.flatMap((job) => {
      const moment = (name: string, choose: (...all: number[]) => number, none: number): number =>
        choose(...job.files.map(({ transfers }) => transfers[name]!).filter((value) => value !== none));
      const seconds = moment('write_end', Math.max, 0) - moment('write_start', Math.min, Infinity);
      const bytes = total(job, 'bytes_written');
      return seconds > 0 && bytes / seconds < 1e9 && bytes / job.processes >= 100
        ? [[job.id, bytes / seconds] as const]
        : [];
    });
    const found = await answer('low-bandwidth-jobs', ['write', 1e9, 1, 100, 10_000]);
    expect(found.map((row) => row['job_id']).sort()).toEqual(expected.map(([job]) => job));
    const bandwidths = new Map(found.map((row) => [row['job_id'], row['bandwidth']]));
    for (const [id, bandwidth] of expected) expect(Number(bandwidths.get(id)) / bandwidth).toBeCloseTo(1, 6);
    expect(expected.length).toBeGreaterThan(50);
  });

  test('sequential-share', async () => {
    const percents = (ways: readonly string[]): number[] =>
      jobs
        .map((job) => [
          sum(ways.map((way) => total(job, `consecutive_${way}`))),
          sum(ways.map((way) => total(job, `placed_${way}`))),
        ])
        .filter(([, placed]) => placed! > 0)
        .map(([consecutive, placed]) => (100 * consecutive!) / placed!)
        .sort((a, b) => a - b);
    const found = await answer('sequential-share');
    for (const [column, ways] of [
      ['sequential_percent', ['reads', 'writes']],
      ['read_percent', ['reads']],
      ['write_percent', ['writes']],
    ] as const) {
      const sorted = percents(ways);
      const nearestRank = (p: number): number => sorted[Math.max(0, Math.ceil((sorted.length * p) / 100) - 1)]!;
      for (const row of found) expect(row[column]).toBeCloseTo(nearestRank(Number(row['job_percentile'])), 9);
    }
  });

  test('read-ratio', async () => {
    const bins = Array.from({ length: 101 }, () => 0);
    for (const job of jobs) {
      const [read, written] = [total(job, 'bytes_read'), total(job, 'bytes_written')];
      if (read + written === 0) continue;
      const bin =
        read === 0 ? 0 : written === 0 ? 100 : Math.max(1, Math.min(99, Math.ceil((100 * read) / (read + written))));
      bins[bin]!++;
    }
    expect((await answer('read-ratio')).map((row) => row['jobs'])).toEqual(bins);
  });

  test('sharing-patterns and sharing-ratio', async () => {
    const several = jobs.filter(({ processes, files }) => processes > 1 && files.length > 0);
    const patternOf = ({ files, processes }: Job): string => {
      if (files.every((file) => file.processes >= processes)) return 'N-1';
      return files.every((file) => file.processes === 1) && files.length === processes ? 'N-N' : 'N-M';
    };
    const patterns = grouped(several, patternOf);
    const found = await answer('sharing-patterns');
    expect(new Map(found.map((row) => [row['pattern'], [row['jobs'], row['bytes']]]))).toEqual(
      new Map([...patterns].map(([pattern, of]) => [pattern, [of.length, sum(of.map(bytesOf))]])),
    );
    expect(patterns.size).toBeGreaterThan(1);
    const ratios = await answer('sharing-ratio');
    const power = ({ processes, files }: Job): number => Math.floor(Math.log2(processes / files.length));
    const bins = grouped(several, power);
    for (const row of ratios.filter((each) => Number(each['least']) > 1))
      expect(row['jobs']).toBe(bins.get(Math.floor(Math.log2(Number(row['least']))))!.length);
    expect(sum(ratios.map((row) => Number(row['jobs'])))).toBe(several.length);
  });

  test('middleware-by-size', async () => {
    const classOf = ({ processes }: Job): string =>
      processes === 1 ? 'One' : processes <= 1024 ? 'Small' : processes <= 8192 ? 'Medium' : 'Large';
    const classes = grouped(jobs, classOf);
    const found = await answer('middleware-by-size');
    expect(found.map((row) => row['size']).sort()).toEqual([...classes.keys()].sort());
    for (const row of found) {
      const of = classes.get(String(row['size']))!;
      const percent = (is: (job: Job) => boolean): number => (100 * of.filter(is).length) / of.length;
      const collective = (job: Job): boolean => total(job, 'collective_reads') + total(job, 'collective_writes') > 0;
      const mpi = ({ uses }: Job): boolean => uses.has('MPI-IO');
      const expected = {
        jobs: of.length,
        collective_percent: percent(collective),
        independent_percent: percent((job) => mpi(job) && !collective(job)),
        posix_percent: percent((job) => job.uses.has('POSIX') && !mpi(job)),
        stdio_percent: percent((job) => job.uses.has('STDIO') && !job.uses.has('POSIX') && !mpi(job)),
        hdf5_percent: percent(({ uses }) => uses.has('H5F') || uses.has('H5D')),
        netcdf_percent: percent(({ uses }) => uses.has('PNETCDF_FILE') || uses.has('PNETCDF_VAR')),
      };
      for (const [name, value] of Object.entries(expected)) expect(row[name], name).toBeCloseTo(value, 9);
    }
  });

  test('customised-striping', async () => {
    const onLustre = jobs.filter(({ files }) => files.some(({ layout }) => layout !== undefined));
    const isCustomised = ({ files }: Job): boolean =>
      files.some(({ layout }) => layout && (layout.size !== 2 ** 20 || layout.count !== 1 || layout.offset !== -1));
    const expected = grouped(onLustre, (job) => (isCustomised(job) ? 'customised' : 'default'));
    const found = await answer('customised-striping');
    expect(new Map(found.map((row) => [row['striping'], [row['jobs'], row['bytes']]]))).toEqual(
      new Map([...expected].map(([striping, of]) => [striping, [of.length, sum(of.map(bytesOf))]])),
    );
  });

  /** Files on targets, with the seconds in which they were used. */
  const usesOf = (job: Job) =>
    job.files.flatMap(({ layout, transfers: t }) => {
      const since = job.start + Math.min(t['read_start']!, t['write_start']!);
      const until = job.start + Math.max(t['read_end']!, t['write_end']!);
      const osts = [...new Set(layout?.osts ?? [])];
      return osts.map((ost) => ({ ost, since, until, bytes: (t['bytes_read']! + t['bytes_written']!) / osts.length }));
    });

  test('shared-targets', async () => {
    const uses = jobs.flatMap((job) => usesOf(job).map((use) => ({ ...use, job: job.id })));
    const users = new Set(uses.map(({ job }) => job)).size;
    const expected = [...grouped(uses, ({ ost }) => ost)].map(([ost, of]) => {
      const count = new Set(of.map(({ job }) => job)).size;
      return {
        ost,
        jobs: count,
        files: of.length,
        bytes: sum(of.map(({ bytes }) => bytes)),
        all_of_them: count === users,
      };
    });
    expected.sort((a, b) => b.jobs - a.jobs || a.ost - b.ost);
    expect(expected.length).toBeGreaterThan(10);
    const found = await answer('shared-targets');
    expect(found).toEqual(expected.map((row) => ({ ...row, bytes: expect.closeTo(row.bytes, 1) as number })));
  });

  test('interference and load-on-targets: copies of a job disturb each other', async () => {
    const span = (job: Job): number =>
      Math.max(...usesOf(job).map(({ until }) => until)) - Math.min(...usesOf(job).map(({ since }) => since));
    const [victim] = [...jobs].sort((a, b) => (span(b) || 0) - (span(a) || 0));
    const own = new Map(
      [...grouped(usesOf(victim!), ({ ost }) => ost)].map(([ost, of]) => [
        ost,
        {
          ...{ since: Math.min(...of.map(({ since }) => since)), until: Math.max(...of.map(({ until }) => until)) },
          bytes: sum(of.map(({ bytes }) => bytes)),
        },
      ]),
    );
    const meetings = jobs
      .filter((job) => job !== victim)
      .flatMap((job) =>
        usesOf(job).flatMap(({ ost, since, until, bytes }) => {
          const mine = own.get(ost);
          if (mine === undefined || since >= mine.until || until <= mine.since) return [];
          return [{ job: job.id, ost, bytes, since: Math.max(since, mine.since), until: Math.min(until, mine.until) }];
        }),
      );
    const found = await answer('interference', [victim!.id, 1000]);
    const byJob = grouped(meetings, ({ job }) => job);
    expect(byJob.size).toBeGreaterThanOrEqual(COPIES - 1);
    expect(found.map((row) => row['job_id']).sort()).toEqual([...byJob.keys()].sort());
    for (const row of found) {
      const of = [...grouped(byJob.get(String(row['job_id']))!, ({ ost }) => ost).values()];
      const longest = of.map(
        (each) => Math.max(...each.map(({ until }) => until)) - Math.min(...each.map(({ since }) => since)),
      );
      expect(row['targets']).toBe(of.length);
      expect(row['seconds']).toBeCloseTo(Math.max(...longest), 4);
      expect(row['its_bytes']).toBeCloseTo(sum(of.flat().map(({ bytes }) => bytes)), 3);
      expect(row['server_bytes']).toBeNull();
    }
    const loads = await answer('load-on-targets', [victim!.id, 1000]);
    expect(loads).toHaveLength(own.size);
    for (const row of loads) {
      const { since, until, bytes } = own.get(Number(row['ost']))!;
      const others = new Set(meetings.filter(({ ost }) => ost === row['ost']).map(({ job }) => job));
      expect([row['other_jobs'], row['server_bytes']]).toEqual([others.size, null]);
      expect(row['seconds']).toBeCloseTo(until - since, 4);
      expect(row['job_bytes']).toBeCloseTo(bytes, 3);
    }
  });

  /** Differences of the counters of each storage target, from the dump's own tables. */
  function dumpedLoad(): { ost: number; end: number; seconds: number; read: number; written: number }[] {
    const table = (name: string): string[][] => {
      const text = readFileSync(path.join(own, 'others/lmt', `${name}.tsv`), 'utf8').trimEnd();
      return text
        .split('\n')
        .slice(1)
        .map((line) => line.split('\t'));
    };
    const times = new Map(
      table('TIMESTAMP_INFO').map(([id, time]) => [id, Date.parse(`${time!.replace(' ', 'T')}Z`) / 1000]),
    );
    return [...grouped(table('OST_DATA'), ([ost]) => Number(ost)).entries()].flatMap(([ost, samples]) => {
      const known = samples
        .map(([, id, read, written]) => ({ at: times.get(id)!, read: Number(read), written: Number(written) }))
        .sort((a, b) => a.at - b.at);
      const grown = (now: number, before: number): number => (now >= before ? now - before : now);
      return known.slice(1).map((now, i) => {
        const before = known[i]!;
        const moved = { read: grown(now.read, before.read), written: grown(now.written, before.written) };
        return { ost: ost - 1, end: now.at, seconds: now.at - before.at, ...moved };
      });
    });
  }

  test('server-load and slow-targets', async () => {
    const load = dumpedLoad();
    const hours = grouped(load, ({ end }) => Math.floor(end / 3600));
    const found = await answer('server-load');
    expect(found).toHaveLength(hours.size);
    for (const [index, [, of]] of [...hours].sort(([a], [b]) => a - b).entries()) {
      const targets = [...grouped(of, ({ ost }) => ost).values()];
      const sampled = targets.map((samples) => sum(samples.map(({ seconds }) => seconds)));
      const rate = (way: 'read' | 'written'): number =>
        sum(targets.map((samples, at) => sum(samples.map((sample) => sample[way])) / sampled[at]!));
      expect(found[index]!['read_per_second']).toBeCloseTo(rate('read'), 2);
      expect(found[index]!['written_per_second']).toBeCloseTo(rate('written'), 2);
      expect(found[index]!['sampled_seconds']).toBeCloseTo(Math.max(...sampled), 3);
    }
    const median = (values: number[]): number => {
      const sorted = values.sort((a, b) => a - b);
      const middle = (sorted.length - 1) / 2;
      return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
    };
    const targets = await answer('slow-targets');
    const byTarget = grouped(load, ({ ost }) => ost);
    expect(targets).toHaveLength(byTarget.size);
    for (const row of targets) {
      const of = byTarget.get(Number.parseInt(String(row['target']).slice(3), 16))!;
      const rates = of.flatMap(({ read, written, seconds }) =>
        read + written > 0 ? [(read + written) / seconds] : [],
      );
      expect(row['busy_samples']).toBe(rates.length);
      expect(row['bandwidth']).toBeCloseTo(median(rates), 3);
    }
  });

  test('frequent-insights and insights-over-time: jobs in which Drishti finds the same', async () => {
    const frequent = new Map((await answer('frequent-insights', [1000])).map((row) => [row['code'], row['jobs']]));
    for (const [code, way] of [
      ['P05', 'reads'],
      ['P06', 'writes'],
    ] as const) {
      // Drishti's bounds: more than 1,000 small requests, and more than a tenth. Where stacks tell the lines, our own
      // bound is their time: badmpi.c has such a line (independent-small-write).
      const hasFinding = (job: Job): boolean => {
        if (job.application === 'badmpi') return way === 'writes';
        const small = total(job, `small_${way}`);
        return small > 1000 && small > 0.1 * total(job, `sized_${way}`);
      };
      for (const job of jobs)
        if (job.drishti) expect([job.application, job.drishti.has(code)]).toEqual([job.application, hasFinding(job)]);
      expect([code, frequent.get(code)]).toEqual([code, jobs.filter(hasFinding).length]);
      const months = await answer('insights-over-time', [code]);
      const monthOf = ({ start }: Job): string => new Date(start * 1000).toISOString().slice(0, 7);
      const expected = [
        ...grouped(
          jobs.filter(({ start }) => start > 0),
          monthOf,
        ),
      ].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(months.map((row) => [row['month'], row['jobs'], row['with_finding']])).toEqual(
        expected.map(([month, all]) => [month, all.length, all.filter(hasFinding).length]),
      );
    }
  });

  test('lines-behind-insights and lines-over-time: the marked lines of the program that has stacks', async () => {
    const text = readFileSync(path.join(own, 'darshan-stack/badmpi.c'), 'utf8').split('\n');
    const marked = new Set(text.flatMap((line, index) => (line.includes('/* BAD') ? [index + 1] : [])));
    const lines = await answer('lines-behind-insights', ['', 1000]);
    expect(lines.length).toBeGreaterThan(0);
    for (const row of lines) {
      expect(row['source_file']).toMatch(/badmpi\.c$/);
      expect(row['jobs']).toBe(COPIES);
      expect(row['applications']).toEqual(['badmpi']);
    }
    expect(lines.some((row) => marked.has(Number(row['line'])))).toBe(true);
    for (const row of await answer('lines-over-time', ['', 1000])) expect(row['jobs']).toBe(COPIES);
  });
});
