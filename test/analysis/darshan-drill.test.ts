import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { groupCases } from '../../src/analysis/dfg/cases.ts';
import { forEachByStart } from '../../src/analysis/dfg/event-order.ts';
import { reportedCounterInsights } from '../../src/analysis/triggers/counters/find-counter-insights.ts';
import { absent, corpus } from '../support/corpus.ts';
import { open } from '../support/programs.ts';

/** What the rest of the program makes of Darshan logs whose segments have no stacks. */
const logs = corpus('darshan');
const stacks = corpus('darshan-stack');
const TRACED = [
  'mpi_io_test_with_dxt',
  'drishti_8a_benchmark_write_parallel',
  'sample-dxt-simple',
  'dxt_v2_pthread_badio',
];

describe.skipIf(logs === undefined)(logs === undefined ? absent('darshan') : 'logs without stacks', () => {
  test.each(TRACED)('%s: the codes are those of the counters; segments add triggers of our own only', async (name) => {
    const { trace, insights, thresholds, ignored } = await open(path.join(logs!, `${name}.darshan`), '/nonexistent');
    expect(trace.events.length).toBeGreaterThan(0);
    const counted = reportedCounterInsights(trace, trace.counters!, thresholds, ignored).map(({ code }) => code);
    const codes = insights.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    const drishtis = (all: readonly string[]): string[] => all.filter((code) => !code.startsWith('L')).sort();
    expect(drishtis(codes)).toEqual(drishtis(counted));
    expect(codes).toEqual(expect.arrayContaining(counted));
    expect(insights.flatMap(({ sites }) => sites)).toEqual([]);
  });

  test('a log of counters alone lacks its segments', async () => {
    const { lacks } = await open(path.join(logs!, 'mpi-io-test-x86_64-3.4.1.darshan'), '/nonexistent');
    const lack = lacks.find(({ name }) => name === 'segments')!;
    expect(lack.remedy).toContain('DXT_ENABLE_IO_TRACE=1');
  });

  test('on a shared file Darshan’s own record names the slowest and the fastest rank', async () => {
    const { insights } = await open(path.join(logs!, 'imbalanced-io.darshan'), '/nonexistent');
    const { message } = insights.find(({ code }) => code === 'P18')!;
    expect(message).toMatch(/the slowest is rank 0 \(98\.6 GiB in 9\.72 min\), the fastest rank 465 /);
  });

  test('rows of 1,024 ranks come in the order of time', async () => {
    const { trace } = await open(path.join(logs!, 'dxtexplorer_8_benchmark_parallel.darshan'), '/nonexistent');
    let last = -Infinity;
    let rows = 0;
    let wrong = 0;
    forEachByStart(trace.events, (chunk, from, to) => {
      for (let i = from; i < to; i++) {
        if (chunk.start[i]! < last) wrong++;
        last = chunk.start[i]!;
        rows++;
      }
    });
    expect([rows, wrong]).toEqual([trace.events.length, 0]);
    expect(groupCases(trace, 'file').names).toHaveLength(1024);
  });
});

describe.skipIf(stacks === undefined)(stacks === undefined ? absent('darshan-stack') : 'cases of a log', () => {
  test.each(['file', 'pid', 'rank'] as const)('by %s: its ranks', async (grouping) => {
    const { trace } = await open(path.join(stacks!, 'badmpi_4ranks.darshan'), '/nonexistent');
    expect(groupCases(trace, grouping).names).toEqual(['rank 0', 'rank 1', 'rank 2', 'rank 3']);
  });

  test('an estimate speaks of what Darshan measured, and saves no more than there is', async () => {
    const { insights, trace } = await open(path.join(stacks!, 'badmpi_4ranks.darshan'), '/nonexistent');
    expect(trace.capabilities.duration).toBe(true);
    const { gain } = insights.find(({ code }) => code === 'P06')!;
    expect(gain.method).toContain('what the recorder measured');
    expect(gain.savedNs!).toBeGreaterThan(0);
    expect(gain.savedNs!).toBeLessThan(gain.ofNs!);
  });
});
