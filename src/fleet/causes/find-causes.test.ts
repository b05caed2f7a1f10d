import { expect, test } from 'vitest';
import type { Row } from '../schema/tables.ts';
import { causeJob } from './cause-job.ts';
import type { CauseFile, CauseJob, VerdictKind } from './causes.ts';
import { findCauses } from './find-causes.ts';

const GIB = 2 ** 30;

function file(of: Partial<CauseFile> & Pick<CauseFile, 'start' | 'end'>): CauseFile {
  return {
    path: '/scratch/data',
    bytes: GIB,
    requests: 256,
    small: 0,
    consecutive: 255,
    collective: 0,
    processes: 1,
    rank: null,
    stripeCount: null,
    osts: [],
    summedSeconds: null,
    ...of,
  };
}

function kinds(job: CauseJob, direction: 'read' | 'write'): VerdictKind[] {
  return findCauses(job, direction).verdicts.map(({ kind }) => kind);
}

test('figure 3: the true bandwidth counts 14 of 18 seconds, and factors weigh by exclusive time', () => {
  const shapes = [
    { start: 0, end: 10, small: 256, stripeCount: 1, processes: 4, osts: [3] },
    { start: 6, end: 12, small: 0, stripeCount: 2, processes: 4, osts: [3, 4] },
    { start: 4, end: 8, small: 256, stripeCount: 1, processes: 900, osts: [9] },
    { start: 16, end: 18, small: 128, stripeCount: 4, processes: 4, osts: [1, 2, 3, 4] },
  ];
  const causes = findCauses({ processes: 4, nodes: 2, files: shapes.map(file) }, 'write');
  expect(causes).toMatchObject({ activeSeconds: 14, spanSeconds: 18, bytes: 4 * GIB, bandwidth: (4 * GIB) / 14 });
  expect(causes.critical).toEqual([
    { file: 0, exclusiveSeconds: 10 },
    { file: 1, exclusiveSeconds: 2 },
    { file: 3, exclusiveSeconds: 2 },
  ]);
  expect(causes.factors.smallPercent).toBeCloseTo((100 * 10 + 0 * 2 + 50 * 2) / 14, 10);
  expect(causes.factors.processesPerOst).toBeCloseTo((4 * 10 + 2 * 2 + 1 * 2) / 14, 10);
  expect(causes.factors.nonConsecutivePercent).toBeCloseTo(100 / 256, 10);
  expect(causes.factors).toMatchObject({ collective: 0, ostCount: 5 });
});

test('Physics1.1 of Table II: one target for all, and small consecutive writes are no culprit', () => {
  const shared = file({
    path: '/scratch/one',
    start: 0,
    end: 100,
    bytes: 100 * GIB,
    requests: 100_000,
    small: 98_000,
    consecutive: 100_000,
    processes: 1024,
    stripeCount: 1,
    osts: [17],
  });
  const rest = Array.from({ length: 20 }, (_, i) =>
    file({ start: 3 * i, end: 3 * i + 2, processes: 1, rank: i, stripeCount: 1, osts: [i] }),
  );
  const job: CauseJob = { processes: 1024, nodes: 32, files: [...rest, shared] };
  const { verdicts, factors } = findCauses(job, 'write');
  expect(factors).toMatchObject({ smallPercent: 98, nonConsecutivePercent: 0, collective: 0, processesPerOst: 1024 });
  expect(verdicts).toHaveLength(1);
  expect(verdicts[0]).toMatchObject({ kind: 'one-target-for-all', files: [20] });
  expect(verdicts[0]!.message).toContain('100 % of the write time on the critical path goes to /scratch/one');
  expect(verdicts[0]!.message).toContain('1,024 processes share storage target 17');
  expect(kinds({ ...job, files: [...rest, { ...shared, stripeCount: 248 }] }, 'write')).not.toContain(
    'one-target-for-all',
  );
});

test('Physics1.2 and Chemistry1 of Table II: the root process writes far more than the others', () => {
  const files = Array.from({ length: 64 }, (_, rank) => {
    const isRoot = rank === 0;
    return file({
      start: 1,
      end: isRoot ? 90 : 3,
      bytes: isRoot ? 64 * GIB : GIB,
      requests: 1000,
      small: 980,
      consecutive: 1000,
      rank,
      stripeCount: 1,
      osts: [rank],
    });
  });
  const job: CauseJob = { processes: 64, nodes: 4, files };
  const { verdicts, factors } = findCauses(job, 'write');
  expect(factors).toMatchObject({ smallPercent: 98, nonConsecutivePercent: 0, processesPerOst: 1, ostCount: 64 });
  expect(verdicts.map(({ kind, files: of }) => [kind, of])).toEqual([['one-writer-dominates', [0]]]);
  expect(verdicts[0]!.message).toContain('process 0 alone');
  expect(verdicts[0]!.message).toContain('it writes 64 GiB, each other one 1 GiB');
  const even = files.map((one) => ({ ...one, bytes: GIB }));
  expect(kinds({ ...job, files: even }, 'write')).toEqual(['one-file-dominates']);
});

test('a root writer in a file that all have open', () => {
  const shared = file({ start: 0, end: 10, bytes: 10 * GIB, processes: 64, slowestBytes: 9.9 * GIB });
  expect(kinds({ processes: 64, nodes: 4, files: [shared] }, 'write')).toEqual(['one-writer-dominates']);
  const even = { ...shared, slowestBytes: (10 / 64) * GIB };
  expect(kinds({ processes: 64, nodes: 4, files: [even] }, 'write')).toEqual([]);
});

test('App1 of Table II: all factors are low, and files follow one another', () => {
  const files = Array.from({ length: 20 }, (_, i) =>
    file({ start: 5 * i, end: 5 * i + 4, rank: i, stripeCount: 1, small: 74, consecutive: 212, osts: [i] }),
  );
  const job: CauseJob = { processes: 64, nodes: 4, files };
  const { verdicts, factors } = findCauses(job, 'write');
  expect(factors.smallPercent).toBeLessThan(30);
  expect(factors).toMatchObject({ processesPerOst: 1, collective: 0 });
  expect(verdicts.map(({ kind }) => kind)).toEqual(['intermittent-files']);
  expect(verdicts[0]!.files).toHaveLength(20);
  expect(verdicts[0]!.message).toContain('20 files are written one after the other: 1.0 at once on average');
  expect(verdicts[0]!.message).toContain('19 s without I/O');
  const together = files.map((one) => ({ ...one, start: 0, end: 80 + one.rank! }));
  expect(kinds({ ...job, files: together }, 'write')).toEqual(['one-file-dominates']);
  const byAll = files.map((one) => ({ ...one, processes: 64, rank: null, stripeCount: 64 }));
  expect(kinds({ ...job, files: byAll }, 'write')).toEqual([]);
});

test('calls that hardly fill the time of their files', () => {
  const sparse = file({ start: 0, end: 60, summedSeconds: 1.5 });
  const { verdicts } = findCauses({ processes: 1, nodes: 1, files: [sparse] }, 'read');
  expect(verdicts[0]).toMatchObject({ kind: 'intermittent-files', files: [0] });
  expect(verdicts[0]!.message).toContain('the calls take 1.5 s only');
  const dense = { ...sparse, summedSeconds: 59 };
  expect(kinds({ processes: 1, nodes: 1, files: [dense] }, 'read')).toEqual([]);
});

test('a log that is open all the time does not hide what takes long', () => {
  const log = file({ path: '/scratch/log', start: 0, end: 1000, bytes: 4096, summedSeconds: 0.01, consecutive: 0 });
  const shared = file({ start: 100, end: 140, bytes: 40e9, processes: 64, stripeCount: 1, summedSeconds: 2000 });
  const { verdicts, critical, bandwidth } = findCauses({ processes: 64, nodes: 4, files: [log, shared] }, 'write');
  expect(critical, 'the paper knows intervals only').toEqual([{ file: 0, exclusiveSeconds: 1000 }]);
  expect(bandwidth).toBeCloseTo(40e6, -4);
  expect(verdicts.map(({ kind, files }) => [kind, files])).toEqual([
    ['intermittent-files', [0]],
    ['one-target-for-all', [1]],
  ]);
  expect(verdicts[0]!.message).toContain('Without them, 1 critical file takes 40 s: 1 GB/s.');
  expect(verdicts[1]!.message).toMatch(/^100 % of the write time goes to/);
});

test('verdicts go by the time in calls, where it is known: a file that only lies in the way is no cause', () => {
  const sparse = file({ path: '/scratch/log', start: 0, end: 20, bytes: 40, requests: 2, summedSeconds: 0.0006 });
  const own = Array.from({ length: 64 }, (_, rank) =>
    file({ start: 1, end: 19, rank, summedSeconds: rank === 3 ? 18 : 2, bytes: rank === 3 ? 8 * GIB : GIB }),
  );
  const { verdicts } = findCauses({ processes: 64, nodes: 4, files: [sparse, ...own] }, 'write');
  expect(verdicts.map(({ kind }) => kind)).toEqual(['intermittent-files', 'one-writer-dominates']);
  expect(verdicts[0]!.message).toContain('100 % of the critical path is /scratch/log, written intermittently');
  // 18 of 144 s; the others write at the same time, 2 s each.
  expect(verdicts[1]!.message).toContain('12 % of the write time is process 3 alone');
});

test('a file that is in use all the time does not dominate by that', () => {
  const whole = file({ path: '/scratch/whole', start: 0, end: 100, summedSeconds: 30 });
  const busy = file({ path: '/scratch/busy', start: 10, end: 90, summedSeconds: 70 });
  expect(kinds({ processes: 1, nodes: 1, files: [whole, busy] }, 'read')).toEqual([]);
  const unknown = [whole, busy].map((one) => ({ ...one, summedSeconds: null }));
  expect(kinds({ processes: 1, nodes: 1, files: unknown }, 'read')).toEqual(['one-file-dominates']);
});

test('Table I: scattered small reads, contended targets, one file for 95 % of the time', () => {
  const meteorology = file({ start: 0, end: 60, small: 136, consecutive: 120, processes: 100, stripeCount: 4 });
  const job = (files: CauseFile[]): CauseJob => ({ processes: 1024, nodes: 32, files });
  const scattered = ['contended-targets', 'small-requests', 'non-consecutive-requests', 'no-collective'];
  expect(kinds(job([meteorology]), 'read')).toEqual(scattered);
  const climate = { ...meteorology, requests: 100_000, small: 71_000, consecutive: 2000 };
  expect(kinds(job([climate]), 'read')).toEqual(scattered);
  const onceEach = { ...meteorology, requests: 100, small: 100, consecutive: 0 };
  expect(kinds(job([onceEach]), 'read')).not.toContain('non-consecutive-requests');
  const quantum = file({ start: 0, end: 60, small: 253, consecutive: 256 });
  expect(kinds(job([quantum]), 'read')).toEqual(['small-requests']);
  expect(kinds(job([quantum]), 'write')).toEqual([]);
  const physics = [
    file({ path: '/scratch/mesh', start: 0, end: 95, small: 112, consecutive: 240, processes: 64, stripeCount: 64 }),
    file({ start: 94, end: 100, small: 112, consecutive: 240, processes: 64, stripeCount: 64 }),
  ];
  const { verdicts } = findCauses(job(physics), 'read');
  expect(verdicts.map(({ kind, files }) => [kind, files])).toEqual([['one-file-dominates', [0]]]);
  expect(verdicts[0]!.message).toContain('95 % of the read time on the critical path goes to /scratch/mesh');
});

test('collective I/O is used or not, and a single node bounds large jobs', () => {
  const files = [file({ start: 0, end: 10, collective: 1, processes: 48 })];
  const causes = findCauses({ processes: 48, nodes: 1, files }, 'write');
  expect(causes.factors.collective).toBe(1);
  expect(causes.verdicts.map(({ kind }) => kind)).toEqual(['single-node']);
  expect(kinds({ processes: 48, nodes: 2, files }, 'write')).toEqual([]);
});

test('a job without times has bytes, no bandwidth and no verdict', () => {
  const files = [file({ start: Number.NaN, end: Number.NaN }), file({ start: 5, end: 5 })];
  expect(findCauses({ processes: 1, nodes: null, files }, 'read')).toMatchObject({
    bytes: 2 * GIB,
    activeSeconds: 0,
    spanSeconds: 0,
    bandwidth: null,
    stretches: [],
    critical: [],
    factors: { smallPercent: null, nonConsecutivePercent: null, collective: 0, ostCount: null, processesPerOst: null },
    verdicts: [],
  });
});

test('rows of the store become a job for one direction', () => {
  const row = {
    file_id: 'a1',
    path: '/scratch/a',
    bytes_written: 4096,
    writes: 4,
    small_writes: 4,
    consecutive_writes: 3,
    write_start: 1,
    write_end: 2,
    write_seconds: 0.5,
    collective_writes: 2,
    processes: 8,
    rank: null,
    osts: [4, 5],
    slowest_rank_bytes: 1024,
  } as Partial<Row<'file'>> as Row<'file'>;
  const job = { processes: 8, nodes: 2, osts: [4, 5, 6] } as Partial<Row<'job'>> as Row<'job'>;
  const made = causeJob(job, [row], 'write');
  expect(made).toMatchObject({ processes: 8, nodes: 2, osts: [4, 5, 6] });
  expect(made.files).toEqual([
    {
      path: '/scratch/a',
      start: 1,
      end: 2,
      bytes: 4096,
      requests: 4,
      small: 4,
      consecutive: 3,
      collective: 2,
      processes: 8,
      rank: null,
      stripeCount: 2,
      osts: [4, 5],
      summedSeconds: 0.5,
      slowestBytes: 1024,
    },
  ]);
  expect(findCauses(made, 'write').factors).toMatchObject({ ostCount: 3, processesPerOst: 4, collective: 1 });
  expect(causeJob(job, [row], 'read').files).toEqual([]);
});
