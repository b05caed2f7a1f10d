import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  around,
  between,
  clamped,
  lengthOf,
  moved,
  SHORTEST_NS,
  timeAt,
  wholeRun,
  xOf,
  zoomed,
} from './visible-span.ts';

const durations = fc.double({ min: 0, max: 1e14, noNaN: true });
const ends = fc.tuple(durations, durations).map(([one, other]) => between(one, other));

describe('the visible span of time', () => {
  test('time and pixels are each other’s inverse', () => {
    const span = { fromNs: 2e9, toNs: 3e9 };
    expect(xOf(2.5e9, span, 800)).toBe(400);
    expect(timeAt(xOf(2.123e9, span, 777), span, 777)).toBeCloseTo(2.123e9, 0);
  });

  test('zooming leaves the time under the pointer where it is', () => {
    const before = { fromNs: 4e9, toNs: 6e9 };
    const after = zoomed(before, 4, 4.5e9, 10e9);
    expect(lengthOf(after)).toBe(0.5e9);
    expect(xOf(4.5e9, after, 1000)).toBeCloseTo(xOf(4.5e9, before, 1000), 6);
  });

  test('whatever is asked for, what shows lies inside the run and can be told apart', () =>
    fc.assert(
      fc.property(
        ends,
        durations,
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        durations,
        (span, total, factor, at) => {
          const valid = clamped(span, total);
          for (const shown of [
            valid,
            zoomed(valid, factor, Math.min(at, total), total),
            moved(valid, at - total, total),
          ]) {
            expect(shown.fromNs).toBeGreaterThanOrEqual(0);
            expect(shown.toNs).toBeLessThanOrEqual(wholeRun(total).toNs * (1 + 1e-9));
            expect(lengthOf(shown)).toBeGreaterThanOrEqual(SHORTEST_NS * 0.9);
          }
        },
      ),
    ));

  test('an event is shown with what is around it, a single moment too', () => {
    expect(around({ fromNs: 4e9, toNs: 5e9 }, 10e9, 0.5)).toEqual({ fromNs: 3.5e9, toNs: 5.5e9 });
    expect(lengthOf(around({ fromNs: 4e9, toNs: 4e9 }, 10e9))).toBeGreaterThanOrEqual(SHORTEST_NS);
  });
});
