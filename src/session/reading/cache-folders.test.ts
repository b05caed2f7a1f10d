import { expect, test } from 'vitest';
import { debuginfodFolder, traceCacheFolder } from './cache-folders.ts';

test('caches lie where the environment says', () => {
  expect(traceCacheFolder({ XDG_CACHE_HOME: '/c', HOME: '/h' })).toBe('/c/iolens');
  expect(debuginfodFolder({ XDG_CACHE_HOME: '/c' })).toBe('/c/debuginfod_client');
  expect(debuginfodFolder({ HOME: '/h', DEBUGINFOD_CACHE_PATH: '/p' })).toBe('/p');
});

test.each(['', 'relative'])('a cache folder named "%s" is none', (name) => {
  expect(traceCacheFolder({ XDG_CACHE_HOME: name, HOME: '/h' })).toBe('/h/.cache/iolens');
  expect(debuginfodFolder({ XDG_CACHE_HOME: name, HOME: '/h' })).toBe('/h/.cache/debuginfod_client');
});
