import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { allGroups, smallGroups } from './compaction-plan.ts';
import type { BatchManifest, LogEntry } from './manifest.ts';
import { repeatedLogs, type StoreContents } from './read-manifests.ts';

const TABLES = ['job', 'file', 'insight'] as const;

function batch(id: number, rows: number, months = ['2018-01'], logs = 1, from = id * 1e6): BatchManifest {
  const name = String(id).padStart(8, '0');
  return {
    schema: 'iolens/store-batch@1',
    id: name,
    parts: months.flatMap((month) =>
      TABLES.map((table) => ({
        ...{ table, path: `parts/${table}/month=${month}/${name}.parquet`, month },
        ...{ rows: Math.ceil(rows / TABLES.length / months.length), bytes: 10_000 + rows },
      })),
    ),
    logs: Array.from({ length: logs }, (_, i): LogEntry => ({
      ...{
        log: String(from + i),
        path: `/logs/${from + i}`,
        bytes: 1,
        modified: 0,
        format: 'darshan',
        status: 'stored',
      },
    })),
  };
}

function contentsOf(batches: readonly BatchManifest[]): StoreContents {
  return { batches, parts: batches.flatMap(({ parts }) => parts), repeated: repeatedLogs(batches) };
}

const rowsOf = ({ parts }: BatchManifest): number => parts.reduce((sum, { rows }) => sum + rows, 0);
const idsOf = (groups: readonly BatchManifest[][]): number[][] =>
  groups.map((group) => group.map(({ id }) => Number(id)));

describe('batches that are merged without being asked', () => {
  test('are none while a table and month has two files on average', () => {
    expect(smallGroups(contentsOf([batch(1, 10), batch(2, 10)]))).toEqual([]);
    const months = Array.from({ length: 24 }, (_, month) => batch(month, 1e6, [`month ${month}`]));
    expect(smallGroups(contentsOf([...months, batch(90, 1, ['month 3'])]))).toEqual([]);
    expect(idsOf(smallGroups(contentsOf([batch(1, 10), batch(2, 10), batch(3, 10)])))).toEqual([[1, 2, 3]]);
  });

  test('are small ones of crowded months: large ones, full ones and those of other months stay', () => {
    const large = batch(1, 3e6);
    const other = batch(2, 30, ['2018-02']);
    const full = batch(3, 60_000, ['2018-01'], 60_000);
    const small = [4, 5, 6, 7, 8].map((id) => batch(id, 100));
    expect(idsOf(smallGroups(contentsOf([large, other, full, ...small])))).toEqual([[4, 5, 6, 7, 8]]);
  });

  test('have up to 100,000 logs together', () => {
    const batches = Array.from({ length: 11 }, (_, i) => batch(i, 20_000, ['2018-01'], 20_000));
    expect(smallGroups(contentsOf(batches)).map((group) => group.length)).toEqual([5, 5]);
  });

  test('are written again as often as the store doubles, not as often as something is taken in', () => {
    const random = randomNumbers(5);
    let batches: BatchManifest[] = [];
    let taken = 0;
    let written = 0;
    let most = 0;
    for (let id = 1; id <= 4000; id += 2) {
      const rows = 3 * (1 + random(random(10) === 0 ? 60_000 : 900));
      taken += rows;
      batches.push(batch(id, rows, [random(3) === 0 ? '2018-01' : '2018-02']));
      for (const group of smallGroups(contentsOf(batches))) {
        const sum = group.reduce((total, one) => total + rowsOf(one), 0);
        written += sum;
        const months = [...new Set(group.flatMap(({ parts }) => parts.map(({ month }) => month)))];
        const logs = group.reduce((total, one) => total + one.logs.length, 0);
        batches = batches.filter((one) => !group.includes(one));
        batches.push(batch(id + 1, sum, months, logs));
      }
      most = Math.max(most, batches.length);
    }
    // 16 million rows are 300 times the smallest size: 8 doublings, and what is small is written again as it likes.
    expect(taken).toBeGreaterThan(1e7);
    expect(written / taken).toBeLessThan(12);
    expect(most).toBeLessThan(20);
  });
});

test('who asks for it has everything merged, and what stands twice together', () => {
  const one = [batch(1, 80_000, ['2018-01'], 80_000), batch(2, 80_000, ['2018-01'], 80_000)];
  // Two compactions at once made the same of both.
  const again = [batch(3, 80_000, ['2018-01'], 80_000, 1e6), batch(4, 80_000, ['2018-01'], 80_000, 2e6)];
  expect(idsOf(allGroups(contentsOf([...one, ...again])))).toEqual([
    [1, 3],
    [2, 4],
  ]);
  expect(allGroups(contentsOf([batch(1, 5)]))).toEqual([]);
  expect(allGroups(contentsOf([]))).toEqual([]);
});
