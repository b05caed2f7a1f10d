import { expect, test } from 'vitest';
import { formatCount, formatDuration } from './quantities.ts';

test.each([0, 7, 999, 1000, 12_345, 999_999.6, 1_234_567, 9_007_199_254_740_991, -4096])(
  '%d has its thousands apart as the language has them',
  (count) => expect(formatCount(count)).toBe(Math.round(count).toLocaleString('en-US')),
);

test.each([
  [0, '0 ns'],
  [71e6, '71 ms'],
  [1.25e9, '1.25 s'],
  [90e9, '90 s'],
  [120e9, '2 min'],
  [119 * 60e9, '119 min'],
  [2 * 3600e9, '2 h'],
  [525_000 * 60e9, '8,750 h'],
])('%d ns is %s', (nanoseconds, text) => expect(formatDuration(nanoseconds)).toBe(text));
