import { expect, test } from 'vitest';
import { axisStep, formatDate, formatSeconds, tickText } from './amounts.ts';

const MIB = 2 ** 20;

test('axes of bytes go by powers of 1024', () => {
  expect(axisStep(3 * MIB, 'bytes')).toBe(MIB);
  expect(axisStep(700 * 1024, 'bytes')! % 1024).toBe(0);
  expect(axisStep(0, 'bytes')).toBeUndefined();
  expect(axisStep(100, 'count')).toBeUndefined();
  expect(tickText(1_500_000, 'count')).toBe('1.5M');
  expect(tickText(4000, 'count')).toBe('4,000');
});

test('times as words', () => {
  expect(formatSeconds(0)).toBe('0 s');
  expect(formatSeconds(0.0346)).toBe('34.6 ms');
  expect(formatSeconds(37_500)).toBe('10.4 h');
  expect(formatDate(1_763_742_600, 'UTC')).toBe('Nov 21, 2025, 16:30:00 UTC');
});
