import { expect, test } from 'vitest';
import { commonFolder, fittedText, shortestEndings } from './path-names.ts';

test('the folder that all paths lie in is told, unless it says nothing', () => {
  expect(commonFolder(['/p/run/out/a', '/p/run/out/b', '/p/run/in/c'])).toBe('/p/run/');
  expect(commonFolder(['/p/run', '/p/run/out'])).toBe('/p/');
  expect(commonFolder(['/p/run'])).toBe('/p/');
  expect(commonFolder(['/p/runs/a', '/p/run/b'])).toBe('/p/');
  expect(commonFolder(['/etc/a', '/usr/b'])).toBe('');
  expect(commonFolder(['$SCRATCH/a', '/usr/b'])).toBe('');
  expect(commonFolder([])).toBe('');
});

test('each path has the shortest ending that no other has', () => {
  const paths = ['/a/1/log.txt', '/a/2/log.txt', '/b/2/log.txt', '/b/out.dat', 'log.txt', '/c/d/'];
  expect([...shortestEndings(paths)].sort()).toEqual([
    ['/a/1/log.txt', '1/log.txt'],
    ['/a/2/log.txt', '/a/2/log.txt'],
    ['/b/2/log.txt', '/b/2/log.txt'],
    ['/b/out.dat', 'out.dat'],
    ['/c/d/', 'd/'],
    ['log.txt', 'log.txt'],
  ]);
});

test('of a text that does not fit the middle gives way, and its end least', () => {
  const within = (most: number) => (text: string) => text.length <= most;
  expect(fittedText('/home/me/cells.dat', within(18))).toBe('/home/me/cells.dat');
  expect(fittedText('/home/me/cells.dat', within(13))).toBe('/hom…ells.dat');
  expect(fittedText('run (program.c:123)', within(10))).toBe('run…c:123)');
  expect(fittedText('abc', within(0))).toBe('…');
});
