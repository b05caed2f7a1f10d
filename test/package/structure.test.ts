/** The plan of the house: rooms, circles, sizes of folders. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOMS } from '../../scripts/lint/rooms.mjs';
import { circles, importedValues, valueImports } from '../support/imports.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('imports are read as the compiler reads them', () => {
  const source = [
    "import a, { b } from './a.ts';",
    "import {\n  c,\n  type D,\n} from './c.ts';",
    "import type { E } from './e.ts';",
    "export type { F } from './f.ts';",
    "export * from './g.ts';",
    "export { h } from './h.ts';",
    "import './i.ts';",
    "const later = () => import('./j.ts');",
    "// import('./k.ts') is none",
    "/** import l from './l.ts'; */",
    "export const name = 'm'; type N = import('./n.ts').N;",
    "import * as o from '#o';",
  ].join('\n');
  expect(importedValues(source)).toEqual(['./a.ts', './c.ts', './g.ts', './h.ts', './i.ts', './j.ts', '#o']);
});

test('circles are found', () => {
  const imports = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: [], f: ['f'], g: ['a'] };
  expect(circles(new Map(Object.entries(imports)))).toEqual([['a', 'b', 'c'], ['f']]);
});

test('no values are imported in a circle', () => expect(circles(valueImports(['src', 'webview']))).toEqual([]));

test('no folder holds more than 40 files', () => {
  const crowded = ['src', 'webview', 'test', 'scripts', 'native']
    .flatMap((folder) => [
      folder,
      ...readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
    ])
    .filter((folder) => !/^test\/(data|programs\/fixes)(\/|$)|(^|\/)(node_modules|target|\.[^/]+)(\/|$)/.test(folder))
    .filter((folder) => filesIn(folder) > 40);
  expect(crowded).toEqual([]);
});

function filesIn(folder: string): number {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

test('no file of C has more than 400 lines', () => {
  const files = sourcesOfC('native');
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 401)).toEqual([]);
});

test('functions of C fit a screen', () => {
  const long = sourcesOfC('native').flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return functionsOfC(text)
      .filter((body) => body.split('\n').length > 50)
      .map((body) => `${file}: ${body.slice(0, 80)}`);
  });
  expect(long).toEqual([]);
  expect(
    functionsOfC('int a(void)\n{\n    b();\n}\n\nstatic int c(int d) {\n  return d;\n}\nstruct e {\n};\n'),
  ).toEqual(['{\n    b();\n}', 'static int c(int d) {\n  return d;\n}']);
});

/** Whatever stands in braces at the beginning of lines, the opening one alone on its line or behind the parameters. */
function functionsOfC(text: string): string[] {
  return [...text.matchAll(/^(?:\{|(?! \*).*\) \{)\n(?:(?!\}).*\n)*\}/gm)].map(([body]) => body);
}

test("folders of the recorder's source include each other in one direction", () => {
  const place = 'native/recorder';
  const included = new Map<string, string[]>();
  for (const file of sourcesOfC(place)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const others = [...text.matchAll(/^#include "([^"]+)"/gm)]
      .map(([, name]) => path.posix.join(path.posix.dirname(file), name!))
      .map((name) => folderOf(place, name))
      .filter((folder) => folder !== folderOf(place, file));
    included.set(folderOf(place, file), [...(included.get(folderOf(place, file)) ?? []), ...others]);
  }
  expect(included.get('posix')).toContain('process');
  expect(included.get('')).toEqual([]);
  expect(circles(included)).toEqual([]);
});

/** '' for the place itself. */
function folderOf(place: string, file: string): string {
  return path.posix.relative(place, path.posix.dirname(file));
}

function sourcesOfC(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[ch]$/.test(name) && !/(^|[\\/])target[\\/]/.test(name))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`);
}

test('the table of rooms in docs/architecture.md is that of the lint rule', () => {
  const document = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
  const names = (cell: string): string[] =>
    cell
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '–');
  const rows = [...document.matchAll(/^\| `((?:src|webview)\/[^`|]+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/gm)].map(
    ([, place, knows, types]) => [place!, { knows: names(knows!).sort(), types: names(types!).sort() }] as const,
  );
  const rooms = Object.entries(ROOMS).map(
    ([room, { knows, types = [] }]) => [placeOf(room), { knows: [...knows].sort(), types: [...types].sort() }] as const,
  );
  expect(rows.map(([place]) => place)).toEqual(rooms.map(([place]) => place));
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(rooms));
});

/** Where a room is, as the document names it. */
function placeOf(room: string): string {
  switch (room) {
    case 'protocol':
      return 'src/features/*/protocol';
    case 'answers':
      return 'src/features/*/answers';
    case 'kit':
      return 'webview/kit';
    case 'webview':
      return 'webview/*';
    default:
      return `src/${room}`;
  }
}
