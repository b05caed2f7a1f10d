import { describe, expect, test } from 'vitest';
import { CALIBRATION, gains, times, traced, untracedGains, type Line } from '../../../test/support/traced-gains.ts';
import { LAYER_PATTERNS } from '../layers/patterns/pattern-catalogue.ts';
import type { Metric } from '../metrics/metric-table.ts';
import { CATALOGUE } from '../triggers/catalogue.ts';
import { COUNTER_CATALOGUE, OWN_COUNTER_TRIGGERS } from '../triggers/counters/counter-catalogue.ts';
import type { Insight } from '../triggers/insight.ts';
import type { CallKind } from './call-kinds.ts';
import { estimate, NOTHING } from './estimate.ts';
import { GAIN_MODELS } from './gain-models.ts';
import type { Gain } from './gain.ts';
import type { CallGroup } from './observed-calls.ts';
import { Sample } from './sample.ts';
import type { GainCell, GainModel, Saving } from './models/model.ts';

const OPEN: Line = ['openat(AT_FDCWD</w>, "a", O_RDWR) = 3</w/a>', 1600];
const SEEKS: Line[] = times(20, () => [['lseek(3</w/a>, 0, SEEK_CUR) = 0', 120]]);

describe('strides', () => {
  const cell = (row: number, column: number): Line => [
    `pwrite64(3</w/a>, "x", 64, ${(row * 4 + column) * 64}) = 64`,
    619,
  ];
  const column = (number: number): Line[] => times(500, (row) => [cell(row, number)]);

  test('writes whose gaps others fill become one: calls are saved, bytes are not', async () => {
    const all = times(4, column);
    const { 'strided-small-writes': gain } = await gains(traced([OPEN, ...SEEKS, ...all]), CALIBRATION);
    expect(gain!.savedNs! / (1990 * 600)).toBeCloseTo(1, 1);
  });

  test('where nobody fills the gaps, what the calls cost is the bound', async () => {
    const { 'strided-small-writes': gain } = await gains(traced([OPEN, ...SEEKS, ...column(0)]), CALIBRATION);
    expect(gain).toMatchObject({ savedNs: null, lowNs: 0 });
    expect(gain!.highNs! / (498 * 600)).toBeGreaterThan(0.9);
    expect(gain!.highNs! / (498 * 600)).toBeLessThan(1.5);
    expect(gain!.method).toContain('what lies in the gaps');
  });

  test('reads become one of the whole range, gaps and all', async () => {
    const reads = (stride: number): Line[] =>
      times(1000, (i) => [[`pread64(3</w/a>, "x", 64, ${i * stride}) = 64`, 406]]);
    const { 'strided-small-reads': gain } = await gains(traced([OPEN, ...SEEKS, ...reads(256)]), CALIBRATION);
    // The range of 256,000 bytes is read once, into fresh memory.
    expect(gain!.savedNs! / (1000 * 406 - 256_000 * 0.19)).toBeCloseTo(1, 1);
    const { 'strided-small-reads': wide } = await gains(traced([OPEN, ...SEEKS, ...reads(65_536)]), CALIBRATION);
    expect(wide!.savedNs).toBeNull();
    expect(wide!.method).toContain('what storing them side by side saves depends');
  });
});

describe('storage', () => {
  const synchronous = async (ns: number): Promise<Gain> => {
    const text = traced([
      ['openat(AT_FDCWD</w>, "a", O_WRONLY|O_DSYNC) = 3</w/a>', 1600],
      ...SEEKS,
      ...times(100, () => [['write(3</w/a>, "x", 100) = 100', ns] as Line]),
    ]);
    return (await gains(text, CALIBRATION))['synchronous-writes']!;
  };

  test('synchronous writes: all waits but one of each file', async () => {
    const gain = await synchronous(400_000);
    expect(gain.savedNs! / (99 * 400_000)).toBeCloseTo(1, 1);
    expect(gain.method).toContain('99 of 100 synchronous writes fewer');
  });

  test('storage that answers as soon as a tracer that is woken late is no page cache', async () => {
    const gain = await synchronous(30_000);
    expect(gain.savedNs! / (99 * 30_000)).toBeCloseTo(1, 1);
    expect(gain.method).toContain("the recording's own");
  });

  test('direct pieces: their calls, but not what the device takes for the bytes', async () => {
    const pieces = times(256, (): Line[] => [['read(3</w/a>, "x", 65536) = 65536', 200_000]]);
    const { 'small-direct-transfers': gain } = await untracedGains([
      ['openat(AT_FDCWD</w>, "a", O_RDONLY|O_DIRECT) = 3</w/a>', 1600],
      ...pieces,
    ]);
    // 16 of 256 remain; at 1.5 ns a byte, give or take 0.9, the bytes take half of the time.
    const expected = 240 * 200_000 - 1.5 * 256 * 65_536;
    expect(gain!.savedNs! / expected).toBeGreaterThan(0.9);
    expect(gain!.savedNs! / expected).toBeLessThan(1.1);
    expect(gain!.lowNs!).toBeLessThan(0.6 * expected);
    expect(gain!.highNs!).toBeGreaterThan(1.4 * expected);
  });

  test('copies in pieces: calls that a pipe would hold', async () => {
    const copy: Line = ['copy_file_range(3</w/a>, NULL, 4</w/b>, NULL, 512, 0) = 512', 1750];
    const text = traced([OPEN, ...SEEKS, ...times(1000, () => [copy])]);
    const { 'small-copies': gain } = await gains(text, CALIBRATION);
    // 1.6 times a read and a write; 512,000 bytes fill 8 pipes.
    expect(gain!.savedNs! / (992 * 1600)).toBeGreaterThan(0.85);
    expect(gain!.savedNs! / (992 * 1600)).toBeLessThan(1.15);
    expect(gain!.method).toContain('992 of 1,000 copies fewer');
  });
});

test('small files: all opens but one', async () => {
  const file = (i: number): Line[] => [
    [`openat(AT_FDCWD</w>, "f${i}", O_WRONLY|O_CREAT) = 4</w/f${i}>`, 2600],
    [`write(4</w/f${i}>, "x", 100) = 100`, 630],
    [`close(4</w/f${i}>) = 0`, 200],
  ];
  const { 'many-small-files': gain } = await gains(traced([OPEN, ...SEEKS, ...times(1200, file)]), CALIBRATION);
  // An open to write and a close take 2.4 µs on that machine.
  expect(gain!.savedNs! / (1199 * 2400)).toBeGreaterThan(0.8);
  expect(gain!.savedNs! / (1199 * 2400)).toBeLessThan(1.2);
});

test('a pipe taken apart byte by byte: the calls, but not what they wait for', async () => {
  const byte: Line = ['write(4<pipe:[77]>, "x", 1) = 1', 50_000];
  const { 'byte-by-byte-pipe': gain } = await gains(traced([OPEN, ...times(1000, () => [byte])]), CALIBRATION);
  expect(gain!.savedNs! / (999 * 400)).toBeCloseTo(1, 1);
});

describe('models by themselves', () => {
  const EACH = 1000;
  const group = (kind: CallKind, events: number, bytes = 0): CallGroup => ({
    ...{
      number: 0,
      site: 0,
      file: 0,
      call: 0,
      events,
      bytes,
      timeNs: events * EACH,
      laneTimes: new Map<number, number>(),
    },
    of: { kind, file: 0, sample: new Sample(), calls: events, bytes, timeNs: events * EACH },
  });
  const cellOf = (metrics: Partial<Record<Metric, number>>, ...groups: CallGroup[]): GainCell => ({
    file: 0,
    get: (metric) => metrics[metric] ?? 0,
    groups,
  });
  const cost = { fixed: estimate(EACH, 100), perByte: estimate(0.1, 0), basis: 'measured' as const };
  const run = (
    trigger: string,
    cells: readonly GainCell[],
    insight: Partial<Insight> = {},
    lanes: readonly number[] = [],
    language?: string,
    isUntraced = false,
  ): ReturnType<GainModel> =>
    GAIN_MODELS[trigger]!({
      insight: { evidence: {}, sites: [], ...insight } as unknown as Insight,
      cells,
      costs: {
        of: () => cost,
        work: { of: () => NOTHING, ofLibraries: () => NOTHING, languageOf: () => language },
        expectedAt: () => ({ of: () => cost, measured: true }),
        isUntraced,
      } as unknown as Parameters<GainModel>[0]['costs'],
      readExtents: new Map(),
      writeExtents: new Map(),
      groupsOn: () => [],
      callName: () => 'stat',
      laneShare: 0.5,
      laneTimes: () => lanes,
    });
  /** The upper end of the interval of calls that all cost alike, half of which is time of the run. */
  const bound = (calls: number): number => calls * (EACH + 1.645 * 100) * 0.5;

  test('open-close-in-loop: a place that opens nothing saves nothing, whatever its language asks there', () => {
    const asks = cellOf({}, group('fstat', 10));
    const opens = cellOf({ opens: 10, reopens: 9, reopenTime: 9000 }, group('open', 10));
    const saving = run('open-close-in-loop', [asks, opens], {}, [], 'Python') as Saving;
    expect(saving.ns.value).toBeCloseTo(9 * EACH, -2);
  });

  test('repeated-questions: what is asked anew after each change of the file has to be asked', () => {
    const metrics = { repeatedQuestions: 60, repeatedQuestionTime: 6000, firstQuestions: 61 };
    const saving = run('repeated-questions', [cellOf(metrics, group('stat', 121))], {}, [], undefined, true) as Saving;
    expect(saving.how).toContain('60 of 121 questions fewer');
  });
  test('repeated-questions: the first one, which searches for the path, is no price of the others', () => {
    const metrics = { repeatedQuestions: 99, repeatedQuestionTime: 9900, firstQuestions: 1 };
    const saving = run('repeated-questions', [cellOf(metrics, group('stat', 100))], {}, [], undefined, true) as Saving;
    expect(saving.ns.value).toBeCloseTo(9900);
  });

  test('posix-small-writes: a buffer is written out before each synchronisation', () => {
    const metrics = { tinyWrites: 2000, tinyWrittenBytes: 256_000, coalescedWrites: 200 };
    const insight = { evidence: { count: 2000 } };
    expect(run('posix-small-writes', [cellOf(metrics, group('write', 2000, 256_000))], insight)).toMatchObject({
      how: expect.stringContaining('1,800 of 2,000 writes fewer') as string,
    });
  });

  test('a stream in blocks: at most its calls', () => {
    const cell = cellOf({ stdioTransfers: 2000, stdioBytes: 8 << 20 }, group('write', 2000));
    expect(run('stdio-high-usage', [cell])).toMatchObject({ mostNs: bound(1992) });
  });

  test('a buffer joins no calls that leave gaps', () => {
    const cell = cellOf({ writes: 500, tinyWrites: 500, stridedWrites: 490 }, group('write', 500));
    expect(run('posix-small-writes', [cell])).toContain('these calls leave gaps');
    // Elsewhere it does.
    const other = cellOf({ writes: 400, tinyWrites: 400, tinyWrittenBytes: 4000 }, group('write', 400));
    expect(run('posix-small-writes', [cell, other])).toMatchObject({ ns: { value: 399 * EACH } });
  });

  test('small writes of HDF5: all but those of a buffer', () => {
    const cell = cellOf({ hdf5TinyWrites: 500, hdf5TinyWrittenBytes: 5000 }, group('write', 500));
    expect(run('hdf5-small-writes', [cell], { evidence: { medianBytes: 10 } })).toMatchObject({
      ns: { value: 499 * EACH },
      how: '499 of 500 writes fewer, at about 1 µs each, besides what HDF5 itself does for each object',
    });
  });

  test.each(['posix-small-writes-shared', 'mpi-io-independent-writes'])(
    '%s: collective ones save at most the calls',
    (trigger) => {
      const metrics = { writes: 500, smallWrites: 500, smallWrittenBytes: 3 << 20, independentWrites: 500 };
      const found = run(trigger, [cellOf(metrics, group('write', 500))]);
      expect(found).toMatchObject({ mostNs: bound(497) });
    },
  );

  test('of a shared file without MPI-IO, what lies side by side is joined by each process itself', () => {
    const metrics = { writes: 500, smallWrites: 500, smallWrittenBytes: 1 << 20, consecutiveWrites: 490 };
    const evidence = { count: 500, medianBytes: 2097 };
    const found = run('posix-small-writes-shared', [cellOf(metrics, group('write', 500))], { evidence });
    expect(found).toMatchObject({ basis: 'measured' });
    const apart = [cellOf({ ...metrics, consecutiveWrites: 10 }, group('write', 500))];
    expect(run('posix-small-writes-shared', apart, { evidence })).toMatchObject({ mostNs: bound(499) });
  });

  test('an even division saves what the slowest takes more than all on average, at most', () => {
    const cells = [cellOf({}, group('write', 10))];
    for (const trigger of ['posix-data-imbalance', 'posix-time-imbalance', 'posix-write-imbalance-individual'])
      expect(run(trigger, cells, {}, [900, 300])).toMatchObject({ mostNs: 300 });
    // One process alone tells nothing.
    expect(run('posix-data-imbalance', cells, {}, [900])).not.toHaveProperty('mostNs');
  });

  test('what one process does for four takes a quarter at least', () => {
    const cells = [cellOf({}, group('write', 10))];
    expect(run('one-process-does-all', cells, { evidence: { processes: 4 } }, [800])).toMatchObject({ mostNs: 600 });
  });

  test('of processes that take pipes apart side by side the busiest counts', () => {
    const site = (events: number, streams: number): Insight['sites'][number] =>
      ({ events, bytes: events, streams }) as Insight['sites'][number];
    const found = run('byte-by-byte-pipe', [], { sites: [site(5000, 2), site(1001, 1)], evidence: { timeNs: 1e9 } });
    expect(found).toMatchObject({ ns: { value: 2499.5 * EACH }, basis: 'measured' });
  });

  test('a file for each process saves no time of the run', () =>
    expect(run('file-per-process', [])).toMatchObject({ mostNs: 0 }));
});

test('every finding has a model, or says why one run does not show what is saved', () => {
  const triggers = [...CATALOGUE, ...COUNTER_CATALOGUE, ...OWN_COUNTER_TRIGGERS, ...LAYER_PATTERNS].map(
    ({ name }) => name,
  );
  const summaries = /-(count|size)-intensive$|-sequential-|-collective-(reads|writes)$|-aggregators-ok$/;
  const unsaid = triggers.filter((name) => !summaries.test(name) && GAIN_MODELS[name] === undefined);
  expect(unsaid).toEqual([]);
});
