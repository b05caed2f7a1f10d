/** Logs whose numbers no recorder can have written: they are reported, and nothing is computed from them. */
import { describe, expect, test } from 'vitest';
import { textOf } from '../../src/analysis/triggers/message.ts';
import { findCounterInsights } from '../../src/analysis/triggers/counters/find-counter-insights.ts';
import { DEFAULT_THRESHOLDS } from '../../src/analysis/triggers/thresholds.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { layoutOf } from '../../src/readers/darshan/module-layouts.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { HEADER, COLUMNS, lines, row, LAST_ROW, read as readText } from '../support/darshan/darshan-samples.ts';
import { Words, writeLog } from '../support/darshan/darshan-writer.ts';
import { memoryFile } from '../support/memory-file.ts';

const { counters, integers, floats } = layoutOf('POSIX', 4)!;
const CHECKED = counters
  .slice(0, integers)
  .filter((name) => !/_(RENAMED_FROM|MODE|ACCESS\d_ACCESS|STRIDE\d_STRIDE)$/.test(name)).length;

/** A record of POSIX of which every integer and every floating-point number is the same. */
function record(integer: number | bigint, float: number, rank = -1): Uint8Array {
  const words = new Words().int(7, rank);
  for (let i = 0; i < integers; i++) words.int(integer);
  return words.float(...Array.from({ length: floats }, () => float)).bytes;
}

function readRecords(...records: readonly Uint8Array[]): Promise<Trace> {
  const modules = [{ slot: 1, version: 4, streams: [Buffer.concat(records)] }];
  return readDarshan([memoryFile('a.darshan', writeLog({ names: [[7n, '/data/a']], modules }))]);
}

const messages = (trace: Trace): string =>
  findCounterInsights(trace, trace.counters!, DEFAULT_THRESHOLDS)
    .map(({ message }) => textOf(message))
    .join('\n');
const value = (trace: Trace, counter: string, at = 0): number => trace.counters!.modules[0]!.get(at, counter);

describe('counters that no recorder can have written', () => {
  test.each([
    ['the least integer', -(2n ** 63n), '-9223372036854776000'],
    ['the greatest integer', 2n ** 63n - 1n, '9223372036854776000'],
    ['one beyond all bytes', 2n ** 61n, '2305843009213694000'],
  ])('%s', async (_, integer, shown) => {
    const trace = await readRecords(record(integer, 0.5));
    expect(trace.damage).toEqual([
      {
        where: 'a.darshan, POSIX',
        what: `${CHECKED} values that no recorder can have written (the first: POSIX_OPENS = ${shown})`,
        lost: 'these values',
      },
    ]);
    expect([value(trace, 'POSIX_OPENS'), value(trace, 'POSIX_ACCESS1_COUNT')]).toEqual([-1, -1]);
    expect(value(trace, 'POSIX_F_READ_TIME')).toBe(0.5);
    expect(messages(trace)).not.toMatch(/\d{3}(,\d{3}){4}|Infinity|NaN/);
  });

  test.each([NaN, Infinity, -Infinity, 1e308, -1e308])('a time of %s', async (float) => {
    const trace = await readRecords(record(3, float), record(3, float), record(3, 1, 0));
    expect(trace.damage).toHaveLength(1);
    expect(trace.damage[0]!.what).toContain(`${2 * floats} values that no recorder can have written (the first: `);
    expect(trace.damage[0]!.what).toContain(`POSIX_F_OPEN_START_TIMESTAMP = ${float}`);
    expect([0, 1, 2].map((at) => value(trace, 'POSIX_F_READ_TIME', at))).toEqual([0, 0, 1]);
    expect(messages(trace)).not.toMatch(/Infinity|NaN/);
  });

  test('what is only unusual stays: sums of "not measured", negative times, garbage beside a count of zero', async () => {
    const values = counters.map((name) => {
      if (/ACCESS\d_ACCESS|STRIDE\d_STRIDE/.test(name)) return 2 ** 62;
      if (name === 'POSIX_MMAPS') return -4;
      if (name === 'POSIX_F_VARIANCE_RANK_BYTES') return 2 ** 66;
      return name === 'POSIX_F_WRITE_TIME' ? -2662.7 : 0;
    });
    const words = new Words().int(7, -1, ...values.slice(0, integers)).float(...values.slice(integers));
    const trace = await readRecords(words.bytes);
    expect(trace.damage).toEqual([]);
    expect(counters.map((name) => value(trace, name))).toEqual(values);
  });

  test('in one of very many records', async () => {
    const sound = record(3, 1, 0);
    const trace = await readRecords(
      ...Array.from({ length: 9000 }, (_, i) => (i === 8000 ? record(-(2n ** 63n), 1) : sound)),
    );
    expect(trace.damage.map(({ what }) => what)).toEqual([expect.stringMatching(new RegExp(`^${CHECKED} values`))]);
    expect([7999, 8000, 8001].map((at) => value(trace, 'POSIX_READS', at))).toEqual([3, -1, 3]);
  });

  test('in text', async () => {
    const rows = [
      row('POSIX_OPENS', 3),
      row('POSIX_READS', '-9223372036854775808'),
      row('POSIX_F_READ_TIME', 'nan'),
      LAST_ROW,
    ];
    const trace = await readText(HEADER + lines('', COLUMNS, ...rows));
    expect(trace.damage).toContainEqual({
      where: 't0.txt, POSIX',
      what: '2 values that no recorder can have written (the first: POSIX_READS = -9223372036854776000)',
      lost: 'these values',
    });
    expect(['POSIX_OPENS', 'POSIX_READS', 'POSIX_F_READ_TIME'].map((name) => value(trace, name))).toEqual([3, -1, 0]);
  });

  test('in heatmaps', async () => {
    const heatmap = new Words()
      .int(1, 0)
      .float(0.5)
      .int(2, 0, 0)
      .int(5, -(2n ** 63n), 2n ** 62n, 6).bytes;
    const modules = [{ slot: 15, version: 1, streams: [heatmap] }];
    const log = writeLog({ names: [[1n, 'heatmap:POSIX']], modules });
    const trace = await readDarshan([memoryFile('a.darshan', log)]);
    expect(trace.damage.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      'a.darshan, HEATMAP: 2 values that no recorder can have written (the first: 4611686018427388000 bytes read in bin 0 of POSIX, process 0)',
    ]);
    const { read, written } = trace.counters!.heatmaps[0]!;
    expect([[...written], [...read]]).toEqual([
      [5, 0],
      [0, 6],
    ]);
  });
});
