import { expect, test } from 'vitest';
import { accountedJob, accountedStep } from './accounting.ts';
import { readAccounting } from './read-accounting.ts';
import { jobLogOf } from './write-job-log.ts';

const job = accountedJob({
  cluster: 'c',
  job_id: '43',
  array_job_id: '42',
  array_task_id: 7,
  name: 'a "b" | c',
  user: 'ann',
  account: 'p7',
  partition: 'main',
  submit_time: 1795252600,
  eligible_time: 1795252601,
  nodes: 2,
  cpus: 8,
  tasks: 4,
  node_list: ['n1', 'n02'],
  state: 'FAILED',
  exit_code: 3,
  exit_signal: 9,
  start_time: 1795252600 + 90_061,
  end_time: 1795252600 + 290_061,
  elapsed_seconds: 200_000,
  dependency: 'afterok:40:41?singleton',
  submit_line: 'sbatch -d afterok:40:41?singleton x.sh',
  work_directory: '/work/a b',
});
const step = accountedStep({ cluster: 'c', job_id: '43', step: '0', name: 'solve', state: 'COMPLETED', exit_code: 0 });

function written(): Record<string, unknown> {
  return jobLogOf(job, [{ ...step, exit_signal: 0 }], { version: '1', dependencyFrom: 'script' }) as Record<
    string,
    unknown
  >;
}

test('what the collector writes is read again as it was', () => {
  const log = readAccounting('joblog_43.json', new TextEncoder().encode(JSON.stringify(written())))!;
  expect(log.jobs).toEqual([job]);
  expect(log.steps).toEqual([{ ...step, exit_signal: 0 }]);
  expect([log.format, log.damage, log.notes]).toEqual(['joblog', [], []]);
});

test('it is in the form of JobLog', () => {
  const { QueueTime, Start, Elapsed, Version, Dependency, DependencyFrom } = written();
  expect({ QueueTime, Start, Elapsed, Version }).toEqual({
    QueueTime: '1 day, 1:01:01',
    Start: '2026-11-22T10:17:41+00:00',
    Elapsed: '2-07:33:20',
    Version: { Major: 0, Minor: 1 },
  });
  expect([Dependency, DependencyFrom]).toEqual(['afterok:40:41?singleton', 'script']);
});
