import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { corpus } from '../../../test/support/corpus.ts';
import { mergeAccountings } from './merge-accountings.ts';
import { readAccounting, type Accounting } from './read-accounting.ts';

const encode = (text: string) => new TextEncoder().encode(text);

function read(file: string): Accounting {
  const accounting = readAccounting(file, readFileSync(corpus(`slurm/${file}`)!));
  if (accounting === undefined) throw new Error(`${file} is not recognised`);
  return accounting;
}

function readText(text: string): Accounting {
  const accounting = readAccounting('table', encode(text));
  if (accounting === undefined) throw new Error('not recognised');
  return accounting;
}

const jobOf = ({ jobs }: Pick<Accounting, 'jobs'>, id: string) => jobs.find((job) => job.job_id === id)!;
const dependencies = ({ jobs }: Accounting) =>
  Object.fromEntries(
    jobs.flatMap((job) => (job.dependency === null ? [] : [[job.job_id ?? '', job.dependency]])),
  ) as Record<string, string>;

/** As declared when the sample's workflows were submitted. */
const DECLARED = {
  23: 'afterok:22',
  24: 'afterok:23',
  26: 'afterok:25',
  27: 'afterok:25',
  29: 'afterany:26:27',
  30: 'after:25',
  31: 'after:25',
  32: 'after:25',
  33: 'after:25',
  35: 'after:34',
  36: 'afterok:34',
};

describe('accounting of a real cluster', () => {
  test('sacct -P: jobs, steps, and dependencies from the lines that submitted them', () => {
    const table = read('sacct_with_submitline.txt');
    expect([table.format, table.jobs.length, table.steps.length, table.damage]).toEqual(['sacct', 14, 19, []]);
    expect(table.notes.join()).toContain('taken as UTC');
    expect(dependencies(table)).toEqual(DECLARED);
    expect(jobOf(table, '23')).toMatchObject({
      name: 'sim',
      nodes: 2,
      tasks: null,
      node_list: ['n1', 'n2'],
      state: 'COMPLETED',
      exit_code: 0,
      submit_time: 1795252608,
      start_time: 1795252613,
      end_time: 1795252617,
      elapsed_seconds: 4,
    });
    expect(jobOf(table, '31')).toMatchObject({ array_job_id: '30', array_task_id: 0, name: 'array' });
    const broken = table.steps.find((step) => step.job_id === '24' && step.step === '1');
    expect(broken).toMatchObject({ name: 'broken', state: 'FAILED', exit_code: 3, exit_signal: 0, elapsed_seconds: 0 });
    expect(table.steps.filter((step) => step.job_id === '31')).toHaveLength(1);
  });

  test('sacct with all its fields, or the fewest, says the same of what both know', () => {
    const few = read('sacct_joblog_fields.txt');
    const all = read('sacct_all.txt');
    expect(dependencies(all)).toEqual(DECLARED);
    for (const job of few.jobs.filter((each) => each.array_job_id === null)) {
      const { name, state, nodes, node_list, start_time, end_time, elapsed_seconds, exit_code } = job;
      const same = { name, state, nodes, node_list, start_time, end_time, elapsed_seconds, exit_code };
      expect(jobOf(all, job.job_id!)).toMatchObject(same);
    }
    expect(few.jobs.filter((job) => job.array_job_id === '30')).toHaveLength(4);
    expect(jobOf(all, '27')).toMatchObject({ state: 'FAILED', exit_code: 2, cluster: 'testbox', user: 'root' });
  });

  test('sacct --json says the same as sacct -P', () => {
    const json = read('sacct.json');
    const table = read('sacct_all.txt');
    const known = ({ jobs, steps }: Accounting) => ({
      jobs: jobs
        .map((job) => ({ ...job, dependency: null, submit_line: null, exit_code: job.exit_code ?? 2, exit_signal: 0 }))
        .sort((a, b) => Number(a.job_id) - Number(b.job_id)),
      steps: steps
        .map((step) => `${step.job_id}.${step.step} ${step.name} ${step.state} ${step.start_time} ${step.tasks}`)
        .sort(),
    });
    expect(known(json)).toEqual(known(table));
    // Release 22.05 claims that job 27 ended with 0, which it did not.
    expect(jobOf(json, '27')).toMatchObject({ state: 'FAILED', exit_code: null });
    expect(json.notes).toEqual(['sacct.json: exit codes of failed jobs and steps are not in this JSON (it says 0)']);
    expect(json.damage).toEqual([]);
  });

  test('what still waits has its dependency with the controller', () => {
    const declared = {
      23: 'afterok:22',
      24: 'afterok:23',
      26: 'afterok:25',
      27: 'afterok:25',
      28: 'afterok:26,afterok:27',
      29: 'afterany:26,afterany:27',
      30: 'after:25',
    };
    for (const file of ['scontrol_show_job_pending.txt', 'squeue_pending.json', 'squeue_pending.txt']) {
      const waiting = read(file);
      expect([file, dependencies(waiting)]).toEqual([file, declared]);
      expect(waiting.jobs.map((job) => [job.state, job.start_time, job.end_time])).toEqual(
        Array.from({ length: 9 }, () => ['PENDING', null, null]),
      );
    }
  });

  test('scontrol tells no end before there is one', () => {
    expect(jobOf(read('scontrol-23.txt'), '23')).toMatchObject({
      state: 'RUNNING',
      start_time: 1795252613,
      end_time: null,
      exit_code: null,
      tasks: 2,
      work_directory: '/tmp/peers2/slurm/w',
    });
    const over = read('scontrol_show_job_finished.txt');
    expect(jobOf(over, '23')).toMatchObject({ end_time: 1795252617, elapsed_seconds: 4, exit_code: 0 });
    expect(jobOf(over, '28')).toMatchObject({ state: 'CANCELLED', dependency: 'afterok:27' });
  });

  test('jobcomp/filetxt and JobLog', () => {
    const completions = read('jobcomp_filetxt.txt');
    expect([completions.format, completions.jobs.length]).toEqual(['jobcomp', 36]);
    expect(jobOf(completions, '3')).toMatchObject({ array_job_id: '1', array_task_id: 0, nodes: 1, name: 'ingest' });
    const inside = read('joblog_run_34.json');
    expect(inside.jobs[0]).toMatchObject({ job_id: '34', state: 'RUNNING', end_time: 1795252656, exit_code: null });
    expect(inside.steps.map((step) => [step.step, step.name, step.tasks])).toEqual([
      ['0', 'solve', 2],
      ['1', 'checkpoint', 1],
    ]);
    expect(inside.notes.join()).toContain('its last step');
    const upstream = read('joblog_example_upstream.json');
    expect(upstream.jobs[0]).toMatchObject({ name: 'HELLOWORLD', cpus: 4, start_time: 1555339184, dependency: null });
    expect(upstream.steps).toHaveLength(1);
  });

  test('several tables of the same jobs are put together', () => {
    const tables = ['squeue_pending.json', 'joblog_run_34.json', 'sacct_joblog_fields.txt'].map(read);
    const { jobs, steps } = mergeAccountings(tables);
    expect(jobs.filter((job) => job.job_id === '23')).toHaveLength(1);
    expect(jobOf({ jobs: [...jobs] }, '23')).toMatchObject({
      state: 'COMPLETED',
      dependency: 'afterok:22',
      user: 'root',
      cluster: 'testbox',
      end_time: 1795252617,
    });
    expect(steps.filter((step) => step.job_id === '34')).toHaveLength(2);
  });
});

describe('sacct -P in other forms', () => {
  const header = 'JobIDRaw|JobID|State|JobName|Submit|Start|End|ExitCode|SubmitLine';

  test('separators and ends of lines within free text go to the column that leaves the others sound', () => {
    const time = '2026-11-21T09:16:48';
    const table = readText(
      [
        header,
        `7|7|COMPLETED|a|b|${time}|${time}|${time}|0:0|sbatch -J a|b x.sh | y`,
        `8|8|COMPLETED|plain|${time}|${time}|${time}|1:9|sbatch -d afterok:7 --wrap=a`,
        'b|c',
        '',
        'd',
        `9|9|CANCELLED by 0|c|${time}|None|Unknown|0:0|`,
        '',
      ].join('\n'),
    );
    expect(table.damage).toEqual([]);
    expect(table.jobs.map((job) => [job.job_id, job.name, job.submit_line, job.state, job.start_time])).toEqual([
      ['7', 'a|b', 'sbatch -J a|b x.sh | y', 'COMPLETED', 1795252608],
      ['8', 'plain', 'sbatch -d afterok:7 --wrap=a\nb|c\n\nd', 'COMPLETED', 1795252608],
      ['9', 'c', null, 'CANCELLED', null],
    ]);
    expect(jobOf(table, '8')).toMatchObject({ dependency: 'afterok:7', exit_code: 1, exit_signal: 9 });
  });

  test('arrays, heterogeneous jobs, runs that were repeated, other delimiters', () => {
    const table = readText(
      [
        'JobID;JobIDRaw;State;Start;End;NNodes;Elapsed',
        '30_[4-9%2];30;PENDING;Unknown;Unknown;1;00:00:00',
        '30_3;34;COMPLETED;1795252608;1795252618.5;4K;1-00:00:01',
        '30_9;30;COMPLETED;2026-11-21T09:16:48+01:00;2026-11-21T09:16:48Z;1;01:00:00',
        '40+0;40;RUNNING;1795252608;Unknown;2;00:10',
        '40+1;41;RUNNING;1795252608;Unknown;2;00:10',
        '40+1.0;41.0;RUNNING;1795252608;Unknown;2;00:10',
        '40+1.extern;41.extern;RUNNING;1795252608;Unknown;2;00:10',
        '50;50;NODE_FAIL;1795252608;1795252609;1;00:00:01',
        '50;50;COMPLETED;1795252618;1795252619;1;00:00:01',
      ].join('\r\n'),
    );
    expect(table.damage).toEqual([]);
    const rows = table.jobs.map((job) => [job.job_id, job.array_job_id, job.array_task_id, job.start_time, job.nodes]);
    expect(rows).toEqual([
      ['30', '30', null, null, 1],
      ['34', '30', 3, 1795252608, 4096],
      ['30', '30', 9, 1795249008, 1],
      ['40', null, null, 1795252608, 2],
      ['41', null, null, 1795252608, 2],
      ['50', null, null, 1795252618, 1],
    ]);
    expect(jobOf(table, '34')).toMatchObject({ end_time: 1795252618.5, elapsed_seconds: 86_401 });
    expect(table.steps.map((step) => [step.job_id, step.step])).toEqual([['41', '0']]);
    expect(table.notes.join()).toContain('1 earlier runs');
  });

  test('damage is told with the line, the rest is kept', () => {
    const table = readText(
      `${header}\nnonsense\n7|7|COMPLETED|a\n8|8|COMPLETED|a|yesterday|0|0|0:0|x\n9|9|FAILED|b|||||\n`,
    );
    expect(table.jobs.map((job) => job.job_id)).toEqual(['8', '9']);
    expect(table.damage).toEqual([
      'table: line 2: a row is expected; the line is left out',
      'table: line 3: 9 columns are expected; the line is left out',
      'table: line 4: "yesterday" is no time that is understood',
    ]);
  });

  test('what is no table of a batch system is not taken for one', () => {
    for (const text of [
      '',
      'a|b\n1|2',
      'openat(AT_FDCWD, "x")',
      '{"jobs": 3}',
      '{',
      'JobID\n7',
      '{"JobID": {}}',
      '{"Trace": {"FileName": "traces.otf2"}, "JobId": 0, "Functions": {}, "IOOperations": {}}',
      '\0\0',
    ])
      expect(readAccounting('x', encode(text))).toBeUndefined();
  });
});

/** As releases 23.02 to 24.11 write it. */
function newerJson(): string {
  const set = (number: number) => ({ set: true, infinite: false, number });
  const unset = { set: false, infinite: false, number: 0 };
  const allocated = [{ type: 'cpu', name: '', id: 1, count: 4 }];
  const step = (id: unknown, name: string) => ({
    time: { start: set(1795252609), end: set(1795252611), elapsed: 2 },
    exit_code: { status: ['SIGNALED'], return_code: unset, signal: { id: set(9), name: 'Killed' } },
    nodes: { count: 2, range: 'n[1-2]', list: ['n1', 'n2'] },
    tasks: { count: 4 },
    state: ['FAILED'],
    step: { id, name },
    tres: { allocated },
  });
  const job = {
    job_id: 42,
    name: 'quote " and ] }',
    cluster: 'c',
    user: 'ann',
    account: 'p',
    array: { job_id: 41, task_id: set(3), task: '' },
    association: { user: 'ann' },
    allocation_nodes: 2,
    nodes: 'n[1-2]',
    state: { current: ['RUNNING', 'COMPLETING'], reason: 'None' },
    exit_code: { status: ['PENDING'], return_code: set(0), signal: { id: unset, name: '' } },
    submit_line: 'sbatch --dependency=afterok:40 x.sh',
    time: { submission: 1795252600, eligible: 1795252601, start: 1795252608, end: 0, elapsed: 12 },
    tres: { allocated },
    steps: [
      step('42.batch', 'batch'),
      step('42.0', 'solve'),
      step({ job_id: 42, step_id: '1' }, 'x'),
      step(4294967291, 'b'),
    ],
  };
  return JSON.stringify({
    jobs: [job, { ...job, job_id: 43 }],
    meta: { plugin: { type: 'openapi/slurmdbd' } },
    errors: [],
  });
}

describe('JSON of newer releases', () => {
  test('numbers in objects, states in arrays, ids of steps as text', () => {
    const table = readText(newerJson());
    expect([table.format, table.damage]).toEqual(['sacct-json', []]);
    expect(jobOf(table, '42')).toMatchObject({
      name: 'quote " and ] }',
      state: 'RUNNING',
      array_job_id: '41',
      array_task_id: 3,
      cpus: 4,
      end_time: null,
      dependency: 'afterok:40',
    });
    expect(table.steps.filter((step) => step.job_id === '42')).toMatchObject([
      { step: '0', name: 'solve', exit_code: null, exit_signal: 9, state: 'FAILED', tasks: 4, end_time: 1795252611 },
      { step: '1' },
    ]);
  });

  test('cut off anywhere it is kept as far as it is whole', () => {
    const text = newerJson();
    const second = text.indexOf('"job_id":43') - 1;
    for (let end = second; end < text.length - 200; end += 37) {
      const table = readText(text.slice(0, end));
      expect(table.jobs.map((job) => job.job_id)).toEqual(['42']);
      expect(table.damage).toHaveLength(1);
    }
  });
});
