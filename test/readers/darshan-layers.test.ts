import { describe, expect, test } from 'vitest';
import { formatRanks } from '../../src/analysis/metrics/process-noun.ts';
import { describeByRank } from '../../src/analysis/triggers/describe-ranks.ts';
import { textOf } from '../../src/analysis/triggers/message.ts';
import { DarshanEvents, MPI_IO_COUNTERS, type Analysed } from '../support/darshan/darshan-events.ts';
import type { Metric } from '../../src/analysis/metrics/metric-table.ts';

/** Logs that show the same transfer as an MPI-IO call and as the POSIX calls below it. */
const KiB = 1024;

function total({ metrics }: Analysed, metric: Metric): number {
  let sum = 0;
  for (let cell = 0; cell < metrics.cells.length; cell++) sum += metrics.cells.get(cell, metric);
  return sum;
}

/** Each rank makes 100 MPI-IO writes of 1 KiB, 10 µs each, of which 8 µs are one POSIX write. */
function independentWrites(ranks: number): DarshanEvents {
  const log = new DarshanEvents(ranks);
  for (let rank = 0; rank < ranks; rank++) {
    for (let i = 0; i < 100; i++) {
      const offset = (i * ranks + rank) * KiB;
      log.add({ rank, layer: 'MPI-IO', offset, bytes: KiB, start: i * 20, duration: 10, line: 12 });
      log.add({ rank, layer: 'POSIX', offset, bytes: KiB, start: i * 20 + 1, duration: 8, line: 12 });
    }
  }
  return log;
}

describe('two layers', () => {
  test('bytes and requests count once, the time is that of the program’s own calls', async () => {
    const analysed = await independentWrites(4).analysed();
    expect(total(analysed, 'events')).toBe(400);
    expect(total(analysed, 'writes')).toBe(400);
    expect(total(analysed, 'writtenBytes')).toBe(400 * KiB);
    expect(total(analysed, 'writeTime')).toBe(400 * 8000);
    expect(total(analysed, 'time')).toBe(400 * 10_000);
    expect(analysed.metrics.streams.map(({ time }) => time)).toEqual([1, 1, 1, 1].map(() => 1_000_000));
  });

  test('in two-phase I/O the requests are those of the aggregator alone', async () => {
    const log = new DarshanEvents(4);
    for (let rank = 0; rank < 4; rank++)
      log.add({ rank, layer: 'MPI-IO', offset: rank * KiB, bytes: KiB, start: 0, duration: 100 });
    log.add({ rank: 0, offset: 0, bytes: 4 * KiB, start: 10, duration: 50 });
    const analysed = await log.analysed();
    expect(total(analysed, 'writes')).toBe(1);
    expect(total(analysed, 'writtenBytes')).toBe(4 * KiB);
    // All four wait.
    expect(total(analysed, 'time')).toBe(400_000);
  });

  test('MPI-IO without POSIX below it counts by itself', async () => {
    const log = new DarshanEvents(1);
    log.add({ rank: 0, layer: 'MPI-IO', offset: 0, bytes: KiB, start: 0, duration: 100 });
    const analysed = await log.analysed();
    expect(total(analysed, 'writes')).toBe(1);
    expect(total(analysed, 'time')).toBe(100_000);
  });

  test.each([
    ['only independent calls', { MPIIO_INDEP_WRITES: 400 }, 400, 0],
    ['non-blocking calls', { MPIIO_NB_WRITES: 400 }, 400, 0],
    ['only collective calls', { MPIIO_COLL_WRITES: 400 }, 0, 400],
    ['split collective calls', { MPIIO_SPLIT_WRITES: 400 }, 0, 400],
    ['both: nobody knows which is which', { MPIIO_COLL_WRITES: 4, MPIIO_INDEP_WRITES: 396 }, 0, 0],
  ])('counters that show %s', async (_name, record, independent, collective) => {
    const log = independentWrites(4).module('MPI-IO', MPI_IO_COUNTERS, [{ rank: -1, ...record }]);
    const analysed = await log.analysed();
    expect(total(analysed, 'independentWrites')).toBe(independent);
    expect(total(analysed, 'independentWriteTime')).toBe(independent * 10_000);
    expect(total(analysed, 'collectiveWrites')).toBe(collective);
  });

  test('without counters on the file no call is taken for independent', async () => {
    expect(total(await independentWrites(4).analysed(), 'independentWrites')).toBe(0);
  });

  test('small POSIX writes stand at the line of the MPI-IO call that made them', async () => {
    const log = new DarshanEvents(1);
    for (let i = 0; i < 100; i++) {
      const write = { rank: 0, offset: i * KiB, bytes: KiB };
      log.add({ ...write, layer: 'MPI-IO', start: i * 20, duration: 10, line: 31 });
      // Only the upper layer was recorded with stacks.
      log.add({ ...write, start: i * 20 + 1, duration: 8 });
    }
    const { insights, callSites } = await log.analysed();
    const small = insights.find(({ code }) => code === 'P06')!;
    expect(small.sites.map(({ site, events }) => [callSites.sites[site]!.line, events])).toEqual([[31, 100]]);
  });

  test('what Darshan does not trace has no findings: opens, closes, seeks', async () => {
    const { insights } = await independentWrites(4).analysed();
    const codes = insights.map(({ code }) => code);
    expect(codes).toContain('P06');
    expect(codes.filter((code) => /^(L01|L02|L03|L1\d|P17)$/.test(code))).toEqual([]);
  });
});

describe('ranks', () => {
  test.each([
    [[3], 'rank 3'],
    [[7, 0, 1, 2, 3], 'ranks 0-3, 7'],
    [Array.from({ length: 10_000 }, (_, i) => i), 'ranks 0-9999'],
    [Array.from({ length: 512 }, (_, i) => 2 * i), 'ranks 0, 2, 4, 6, 8, 10 and 506 more'],
  ])('of %j are named %s', (ranks, expected) => expect(formatRanks(ranks)).toBe(expected));

  /** Each rank writes 64 KiB at line 58 of a shared file, rank `heavy` twenty times as much; all write a header at line 9. */
  function unbalanced(ranks: number, heavy: number): DarshanEvents {
    const log = new DarshanEvents(ranks, ['nid1', 'nid2']);
    for (let rank = 0; rank < ranks; rank++) {
      log.add({ rank, offset: rank * 16, bytes: 16, start: 0, duration: 10, line: 9 });
      const pieces = rank === heavy ? 20 : 1;
      for (let i = 0; i < pieces; i++) {
        const offset = (rank * 40 + i) * 64 * KiB;
        log.add({ rank, offset, bytes: 64 * KiB, start: 20 + i * 200, duration: 150, line: 58 });
      }
    }
    return log;
  }

  test('a finding on balance names those that stand out, and the lines at which they do', async () => {
    const { insights, callSites } = await unbalanced(4, 3).analysed();
    const insight = insights.find(({ code }) => code === 'P18')!;
    expect(insight.message).toContain('slowest and the fastest rank');
    expect(insight.message).toMatch(/By rank: rank 3: 1\.25 MiB; ranks 0-2: 64 KiB each\.$/);
    expect(insight.sites.map(({ site }) => callSites.sites[site]!.line)).toEqual([58]);
    expect(insight.sites[0]!.message).toContain('Here: rank 3: 1.25 MiB; ranks 0-2: 64 KiB each.');
  });

  test('of many ranks a line is left', async () => {
    const { insights } = await unbalanced(100, 17).analysed();
    const { message } = insights.find(({ code }) => code === 'P18')!;
    expect(message).toContain('rank 17: 1.25 MiB; ranks 0-16, 18-99: 64 KiB each');
  });

  test('of ten thousand ranks those that stand out are named, the others are counted', () => {
    const byRank = new Map(Array.from({ length: 10_000 }, (_, rank) => [rank, rank % 512 === 7 ? 9 : 1]));
    expect(textOf(describeByRank(byRank, 0.3, 'bytesOfRank'))).toBe(
      'rank 7: 9 B; rank 519: 9 B; rank 1031: 9 B; ranks 1543, 2055, 2567, 3079, 3591, 4103 and 11 more: 9 B each; the other 9,980 ranks: 1 B each',
    );
  });

  test('one rank that does all is named with its host', async () => {
    const log = new DarshanEvents(4, ['nid1', 'nid2']);
    for (let rank = 0; rank < 4; rank++) log.add({ rank, offset: 0, bytes: 1, start: 0, duration: 1, line: 9 });
    for (let i = 0; i < 40; i++)
      log.add({ rank: 2, offset: i * 64 * KiB, bytes: 64 * KiB, start: 20 + i * 200, duration: 150, line: 58 });
    const { insights } = await log.analysed();
    expect(insights.find(({ code }) => code === 'L09')!.message).toContain(
      'by rank 2 (nid2), which does nearly all the I/O of 4',
    );
  });
});
