import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  compileModule,
  compilerVersions,
  madeFrom,
  missingTools,
  moduleFile,
  moduleFolders,
  problemOf,
} from '../../scripts/wasm.mjs';
import { DebugInformation } from '../../src/core/addr2line.ts';
import { localSymbolFiles } from '../../src/session/machine/local-files.ts';
import { debugSections } from '../../src/symbols/debug-sections.ts';
import { ElfFile } from '../../src/symbols/elf.ts';

/** Milliseconds. The compiler works for half a minute, and others work beside it. */
const COMPILING = 900_000;

/** The compiled modules in the repository are what their sources say (docs/decisions/0160). */
const root = path.resolve(import.meta.dirname, '../..');

describe.each(moduleFolders().map((folder) => [path.basename(folder), folder] as const))('%s', (_, folder) => {
  const bytes = readFileSync(moduleFile(folder));

  test('the module and its sources belong together', () => {
    expect(problemOf(folder)).toBeUndefined();
  });

  test('no path of the machine that compiled it is in it', () => {
    const text = bytes.toString('latin1');
    for (const place of [root, '/home/', '/root/', '/usr/share/cargo']) expect(text).not.toContain(place);
  });

  const made = madeFrom(bytes)!;
  const isHere = missingTools().length === 0 && isDeepStrictEqual({ ...made, ...compilerVersions() }, made);
  test.skipIf(!isHere)(
    isHere ? 'the same compiler makes the same bytes' : `the compiler of the module (rustc ${made.rustc}) is not here`,
    () => {
      expect(Buffer.compare(compileModule(folder), bytes)).toBe(0);
    },
    COMPILING,
  );
});

describe('a module that does not fit', () => {
  let folder = '';
  beforeEach(() => {
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'iolens-wasm-')), 'addr2line');
    const filter = (file: string): boolean => path.basename(file) !== 'target';
    cpSync(path.join(root, 'native/wasm/addr2line'), folder, { recursive: true, filter });
  });
  afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

  test.each(['src/lib.rs', 'Cargo.toml', 'Cargo.lock', '.cargo/config.toml'])('is noticed when %s changes', (name) => {
    expect(problemOf(folder)).toBeUndefined();
    appendFileSync(path.join(folder, name), '\n# \n');
    expect(problemOf(folder)).toMatch(/addr2line\.wasm was made from other sources$/);
  });

  test('is none because of line ends', () => {
    const source = path.join(folder, 'src/lib.rs');
    writeFileSync(source, readFileSync(source, 'utf8').replaceAll('\n', '\r\n'));
    expect(problemOf(folder)).toBeUndefined();
  });

  test('is noticed when its code was changed, replaced or lost', () => {
    const file = moduleFile(folder);
    const bytes = readFileSync(file);
    const changed = Buffer.from(bytes);
    const at = changed.indexOf('capacity overflow');
    changed.write('C', at);
    writeFileSync(file, changed);
    expect(problemOf(folder)).toMatch(/is not what the compiler made$/);
    writeFileSync(file, bytes.subarray(0, 8));
    expect(problemOf(folder)).toMatch(/does not say what it was made from$/);
    rmSync(file);
    expect(problemOf(folder)).toMatch(/is missing$/);
  });
});

test('the module names the lines of the bundled program, inlined calls too', async () => {
  const source = (await localSymbolFiles.open(path.join(root, 'demo/heat/heat')))!;
  const module = await WebAssembly.compile(readFileSync(path.join(root, 'native/wasm/addr2line/addr2line.wasm')));
  const information = await DebugInformation.open(module, await debugSections(await ElfFile.open(source)));
  await source.close();
  // What binutils says of them: addr2line -i -f -e demo/heat/heat 0x119e 0x12aa 0x131c
  const found = information.lookup(Float64Array.of(0x11_9e, 0x12_aa, 0x13_1c));
  const frames = Array.from(found.line, (line, i) => {
    const [name, file] = [found.names[found.functionName[i]!], found.names[found.file[i]!]];
    return `${name} ${file}:${line}`;
  });
  expect(Array.from(found.first)).toEqual([0, 1, 3, 5]);
  expect(frames).toEqual([
    'main /home/hpc/heat/heat.c:75',
    'emit /home/hpc/heat/heat.c:22',
    'main /home/hpc/heat/heat.c:82',
    'log_progress /home/hpc/heat/heat.c:32',
    'main /home/hpc/heat/heat.c:83',
  ]);
});
