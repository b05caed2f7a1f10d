import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TripleSet } from './triple-set.ts';

test('what was added is known, and nothing else', () => {
  const number = fc.oneof(fc.integer({ min: -1, max: 3 }), fc.integer({ min: -1, max: 2 ** 31 - 1 }));
  const triples = fc.array(fc.tuple(number, number, number), { maxLength: 300 });
  fc.assert(
    fc.property(triples, (list) => {
      const set = new TripleSet();
      const known = new Set<string>();
      for (const triple of list) {
        expect(set.add(...triple)).toBe(!known.has(String(triple)));
        known.add(String(triple));
      }
    }),
  );
});
