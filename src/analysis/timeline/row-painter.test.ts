import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bins } from './bins.ts';
import { Colouring } from './colouring.ts';
import { emptyCells, RowPainter, type Cells } from './row-painter.ts';
import { ROLE } from './shown-events.ts';
import { SpanIndex } from './span-index.ts';
import { paintByHand, sourceOf, type TestSpan } from '../../../test/support/timeline-spans.ts';
import { rounds } from '../../../test/support/rounds.ts';

const CATEGORIES = 5;
const ROWS = 3;

/** Spans that overlap, nest, begin together and take no time, in three rows. */
const someSpans = (most: number, longest: number): fc.Arbitrary<TestSpan[]> =>
  fc.array(
    fc.record({
      row: fc.nat(ROWS - 1),
      start: fc.nat(most * 4),
      duration: fc.oneof(fc.constant(0), fc.nat(9), fc.nat(longest)),
      category: fc.nat(CATEGORIES - 1),
      selected: fc.boolean(),
    }),
    { maxLength: most },
  );

function paint(
  spans: readonly TestSpan[],
  bins: Bins,
  rows: readonly (readonly number[])[],
  selects: boolean,
  longestSplit = 0,
): Cells {
  const index = new SpanIndex(sourceOf(spans, ROWS));
  const ofEvent = Uint8Array.from(spans, ({ category }) => category);
  const mask = selects ? { has: (event: number) => spans[event]!.selected } : undefined;
  const colouring = new Colouring(index, CATEGORIES, ofEvent, mask);
  const cells = emptyCells(rows.length * bins.count, selects);
  const painter = new RowPainter(index, colouring, bins, cells, longestSplit);
  rows.forEach((leaves, i) => painter.paint(leaves, i * bins.count));
  return cells;
}

describe('windows of rows', () => {
  it('hold what going through all spans holds, whatever overlaps', () => {
    const rows = [[0], [1], [2], [0, 1, 2], [0, 2]];
    const window = fc.record({
      from: fc.nat(900),
      length: fc.integer({ min: 1, max: 2000 }),
      count: fc.integer({ min: 1, max: 70 }),
    });
    fc.assert(
      fc.property(
        fc.oneof(someSpans(40, 50), someSpans(400, 30), someSpans(300, 1500)),
        window,
        fc.boolean(),
        (spans, { from, length, count }, selects) => {
          const bins = new Bins(from, from + length, count);
          const cells = paint(spans, bins, rows, selects);
          rows.forEach((leaves, i) => {
            const expected = paintByHand(spans, bins, leaves, CATEGORIES, ROWS);
            expected.forEach(({ categories, busy, selected }, bin) => {
              const cell = i * count + bin;
              expect(categories).toContain(cells.category[cell]);
              expect(Math.abs(cells.busy[cell]! - busy)).toBeLessThanOrEqual(1);
              if (selects) expect(Math.abs(cells.selected![cell]! - selected)).toBeLessThanOrEqual(1);
            });
          });
        },
      ),
      { numRuns: rounds(100) },
    );
  });

  it('may be off by a quarter of a bin at an edge where a bin holds many spans, and lose nothing', () => {
    const window = fc.record({
      from: fc.nat(300),
      length: fc.integer({ min: 100, max: 3000 }),
      count: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(someSpans(1500, 20), window, (spans, { from, length, count }) => {
        const bins = new Bins(from, from + length, count);
        const { busy } = paint(spans, bins, [[0]], false, 1);
        const expected = paintByHand(spans, bins, [0], CATEGORIES, ROWS);
        let off = 0;
        for (let bin = 0; bin < count; bin++) {
          off += busy[bin]! / 255 - expected[bin]!.busy / 255;
          expect(Math.abs(off)).toBeLessThanOrEqual(0.25 + (bin + 1) / 255);
        }
      }),
      { numRuns: rounds(100) },
    );
  });

  it('keep what a span that began before the window leaves open, however many it hides', () =>
    fc.assert(
      fc.property(someSpans(400, 20), fc.nat(1500), fc.integer({ min: 1, max: 40 }), (short, length, count) => {
        const long = { row: 0, start: 0, duration: 1200, category: 4, selected: false };
        const spans = [long, ...short];
        const bins = new Bins(900, 901 + length, count);
        const { category, busy } = paint(spans, bins, [[0]], false);
        paintByHand(spans, bins, [0], CATEGORIES, ROWS).forEach((expected, bin) => {
          expect(expected.categories).toContain(category[bin]);
          expect(Math.abs(busy[bin]! - expected.busy)).toBeLessThanOrEqual(1);
        });
      }),
      { numRuns: rounds(150) },
    ));

  it('show nothing in columns of a pause, nor lose time, where short calls stand in groups', () => {
    const groups = fc.array(fc.record({ pause: fc.nat(400), calls: fc.integer({ min: 1, max: 90 }) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(groups, fc.integer({ min: 1, max: 60 }), (made, count) => {
        let time = 0;
        const spans = made.flatMap(({ pause, calls }) => {
          time += pause;
          return Array.from({ length: calls }, () => ({
            ...{ row: 0, start: (time += 3), duration: 1, category: 1, selected: false },
          }));
        });
        const bins = new Bins(0, time + 10, count);
        const { busy } = paint(spans, bins, [[0]], false, 1);
        let off = 0;
        paintByHand(spans, bins, [0], CATEGORIES, ROWS).forEach((expected, bin) => {
          expect(busy[bin]! > 0).toBe(expected.busy > 0);
          off += (busy[bin]! - expected.busy) / 255;
          expect(Math.abs(off)).toBeLessThanOrEqual(0.25 + (bin + 1) / 255);
        });
      }),
      { numRuns: rounds(200) },
    );
  });

  it('show calls of a recording without durations by their number', () => {
    const spans = [3, 3, 1].map((category, i) => ({ row: 0, start: i * 2, duration: 0, category, selected: i === 2 }));
    const { category, busy, selected } = paint(spans, new Bins(0, 12, 2), [[0]], true);
    expect([...category]).toEqual([3, 0xffff]);
    expect([...busy]).toEqual([1, 0]);
    expect([...selected!]).toEqual([85, 0]);
  });

  it('keep durations of more than four seconds', () => {
    const spans = [
      { row: 0, start: 0, duration: 9e9, category: 1, selected: false },
      { row: 0, start: 10e9, duration: 2 ** 32 - 1, category: 2, selected: false },
    ];
    const index = new SpanIndex(sourceOf(spans, 1));
    expect([index.duration(0), index.duration(1)]).toEqual([9e9, 2 ** 32 - 1]);
    const { category, busy } = paint(spans, new Bins(0, 18e9, 18), [[0]], false);
    expect([...category]).toEqual([...Array<number>(9).fill(1), 0xffff, 2, 2, 2, 2, 2, 0xffff, 0xffff, 0xffff]);
    expect([...busy.subarray(8, 15)]).toEqual([255, 0, 255, 255, 255, 255, 75]);
  });

  it('leave out what is not drawn', () => {
    const source = sourceOf([{ row: 0, start: 0, duration: 5, category: 0, selected: false }], 1, ROLE.isRequest);
    expect(new SpanIndex(source).length).toBe(0);
  });
});
