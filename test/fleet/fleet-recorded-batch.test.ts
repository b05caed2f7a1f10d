import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-recorded-batch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What Slurm tells the first of a step's two tasks. */
const TASK = {
  SLURM_JOB_ID: '4711',
  SLURM_STEP_ID: '3',
  SLURM_STEP_NUM_TASKS: '2',
  SLURM_PROCID: '0',
  SLURMD_NODENAME: 'n17',
  SLURM_JOB_USER: 'ann',
  SLURM_JOB_ACCOUNT: 'p7',
};
/** PBS tells less; nobody else of those that run the tests may add to it. */
const PBS = { PBS_JOBID: '99.head', PBS_O_LOGNAME: 'bob' };

function iolens(environment: Readonly<Record<string, string>>, ...words: string[]): string {
  const own = Object.entries(process.env).filter(([name]) => !/^(SLURM|PBS|LSB|PMI|OMPI)/.test(name));
  const options = { env: { ...Object.fromEntries(own), ...environment }, cwd: folder, encoding: 'utf8' as const };
  return execFileSync(process.execPath, [cli, ...words], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}

function record(name: string, environment: Readonly<Record<string, string>>): void {
  const at = path.join(folder, 'logs', name);
  iolens(environment, 'record', '--with', 'preload', '-o', at, '--', 'cp', 'from', `to-${name}`);
}

test('a recording of our own says in a store which job, step, task, node, user and account it is of', () => {
  writeFileSync(path.join(folder, 'from'), 'x'.repeat(5000));
  record('slurm', TASK);
  record('pbs', PBS);
  record('batch', { ...TASK, SLURM_STEP_ID: '4294967291' });
  record('none', { SLURM_JOB_USER: 'ann' });
  iolens({}, 'fleet', 'ingest', '--store', 'store', 'logs');
  const sql =
    'SELECT parse_filename(parse_dirpath(path)) AS name, job_id, step, task, user_id, account, nodes, node_list FROM job ORDER BY name';
  const ask = (query: string): unknown => {
    const answer = iolens({}, 'fleet', 'query', '--store', 'store', '--format', 'json', query);
    return (JSON.parse(answer) as { rows: unknown }).rows;
  };
  const ofSlurm = { job_id: '4711', task: 0, user_id: 'ann', account: 'p7', nodes: 1, node_list: ['n17'] };
  const nothing = { job_id: null, step: null, task: null, user_id: null, account: null };
  const here = { nodes: 1, node_list: [os.hostname()] };
  expect(ask(sql)).toMatchObject([
    // Slurm's number of what is no step.
    { name: 'batch', ...ofSlurm, step: null },
    { name: 'none', ...nothing, ...here },
    { name: 'pbs', ...nothing, ...here, job_id: '99.head', user_id: 'bob' },
    { name: 'slurm', ...ofSlurm, step: '3' },
  ]);
  const files = 'SELECT DISTINCT job_id FROM file WHERE job_id IS NOT NULL ORDER BY ALL';
  expect(ask(files)).toMatchObject([{ job_id: '4711' }, { job_id: '99.head' }]);
});
