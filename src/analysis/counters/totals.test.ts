import { describe, expect, test } from 'vitest';
import { counterTable } from '../../../test/support/counter-table.ts';
import { commonValues, commonValuesOfParser } from './common-values.ts';
import { counterTotals } from './totals.ts';

function totals(module: string, records: Parameters<typeof counterTable>[1]): Record<string, number> {
  return Object.fromEntries(counterTotals(counterTable(module, records)));
}

describe('the rules of darshan-parser --total', () => {
  test('counts and times are added up; what nobody measured stays -1', () =>
    expect(
      totals('POSIX', [
        { counters: { POSIX_READS: 3, POSIX_MMAPS: -1, POSIX_STATS: -1, POSIX_F_READ_TIME: 0.5 } },
        { counters: { POSIX_READS: 4, POSIX_MMAPS: -1, POSIX_STATS: 5, POSIX_F_READ_TIME: 0.25 } },
      ]),
    ).toEqual({ POSIX_READS: 7, POSIX_MMAPS: -1, POSIX_STATS: 4, POSIX_F_READ_TIME: 0.75 }));

  test('extremes, first and last times, and what cannot be added up', () => {
    const found = totals('POSIX', [
      {
        counters: {
          POSIX_MAX_BYTE_READ: 99,
          POSIX_MODE: 420,
          POSIX_F_OPEN_START_TIMESTAMP: 0,
          POSIX_F_CLOSE_END_TIMESTAMP: 7,
          POSIX_F_MAX_READ_TIME: 2,
          POSIX_MAX_READ_TIME_SIZE: 4096,
          POSIX_F_VARIANCE_RANK_TIME: 3,
        },
      },
      {
        counters: {
          POSIX_MAX_BYTE_READ: 9,
          POSIX_MODE: 438,
          POSIX_F_OPEN_START_TIMESTAMP: 1.5,
          POSIX_F_CLOSE_END_TIMESTAMP: -1,
          POSIX_F_MAX_READ_TIME: 2,
          POSIX_MAX_READ_TIME_SIZE: 512,
          POSIX_F_VARIANCE_RANK_TIME: 3,
        },
      },
    ]);
    expect(found).toEqual({
      POSIX_MAX_BYTE_READ: 99,
      POSIX_MODE: 438,
      POSIX_F_OPEN_START_TIMESTAMP: 1.5,
      POSIX_F_CLOSE_END_TIMESTAMP: 7,
      POSIX_F_MAX_READ_TIME: 2,
      // That of the first of the two that took longest.
      POSIX_MAX_READ_TIME_SIZE: 4096,
    });
  });

  const times = (read: number, bytes: number): Record<string, number> => ({
    STDIO_BYTES_READ: bytes,
    STDIO_F_READ_TIME: read,
    STDIO_BYTES_WRITTEN: 0,
    STDIO_F_WRITE_TIME: 0,
    STDIO_F_META_TIME: 0,
    STDIO_FASTEST_RANK: 0,
    STDIO_SLOWEST_RANK: 0,
    STDIO_SLOWEST_RANK_BYTES: 0,
    STDIO_F_SLOWEST_RANK_TIME: 0,
  });

  test('the slowest process of a file that each process has a record of', () => {
    const found = totals('STDIO', [
      { rank: 4, counters: times(1, 10) },
      { rank: 5, counters: times(3, 20) },
      { rank: 6, counters: times(0.5, 30) },
    ]);
    expect(found).toMatchObject({
      STDIO_FASTEST_RANK: 6,
      STDIO_SLOWEST_RANK: 5,
      STDIO_SLOWEST_RANK_BYTES: 20,
      STDIO_F_SLOWEST_RANK_TIME: 3,
    });
  });

  test('of several files there is no slowest process', () => {
    const found = totals('STDIO', [
      { id: 1, rank: 4, counters: times(1, 10) },
      { id: 2, rank: 5, counters: times(3, 20) },
    ]);
    expect(found).toMatchObject({ STDIO_SLOWEST_RANK: -1, STDIO_F_SLOWEST_RANK_TIME: 0 });
  });

  test('a table without records', () =>
    expect(Object.fromEntries(counterTotals(counterTable('POSIX', [], ['POSIX_READS', 'POSIX_MODE'])))).toEqual({
      POSIX_READS: 0,
      POSIX_MODE: 0,
    }));
});

/** ACCESS1 to ACCESS4 of a record. */
function accesses(...pairs: readonly (readonly [bytes: number, count: number])[]): {
  counters: Record<string, number>;
} {
  const counters: Record<string, number> = {};
  for (let i = 0; i < 4; i++) {
    counters[`POSIX_ACCESS${i + 1}_ACCESS`] = pairs[i]?.[0] ?? 0;
    counters[`POSIX_ACCESS${i + 1}_COUNT`] = pairs[i]?.[1] ?? 0;
  }
  return { counters };
}

describe('common sizes of accesses', () => {
  test('counts of one size are added up over the records, larger sizes first among equals', () => {
    const table = counterTable('POSIX', [accesses([4096, 5], [512, 2]), accesses([512, 4], [1, 6], [8, 5])]);
    expect(commonValues(table, 'ACCESS')).toEqual([
      { bytes: 512, count: 6 },
      { bytes: 1, count: 6 },
      { bytes: 4096, count: 5 },
      { bytes: 8, count: 5 },
    ]);
    expect(commonValues(table, 'STRIDE')).toEqual([]);
  });

  test('darshan-parser forgets counts of a size that had to leave in between', () => {
    const table = counterTable('POSIX', [
      accesses([1, 9], [2, 8], [3, 7], [4, 6]),
      accesses([5, 10]),
      accesses([4, 7]),
    ]);
    expect(commonValuesOfParser(table, 'ACCESS').map(({ bytes, count }) => [bytes, count])).toEqual([
      [5, 10],
      [1, 9],
      [2, 8],
      [4, 7],
    ]);
    expect(commonValues(table, 'ACCESS')[0]).toEqual({ bytes: 4, count: 13 });
  });

  test('a hundred thousand different sizes do not fill the memory, and the commonest stays', () => {
    const records = Array.from({ length: 30_000 }, (_, i) =>
      accesses([7, 3], [i * 4 + 100, 1], [i * 4 + 101, 1], [i * 4 + 102, 1]),
    );
    expect(commonValues(counterTable('POSIX', records), 'ACCESS')[0]).toEqual({ bytes: 7, count: 90_000 });
  });
});
