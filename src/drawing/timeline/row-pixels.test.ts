import { describe, expect, test } from 'vitest';
import { NO_CATEGORY } from '../../analysis/timeline/timeline.ts';
import { paintRow, SHADES, stretches, type RowCells, type ShadeTable } from './row-pixels.ts';

const NONE = NO_CATEGORY;

function cells(category: readonly number[], busy: readonly number[], selected?: readonly number[]): RowCells {
  const over = { fromNs: 0, toNs: category.length * 8, bins: category.length, binNs: 8 };
  return {
    over,
    category: Uint16Array.from(category),
    busy: Uint8Array.from(busy),
    ...(selected && { selected: Uint8Array.from(selected) }),
  };
}

/** The pixel says what it was made of: category and shade, 1000 more when dimmed. */
const SAYING: ShadeTable = {
  plain: Uint32Array.from({ length: 4 * SHADES }, (_, at) => at + 1),
  dimmed: Uint32Array.from({ length: 4 * SHADES }, (_, at) => at + 1001),
};
const full = (category: number): number => category * SHADES + SHADES;

function painted(row: RowCells, fromNs: number, toNs: number, columns: number): { pixels: number[]; marks: number[] } {
  const pixels = new Uint32Array(columns);
  const marks = new Uint8Array(columns);
  paintRow(pixels, marks, row, { fromNs, toNs }, SAYING);
  return { pixels: [...pixels], marks: [...marks] };
}

describe('the pixels of a row', () => {
  test('a bin for each pixel', () => {
    const row = cells([0, NONE, 2, 2], [255, 0, 255, 16]);
    expect(painted(row, 0, 32, 4).pixels).toEqual([full(0), 0, full(2), 2 * SHADES + 2]);
  });

  test('several bins for a pixel: what is busiest gives the colour, and all give the shade', () => {
    const row = cells([0, 1, NONE, NONE], [64, 255, 0, 0]);
    expect(painted(row, 0, 32, 2).pixels).toEqual([1 * SHADES + 10, 0]);
  });

  test('several pixels for a bin', () => {
    const row = cells([0, NONE], [255, 0]);
    expect(painted(row, 0, 16, 6).pixels).toEqual([full(0), full(0), full(0), 0, 0, 0]);
  });

  test('nothing where nothing is known: before and behind what was asked for', () => {
    const row = cells([0, 0], [255, 255]);
    expect(painted(row, -16, 32, 6).pixels).toEqual([0, 0, full(0), full(0), 0, 0]);
  });

  test('an old answer far too small is still seen, and costs no more', () => {
    const busy = Array.from({ length: 5000 }, (_, bin) => (bin === 0 ? 255 : 200));
    const row = cells(
      Array.from({ length: 5000 }, () => 3),
      busy,
    );
    expect(painted(row, 0, 40_000, 1).pixels[0]).toBeGreaterThan(3 * SHADES);
  });

  test('what is not selected is dim, and what is has a mark', () => {
    const row = cells([0, 0, 1], [255, 255, 255], [0, 255, 0]);
    const { pixels, marks } = painted(row, 0, 24, 3);
    expect(pixels).toEqual([1000 + full(0), full(0), 1000 + full(1)]);
    expect(marks).toEqual([0, 1, 0]);
  });
});

describe('stretches of a row', () =>
  test('neighbours of one category are one', () => {
    const row = cells([0, 0, NONE, 1, 1], [255, 51, 0, 255, 255], [255, 255, 0, 0, 1]);
    expect(stretches(row, { fromNs: 0, toNs: 40 })).toEqual([
      { fromNs: 0, toNs: 16, category: 0, busy: 0.6, isSelected: true },
      { fromNs: 24, toNs: 32, category: 1, busy: 1, isSelected: false },
      { fromNs: 32, toNs: 40, category: 1, busy: 1, isSelected: true },
    ]);
    expect(stretches(row, { fromNs: 9, toNs: 30 })).toHaveLength(2);
    expect(stretches(row, { fromNs: 900, toNs: 3000 })).toEqual([]);
  }));
