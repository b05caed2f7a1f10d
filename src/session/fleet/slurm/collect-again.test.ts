import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountedJob } from '../../../fleet/scheduler/accounting.ts';
import { jobLogOf } from '../../../fleet/scheduler/write-job-log.ts';
import { collectAgain } from './collect-again.ts';
import { jobTables } from './collect-job.ts';

let folder = '';
/** What the played commands of a batch system were asked, word by word. */
const asked = (): string[] =>
  existsSync(path.join(folder, 'asked')) ? readFileSync(path.join(folder, 'asked'), 'utf8').split('\n') : [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-again-'));
  for (const name of ['scontrol', 'sacct']) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${folder}/asked'\nexit 1\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function collected(name: string, number: string, state: string): void {
  const job = accountedJob({ job_id: number, state, submit_time: 1_700_000_000 });
  const facts = { version: '0.1.0', dependencyFrom: null };
  writeFileSync(path.join(folder, name), JSON.stringify(jobLogOf(job, [], facts)));
}

test('of a job that was running the batch system is asked, and of no other', async () => {
  collected('joblog_41.json', '41', 'COMPLETED');
  collected('joblog_42.json', '42', 'RUNNING');
  const [note, ...others] = await collectAgain(folder, '0.1.0');
  expect([note, others]).toEqual([expect.stringContaining('job 42 was RUNNING when this was written'), []]);
  expect(asked()).toContain('42');
  expect(asked().join(' ')).not.toContain('41');
});

test('a file that says it is of a job with another name asks nothing: what stands in it is a word of a command', async () => {
  collected('joblog_42.json', '--clusters=evil', 'RUNNING');
  collected('joblog_43.json', '42', 'RUNNING');
  expect(await collectAgain(folder, '0.1.0')).toEqual([]);
  await expect(jobTables('--clusters=evil')).rejects.toThrow('is not a job number');
  expect(asked()).toEqual([]);
});
