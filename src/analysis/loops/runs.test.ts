import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CommonExtension } from './common-extension.ts';
import { findRuns, Runs } from './runs.ts';
import { rounds } from '../../../test/support/rounds.ts';

/** All runs by trying every period at every place: what a run is, word by word. */
function runsByTrying(symbols: readonly number[]): Set<string> {
  const runs = new Set<string>();
  const taken = new Set<string>();
  for (let period = 1; period * 2 <= symbols.length; period++) {
    for (let start = 0; start + 2 * period <= symbols.length;) {
      let end = start + period;
      while (end < symbols.length && symbols[end] === symbols[end - period]) end++;
      if (end - start >= 2 * period && !taken.has(`${String(start)}-${String(end)}`)) {
        runs.add([start, end, period].join());
        taken.add(`${String(start)}-${String(end)}`);
      }
      start = Math.max(start + 1, end - period + 1);
    }
  }
  return runs;
}

function runsOf(symbols: readonly number[]): Set<string> {
  const common = new CommonExtension();
  const labels = Int32Array.from(symbols);
  common.use(labels, labels.length);
  const runs = new Runs();
  findRuns(labels, labels.length, common, new Int32Array(labels.length), runs);
  const found = Array.from({ length: runs.length }, (_, i) =>
    [runs.start.at(i), runs.end.at(i), runs.period.at(i)].join(),
  );
  return new Set(found);
}

/** Few symbols, and pieces again and again: nearly every sequence has long runs in runs. */
const pieces = fc
  .array(
    fc
      .tuple(fc.array(fc.nat(2), { minLength: 1, maxLength: 6 }), fc.nat(6))
      .map(([piece, times]) => Array.from({ length: times }, () => piece).flat()),
    { maxLength: 6 },
  )
  .map((parts) => parts.flat())
  .chain((piece) => fc.nat(3).map((times) => Array.from({ length: times }, () => piece).flat()))
  .filter((symbols) => symbols.length > 3);

test('all runs are found, and nothing else', () =>
  fc.assert(
    fc.property(pieces, (symbols) => {
      expect([...runsOf(symbols)].sort()).toEqual([...runsByTrying(symbols)].sort());
    }),
    { numRuns: rounds(500) },
  ));

test('long common extensions are those that a comparison symbol by symbol finds', () => {
  const symbols = Array.from({ length: 3000 }, (_, i) => (i % 1000 < 970 ? i % 7 : i % 97) % 50);
  const common = new CommonExtension();
  common.use(Int32Array.from(symbols), symbols.length);
  const places = fc.tuple(fc.nat(2998), fc.nat(2998));
  fc.assert(
    fc.property(places, ([a, b]) => {
      const left = Math.min(a, b);
      const right = Math.max(a, b) + 1;
      let forwards = 0;
      while (right + forwards < symbols.length && symbols[left + forwards] === symbols[right + forwards]) forwards++;
      let backwards = 0;
      while (backwards < left && symbols[left - backwards - 1] === symbols[right - backwards - 1]) backwards++;
      expect(common.forwards(left, right)).toBe(forwards);
      expect(common.backwards(left, right)).toBe(backwards);
    }),
    { numRuns: rounds(2000) },
  );
});
