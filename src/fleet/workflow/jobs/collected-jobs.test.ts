import { describe, expect, test } from 'vitest';
import { accountedJob, accountedStep, type Accounting } from '../../scheduler/accounting.ts';
import { readAccounting } from '../../scheduler/read-accounting.ts';
import { jobLogOf } from '../../scheduler/write-job-log.ts';
import { buildWorkflow } from '../build-workflow.ts';
import type { RecordingFacts } from '../recording-facts.ts';
import type { WorkflowDocument } from '../workflow-document.ts';

const BEGIN = 1_800_000_000;
const STEPS = ['prepare', 'solve', 'solve', 'sum'];

/** What `sacct -P` says of job 1 with two steps and jobs 2 and 3 with one each. */
function sacct(withCluster: boolean): Accounting {
  const jobs = ['1', '2', '3'].map((id, index) => {
    const at = BEGIN + 100 * index;
    return { id, name: `job${id}`, start: at, end: at + 60 };
  });
  const steps = ['1.0', '1.1', '2.0', '3.0'].map((id, index) => {
    const at = jobs[Number(id[0]) - 1]!.start + 30 * Number(id[2]);
    return { id, name: STEPS[index]!, start: at, end: at + 20 };
  });
  const rows = [...jobs, ...steps].map(({ id, name, start, end }) =>
    [...(withCluster ? ['big'] : []), id, name, 'COMPLETED', start, end, 'n1'].join('|'),
  );
  const header = `${withCluster ? 'Cluster|' : ''}JobIDRaw|JobName|State|Start|End|NodeList`;
  return readAccounting('sacct.txt', new TextEncoder().encode([header, ...rows, ''].join('\n')))!;
}

/** The file that `iolens collect` keeps of a job, written and read again. */
function collected(id: string, steps: readonly string[] = []): Accounting {
  const job = accountedJob({ job_id: id, cluster: 'big', dependency: id === '1' ? null : 'afterok:1' });
  const own = steps.map((step) => accountedStep({ job_id: id, cluster: 'big', step, state: 'COMPLETED' }));
  const log = jobLogOf(job, own, { version: '1', dependencyFrom: null });
  return readAccounting(`joblog_${id}.json`, new TextEncoder().encode(JSON.stringify(log)))!;
}

function recording(place: string, start: number, more: Partial<RecordingFacts> = {}): RecordingFacts {
  const none = {
    otherPlaces: [],
    jobId: null,
    step: null,
    user: null,
    program: '',
    hosts: [],
    share: null,
    files: [],
    notes: [],
  };
  return { format: 'iolens', paths: [`/w/${place}`], place, start, end: start + 10, ...none, ...more };
}

function workflowOf(accountings: readonly Accounting[], recordings: readonly RecordingFacts[] = []): WorkflowDocument {
  return buildWorkflow({ folder: '/w', accountings, recordings, pathRules: [], notes: [] });
}

const steps = ({ jobs }: WorkflowDocument): string[] => jobs.flatMap((job) => job.steps.map(({ id }) => id));

describe('a file of the collector beside the accounting', () => {
  test.each([
    ['that names the cluster', true],
    ['that does not', false],
  ])('leaves all steps of a table %s', (_, withCluster) => {
    expect(steps(workflowOf([sacct(withCluster)]))).toEqual(['1.0', '1.1', '2.0', '3.0']);
    const together = workflowOf([sacct(withCluster), collected('1'), collected('2')]);
    expect(steps(together)).toEqual(['1.0', '1.1', '2.0', '3.0']);
    expect(together.jobs.map(({ declared }) => declared)).toEqual([null, 'afterok:1', null]);
  });

  test('tells of its steps itself', () => {
    expect(steps(workflowOf([collected('1', ['0', '1'])]))).toEqual(['1.0', '1.1']);
    expect(steps(workflowOf([collected('1', ['0', '1']), sacct(true), sacct(false)]))).toHaveLength(4);
  });

  test('two recordings of one job are of the steps that they name themselves', () => {
    const own = [
      recording('a.iolens', BEGIN + 30, { jobId: '1', step: '1' }),
      recording('b.iolens', BEGIN + 5, { jobId: '1', step: '0' }),
      // The name of the folder is another job's.
      recording('1.0/2.0.iolens', BEGIN + 105, { jobId: '2', step: '0' }),
    ];
    const { jobs, notes } = workflowOf([sacct(false), collected('1'), collected('2')], own);
    const found = jobs.flatMap((job) => job.steps.map(({ id, recording: paths }) => [id, ...paths]));
    expect(found).toEqual([['1.0', '/w/b.iolens'], ['1.1', '/w/a.iolens'], ['2.0', '/w/1.0/2.0.iolens'], ['3.0']]);
    expect(notes.filter((note) => note.includes('left out'))).toEqual([]);
  });

  test('without any table recordings that name one step are together that step', () => {
    const [task0, task1, next] = ['a', 'b', 'c'].map((name, index) =>
      recording(name, BEGIN + index, { jobId: '7', step: index < 2 ? '3' : '4', user: 'ann' }),
    );
    const { jobs } = workflowOf([], [next!, task1!, task0!]);
    expect(jobs.map((job) => [job.id, job.steps.map(({ id }) => id)])).toEqual([['7', ['7.3', '7.4']]]);
    expect(jobs[0]!.steps[0]!.start).toBe(BEGIN);
  });

  test('does not mix jobs of two clusters that have one number', () => {
    const other = { ...sacct(true) };
    const renamed = <Entry extends object>(entry: Entry): Entry => ({ ...entry, cluster: 'small' });
    const small = { ...other, jobs: other.jobs.map(renamed), steps: other.steps.map(renamed) };
    expect(steps(workflowOf([sacct(true), small]))).toHaveLength(8);
  });
});
