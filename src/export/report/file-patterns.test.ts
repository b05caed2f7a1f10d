import { expect, test } from 'vitest';
import { groupedFiles } from './file-patterns.ts';

const named = (...paths: string[]): string[] =>
  groupedFiles(
    paths.map((path) => ({ path, events: 2, bytes: 10, timeNs: 5 })),
    2,
  ).map(({ path, files, events, bytes }) => `${files} ${path} ${events} ${bytes}`);

test('plot files are one pattern with their sums, in the place of the first', () => {
  const plots = Array.from({ length: 10 }, (_, i) => `/run2/plt0000${i}/Cell_D`);
  expect(named('/run2/log', ...plots, '/run2/end')).toEqual([
    '1 /run2/log 2 10',
    '10 /run2/plt0000[0-9]/Cell_D 20 100',
    '1 /run2/end 2 10',
  ]);
  expect(named('/a3/x08', '/a3/x09', '/a3/x10')).toEqual(['3 /a3/x[0-1][0-9] 6 30']);
});

test('numbers of several lengths, and of several places', () => {
  expect(named('/s9/v1', '/s10/v1', '/s11/v2')).toEqual(['3 /s*/v[1-2] 6 30']);
});

test('few files have room for themselves', () => expect(named('/a1', '/a2')).toEqual(['1 /a1 2 10', '1 /a2 2 10']));

test('two files are no pattern, nor are other names', () => {
  expect(named('/a1', '/a2', '/b1', '/c')).toEqual(['1 /a1 2 10', '1 /a2 2 10', '1 /b1 2 10', '1 /c 2 10']);
});
