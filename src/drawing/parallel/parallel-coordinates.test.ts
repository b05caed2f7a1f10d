import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JobCauses } from '../../features/store/methods.ts';
import { APPLICATION_AXIS, AXIS_KINDS, type JobLine } from './parallel-axes.ts';
import { applicationBrush, brushedJobs, nearestJob, parallelPlot, UNKNOWN } from './parallel-coordinates.ts';

function job(
  of: Partial<JobLine> & { bandwidth?: number | null; small?: number | null; osts?: number | null },
): JobLine {
  const { bandwidth = 1e6, small = 50, osts = 4, ...rest } = of;
  const factors = { nonConsecutivePercent: 10, collective: 0, processesPerOst: 2.5 } as const;
  const causes = { bytes: 2 ** 30, bandwidth, factors: { ...factors, smallPercent: small, ostCount: osts } };
  return { log: 'a', jobId: '1', application: 'app', nodes: 2, causes, ...rest };
}

const axisOf = (jobs: readonly JobLine[], id: string, isLogarithmic = true) =>
  parallelPlot(jobs, isLogarithmic).axes.find((axis) => axis.id === id)!;

test('what the session answers is what is drawn', () => {
  const answer: JobLine[] = [] satisfies JobCauses[];
  expect(parallelPlot(answer, true).axes).toHaveLength(AXIS_KINDS.length);
});

test('percentages keep their scale, rates have a logarithmic one with their ends', () => {
  const jobs = [job({ bandwidth: 1e6, small: 0 }), job({ bandwidth: 1e9, small: 25 }), job({ bandwidth: 1e8 })];
  expect([...axisOf(jobs, 'small').positions]).toEqual([0, 0.25, 0.5]);
  const rates = axisOf(jobs, 'bandwidth');
  expect(rates.positions[2]).toBeCloseTo(2 / 3);
  expect(rates.ticks.map(({ label }) => label)).toEqual(['1 MB/s', '10 MB/s', '100 MB/s', '1 GB/s']);
  expect(rates.textAt(2 / 3)).toBe('100 MB/s');
  expect(axisOf(jobs, 'bandwidth', false).positions[2]).toBeCloseTo(0.1);
});

test('one value for all stands in the middle, 0 at the bottom, what is not known below', () => {
  expect([...axisOf([job({}), job({})], 'osts').positions]).toEqual([0.5, 0.5]);
  const axis = axisOf(
    [job({ bandwidth: 0 }), job({ bandwidth: 10 }), job({ bandwidth: 1000 }), job({ bandwidth: null })],
    'bandwidth',
  );
  expect([...axis.positions].map((at) => Number(at.toFixed(3)))).toEqual([0, 0, 1, UNKNOWN]);
  expect(axis.hasUnknown).toBe(true);
  expect([axis.textOf(3), axis.textAt(UNKNOWN), axis.textOf(1)]).toEqual(['unknown', 'unknown', '10 B/s']);
});

test('applications with most jobs are on top, each with a part of the axis to brush', () => {
  const jobs = [job({ application: 'rare' }), job({ application: 'often' }), job({ application: 'often' })];
  const plot = parallelPlot(jobs, true);
  expect(plot.applications).toEqual(['often', 'rare']);
  expect([...plot.applicationOf]).toEqual([1, 0, 0]);
  const brushes = new Map([[APPLICATION_AXIS, applicationBrush(plot, 0)]]);
  expect([...brushedJobs(plot, brushes)]).toEqual([0, 1, 1]);
  expect(axisOf(jobs, APPLICATION_AXIS).ticks.map(({ label }) => label)).toEqual(['often', 'rare']);
});

test('brushes of several axes all hold; a line is found by its place', () => {
  const jobs = [job({ small: 90, bandwidth: 1 }), job({ small: 90, bandwidth: 100 }), job({ small: 10, bandwidth: 1 })];
  const plot = parallelPlot(jobs, true);
  const brushes = new Map([
    ['small', { from: 0.8, to: 1 }],
    ['bandwidth', { from: 0, to: 0.5 }],
  ]);
  const isBrushed = brushedJobs(plot, brushes);
  expect([...isBrushed]).toEqual([1, 0, 0]);
  const all = brushedJobs(plot, new Map());
  expect(nearestJob(plot, all, 0, 0.12, 0.05)).toBe(2);
  expect(nearestJob(plot, isBrushed, 0, 0.12, 0.05)).toBeUndefined();
  expect(nearestJob(plot, all, 0, 0.5, 0.05)).toBeUndefined();
});

test('whatever the values are, every line stays on its axes', () => {
  const value = fc.option(fc.double({ min: 0, max: 1e300, noNaN: true }));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(value, value, fc.string()), { maxLength: 20 }),
      fc.boolean(),
      (rows, isLogarithmic) => {
        const jobs = rows.map(([bandwidth, osts, application]) => job({ bandwidth, osts, application }));
        for (const { positions, ticks } of parallelPlot(jobs, isLogarithmic).axes) {
          for (const position of positions) {
            expect(position === Math.fround(UNKNOWN) || (position >= 0 && position <= 1)).toBe(true);
          }
          for (const { position } of ticks) expect(position >= -1e-9 && position <= 1 + 1e-9).toBe(true);
          expect(ticks.length).toBeLessThanOrEqual(14);
        }
      },
    ),
  );
});
