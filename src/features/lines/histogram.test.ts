import { expect, test } from 'vitest';
import { histogram } from './histogram.ts';

test('bins from the smallest to the largest that occur, with bars in proportion and counts', () =>
  expect(histogram([0, 4096, 0, 1024, 1, 0, 0, 0, 0, 0])).toEqual([
    '  ≤ 1 KiB  ████████████████  4,096',
    ' ≤ 10 KiB                        0',
    '≤ 100 KiB  ████              1,024',
    '  ≤ 1 MiB  ▏                     1',
  ]));

test('a single size, the largest bin, and nothing at all', () => {
  expect(histogram([7, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toEqual(['≤ 100 B  ████████████████  7']);
  expect(histogram([0, 0, 0, 0, 0, 0, 0, 0, 0, 2])).toEqual(['> 1 GiB  ████████████████  2']);
  expect(histogram([0, 0, 0, 0, 0, 0, 0, 0, 0, 0])).toEqual([]);
});
