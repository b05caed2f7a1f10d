import { describe, expect, test } from 'vitest';
import { locateSources, longestSuffix, type SourceTree } from './source-locator.ts';
import { mappedPaths } from './symbol-files.ts';

describe('longestSuffix', () => {
  test('takes the file that shares the most path parts', () =>
    expect(longestSuffix('/build/app/src/io/emit.c', ['/w/src/io/emit.c', '/w/old/emit.c'])).toBe('/w/src/io/emit.c'));
  test('never guesses between two that fit equally well', () => {
    expect(longestSuffix('/build/app/src/emit.c', ['/w/a/emit.c', '/w/b/emit.c'])).toBeUndefined();
    expect(longestSuffix('emit.c', ['/w/a/emit.c', '/w/b/emit.c'])).toBeUndefined();
  });
  test('takes the only file of that name', () => {
    expect(longestSuffix('cxx_endl/main.cpp', ['/w/main.cpp'])).toBe('/w/main.cpp');
    expect(longestSuffix('/x/main.cpp', [])).toBeUndefined();
  });
  test('folders that lead back and forth are understood', () =>
    expect(longestSuffix('/build/app/obj/../src/./emit.c', ['/w/src/emit.c', '/w/obj/emit.c'])).toBe('/w/src/emit.c'));
});

describe('locateSources by names alone', () => {
  const tree = (...files: string[]): SourceTree => ({
    exists: (path) => Promise.resolve(files.includes(path)),
    named: (name) => Promise.resolve(files.filter((file) => file.endsWith(`/${name}`))),
    contains: () => true,
  });
  const locals = async (recorded: string[], from: SourceTree, learned: { from: string; to: string }[] = []) =>
    Object.fromEntries(
      [...(await locateSources(recorded, from, { written: [], learned }))].map(([path, { local }]) => [path, local]),
    );

  test('a file of two workspace folders, one in the other, is one file', async () => {
    const twice = { ...tree('/w/sub/emit.c'), named: () => Promise.resolve(['/w/sub/emit.c', '/w/sub/emit.c']) };
    expect(await locals(['/build/emit.c'], twice)).toEqual({ '/build/emit.c': '/w/sub/emit.c' });
  });
  test('two recorded files never become one: the better match has it, equal ones have none', async () => {
    expect(await locals(['/b/one/emit.c', '/b/two/emit.c'], tree('/w/one/emit.c'))).toEqual({
      '/b/one/emit.c': '/w/one/emit.c',
      '/b/two/emit.c': undefined,
    });
    expect(await locals(['/b/one/emit.c', '/b/two/emit.c'], tree('/w/emit.c'))).toEqual({
      '/b/one/emit.c': undefined,
      '/b/two/emit.c': undefined,
    });
  });
  test('a file that is recorded under two spellings is found by both', async () => {
    expect(await locals(['/b/src/emit.c', 'src/emit.c'], tree('/w/src/emit.c'))).toEqual({
      '/b/src/emit.c': '/w/src/emit.c',
      'src/emit.c': '/w/src/emit.c',
    });
  });
  test('a learned prefix leads to the other files, and a file that fits two ways is named with its candidates', async () => {
    const from = tree('/w/a/emit.c', '/w/b/emit.c', '/w/a/grid.c', '/w/b/grid.c');
    const found = await locateSources(['/build/emit.c'], from, { written: [], learned: [] });
    expect(found.get('/build/emit.c')).toMatchObject({ local: undefined, candidates: ['/w/a/emit.c', '/w/b/emit.c'] });
    const learned = [{ from: '/build', to: '/w/b' }];
    expect(await locals(['/build/emit.c', '/build/grid.c'], from, learned)).toEqual({
      '/build/emit.c': '/w/b/emit.c',
      '/build/grid.c': '/w/b/grid.c',
    });
  });
});

describe('mappedPaths', () => {
  const rules = [
    { from: '/home/me', to: '/w' },
    { from: '/home/me/app/', to: '/w/application' },
  ];
  test('the longest rule comes first, and only whole path parts fit', () => {
    expect(mappedPaths('/home/me/app/emit.c', rules)).toEqual(['/w/application/emit.c', '/w/app/emit.c']);
    expect(mappedPaths('/home/me/other.c', rules)).toEqual(['/w/other.c']);
    expect(mappedPaths('/home/menace/other.c', rules)).toEqual([]);
    expect(mappedPaths('/home/me', rules)).toEqual(['/w']);
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
