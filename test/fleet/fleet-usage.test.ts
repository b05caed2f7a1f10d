/** Who uses what, and which share of it has logs: against numbers that are written down here. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QueryValue } from '../../src/fleet/query/query-engine.ts';
import type { JobFilter } from '../../src/fleet/query/job-filter.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { row, writeStore } from '../support/fleet-rows.ts';

const DAY = 86_400;
const folder = mkdtempSync(path.join(os.tmpdir(), 'usage-'));
let store: OpenedStore;

const job = (log: string, job_id: string | null, day: number, given: object) =>
  row('job', { log, job_id, start_time: day * DAY + 100, processes: 4, run_seconds: 1800, bytes_written: 0, ...given });
const batch = (job_id: string, day: number, given: object) =>
  row('scheduler_job', {
    ...{ log: 'sacct', cluster: 'c', job_id, start_time: day * DAY, end_time: day * DAY + 3600, state: 'COMPLETED' },
    ...{ cpus: 8, elapsed_seconds: 3600, user: 'ann', account: 'p1', partition: 'batch', node_list: ['n1', 'n2'] },
    ...given,
  });

beforeAll(async () => {
  await writeStore(folder, {
    job: [
      // One job of the batch system with two programs.
      job('a', '1', 0, { user_id: '1001', application: 'sim', bytes_read: 100 }),
      job('b', '1', 0, { user_id: '1001', application: 'post', bytes_read: 60, bytes_written: 40 }),
      job('c', '2', 1, { user_id: '1002', application: 'sim', bytes_read: 10 }),
      // Its number was of another job a year ago, and is of nobody's now.
      job('d', '1', 400, { user_id: '1003', application: 'old', bytes_read: 7, account: 'p9' }),
      job('e', null, 2, { user_id: '1002', application: 'sim', bytes_read: null, processes: null, node_list: [] }),
    ],
    scheduler_job: [
      batch('1', 0, {}),
      batch('2', 1, { user: 'bob', partition: 'debug', node_list: ['n2'], cpus: 2, elapsed_seconds: 1800 }),
      batch('3', 1, { user: 'bob', cpus: 4 }),
      batch('4', 2, { elapsed_seconds: 0, state: 'PENDING', cpus: null }),
    ],
    server_load: [0, 1].map((day) =>
      row('server_load', {
        ...{ log: 'lmt', file_system: 'f', target: 'OST0000', target_kind: 'OST', target_index: 0, seconds: DAY },
        ...{ start_time: day * DAY, end_time: (day + 1) * DAY, bytes_read: 500, bytes_written: 20 },
      }),
    ),
  });
  store = await OpenedStore.open(folder);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

async function rows(
  id: string,
  values: QueryValue[],
  columns: string[],
  filter: JobFilter = {},
): Promise<QueryValue[][]> {
  const { result } = await store.answer(id, values, filter);
  const places = columns.map((name) => result.columns.findIndex((column) => column.name === name));
  return result.rows.map((cells) => places.map((place) => cells[place]!));
}

test.each([
  [
    'user',
    [
      ['ann', 2, 8, 160, 40],
      ['bob', 1, 1, 10, 0],
      ['1003', 1, null, 7, 0],
      ['1002', 1, null, null, 0],
    ],
  ],
  [
    'account',
    [
      ['p1', 3, 9, 170, 40],
      ['p9', 1, null, 7, 0],
      [null, 1, null, null, 0],
    ],
  ],
  [
    'queue',
    [
      ['batch', 2, 8, 160, 40],
      ['debug', 1, 1, 10, 0],
      [null, 2, null, 7, 0],
    ],
  ],
  [
    'node',
    [
      ['n2', 3, 5, 90, 20],
      ['n1', 2, 4, 80, 20],
      [null, 2, null, 7, 0],
    ],
  ],
  [
    'application',
    [
      ['sim', 3, 5, 110, 0],
      ['post', 1, 4, 60, 40],
      ['old', 1, null, 7, 0],
    ],
  ],
  ['all', [['all', 5, 9, 177, 40]]],
] as const)('use by %s', async (by, expected) => {
  expect(await rows('usage', [by], ['name', 'jobs', 'core_hours', 'bytes_read', 'bytes_written'])).toEqual(expected);
});

test('use of the jobs that a filter leaves, and none of unknown values', async () => {
  const columns = ['name', 'core_hours', 'process_hours'];
  expect(await rows('usage', ['user'], columns, { application: 'sim' })).toEqual([
    ['ann', 8, 2],
    ['bob', 1, 2],
    ['1002', null, null],
  ]);
  await expect(store.answer('usage', ['shoe'])).rejects.toThrow('by is shoe; user or account or queue');
});

test('what logs cover: jobs that ran, their core hours, and traffic while servers were sampled', async () => {
  const columns = ['what', 'all', 'with_logs'];
  expect(await rows('coverage', [], columns)).toEqual([
    ['jobs', 3, 2],
    ['core hours', 13, 9],
    ['bytes', 1040, 210],
  ]);
  expect(await rows('coverage', ['1970-01-02', '1970-01-03'], columns)).toEqual([
    ['jobs', 2, 1],
    ['core hours', 5, 1],
    ['bytes', 520, 10],
  ]);
});

test('days with what their jobs moved', async () => {
  expect(await rows('traffic-over-time', [], ['day', 'jobs', 'bytes_read'])).toEqual([
    ['1970-01-01', 2, 160],
    ['1970-01-02', 1, 10],
    ['1970-01-03', 1, null],
    ['1971-02-05', 1, 7],
  ]);
});

test('a store without tables of the batch system and of servers says that nothing is known', async () => {
  const place = path.join(folder, 'bare');
  await writeStore(place, { job: [job('a', '1', 0, { user_id: 'x', bytes_read: 1 })] });
  const bare = await OpenedStore.open(place);
  const { result } = await bare.answer('coverage', []);
  bare.close();
  expect(result.rows.map((cells) => cells.slice(1))).toEqual([
    [null, null, null],
    [null, null, null],
    [null, null, null],
  ]);
});
