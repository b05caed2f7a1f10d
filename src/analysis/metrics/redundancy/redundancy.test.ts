import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RedundancyLog } from './redundancy-log.ts';
import { TouchedRanges } from './touched-ranges.ts';

/** The same by marking every byte. */
function redundantByMarking(accesses: readonly (readonly [start: number, bytes: number])[]): number[] {
  const marked = new Set<number>();
  return accesses.map(([start, bytes]) => {
    let again = 0;
    for (let at = start; at < start + bytes; at++) {
      if (marked.has(at)) again++;
      marked.add(at);
    }
    return again;
  });
}

function redundant(accesses: readonly (readonly [start: number, bytes: number])[]): number[] {
  const ranges = new TouchedRanges();
  return accesses.map(([start, bytes]) => ranges.add(start, start + bytes));
}

describe('redundant bytes', () => {
  test('as by marking every byte', () => {
    const access = fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(fc.array(access, { maxLength: 80 }), (accesses) => {
        expect(redundant(accesses)).toEqual(redundantByMarking(accesses));
      }),
    );
  });

  test('as by marking, over many blocks of scattered ranges', () => {
    const access = fc.tuple(fc.nat(20_000), fc.oneof({ weight: 9, arbitrary: fc.constant(2) }, fc.nat(900)));
    const many = fc.array(
      access.filter(([, bytes]) => bytes > 0),
      { minLength: 1500, maxLength: 3000 },
    );
    fc.assert(
      fc.property(many, (accesses) => {
        expect(redundant(accesses)).toEqual(redundantByMarking(accesses));
      }),
      { numRuns: 15 },
    );
  });

  test('ranges put in from the back to the front, then all of them again', () => {
    const ranges = new TouchedRanges();
    for (let at = 5000; at >= 0; at--) expect(ranges.add(at * 10, at * 10 + 4)).toBe(0);
    expect(ranges.add(0, 60_000)).toBe(5001 * 4);
    expect(ranges.add(0, 60_000)).toBe(60_000);
  });

  test('processes, files and directions are apart', () => {
    const log = new RedundancyLog();
    expect(log.add(1, 1, 0, 0, 10)).toBe(0);
    expect(log.add(2, 1, 0, 0, 10)).toBe(0);
    expect(log.add(1, 2, 0, 0, 10)).toBe(0);
    expect(log.add(1, 1, 1, 0, 10)).toBe(0);
    expect(log.add(1, 1, 0, 5, 10)).toBe(5);
  });
});
