import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readyFrom, libraryFrom } from '../../src/session/machine/recorder-source.ts';
import { freshFolder, minutesAgo } from '../support/programs.ts';
import { canRecord } from '../support/recorder/recorder-runs.ts';

/** The recorder library in its cache, compiled by a real compiler. */
const resources = { folder: path.resolve(import.meta.dirname, '../../dist') };
let cacheFolder = '';

beforeAll(() => {
  cacheFolder = freshFolder('compiled-library');
});
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

/** What a compilation that was killed left. */
function leftBehind(key: string, minutes: number): string {
  const folder = path.join(cacheFolder, key, `making-${minutes}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'posix.o'), '');
  utimesSync(folder, minutesAgo(minutes), minutesAgo(minutes));
  return folder;
}

test.skipIf(!canRecord)(
  'it is known without compiling, and compiling removes what was left behind long ago',
  async () => {
    const old = [leftBehind('of-an-older-version', 61), leftBehind('of-an-older-version', 5000)];
    const young = leftBehind('of-an-older-version', 30);
    const other = path.join(cacheFolder, 'of-an-older-version/libiolens-recorder.so');
    writeFileSync(other, '');
    utimesSync(other, minutesAgo(5000), minutesAgo(5000));
    let compiled = 0;
    const place = { cacheFolder, compiler: 'cc', onCompile: () => compiled++ };
    expect(await readyFrom(resources, place)).toBeUndefined();
    expect(compiled).toBe(0);
    const library = await libraryFrom(resources, place);
    expect([compiled, existsSync(library.file)]).toEqual([1, true]);
    expect(old.map((folder) => existsSync(folder))).toEqual([false, false]);
    expect([existsSync(young), existsSync(other)]).toEqual([true, true]);
    expect(await readyFrom(resources, place)).toEqual(library);
  },
);

test.skipIf(process.platform !== 'linux')(
  'without a compiler it is said how to name one, in the words of who asks',
  async () => {
    const wish = { cacheFolder, compiler: '/absent/cc' };
    await expect(libraryFrom(resources, wish)).rejects.toThrow(/\(\/absent\/cc\).* or name it by CC$/);
    const named = { ...wish, compilerName: 'the setting iolens.record.compiler' };
    await expect(readyFrom(resources, named)).rejects.toThrow(/or name it by the setting iolens\.record\.compiler$/);
  },
);
