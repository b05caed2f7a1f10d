import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lowestMedian, verdictOf, WORSE } from './judgement.mjs';

/** How much of each pair's ratio is noise: a busy machine doubles and halves it. */
const noise = fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 5, maxLength: 15 });
const pairsOf = (ratios: readonly number[]): { ratio: number; peak: number }[] =>
  ratios.map((ratio) => ({ ratio, peak: 100e6 }));

describe('what the guard makes of the pairs of a row', () => {
  test('the lowest median is one of the ratios, and no higher than the median', () => {
    fc.assert(
      fc.property(noise, (ratios) => {
        const lowest = lowestMedian(ratios);
        expect(ratios).toContain(lowest);
        expect(ratios.filter((ratio) => ratio >= lowest).length).toBeGreaterThan(ratios.length / 2);
      }),
    );
  });

  test.each([
    [5, 0],
    [7, 0],
    [8, 1],
    [11, 2],
    [15, 3],
  ])('of %d pairs %d may lie below it by chance', (count, skipped) => {
    expect(lowestMedian(Array.from({ length: count }, (_, i) => i))).toBe(skipped);
  });

  test('a row is worse when all pairs are a tenth above, however far', () => {
    fc.assert(
      fc.property(noise, fc.double({ min: 0.1, max: 10, noNaN: true }), (factors, kept) => {
        const above = factors.map((factor) => kept * WORSE * (1.01 + factor));
        expect(verdictOf(pairsOf(above), kept)).toMatchObject({ isWorse: true, verdict: 'WORSE' });
      }),
    );
  });

  test('noise that leaves half of the pairs where they were makes no row worse', () => {
    fc.assert(
      fc.property(noise, (factors) => {
        const ratios = [...factors, ...factors.map(() => 1)];
        expect(verdictOf(pairsOf(ratios), 1).isWorse).toBe(false);
      }),
    );
  });

  test('a row that the release did not have is new', () => {
    expect(verdictOf(pairsOf([2, 2, 2, 2, 2]), undefined)).toMatchObject({ isWorse: false, verdict: 'new' });
  });
});
