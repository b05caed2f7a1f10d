import { expect, test } from 'vitest';
import { CounterTable } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import { byFile, totalOf } from './sums.ts';

function table(): CounterTable {
  const posix = new CounterTable('POSIX', 4, ['POSIX_READS', 'POSIX_MMAPS'], false);
  posix.add(7n, 0, 2, [10, -1]);
  posix.add(7n, 1, 2, [20, -1]);
  posix.add(8n, -1, 0, [5, 3]);
  posix.add(2n ** 64n - 1n, 3, NONE, [1, 0]);
  posix.add(2n ** 64n - 2n, 3, NONE, [2, 0]);
  posix.add(2n ** 64n - 1n, 4, NONE, [4, 0]);
  return posix;
}

test.each([false, true])('totals are plain sums of what is stored (trimmed: %s)', (trimmed) => {
  const posix = table();
  if (trimmed) posix.trim();
  expect(totalOf(posix, 'POSIX_READS')).toBe(42);
  expect(totalOf(posix, 'POSIX_MMAPS')).toBe(1);
});

test('a module or counter that the log does not have adds up to nothing', () => {
  expect(totalOf(undefined, 'POSIX_READS')).toBe(0);
  expect(totalOf(table(), 'MPIIO_HINTS')).toBe(0);
});

test('totals go over whole chunks, those of one value included', () => {
  const posix = new CounterTable('POSIX', 4, ['POSIX_READS', 'POSIX_OPENS'], false);
  for (let record = 0; record < 10_000; record++) posix.add(BigInt(record), 0, record, [record, 2]);
  expect(totalOf(posix, 'POSIX_READS')).toBe(49_995_000);
  expect(totalOf(posix, 'POSIX_OPENS')).toBe(20_000);
});

test('records of one file stand together; those without a name by their id, all 64 bits of it', () => {
  const { groups, sums } = byFile(table(), ['POSIX_READS', 'POSIX_NO_SUCH']);
  expect([...sums[0]!]).toEqual([30, 5, 5, 2]);
  expect([...sums[1]!]).toEqual([0, 0, 0, 0]);
  expect([...groups.records()]).toEqual([2, 1, 2, 1]);
  expect([0, 1, 2, 3].map((group) => groups.file(group))).toEqual([2, 0, NONE, NONE]);
  expect(groups.recordId(3)).toBe(2n ** 64n - 2n);
});

test('records can be left out', () => {
  const posix = table();
  const { groups, sums } = byFile(posix, ['POSIX_READS'], (record) => posix.rank(record) === -1);
  expect(groups.length).toBe(1);
  expect([...sums[0]!]).toEqual([5]);
  expect([...groups.groupOf]).toEqual([NONE, NONE, 0, NONE, NONE, NONE]);
});
