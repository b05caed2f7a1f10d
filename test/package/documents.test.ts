/** What the documents name is there: paths in backticks, links between documents, numbers of decisions. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const TOP = ['src', 'webview', 'native', 'test', 'docs', 'scripts', 'schemas', 'syntaxes', 'l10n', 'media', 'demo'];
/** All files and folders, relative to the repository. */
const paths = TOP.flatMap((top) => [
  top,
  ...readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' }).map((name) =>
    `${top}/${name}`.replaceAll(path.sep, '/'),
  ),
]).filter((name) => !/\/(target|node_modules)\//.test(name));
const known = new Set(paths);
const rooms = readdirSync(path.join(root, 'src'));
const decisions = readdirSync(path.join(root, 'docs/decisions'));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...paths.filter((name) => name.endsWith('.md') && !name.startsWith('test/data/')),
];

function textOf(document: string): string {
  return readFileSync(path.join(root, document), 'utf8');
}

/** Modules may be named without their ending, and what stands for any name (`*`, `…`, NAME) ends what is looked for. */
function exists(name: string): boolean {
  const parts = name.replace(/\/$/, '').split('/');
  const open = parts.findIndex((part) => /[*…<]|\bNAME\b/.test(part));
  const fixed = (open < 0 ? parts : parts.slice(0, open)).join('/');
  return ['', '.ts', '.mjs'].some((ending) => known.has(fixed + ending));
}

/** Whether it is a path at all: from the repository's top, from `src`, or in a room's document from its own folder. */
function isMissing(name: string, own: string): boolean {
  const [first, ...rest] = name.split('/');
  if (rest.length > 0 && TOP.includes(first!)) return !exists(name);
  if (rest.join('').length > 0 && rooms.includes(first!)) return !exists(`src/${name}`) && !exists(`${own}/${name}`);
  if (!/^(src|webview|native)\b/.test(own)) return false;
  if (/^[a-z][\w/-]*\/$/.test(name)) return !exists(`${own}/${name}`);
  return (
    /^[a-z][\w./-]*\.(ts|mjs|css|[ch])$/.test(name) &&
    !paths.some((file) => file.endsWith(`/${name}`) && file.startsWith(`${own}/`))
  );
}

function missing(document: string): string[] {
  const text = textOf(document).replace(/^(```|~~~)[\s\S]*?^\1/gm, '');
  const own = path.posix.dirname(document);
  const all = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!);
  return [
    ...all(/`([\w@.*…<>/-]+)`/g).filter((name) => isMissing(name, own)),
    ...all(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g).filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(path.join(root, own, target)),
    ),
    ...all(/\bdocs\/decisions\/(\d{4})/g).filter((number) => !decisions.some((name) => name.startsWith(number))),
  ];
}

test.each(documents)('%s names only what is there', (document) => {
  expect(missing(document)).toEqual([]);
});

test('every room has a document', () => {
  const places = [...rooms.map((room) => `src/${room}`), 'webview', 'webview/kit', 'native', 'test'];
  expect(places.filter((place) => !known.has(`${place}/README.md`))).toEqual([]);
});

test('every decision has a status and stands in their index once', () => {
  const notes = decisions.filter((name) => /^\d{4}-/.test(name));
  const silent = notes.filter((name) => !/^\*\*Status\.\*\* \S/m.test(textOf(`docs/decisions/${name}`)));
  expect(silent).toEqual([]);
  const listed = [...textOf('docs/decisions/README.md').matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(([, name]) => name!);
  expect(listed.sort()).toEqual(notes.sort());
});
