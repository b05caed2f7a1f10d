import { expect, test } from 'vitest';
import { CounterTable } from './counters.ts';

test('values come back as they were added, across chunks and before the end', () => {
  const table = new CounterTable('POSIX', 4, ['POSIX_OPENS', 'POSIX_READS', 'POSIX_F_META_TIME'], false);
  for (let i = 0; i < 10_000; i++) table.add(BigInt(i) << 40n, i - 1, i % 7, [-1, i, i < 5000 ? 0 : i / 4]);
  const look = (): unknown[] =>
    [0, 4095, 4096, 9999].map((at) => [
      table.recordId(at),
      table.rank(at),
      table.file(at),
      table.get(at, 'POSIX_OPENS'),
      table.value(at, 1),
      table.value(at, 2),
    ]);
  const expected = [0, 4095, 4096, 9999].map((i) => [BigInt(i) << 40n, i - 1, i % 7, -1, i, i < 5000 ? 0 : i / 4]);
  expect(look()).toEqual(expected);
  table.trim();
  expect(look()).toEqual(expected);
  expect(table.length).toBe(10_000);
  expect(table.get(0, 'POSIX_WRITES')).toBeNaN();
});

test('identifiers keep their 64 bits', () => {
  const table = new CounterTable('POSIX', 4, ['POSIX_RENAMED_FROM'], false);
  const ids = [0n, 17_717_503_921_972_640_017n, 1n, 17_717_503_921_972_640_017n];
  for (const id of ids) {
    table.add(7n, 0, 0, [Number(id)]);
    table.addIdentifier('POSIX_RENAMED_FROM', id);
  }
  expect(table.identifiersIn('POSIX_RENAMED_FROM')).toEqual([17_717_503_921_972_640_017n, 1n]);
  expect(table.identifiersIn('POSIX_OPENS')).toEqual([]);
});
