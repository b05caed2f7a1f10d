import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QueryValue } from '../../src/fleet/query/query-engine.ts';
import type { Row } from '../../src/fleet/schema/tables.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { row, writeStore } from '../support/fleet-rows.ts';

const START = Date.UTC(2018, 0, 31, 23, 59) / 1000;
const folder = mkdtempSync(path.join(os.tmpdir(), 'scheduler-'));
let store: OpenedStore;

const job = (log: string, given: Partial<Row<'scheduler_job'>>): Row<'scheduler_job'> =>
  row('scheduler_job', { log, job_id: '42', ...given });

const TABLES: readonly Row<'scheduler_job'>[] = [
  // Four tables of the same job: our collector's, scontrol's while it waited, JobLog's while it ran, and sacct's.
  job('collected', { dependency: 'afterok:41', submit_line: 'sbatch -d afterok:41 x', state: 'PENDING', nodes: 1 }),
  job('running', { state: 'RUNNING', start_time: START, nodes: 4, end_time: START + 9, work_directory: '/w' }),
  job('finished', {
    ...{ cluster: 'c', state: 'COMPLETED', start_time: START + 60, end_time: START + 90, elapsed_seconds: 30 },
    ...{ node_list: ['n1', 'n2'], exit_code: 0, name: 'step', user: 'u' },
  }),
  job('stateless', { cluster: 'c', account: 'a', user: 'other' }),
  // The same number in another cluster is another job, and so is what remains of an array.
  job('one', { job_id: '7', cluster: 'a', state: 'FAILED' }),
  job('two', { job_id: '7', cluster: 'b', state: 'COMPLETED' }),
  job('three', { job_id: '7', nodes: 8 }),
  job('task', { job_id: '9', array_job_id: '9', array_task_id: 3, state: 'COMPLETED' }),
  // Numbers come round again.
  ...[0, 400].map((days) =>
    job(`after ${days} days`, { job_id: '5', cluster: 'c', state: 'COMPLETED', submit_time: START + days * 86_400 }),
  ),
  job('late', { job_id: '5', start_time: START + 401 * 86_400, nodes: 3 }),
  job('rest', { job_id: '9', array_job_id: '9', state: 'PENDING' }),
];

beforeAll(async () => {
  const steps = ['RUNNING', 'COMPLETED', null].map((state, index) =>
    row('job_step', { log: `${index}`, job_id: '42', step: '0', state, tasks: index === 1 ? null : 10 + index }),
  );
  const second = row('job_step', { log: '1', job_id: '42', step: '1', state: 'COMPLETED' });
  await writeStore(folder, { scheduler_job: TABLES.slice(2), job_step: steps.slice(1) }, '1');
  await writeStore(folder, { scheduler_job: TABLES.slice(0, 2), job_step: [steps[0]!, second] }, '2');
  store = await OpenedStore.open(folder);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

async function rows(sql: string): Promise<Record<string, QueryValue>[]> {
  const { columns, rows: found } = await store.query(sql);
  return found.map((values) => Object.fromEntries(columns.map(({ name }, index) => [name, values[index]!])));
}

test('a job that several tables tell of stands once, each column from the row that saw it furthest', async () => {
  expect(await rows("SELECT * FROM scheduler_job WHERE job_id = '42'")).toMatchObject([
    {
      ...{ log: 'finished', cluster: 'c', state: 'COMPLETED', nodes: 4, user: 'u', account: 'a', name: 'step' },
      ...{ dependency: 'afterok:41', submit_line: 'sbatch -d afterok:41 x', work_directory: '/w', exit_code: 0 },
      ...{ start_time: '2018-02-01 00:00:00', end_time: '2018-02-01 00:00:30', month: '2018-02' },
      ...{ node_list: ['n1', 'n2'], partition: null },
    },
  ]);
});

test('clusters are told apart, and what names none is not guessed when there are several', async () => {
  const found = await rows("SELECT cluster, state, nodes FROM scheduler_job WHERE job_id = '7' ORDER BY cluster");
  expect(found).toEqual([
    { cluster: 'a', state: 'FAILED', nodes: null },
    { cluster: 'b', state: 'COMPLETED', nodes: null },
    { cluster: null, state: null, nodes: 8 },
  ]);
  expect(await rows("SELECT count(*) AS jobs FROM scheduler_job WHERE job_id = '9'")).toEqual([{ jobs: 2 }]);
});

test('a number that comes round again is another job', async () => {
  expect(await rows("SELECT log, nodes FROM scheduler_job WHERE job_id = '5' ORDER BY submit_time")).toEqual([
    { log: 'after 0 days', nodes: null },
    { log: 'after 400 days', nodes: 3 },
  ]);
});

test('steps stand once too, so that joins multiply nothing', async () => {
  expect(await rows("SELECT step, state, tasks, log FROM job_step WHERE job_id = '42' ORDER BY step")).toEqual([
    { step: '0', state: 'COMPLETED', tasks: 10, log: '1' },
    { step: '1', state: 'COMPLETED', tasks: null, log: '1' },
  ]);
  const joined = "SELECT count(*) AS rows FROM scheduler_job JOIN job_step USING (job_id) WHERE job_id = '42'";
  expect(await rows(joined)).toEqual([{ rows: 2 }]);
});
