import { expect, test } from 'vitest';
import type { RuntimeShare } from '../../src/features/workflow/protocol.ts';
import { historyOf } from './file-history.ts';
import { paradigmChart, runTimeChart } from './share-charts.ts';

const SHARE: RuntimeShare = {
  computation: 60,
  communication: 30,
  io: 10,
  byParadigm: [
    { group: 'communication', paradigm: 'MPI', seconds: 30, calls: 4, bytes: 8 },
    { group: 'io', paradigm: 'POSIX', seconds: 7, calls: 2, bytes: 8 },
  ],
};

test('run times are divided as what was recorded, and what was not stays apart', () => {
  const chart = runTimeChart('Jobs', 'Job', [
    { label: 'a', elapsed: 50, share: SHARE },
    { label: 'b', elapsed: 20, share: null },
    { label: 'c', elapsed: null, share: SHARE },
  ])!;
  expect(chart.labels).toEqual(['a', 'b']);
  expect(chart.series.map(({ values }) => values)).toEqual([
    [30, 0],
    [15, 0],
    [5, 0],
    [0, 20],
  ]);
});

test('of many the longest are shown, in their own order', () => {
  const all = Array.from({ length: 100 }, (_, i) => ({ label: String(i), elapsed: (i * 37) % 100, share: null }));
  const chart = runTimeChart('Jobs', 'Job', all)!;
  expect(chart.labels).toHaveLength(30);
  expect(Math.min(...chart.series[0]!.values)).toBe(70);
  expect(chart.labels.map(Number)).toEqual(chart.labels.map(Number).sort((a, b) => a - b));
  expect(chart.note).toBe('the 30 longest of 99');
});

test('paradigms add up to their group: what no paradigm tells is named', () => {
  const { labels, series } = paradigmChart(SHARE)!;
  expect(labels).toEqual(['Computation', 'MPI', 'POSIX', 'other']);
  expect(series.map(({ values }) => values.reduce((sum, value) => sum + value, 0))).toEqual([60, 30, 10]);
  expect(paradigmChart({ ...SHARE, computation: 0, communication: 0, io: 0 })).toBeNull();
});

test('the history of a file: writers before, readers after, neither the user itself', () => {
  const users = [
    { job: 0, step: 0, mode: 'write' as const },
    { job: 1, step: 0, mode: 'read-write' as const },
    { job: 2, step: 0, mode: 'read' as const },
  ];
  const jobs = historyOf(users).map(({ earlierWriters, laterReaders }) =>
    [earlierWriters, laterReaders].map((all) => all.map(({ job }) => job)),
  );
  expect(jobs).toEqual([
    [[], [1, 2]],
    [[0], [2]],
    [[0, 1], []],
  ]);
});
