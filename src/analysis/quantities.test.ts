import { expect, test } from 'vitest';
import { formatCount } from './quantities.ts';

test.each([0, 7, 999, 1000, 12_345, 999_999.6, 1_234_567, 9_007_199_254_740_991, -4096])(
  '%d has its thousands apart as the language has them',
  (count) => {
    expect(formatCount(count)).toBe(Math.round(count).toLocaleString('en-US'));
  },
);
