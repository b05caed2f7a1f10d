import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chanceOfNoise } from './measures.ts';
import { matchPaths } from './match-paths.ts';

function matched(base: string[], changed: string[]): string[] {
  return matchPaths(base, changed).map(({ base: from, new: to, match }) => `${from} = ${to}: ${match}`);
}

describe('paths of both sides', () => {
  it('are the same by path first', () =>
    expect(matched(['/w/a', '/w/b'], ['/w/b', '/w/c'])).toEqual(['/w/b = /w/b: same path']));

  it('are the same below a renamed working folder', () =>
    expect(matched(['/run1/out/0.dat', '/run1/log', 'program'], ['/run2/out/0.dat', '/run2/log', '/run2/new'])).toEqual(
      [
        '/run1/out/0.dat = /run2/out/0.dat: same path below the working folder',
        '/run1/log = /run2/log: same path below the working folder',
      ],
    ));

  it('are the same by the longest end that no other has', () =>
    expect(matched(['/x/in/a.nc', '/x/out/a.nc', '/p'], ['/y/z/out/a.nc', '/y/z/in/a.nc', '/q'])).toEqual([
      '/x/in/a.nc = /y/z/in/a.nc: same end of the path',
      '/x/out/a.nc = /y/z/out/a.nc: same end of the path',
    ]));

  it('are not matched where two fit equally well', () =>
    expect(matched(['/x/1/a.nc', '/p'], ['/y/2/a.nc', '/y/3/a.nc', '/q'])).toEqual([]));

  it('end at a part of the path, not within a name', () =>
    expect(matched(['/x/ba.nc', '/p/q'], ['/y/a.nc', '/r/s'])).toEqual([]));
});

it('each file is matched once, and the same way from the other side', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`);
  const paths = fc.uniqueArray(path, { maxLength: 12 });
  fc.assert(
    fc.property(paths, paths, (base, changed) => {
      const there = matchPaths(base, changed);
      expect(new Set(there.map((pair) => pair.base)).size).toBe(there.length);
      expect(new Set(there.map((pair) => pair.new)).size).toBe(there.length);
      const back = matchPaths(changed, base).map((pair) => `${pair.new} ${pair.base} ${pair.match}`);
      expect(back.sort()).toEqual(there.map((pair) => `${pair.base} ${pair.new} ${pair.match}`).sort());
    }),
  );
});

it('the chance that chance alone parts so many runs', () => {
  expect(chanceOfNoise(1, 1)).toBe(1);
  expect(chanceOfNoise(1, 3)).toBe(0.5);
  expect(chanceOfNoise(3, 3)).toBeCloseTo(0.1);
  expect(chanceOfNoise(5, 5)).toBeCloseTo(2 / 252);
});
