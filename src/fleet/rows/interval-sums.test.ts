import fc from 'fast-check';
import { expect, test } from 'vitest';
import { intervalSums } from './interval-sums.ts';

const sumsOf = (intervals: readonly (readonly [number, number])[]) =>
  intervalSums(
    Float64Array.from(intervals, ([start]) => start * 1e9),
    Float64Array.from(intervals, ([, end]) => end * 1e9),
  );

test('time in which something was under way, and how much at once', () =>
  expect(
    sumsOf([
      [1, 3],
      [2, 5],
      [7, 8],
      [3, 4],
    ]),
  ).toEqual({ first: 1, last: 8, active: 5, summed: 7, mostConcurrent: 2 }));

test('calls that take no time, and those of unknown times', () => {
  expect(
    sumsOf([
      [5, 5],
      [10, 12],
    ]),
  ).toEqual({ first: 5, last: 12, active: 2, summed: 2, mostConcurrent: 1 });
  expect(sumsOf([[NaN, NaN]])).toBeUndefined();
  expect(sumsOf([])).toBeUndefined();
});

test('agree with seconds that are counted one by one', () => {
  const interval = fc
    .tuple(fc.nat(30), fc.integer({ min: 1, max: 9 }))
    .map(([start, length]) => [start, start + length] as const);
  fc.assert(
    fc.property(fc.array(interval, { minLength: 1, maxLength: 12 }), (intervals) => {
      const underWay = Array.from(
        { length: 40 },
        (_, second) => intervals.filter(([start, end]) => start <= second && second < end).length,
      );
      expect(sumsOf(intervals)).toEqual({
        first: Math.min(...intervals.map(([start]) => start)),
        last: Math.max(...intervals.map(([, end]) => end)),
        active: underWay.filter((calls) => calls > 0).length,
        summed: underWay.reduce((sum, calls) => sum + calls, 0),
        mostConcurrent: Math.max(...underWay),
      });
    }),
  );
});
