import { expect, test } from 'vitest';
import { formatCount } from '../../base/quantities.ts';
import type { Measure } from '../../export/comparison/comparison-document.ts';
import { changeSentence, doubt, relativeChange, sides, withoutRange } from './measure-words.ts';

function measure(base: number, changed: number, more: Partial<Measure> = {}): Measure {
  const difference = base === changed ? 'same' : changed < base ? 'less' : 'more';
  const ranges = { baseRange: [base, base], newRange: [changed, changed] } as const;
  return { base, new: changed, change: changed - base, ...ranges, difference, ...more };
}

/** Estimates whose intervals have a number in common. */
const UNSURE = measure(100, 120, { baseRange: [50, 150], newRange: [60, 180], difference: 'noise unknown' });

test.each([
  [measure(100, 3), '−97 %', '97 % less'],
  [measure(100, 152), '+52 %', '52 % more'],
  [measure(270, 5_130), '× 19', '19 times as much'],
  [measure(256, 1), '−99.6 %', '99.6 % less'],
  [measure(100, 0), '−100 %', '100 % less'],
  [measure(110_592, 110_593), '+0.0009 %', '0.0009 % more'],
  [measure(5, 5), '', 'the same'],
  [measure(0, 5), '', ''],
  [UNSURE, '≈ +20 %', 'within the intervals'],
  [{ ...UNSURE, difference: 'within the spread' as const }, '≈ +20 %', 'within the spread'],
])('a change is said in per cent, and in words: %o', (of, short, long) => {
  expect(relativeChange(of)).toBe(short);
  expect(changeSentence(of, 'less')).toBe(long);
});

test('calls are many, not much', () => {
  expect(changeSentence(measure(100, 3), 'fewer')).toBe('97 % fewer');
  expect(changeSentence(measure(1, 12), 'fewer')).toBe('12 times as many');
});

test('a difference of times is doubted where nobody knows how they vary', () => {
  expect(doubt(UNSURE)).toBe('one run each: no verdict');
  expect(doubt(measure(1, 2))).toBe('');
});

test('both sides stand by themselves, each with its own range', () => {
  const words = ({ base, baseRange: [low, high] }: Measure): string =>
    low === high ? formatCount(base) : `${formatCount(base)} (${low}–${high})`;
  expect(sides(UNSURE, words)).toEqual(['100 (50–150)', '120 (60–180)']);
  expect(sides(withoutRange(UNSURE), words)).toEqual(['100', '120']);
});
