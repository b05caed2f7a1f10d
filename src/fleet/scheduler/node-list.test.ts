import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandNodeList } from './node-list.ts';

test('a list of nodes is expanded as Slurm compresses it', () => {
  expect(expandNodeList('n[1-2,07]')).toEqual(['n1', 'n2', 'n07']);
  expect(expandNodeList('a1,b[02-04],login')).toEqual(['a1', 'b02', 'b03', 'b04', 'login']);
  expect(expandNodeList('r[0-1]n[09-10]x')).toEqual(['r0n09x', 'r0n10x', 'r1n09x', 'r1n10x']);
  expect(expandNodeList(null)).toBeNull();
});

test('a list of more nodes than there can be is not', () => {
  expect(expandNodeList('n[1-999999999]')).toBeNull();
  expect(expandNodeList('n[1-1000]m[1-1000]')).toBeNull();
  expect(expandNodeList('n[1-150000],m[1-150000]')).toBeNull();
});

test('any text gives a list within the bound', () => {
  const text = fc.string({ unit: fc.constantFrom('n', '[', ']', '-', ',', '0', '9', '12') });
  fc.assert(fc.property(text, (list) => (expandNodeList(list)?.length ?? 0) <= 200_000));
  expect(expandNodeList('n[1-')).toEqual(['n[1-']);
  expect(expandNodeList('n[3-1]')).toEqual([]);
});
