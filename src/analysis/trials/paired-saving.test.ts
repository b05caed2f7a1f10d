import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSure, medianOf, pairedSaving } from './paired-saving.ts';

const times = (length: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: length, maxLength: length });

test('five pairs that all save are sure; four are not, and neither is one that saves nothing', () => {
  const before = [10, 12, 11, 13, 12];
  const after = [5, 6, 6, 7, 6];
  expect(pairedSaving(before, after)).toEqual({ savedNs: 6, lowNs: 5, highNs: 6, confidence: 0.9375 });
  expect(isSure(pairedSaving(before, after))).toBe(true);
  expect(isSure(pairedSaving(before.slice(1), after.slice(1)))).toBe(false);
  expect(isSure(pairedSaving(before, [...after.slice(1), 12]))).toBe(false);
});

test('of many pairs the outermost do not count', () => {
  const before = Array.from({ length: 20 }, (_, i) => 100 + i);
  const after = before.map((time, i) => (i === 0 ? time + 1000 : time - 10));
  const saving = pairedSaving(before, after);
  expect([saving.savedNs, saving.lowNs, isSure(saving)]).toEqual([10, 10, true]);
  expect(saving.confidence).toBeGreaterThan(0.9);
});

test('the median lies in the interval, which turns about when before and after do', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).chain((length) => fc.tuple(times(length), times(length))),
      ([before, after]) => {
        const saving = pairedSaving(before, after);
        expect(saving.lowNs).toBeLessThanOrEqual(saving.savedNs);
        expect(saving.highNs).toBeGreaterThanOrEqual(saving.savedNs);
        const turned = pairedSaving(after, before);
        expect([turned.highNs + saving.lowNs, turned.lowNs + saving.highNs]).toEqual([0, 0]);
      },
    ),
  );
});

test('the median of an even number of values lies between the middle ones', () => {
  expect(medianOf([4, 1, 3, 2])).toBe(2.5);
});
