import { describe, expect, test } from 'vitest';
import { counterTrace } from '../../../test/support/counter-trace.ts';
import { recordPage } from './record-page.ts';
import type { TableQuery } from './table-query.ts';

const FIRST: TableQuery = { sort: 'file', descending: false, filter: '', from: 0, count: 50 };

const trace = counterTrace({
  modules: {
    POSIX: [
      { path: '/b', rank: 1, values: { POSIX_OPENS: 3, POSIX_F_READ_TIME: 0.5, POSIX_SEEKS: 5 } },
      { path: '/A', rank: 0, values: { POSIX_OPENS: 3, POSIX_FILE_NOT_ALIGNED: -1, POSIX_SEEKS: -1 } },
      { path: '/b', values: { POSIX_OPENS: 7, POSIX_F_READ_TIME: 0.25 } },
      { rank: 2, values: { POSIX_OPENS: 1 } },
    ],
  },
});

const paths = (query: Partial<TableQuery>): string[] =>
  recordPage(trace, 'POSIX', { ...FIRST, ...query }).rows.map(({ path, rank }) => `${path} ${rank}`);

describe('a page of records', () => {
  test('shows the counters that say something, and what was not measured as nothing', () => {
    const page = recordPage(trace, 'POSIX', FIRST);
    expect(page.counters).toEqual(['POSIX_OPENS', 'POSIX_F_READ_TIME', 'POSIX_SEEKS']);
    expect(page.unusedCounters).toBe(1);
    expect(page.rows.map(({ values }) => values)).toEqual([
      [1, 0, 0],
      [3, 0, null],
      [7, 0.25, 0],
      [3, 0.5, 5],
    ]);
    expect([page.from, page.matching, page.total]).toEqual([0, 4, 4]);
  });

  test('is sorted by file and rank, rank, or any counter; equal ones stay in the order of the log', () => {
    expect(paths({})).toEqual([' 2', '/A 0', '/b -1', '/b 1']);
    expect(paths({ sort: 'rank', descending: true })).toEqual([' 2', '/b 1', '/A 0', '/b -1']);
    expect(paths({ sort: 'POSIX_OPENS' })).toEqual([' 2', '/b 1', '/A 0', '/b -1']);
    expect(paths({ sort: 'POSIX_OPENS', descending: true })).toEqual(['/b -1', '/b 1', '/A 0', ' 2']);
  });

  test('is filtered by words of the path and by rank', () => {
    expect(paths({ filter: 'B' })).toEqual(['/b -1', '/b 1']);
    expect(paths({ filter: '/b rank:1' })).toEqual(['/b 1']);
    expect(paths({ filter: 'rank:shared' })).toEqual(['/b -1']);
    expect(paths({ filter: 'a b' })).toEqual([]);
    expect(paths({ filter: 'module:std' })).toEqual([]);
  });

  test('is a part of the whole', () => {
    expect(paths({ from: 2, count: 1 })).toEqual(['/b -1']);
    expect(paths({ from: 99 })).toEqual([]);
    expect(recordPage(trace, 'POSIX', { ...FIRST, from: 99 }).matching).toBe(4);
  });

  test('asks for what there is', () => {
    expect(() => recordPage(trace, 'STDIO', FIRST)).toThrow(/no records of a module STDIO/);
    expect(() => recordPage(trace, 'POSIX', { ...FIRST, sort: 'NOTHING' })).toThrow(/no counter NOTHING/);
  });

  test('of many records hands out no more than a page', () => {
    const records = Array.from({ length: 9000 }, (_, rank) => ({
      path: `/f${rank}`,
      rank,
      values: { POSIX_OPENS: rank },
    }));
    const many = counterTrace({ modules: { POSIX: records } });
    const page = recordPage(many, 'POSIX', { ...FIRST, sort: 'POSIX_OPENS', descending: true, count: 1e9 });
    expect(page.rows).toHaveLength(500);
    expect(page.rows[0]!.rank).toBe(8999);
    expect(page.matching).toBe(9000);
  });
});
