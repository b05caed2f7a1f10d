import { describe, expect, test } from 'vitest';
import { madeUpFile } from '../../../test/webview/report/made-up.ts';
import { filePage } from './file-page.ts';
import type { TableQuery } from './table-query.ts';

const FIRST: TableQuery = { sort: 'bytes', descending: true, filter: '', from: 0, count: 50 };
const FILES = Array.from({ length: 120 }, (_, number) => madeUpFile(number));

const names = (query: Partial<TableQuery>): string[] =>
  filePage(FILES, { ...FIRST, ...query }).rows.map(({ path }) => path.slice(-3));

describe('a page of files', () => {
  test('is sorted by numbers and by names', () => {
    expect(names({ count: 2 })).toEqual(['119', '118']);
    expect(names({ sort: 'path', descending: false, count: 2 })).toEqual(['000', '001']);
    expect(names({ sort: 'seconds', from: 118 })).toEqual(['001', '000']);
    expect(names({ sort: 'smallShare', count: 1 })).toEqual(['001']);
  });

  test('is filtered by words, interface and process', () => {
    expect(names({ filter: 'PART.11 run' })).toHaveLength(10);
    expect(names({ filter: 'module:mpi' })).toHaveLength(12);
    expect(names({ filter: 'module:mpi rank:2' })).toEqual(['110', '090', '070', '050', '030', '010']);
    expect(filePage(FILES, { ...FIRST, filter: 'nothing' })).toEqual({ rows: [], from: 0, matching: 0, total: 120 });
  });

  test('leaves the list as it was, and knows its columns', () => {
    filePage(FILES, FIRST);
    expect(FILES[0]!.path).toMatch(/000$/);
    expect(() => filePage(FILES, { ...FIRST, sort: 'constructor' })).toThrow(/cannot be sorted by constructor/);
  });
});
