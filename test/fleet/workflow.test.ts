import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { WorkflowAnswers } from '../../src/features/workflow/answers.ts';
import type { WorkflowOptions } from '../../src/features/workflow/answers.ts';
import type { WorkflowDocument, WorkflowStep } from '../../src/fleet/workflow/workflow-document.ts';
import { MemoryBudget } from '../../src/session/reading/memory-budget.ts';
import { absent, corpus } from '../support/corpus.ts';
import { SYNTHETIC_JOBS, syntheticWorkflow } from '../support/synthetic-workflow.ts';

const SYNTHETIC = path.join(import.meta.dirname, '../data/workflow/synthetic');
const temporary = mkdtempSync(path.join(tmpdir(), 'iolens-workflow-'));

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

function read(folder: string, options: WorkflowOptions = {}): Promise<WorkflowDocument> {
  return new WorkflowAnswers({ means: () => ({ budget: new MemoryBudget(), cache: undefined }) }).read(folder, options);
}

/** A folder with these files. */
function folderOf(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = path.join(temporary, name);
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}

const edges = ({ jobs, dependencies }: WorkflowDocument, kind: string): string[] =>
  dependencies.filter((edge) => edge.kind === kind).map(({ from, to }) => `${jobs[from]!.id}>${jobs[to]!.id}`);

const share = ({ share: found }: WorkflowStep, group: 'computation' | 'communication' | 'io'): number =>
  found![group] / (found!.computation + found!.communication + found!.io);

describe("the synthetic workflow of Tschüter's section 5.4.1", async () => {
  const workflow = await read(SYNTHETIC);
  const { jobs, files } = workflow;
  const insight = (kind: string, ...ids: string[]): WorkflowDocument['insights'][number] | undefined =>
    workflow.insights.find(
      (each) => each.kind === kind && ids.every((id) => each.jobs.some((job) => jobs[job]!.id === id)),
    );

  test('is the one that its script writes', () => {
    for (const [name, bytes] of syntheticWorkflow())
      expect(readFileSync(path.join(SYNTHETIC, name)).equals(bytes), name).toBe(true);
  });

  test('has five jobs with four, three, three, three and two steps, all recorded and sound', () => {
    expect(jobs.map(({ id, steps }) => [id, steps.length])).toEqual([
      ['42', 4],
      ['43', 3],
      ['44', 3],
      ['45', 3],
      ['46', 2],
    ]);
    expect(jobs.every(({ steps }) => steps.every(({ recordingFormat }) => recordingFormat === 'otf2'))).toBe(true);
    expect(workflow.notes).toEqual([]);
    expect(jobs[0]!.steps[2]!.recording).toEqual([path.join(SYNTHETIC, '42.2/traces.otf2')]);
  });

  test('declares 42 before 43 and 44, and these and 45 before 46; nothing is inferred from times', () => {
    expect(edges(workflow, 'declared')).toEqual(['42>43', '42>44', '44>46', '45>46']);
    expect(edges(workflow, 'time')).toEqual([]);
  });

  test('finds the data dependency of 45 on 43 that the scheduler does not know', () => {
    expect(edges(workflow, 'data')).toContain('43>45');
    const edge = workflow.dependencies.find(({ from, to }) => jobs[from]!.id === '43' && jobs[to]!.id === '45')!;
    expect(edge).toMatchObject({ kind: 'data', fromStep: 2, toStep: 0 });
    expect(edge.files.map((file) => files[file]!.path)).toEqual(['/scratch/coupled/field.dat']);
    expect(insight('undeclared-dependency', '43', '45')?.recommendation).toContain('--dependency=afterok:43');
    expect(workflow.insights.filter(({ kind }) => kind === 'undeclared-dependency')).toHaveLength(1);
  });

  test('sees no dependency in the log that all append to', () => {
    const log = files.findIndex(({ path: name }) => name === '/scratch/coupled/run.log');
    expect(files[log]!.users).toHaveLength(15);
    expect(workflow.dependencies.every((edge) => !edge.files.includes(log))).toBe(true);
  });

  test('gives job 46 37 % of the run time of all jobs, and its second step most of it', () => {
    const all = jobs.reduce((sum, { elapsed }) => sum + elapsed!, 0);
    expect(jobs[4]!.elapsed! / all).toBeCloseTo(0.37, 2);
    expect(insight('dominating-step', '46')).toMatchObject({ severity: 'high', seconds: 220 });
    expect(insight('dominating-step', '46')?.message).toContain('37 %');
  });

  test('is bound by computation, but for half of step 3 of job 42 and the second steps of 43, 44 and 45', () => {
    const { computation, communication, io } = workflow.share!;
    expect(computation / (computation + communication + io)).toBeGreaterThan(0.7);
    expect(share(jobs[0]!.steps[2]!, 'communication')).toBeCloseTo(0.5, 2);
    const bound = workflow.insights.filter(({ kind }) => kind === 'communication-bound-step');
    expect(bound.map(({ title }) => /\((\d+\.\d)/.exec(title)![1]).sort()).toEqual(['42.2', '43.1', '44.1', '45.1']);
  });

  test('knows the shares that the script gave every step, within what its I/O takes', () => {
    for (const [job, { steps }] of SYNTHETIC_JOBS.entries())
      for (const [step, { communication, seconds }] of steps.entries()) {
        const found = jobs[job]!.steps[step]!;
        expect(share(found, 'communication')).toBeCloseTo(communication, 5);
        expect(found.share!.computation + found.share!.communication + found.share!.io).toBeCloseTo(2 * seconds, 6);
      }
  });

  test('hangs on 42, 43, 45 and 46', () => {
    expect(workflow.criticalChain.map((job) => jobs[job]!.id)).toEqual(['42', '43', '45', '46']);
    expect(insight('critical-chain', '42')?.message).toContain('Not on it: 44 (93 s to spare)');
  });
});

describe('workflows that ran on a real Slurm', () => {
  const table = corpus('slurm/sacct_with_submitline.txt');

  test.skipIf(table === undefined)(`have the dependencies that sbatch was told (${absent('slurm')} else)`, async () => {
    const workflow = await read(table!);
    const { jobs, insights } = workflow;
    expect(edges(workflow, 'declared').slice(0, 6)).toEqual(['25>26', '25>27', '22>23', '23>24', '26>29', '27>29']);
    expect(jobs.find(({ id }) => id === '23')).toMatchObject({ declared: 'afterok:22', queued: 2, elapsed: 4 });
    expect(jobs.find(({ id }) => id === '30_1')?.steps.map(({ id }) => id)).toEqual(['30_1.0']);
    const failed = insights.filter(({ kind }) => kind === 'failed-job').map(({ title }) => title);
    expect(failed).toEqual(['Job 27 failed (exit status 2)', 'Job 24 has failed steps']);
  });

  test.skipIf(table === undefined)('are the same jobs when several tables list them', async () => {
    const folder = path.dirname(table!);
    const names = ['sacct_with_submitline.txt', 'sacct_joblog_fields.txt', 'joblog_run_34.json'];
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name))]));
    const [both, one] = [await read(folderOf('tables', files)), await read(table!)];
    expect(both.jobs).toEqual(one.jobs);
    expect(both.dependencies).toEqual(one.dependencies);
  });
});

describe('iolens workflow', () => {
  const run = (...values: string[]): { stdout: string; stderr: string; status: number | null } =>
    spawnSync(process.execPath, [path.resolve(import.meta.dirname, '../../dist/cli.js'), 'workflow', ...values], {
      encoding: 'utf8',
    });

  test('prints the document as JSON, as text and as a graph', () => {
    const document = JSON.parse(run('--json', '--no-cache', SYNTHETIC).stdout) as WorkflowDocument;
    expect(document.schema).toBe('iolens/workflow@1');
    expect(document.jobs).toHaveLength(5);
    const text = run('--no-cache', SYNTHETIC).stdout;
    expect(text).toContain('critical chain: 42 → 43 → 45 → 46');
    expect(text).toMatch(/43 +45 +\/scratch\/coupled\/field\.dat/);
    const dot = run('--no-cache', '--format', 'dot', SYNTHETIC).stdout;
    expect(dot).toContain('job1 -> job3 [style=dashed, label="field.dat", penwidth=3];');
    expect(dot).toContain('job2 -> job4 [style=solid, label="afterok"];');
  });

  test('says what is expected where nothing tells of a job, and ends with status 3', () => {
    const folder = folderOf('nothing', { 'readme.md': '# Nothing\n', 'broken.darshan': new Uint8Array([1, 2, 3, 0]) });
    const { stderr, status } = run('--no-cache', folder);
    expect(status).toBe(3);
    expect(stderr).toMatch(/nothing here tells of a job.*sacct -P.*2 files.*broken\.darshan: no known recording/);
    expect(run(path.join(folder, 'missing')).status).toBe(3);
  });
});
