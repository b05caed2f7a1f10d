import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NestedTime } from './nested-time.ts';

interface Call {
  readonly layer: number;
  readonly start: number;
  readonly end: number;
}

function exclusive(calls: readonly Call[]): number[] {
  const nested = new NestedTime(1);
  const own = calls.map(({ start, end }) => end - start);
  calls.forEach(({ layer, start, end }, cell) =>
    nested.enter(0, { layer, start, end, cell }, (owner, ns) => {
      own[owner]! -= ns;
    }),
  );
  return own;
}

/** Calls that lie within each other as programs make them: each below one of the layer above, or at the top. */
const program = fc
  .array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 4 }), fc.nat(2), fc.integer({ min: 0, max: 3 })), {
    maxLength: 12,
  })
  .map((outer) => {
    let now = 0;
    return outer.flatMap(([gap, length, inner, margin]) => {
      const start = now + gap;
      const end = start + length + inner + margin;
      now = end;
      const calls: Call[] = [{ layer: 3, start, end }];
      let at = start + Math.min(1, margin);
      for (let i = 0; i < inner; i++, at++) calls.push({ layer: 5, start: at, end: at + 1 });
      return calls;
    });
  });

test('exclusive times are what nobody below takes, and add up to the time of the outermost', () =>
  fc.assert(
    fc.property(program, fc.boolean(), (calls, reversed) => {
      // Of calls that begin together the order is nobody's business.
      const order = calls.toSorted((a, b) => a.start - b.start || (reversed ? b.layer - a.layer : a.layer - b.layer));
      const own = exclusive(order);
      order.forEach((call, i) => {
        const within = order.filter(
          ({ layer, start, end }) => layer > call.layer && start >= call.start && end <= call.end,
        );
        const below = within.reduce((sum, { start, end }) => sum + end - start, 0);
        expect(own[i]).toBe(call.end - call.start - (call.layer === 3 ? below : 0));
      });
      const outermost = order.filter(({ layer }) => layer === 3).reduce((sum, { start, end }) => sum + end - start, 0);
      expect(own.reduce((sum, ns) => sum + ns, 0)).toBe(outermost);
    }),
  ));

test('calls of one layer that overlap are not within each other', () => {
  expect(
    exclusive([
      { layer: 6, start: 0, end: 9 },
      { layer: 6, start: 1, end: 5 },
    ]),
  ).toEqual([9, 4]);
  expect(
    exclusive([
      { layer: 3, start: 0, end: 9 },
      { layer: 5, start: 5, end: 12 },
    ]),
  ).toEqual([9, 7]);
});
