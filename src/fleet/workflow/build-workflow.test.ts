import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountedJob, type AccountedJob } from '../scheduler/accounting.ts';
import { buildWorkflow } from './build-workflow.ts';
import { shortestRun } from './insights/schedule.ts';
import type { FileAccess, RecordingFacts } from './recording-facts.ts';
import type { WorkflowDocument, WorkflowJob } from './workflow-document.ts';

interface Use {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
}

function access(path: string, mode: 'read' | 'write', start: number, end: number): FileAccess {
  const reads = mode === 'read';
  return {
    path,
    mode,
    paradigms: ['POSIX'],
    bytesRead: reads ? 100 : 0,
    bytesWritten: reads ? 0 : 100,
    from: reads ? start : end,
    to: reads ? start : end,
    writtenUntil: reads ? null : end,
    readFrom: reads ? start : null,
    needsContent: reads,
    leavesContent: !reads,
    keepsContent: false,
    parent: null,
  };
}

/** A recording of a job that reads when it starts and writes when it ends. */
function recording(place: string, start: number, end: number, { reads = [], writes = [] }: Use): RecordingFacts {
  return {
    format: 'strace',
    paths: [`/w/${place}`],
    place,
    otherPlaces: [],
    jobId: null,
    step: null,
    user: null,
    program: '',
    hosts: [],
    start,
    end,
    share: {
      computation: (end - start) * 0.9,
      communication: 0,
      io: (end - start) * 0.1,
      byParadigm: [
        { group: 'computation', paradigm: 'program', seconds: (end - start) * 0.9, calls: null, bytes: null },
        { group: 'io', paradigm: 'POSIX', seconds: (end - start) * 0.1, calls: 1, bytes: 100 },
      ],
    },
    files: [
      ...reads.map((path) => access(path, 'read', start, end)),
      ...writes.map((path) => access(path, 'write', start, end)),
    ],
    notes: [],
  };
}

interface Job {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly after?: string;
  readonly use?: Use;
  readonly more?: Partial<AccountedJob>;
}

function workflowOf(jobs: readonly Job[], pathRules: { from: string; to: string }[] = []): WorkflowDocument {
  return buildWorkflow({
    folder: '/w',
    accountings: [
      {
        format: 'sacct',
        jobs: jobs.map(({ id, start, end, after, more }) =>
          accountedJob({
            job_id: id,
            submit_time: 0,
            start_time: start,
            end_time: end,
            elapsed_seconds: end - start,
            state: 'COMPLETED',
            dependency: after ?? null,
            ...more,
          }),
        ),
        steps: [],
        damage: [],
        notes: [],
      },
    ],
    recordings: jobs.flatMap(({ id, start, end, use }) =>
      use === undefined ? [] : [recording(`job${id}.strace`, start, end, use)],
    ),
    pathRules,
    notes: [],
  });
}

const edges = ({ jobs, dependencies }: WorkflowDocument): string[] =>
  dependencies.map(({ kind, from, to }) => `${jobs[from]!.id} ${kind} ${jobs[to]!.id}`);
const found = ({ insights }: WorkflowDocument, kind: string): WorkflowDocument['insights'] =>
  insights.filter((insight) => insight.kind === kind);

describe('time in the queue', () => {
  const queued = (...jobs: Job[]): (number | null)[] => workflowOf(jobs).jobs.map((job) => job.queued);

  test('is without what a dependency held it, by its eligible time or by the end of what it waited for', () => {
    const first = { id: '1', start: 0, end: 100 };
    expect(queued(first, { id: '2', start: 103, end: 110, after: 'afterok:1' })).toEqual([0, 3]);
    expect(queued(first, { id: '2', start: 103, end: 110, after: 'after:1' })).toEqual([0, 103]);
    const eligible = { more: { eligible_time: 101 } };
    expect(queued(first, { id: '2', start: 103, end: 110, after: 'afterok:1', ...eligible })).toEqual([0, 2]);
    expect(queued(first, { id: '2', start: 103, end: 110, ...eligible })).toEqual([0, 2]);
    expect(queued({ id: '1', start: 50, end: 100 }, { id: '2', start: 103, end: 110 })).toEqual([50, 103]);
  });

  test('counts from the first of several of which any is enough', () => {
    const jobs = [
      { id: '1', start: 0, end: 40 },
      { id: '2', start: 0, end: 400 },
    ];
    expect(queued(...jobs, { id: '3', start: 45, end: 60, after: 'afterok:1?afterok:2' })).toEqual([0, 0, 5]);
  });
});

describe('dependencies by data', () => {
  test('lead from the last writer to each reader, not from those whose content it replaced', () => {
    const workflow = workflowOf([
      { id: '1', start: 0, end: 10, use: { writes: ['/s/a'] } },
      { id: '2', start: 10, end: 20, use: { writes: ['/s/a'] } },
      { id: '3', start: 20, end: 30, use: { reads: ['/s/a'] } },
      { id: '4', start: 20, end: 40, use: { reads: ['/s/a'] } },
    ]);
    expect(edges(workflow).filter((edge) => edge.includes('data'))).toEqual(['2 data 3', '2 data 4']);
  });

  test('come from all that wrote side by side', () => {
    const workflow = workflowOf([
      { id: '1', start: 0, end: 20, use: { writes: ['/s/part.1', '/s/all'] } },
      { id: '2', start: 0, end: 19, use: { writes: ['/s/part.2'] } },
      { id: '3', start: 20, end: 30, use: { reads: ['/s/part.1', '/s/part.2'] } },
    ]);
    expect(edges(workflow)).toEqual(['1 data 3', '2 data 3']);
  });

  test('are none where the reader was first', () => {
    const workflow = workflowOf([
      { id: '1', start: 0, end: 10, use: { reads: ['/s/a'] } },
      { id: '2', start: 5, end: 20, use: { writes: ['/s/a'] } },
    ]);
    expect(edges(workflow)).toEqual([]);
  });

  test('are none between files of one name in the /tmp of different nodes', () => {
    const on = (node: string): Partial<AccountedJob> => ({ node_list: [node] });
    const jobs = (second: string): Job[] => [
      { id: '1', start: 0, end: 10, use: { writes: ['/tmp/a'] }, more: on('n1') },
      { id: '2', start: 100, end: 110, use: { reads: ['/tmp/a'] }, more: on(second) },
    ];
    expect(edges(workflowOf(jobs('n1')))).toEqual(['1 data 2']);
    expect(edges(workflowOf(jobs('n2')))).toEqual([]);
  });

  test('know relative names by the working directory, and names of other mounts by rules', () => {
    const jobs: Job[] = [
      { id: '1', start: 0, end: 10, use: { writes: ['out/./a'] }, more: { work_directory: '/scratch/me' } },
      { id: '2', start: 100, end: 110, use: { reads: ['/mnt/lustre/me/out/a'] } },
    ];
    expect(edges(workflowOf(jobs))).toEqual([]);
    expect(edges(workflowOf(jobs, [{ from: '/mnt/lustre', to: '/scratch' }]))).toEqual(['1 data 2']);
  });
});

describe('dependencies by time', () => {
  test('are inferred where nothing else says why a job began when another had ended', () => {
    const workflow = workflowOf([
      { id: '1', start: 0, end: 100, use: { writes: ['/s/a'] } },
      { id: '2', start: 101, end: 200, use: { writes: ['/s/b'] } },
      { id: '3', start: 202, end: 300, use: { reads: ['/s/b'] } },
    ]);
    expect(edges(workflow)).toEqual(['2 data 3', '1 time 2']);
    const [insight] = found(workflow, 'unused-parallelism');
    expect(insight).toMatchObject({ severity: 'high', jobs: [0, 1] });
    // 100 + 99 + 98 s one after the other, against 99 + 98 s beside the first.
    expect(insight!.seconds).toBe(100);
  });

  test('are doubted where a job was not recorded', () => {
    const workflow = workflowOf([
      { id: '1', start: 0, end: 100 },
      { id: '2', start: 101, end: 200 },
    ]);
    const [insight] = found(workflow, 'unused-parallelism');
    expect(insight).toMatchObject({ severity: 'info', message: expect.stringContaining('data may flow') as string });
  });

  test('are none after a long pause', () =>
    expect(
      edges(
        workflowOf([
          { id: '1', start: 0, end: 100 },
          { id: '2', start: 200, end: 300 },
        ]),
      ),
    ).toEqual([]));
});

describe('what was declared', () => {
  test('without any data is needless, and costs what the workflow could be shorter', () => {
    const workflow = workflowOf([
      { id: '1', start: 0, end: 100, use: { writes: ['/s/a'] } },
      { id: '2', start: 100, end: 160, after: 'afterok:1', use: { writes: ['/s/b'] } },
      { id: '3', start: 160, end: 200, after: 'afterok:2', use: { reads: ['/s/b'] } },
    ]);
    const needless = found(workflow, 'needless-dependency');
    expect(needless).toHaveLength(1);
    expect(needless[0]).toMatchObject({ jobs: [0, 1], seconds: 100 });
  });

  test('is not called needless where a job was not recorded, or data come through a third', () => {
    const use = { reads: ['/s/a'], writes: ['/s/b'] };
    const through = workflowOf([
      { id: '1', start: 0, end: 10, use: { writes: ['/s/a'] } },
      { id: '2', start: 10, end: 20, after: 'afterok:1', use },
      { id: '3', start: 20, end: 30, after: 'afterok:1,afterok:2', use: { reads: ['/s/b'] } },
    ]);
    expect(found(through, 'needless-dependency')).toEqual([]);
    const blind = workflowOf([
      { id: '1', start: 0, end: 10 },
      { id: '2', start: 10, end: 20, after: 'afterok:1', use },
    ]);
    expect(found(blind, 'needless-dependency')).toEqual([]);
  });

  test('means all tasks of an array, or the one of the same number', () => {
    const task = (array: string, number: number): Partial<AccountedJob> => ({
      array_job_id: array,
      array_task_id: number,
    });
    const workflow = workflowOf([
      { id: '7', start: 0, end: 10, more: task('7', 1) },
      { id: '8', start: 0, end: 10, more: task('7', 2) },
      { id: '11', start: 11, end: 20, after: 'aftercorr:7', more: task('10', 1) },
      { id: '12', start: 11, end: 20, after: 'aftercorr:7', more: task('10', 2) },
      { id: '20', start: 21, end: 30, after: 'afterany:10' },
    ]);
    expect(edges(workflow)).toEqual(['7_1 declared 10_1', '7_2 declared 10_2', '10_1 declared 20', '10_2 declared 20']);
  });

  test('and leads nowhere is said', () => {
    const { notes } = workflowOf([{ id: '2', start: 0, end: 10, after: 'afterok:1' }]);
    expect(notes).toContain('job 2 waits for job 1, which none of the tables lists');
  });
});

describe('other findings', () => {
  test('data that are complete long before the job ends let the next one begin earlier', () => {
    const workflow = buildWorkflow({
      folder: '/w',
      accountings: [],
      recordings: [
        { ...recording('one.strace', 0, 100, {}), files: [access('/s/a', 'write', 0, 40)] },
        recording('two.strace', 100, 200, { reads: ['/s/a'] }),
      ],
      pathRules: [],
      notes: [],
    });
    expect(workflow.jobs.map(({ id }) => id)).toEqual(['one', 'two']);
    const [insight] = found(workflow, 'unused-parallelism');
    expect(insight).toMatchObject({ jobs: [0, 1], seconds: 60, severity: 'high' });
    // No batch system ran them: there is nobody to declare anything to.
    expect(found(workflow, 'undeclared-dependency')).toEqual([]);
  });

  test('waiting counts from the moment when nothing but the queue was in the way', () => {
    const workflow = workflowOf([
      { id: '1', start: 50, end: 100, more: { submit_time: 40 } },
      { id: '2', start: 150, end: 200, after: 'afterok:1' },
    ]);
    // 10 s before the first job and 50 s after it; the second was submitted long before.
    expect(found(workflow, 'waiting-in-queue')[0]).toMatchObject({ seconds: 60, jobs: [1, 0] });
  });

  test('a failed job is told with those that will never start', () => {
    const workflow = workflowOf([
      { id: '1', start: 0, end: 10, more: { state: 'FAILED', exit_code: 2 } },
      { id: '2', start: 0, end: 0, after: 'afterok:1', more: { state: 'PENDING', start_time: null, end_time: null } },
    ]);
    expect(found(workflow, 'failed-job')[0]).toMatchObject({
      jobs: [0, 1],
      title: 'Job 1 failed (exit status 2)',
      message: 'It had run for 10 s. Because of it job 2 cannot start.',
    });
  });
});

test('thousands of jobs, arrays that wait for arrays and failures among them, take no time to speak of', () => {
  const array = (number: number, start: number, after?: string): Job[] =>
    Array.from({ length: 300 }, (_, task): Job => ({
      id: String(number + task),
      start: start + (task % 50),
      end: start + 100,
      ...(after !== undefined && { after }),
      more: { array_job_id: String(number), array_task_id: task, ...(task % 5 === 0 && { state: 'FAILED' }) },
    }));
  const queue = Array.from({ length: 3000 }, (_, at): Job => ({
    id: String(50_000 + at),
    start: 300 + at,
    end: 300.5 + at,
  }));
  const workflow = workflowOf([...array(1000, 0), ...array(2000, 100, 'afterany:1000'), ...queue]);
  expect(workflow.dependencies.filter(({ kind }) => kind === 'declared')).toHaveLength(300 * 300);
  expect(found(workflow, 'failed-job')).toHaveLength(21);
});

test('the shortest run is the longest way through the dependencies (against all ways)', () => {
  const graphs = fc.integer({ min: 1, max: 7 }).chain((jobs) =>
    fc.record({
      seconds: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: jobs, maxLength: jobs }),
      pairs: fc.array(fc.tuple(fc.nat(jobs - 1), fc.nat(jobs - 1))),
    }),
  );
  fc.assert(
    fc.property(graphs, ({ seconds, pairs }) => {
      const known = pairs.filter(([from, to]) => from < to).map(([from, to]) => ({ from, to, type: '' }));
      const longest = (job: number): number =>
        seconds[job]! + Math.max(0, ...known.filter(({ from }) => from === job).map(({ to }) => longest(to)));
      const jobs = seconds.map((elapsed) => ({ elapsed }) as WorkflowJob);
      expect(shortestRun(jobs, known)).toBe(Math.max(...seconds.map((_, job) => longest(job))));
    }),
  );
});
