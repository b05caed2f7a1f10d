import fc from 'fast-check';
import { expect, test } from 'vitest';
import { criticalPath } from './critical-path.ts';
import { rounds } from '../../../test/support/rounds.ts';

type Interval = readonly [start: number, end: number];

function pathOf(intervals: readonly Interval[]): { file: number; from: number; to: number }[] {
  const { files, froms, tos } = criticalPath(
    Float64Array.from(intervals, ([start]) => start),
    Float64Array.from(intervals, ([, end]) => end),
  );
  return files.map((file, i) => ({ file, from: froms[i]!, to: tos[i]! }));
}

/** Unit cells that the intervals of a subset (a bit each) cover: whole numbers make the union countable. */
function cells(intervals: readonly Interval[], subset: number): string {
  const covered = new Set<number>();
  intervals.forEach(([start, end], i) => {
    if (subset & (1 << i)) for (let cell = start; cell < end; cell++) covered.add(cell);
  });
  return [...covered].sort((a, b) => a - b).join(' ');
}

/** By trying all subsets. */
function leastFiles(intervals: readonly Interval[]): number {
  const all = cells(intervals, -1);
  let least = intervals.length;
  for (let subset = 0; subset < 1 << intervals.length; subset++) {
    const size = subset.toString(2).replaceAll('0', '').length;
    if (size < least && cells(intervals, subset) === all) least = size;
  }
  return least;
}

test('figure 3 of the paper: 10, 2 and 2 of 18 seconds', () => {
  const path = pathOf([
    [0, 10],
    [6, 12],
    [4, 8],
    [16, 18],
  ]);
  expect(path).toEqual([
    { file: 0, from: 0, to: 10 },
    { file: 1, from: 10, to: 12 },
    { file: 3, from: 16, to: 18 },
  ]);
});

test('the file that ends last follows: two files, not three', () => {
  const path = pathOf([
    [0, 10],
    [1, 11],
    [2, 20],
  ]);
  expect(path).toEqual([
    { file: 0, from: 0, to: 10 },
    { file: 2, from: 10, to: 20 },
  ]);
});

test('what has no length or no times covers nothing', () => {
  expect(pathOf([])).toEqual([]);
  const nothing: Interval[] = [
    [3, 3],
    [5, 4],
    [Number.NaN, 7],
    [0, Infinity],
    [Number.NaN, Number.NaN],
  ];
  expect(pathOf(nothing)).toEqual([]);
  expect(pathOf([...nothing, [1, 2]])).toEqual([{ file: 5, from: 1, to: 2 }]);
});

const interval = fc
  .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 9 }))
  .map(([start, length]): Interval => [start, start + length]);

test('a minimum of files covers just the time with activity', () =>
  fc.assert(
    fc.property(fc.array(interval, { maxLength: 9 }), (intervals) => {
      const path = pathOf(intervals);
      expect(path).toHaveLength(leastFiles(intervals));
      const stretches = path.map(({ from, to }): Interval => [from, to]);
      expect(cells(stretches, -1)).toBe(cells(intervals, -1));
      path.forEach(({ file, from, to }, i) => {
        const [start, end] = intervals[file]!;
        expect(from >= start && to <= end && from < to).toBe(true);
        if (i > 0) expect(from).toBeGreaterThanOrEqual(path[i - 1]!.to);
      });
    }),
    { numRuns: rounds(500) },
  ));
