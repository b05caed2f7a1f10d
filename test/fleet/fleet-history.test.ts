/** Kinds of jobs over time: what is planted is found, what is noise is not, and the command says so. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FleetHistory } from '../../src/fleet/history/history.ts';
import type { QueryValue } from '../../src/fleet/query/query-engine.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { BULLY, DAY, plantedRows, SLOW_TARGET, VICTIM } from '../support/fleet-planted.ts';
import { row, writeStore } from '../support/fleet-rows.ts';
import { HOSTILE, SLOW_FROM, slowDownRows, SLOWED, slowSince } from './slow-down.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(os.tmpdir(), 'history-'));
const at = (name: string): string => path.join(folder, name);
let store: OpenedStore;

beforeAll(async () => {
  const planted = plantedRows();
  const slow = slowDownRows();
  await writeStore(at('planted'), {
    ...planted,
    job: [...planted.job, ...slow.job],
    server_load: [...planted.server_load, ...slow.server_load],
  });
  store = await OpenedStore.open(at('planted'));
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const changesOf = ({ told }: FleetHistory) =>
  told.flatMap(({ application, measures }) =>
    measures.flatMap(({ measure, changes }) => changes.map((change) => ({ application, measure, ...change }))),
  );

function history(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [cli, 'fleet', 'history', ...words], { encoding: 'utf8', cwd: folder });
}

describe('a planted slow-down, a slow server and a noisy neighbour are all found in one store', () => {
  test('the slow-down by the history of its kind', async () => {
    const found = changesOf(await store.history({ mostKinds: 20 }));
    expect(found.map(({ application, measure }) => [application, measure])).toEqual([[SLOWED, 'bandwidth']]);
    const [change] = found;
    expect(Math.abs(change!.since - slowSince)).toBeLessThan(2 * DAY);
    expect(change).toMatchObject({ isWorse: true, isLasting: true, servers: { verdict: 'not-busier' } });
    expect(change!.ratio).toBeCloseTo(0.5, 1);
    expect(change!.before.runs + change!.after.runs).toBe(75);
    expect(Math.abs(change!.before.runs - SLOW_FROM)).toBeLessThanOrEqual(1);
    // Four targets of 2 GB/s; what the run itself reads of them is not for others.
    expect(change!.servers.bytesBefore! / 8e9).toBeCloseTo(1, 0);
    expect(change!.pValue).toBeLessThan(1e-6);
  });

  test('the slow server by its samples, and the neighbour by the targets that both use', async () => {
    const rowsOf = async (id: string, values: QueryValue[]): Promise<Record<string, QueryValue>[]> => {
      const { result } = await store.answer(id, values);
      return result.rows.map((cells) => Object.fromEntries(result.columns.map(({ name }, i) => [name, cells[i]!])));
    };
    expect((await rowsOf('slow-targets', []))[0]).toMatchObject({ target: `OST000${SLOW_TARGET}` });
    expect((await rowsOf('interference', [VICTIM]))[0]).toMatchObject({ log: BULLY, targets: 2, seconds: 40 });
  });
});

describe('the servers', () => {
  test('that are busier are said to be', async () => {
    await writeStore(at('busier'), slowDownRows(3));
    const other = await OpenedStore.open(at('busier'));
    const [change] = changesOf(await other.history({ mostKinds: 20 }));
    other.close();
    expect(change!.servers.verdict).toBe('busier');
  });

  test('of which nothing is known are not spoken of as idle', async () => {
    const { job, server_load } = slowDownRows();
    await writeStore(at('none'), { job });
    await writeStore(at('few'), { job, server_load: server_load.slice(0, 8) });
    for (const [name, verdict] of [
      ['none', 'no-load'],
      ['few', 'not-sampled'],
    ] as const) {
      const other = await OpenedStore.open(at(name));
      expect(changesOf(await other.history({ mostKinds: 20 }))[0]!.servers.verdict).toBe(verdict);
      other.close();
    }
  });
});

describe('iolens fleet history', () => {
  test('says since when, and alarms', () => {
    const alarms = at('alarms.txt');
    const { status, stdout, stderr } = history('--store', 'planted', '--alarm', '--alarm-file', alarms, '--kinds', '3');
    expect([status, stderr]).toEqual([1, '']);
    const said =
      /▸ since 2018-02-1\d half as fast \(median 1\.2\d? GB\/s → \d+ MB\/s, \d\d → \d\d jobs\); the file system's servers were not busier, as far as bytes tell \([\d.]+ GB\/s → [\d.]+ GB\/s for others\)\./;
    expect(stdout).toMatch(said);
    expect(stdout).toContain(`${SLOWED}, 64 processes, reads about 8 GiB: 75 runs, 2018-01-01 to 2018-03-27`);
    expect(readFileSync(alarms, 'utf8')).toMatch(
      /^climate, 64 processes, reads about 8 GiB: since 2018-02-1\d half as fast .*\n$/,
    );
    expect(
      history('--store', 'planted', '--alarm', '--alarm-file', alarms, '--changes-since', '2018-03-01').status,
    ).toBe(0);
    expect(readFileSync(alarms, 'utf8')).toBe('');
    expect(history('--store', 'planted', '--alarm', '--application', 'steady3').status).toBe(0);
    expect(history('--store', 'planted', '--alarm-file', at('no/where')).status).toBe(2);
  });

  test('as JSON, with where a job stands among those of its kind', () => {
    const { status, stdout } = history('--store', 'planted', '--job', '9c74', '--json');
    expect(status).toBe(0);
    const document = JSON.parse(stdout) as FleetHistory & { schema: string };
    expect(document).toMatchObject({ schema: 'iolens/fleet-history@1', kinds: 1, jobs: 75 });
    const [standing] = document.standings;
    expect(standing!.percentiles.bandwidth).toBeLessThan(0.5);
    expect(standing!.percentiles.metadataRate).toBe(0.5);
    expect(history('--store', 'planted', '--job', '9c74').stdout).toMatch(
      /bandwidth +\d+ MB\/s: \d+ % of them have less/,
    );
    const none = history('--store', 'planted', '--job', 'nobody');
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('There is no job nobody')]);
  });

  test('of names that are hostile leaves nothing to a terminal', () => {
    const { stdout } = history('--store', 'planted', '--kinds', '100');
    expect(HOSTILE).toContain('\u202e');
    expect(stdout).not.toContain('\u202e');
  });
});

test('what is not known makes no kind, no value and no change', async () => {
  const unknown = Array.from({ length: 40 }, (_, i) => [
    row('job', { log: `a${i}`, application: 'a', start_time: i * DAY, processes: 4 }),
    row('job', { log: `b${i}`, application: null, start_time: i * DAY, bytes_read: 5, io_seconds: 1 }),
    row('job', { log: `c${i}`, application: 'c', start_time: null, bytes_read: 5, io_seconds: 1 }),
    row('job', { log: `d${i}`, application: 'd', start_time: i * DAY, bytes_read: 0, bytes_written: 0, io_seconds: 0 }),
  ]).flat();
  await writeStore(at('unknown'), { job: unknown });
  const other = await OpenedStore.open(at('unknown'));
  const found = await other.history({ mostKinds: 20 });
  other.close();
  expect(
    found.told.map(({ application, input, processes, measures }) => [application, input, processes, measures]),
  ).toEqual([
    ['a', null, 4, []],
    ['d', 0, null, []],
  ]);
  expect(found.tested).toBe(0);
});

test('a job of a year that no calendar has is no end of the others', async () => {
  const { job } = slowDownRows();
  const odd = { ...job[0]!, log: 'odd', job_id: 'odd', start_time: 9e12, bytes_read: 8 * 2 ** 30 };
  const negative = { ...job[0]!, log: 'negative', bytes_read: -5 };
  await writeStore(at('odd'), { job: [...job, odd, negative] });
  const { status, stdout } = history('--store', 'odd', '--kinds', '1');
  expect(status).toBe(0);
  expect(stdout).toContain('76 runs, 2018-01-01 to an unknown day');
  expect(stdout).toContain('half as fast');
});

test('many runs of a few hours are few pieces of evidence', async () => {
  // A thousand jobs of two hours: slow ones in the second.
  const jobs = Array.from({ length: 1000 }, (_, i) =>
    row('job', {
      ...{ log: `x${i}`, application: 'array', start_time: i * 7, processes: 1, run_seconds: 10 },
      ...{ bytes_read: 1e9, io_seconds: i < 500 ? 1 + (i % 7) / 10 : 3 + (i % 5) / 10 },
    }),
  );
  await writeStore(at('array'), { job: jobs });
  const other = await OpenedStore.open(at('array'));
  expect(changesOf(await other.history({ mostKinds: 20 }))).toEqual([]);
  other.close();
});
