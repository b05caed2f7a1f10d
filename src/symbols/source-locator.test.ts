import { describe, expect, test } from 'vitest';
import { locateSources, longestSuffix, type SourceTree } from './source-locator.ts';
import { applyPathRules } from './symbol-files.ts';

describe('longestSuffix', () => {
  test('takes the file that shares the most path parts', () => {
    expect(longestSuffix('/build/app/src/io/emit.c', ['/w/src/io/emit.c', '/w/old/emit.c'])).toBe('/w/src/io/emit.c');
  });
  test('never guesses between two that fit equally well', () => {
    expect(longestSuffix('/build/app/src/emit.c', ['/w/a/emit.c', '/w/b/emit.c'])).toBeUndefined();
    expect(longestSuffix('emit.c', ['/w/a/emit.c', '/w/b/emit.c'])).toBeUndefined();
  });
  test('takes the only file of that name', () => {
    expect(longestSuffix('cxx_endl/main.cpp', ['/w/main.cpp'])).toBe('/w/main.cpp');
    expect(longestSuffix('/x/main.cpp', [])).toBeUndefined();
  });
});

describe('applyPathRules', () => {
  const rules = [
    { from: '/home/me', to: '/w' },
    { from: '/home/me/app/', to: '/w/application' },
  ];
  test('the longest rule wins, and only whole path parts fit', () => {
    expect(applyPathRules('/home/me/app/emit.c', rules)).toBe('/w/application/emit.c');
    expect(applyPathRules('/home/me/other.c', rules)).toBe('/w/other.c');
    expect(applyPathRules('/home/menace/other.c', rules)).toBeUndefined();
    expect(applyPathRules('/home/me', rules)).toBe('/w');
  });
});

test('rules come before the recorded path, and that before names', async () => {
  const here = new Set(['/w/a.c', '/recorded/a.c', '/recorded/b.c']);
  const tree: SourceTree = {
    exists: (path) => Promise.resolve(here.has(path)),
    named: (name) => Promise.resolve([`/w/deep/${name}`]),
    contains: (path) => path.startsWith('/w/'),
  };
  const located = await locateSources(['/recorded/a.c', '/recorded/b.c', '/gone/c.c', ''], tree, {
    written: [{ from: '/recorded', to: '/w' }],
    learned: [],
  });
  expect(Object.fromEntries(located)).toEqual({
    '/recorded/a.c': { local: '/w/a.c', inWorkspace: true, candidates: [] },
    '/recorded/b.c': { local: '/recorded/b.c', inWorkspace: false, candidates: [] },
    '/gone/c.c': { local: '/w/deep/c.c', inWorkspace: true, candidates: [] },
  });
});
