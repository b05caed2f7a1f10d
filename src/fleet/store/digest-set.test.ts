import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DigestSet } from './digest-set.ts';

/** Few different words: digests that collide in their places, and the one that is all zeros. */
const word = fc.constantFrom('00000000', '00000001', '00001001', 'ffffffff');
const digest = fc.tuple(word, word, word, word).map((words) => words.join(''));

test('a set of digests holds what a Set of texts holds', () =>
  fc.assert(
    fc.property(fc.array(digest), digest, (added, other) => {
      const [ours, theirs] = [new DigestSet(), new Set<string>()];
      for (const one of added) {
        expect(ours.add(one)).toBe(!theirs.has(one));
        theirs.add(one);
      }
      expect(ours.size).toBe(theirs.size);
      for (const one of [...added, other]) expect(ours.has(one)).toBe(theirs.has(one));
    }),
  ));

test('grows', () => {
  const set = new DigestSet();
  const digests = Array.from({ length: 10_000 }, (_, i) => `${i.toString(16).padStart(8, '0')}${'7'.repeat(24)}`);
  for (const one of digests) expect(set.add(one)).toBe(true);
  for (const one of digests) expect(set.add(one)).toBe(false);
});
