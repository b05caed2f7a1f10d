import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MOST_PIXELS, rowAt, scrolledHeight, scrollOf, topShowing } from './visible-rows.ts';

const shape = fc.record({
  rows: fc.integer({ min: 1, max: 50_000_000 }),
  rowHeight: fc.integer({ min: 10, max: 60 }),
  viewHeight: fc.integer({ min: 60, max: 3_000 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('rows in sight of a long table', () => {
  test('the bar leads to every row, and a row to its place on the bar', () =>
    fc.assert(
      fc.property(shape, ({ rows, rowHeight, viewHeight, share }) => {
        const last = Math.max(0, rows - viewHeight / rowHeight);
        const row = share * last;
        const place = scrollOf(row, rows, rowHeight, viewHeight);
        expect(place).toBeLessThanOrEqual(Math.max(0, scrolledHeight(rows, rowHeight) - viewHeight) + 1e-6);
        expect(rowAt(place, rows, rowHeight, viewHeight)).toBeCloseTo(row, 3);
      }),
    ));

  test('a table that fits is scrolled pixel by pixel', () => {
    expect(rowAt(2_400, 10_000, 24, 480)).toBe(100);
    expect(scrolledHeight(10_000, 24)).toBe(240_000);
  });

  test('a million rows are not higher than a browser lays out, and the end is the last row', () => {
    const height = scrolledHeight(1_000_000, 24);
    expect(height).toBe(MOST_PIXELS);
    expect(rowAt(height - 480, 1_000_000, 24, 480)).toBe(1_000_000 - 20);
  });

  test('a row is brought into sight with the least moving', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000 }), fc.double({ min: 0, max: 1_000, noNaN: true }), (row, top) => {
        const next = topShowing(row, top, 24, 480);
        expect(row).toBeGreaterThanOrEqual(next);
        expect(row + 1).toBeLessThanOrEqual(next + 20 + 1e-9);
        if (row >= top && row + 1 <= top + 20) expect(next).toBe(top);
      }),
    ));
});
