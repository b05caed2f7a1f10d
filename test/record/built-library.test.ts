import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  builtFile,
  compileLibrary,
  compilerVersions,
  madeFrom,
  missingCompilers,
  problemOf,
  PROCESSORS,
} from '../../scripts/recorder-library.mjs';
import { libraryFrom, readyFrom } from '../../src/session/machine/recorder-source.ts';
import { freshFolder } from '../support/programs.ts';
import { rounds } from '../support/rounds.ts';

/** The recorder library that is kept in the repository is what its sources say, and is used (docs/decisions/0162). */
const root = path.resolve(import.meta.dirname, '../..');
/** Milliseconds. The compiler works for half a minute, and others work beside it. */
const COMPILING = 900_000;
let folder = '';

beforeAll(() => {
  folder = freshFolder('built-library');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the libraries and their sources belong together', () => {
  expect(problemOf()).toBeUndefined();
});

describe.each(PROCESSORS)('for %s', (processor) => {
  const bytes = readFileSync(builtFile(processor));

  test('no path of the machine that compiled it is in it, and the C library of RHEL 8 is new enough', () => {
    const text = bytes.toString('latin1');
    for (const place of [root, '/home/', '/root/', '/tmp/iolens-library']) expect(text).not.toContain(place);
    const versions = [...text.matchAll(/\0GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
    expect(versions.length).toBeGreaterThan(0);
    expect(Math.max(...versions)).toBeLessThanOrEqual(28);
  });

  // Half a minute each: that of the other processors in the full run.
  const isAsked = processor === process.arch || rounds(10) > 1;
  const isHere = missingCompilers().length === 0 && isDeepStrictEqual(compilerVersions(), madeFrom().compilers);
  test.skipIf(!isHere || !isAsked)(
    isHere ? 'the same compiler makes the same bytes' : `its compiler is not here: ${madeFrom().compilers[processor]}`,
    { timeout: COMPILING },
    async () => {
      expect(Buffer.compare(await compileLibrary(processor), bytes)).toBe(0);
    },
  );
});

test('a source that changed, and a library that was changed, are noticed; line ends are no change', () => {
  const copy = path.join(folder, 'recorder');
  cpSync(path.join(root, 'native/recorder'), copy, { recursive: true });
  const source = path.join(copy, 'posix/open.c');
  writeFileSync(source, readFileSync(source, 'utf8').replaceAll('\n', '\r\n'));
  expect(problemOf(copy)).toBeUndefined();
  appendFileSync(builtFile('arm64', copy), '\0');
  expect(problemOf(copy)).toBe('built/arm64.so is not what the compiler made');
  appendFileSync(source, '\n/* */\n');
  expect(problemOf(copy)).toBe('it was built from other sources');
});

const fits = process.platform === 'linux' && PROCESSORS.includes(process.arch);

/** What the package holds, with this as the library. */
function packed(name: string, library: Uint8Array): string {
  const dist = path.join(folder, name, 'dist');
  mkdirSync(dist, { recursive: true });
  cpSync(path.join(root, 'native/recorder'), path.join(folder, name, 'native/recorder'), { recursive: true });
  writeFileSync(path.join(dist, `recorder-${process.arch}.so`), library);
  return dist;
}

test.skipIf(!fits)('where it fits nothing is compiled, not even by a compiler that CC names', async () => {
  const dist = packed('fits', readFileSync(builtFile(process.arch)));
  const place = { cacheFolder: path.join(folder, 'cache'), onCompile: () => expect.unreachable() };
  const before = process.env['CC'];
  process.env['CC'] = '/absent/cc';
  try {
    const library = await libraryFrom({ folder: dist }, place);
    expect(library.origin).toBe('as it comes with I/O Lens');
    expect(readFileSync(library.file).equals(readFileSync(builtFile(process.arch)))).toBe(true);
    expect(await readyFrom({ folder: dist }, place)).toEqual(library);
  } finally {
    if (before === undefined) delete process.env['CC'];
    else process.env['CC'] = before;
  }
});

test.skipIf(!fits)('where it does not fit, and cannot be compiled, both are said', async () => {
  const other = PROCESSORS.find((processor) => processor !== process.arch)!;
  const dist = packed('other', readFileSync(builtFile(other)));
  const before = process.env['CC'];
  process.env['CC'] = '/absent/cc';
  try {
    const asked = libraryFrom({ folder: dist }, { cacheFolder: path.join(folder, 'cache') });
    await expect(asked).rejects.toThrow(/does not fit this machine \(.*libiolens-recorder\.so.*\); .*no C compiler/);
  } finally {
    if (before === undefined) delete process.env['CC'];
    else process.env['CC'] = before;
  }
});
