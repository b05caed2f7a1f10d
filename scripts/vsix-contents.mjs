// What is in a .vsix, and whether that is what an editor needs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { root } from './machine.mjs';
import { PROCESSORS } from './recorder-library.mjs';

const END_OF_DIRECTORY = 0x06054b50;
const DEFLATED = 8;

/** The files of a ZIP archive, by name. @throws Error when it is none. */
function zipEntries(file) {
  const bytes = readFileSync(file);
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error(`${file} is no ZIP archive`);
  const entries = new Map();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, nameEnd);
    const [method, packed, size, local] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt32LE(at + 42),
    ];
    const read = () => {
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const content = bytes.subarray(start, start + packed);
      return (method === DEFLATED ? inflateRawSync(content) : content).toString('utf8');
    };
    entries.set(name, { size, read });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** Nothing of these is for users. */
const UNWANTED = /^(test|src|webview|scripts|node_modules|native\/wasm|dist\/cli)(\/|\b)|\.(map|ts|strace)$|(^|\/)\./;
const WANTED_DECLARATIONS = /^schemas\/.*\.d\.ts$/;

/** Modules that a bundled file imports at its start. */
const imports = (text) => [...text.matchAll(/\bfrom ?"(\.[^"]+)"|\bimport ?"(\.[^"]+)"/g)].map(([, a, b]) => a ?? b);

/** What each page, each language and the recorder need beside the bundles. */
function needed(manifest) {
  const pages = readdirSync(path.join(root, 'webview')).filter((name) =>
    existsSync(path.join(root, 'webview', name, 'main.ts')),
  );
  const native = readdirSync(path.join(root, 'native/recorder'), { recursive: true }).filter((name) =>
    /\.[ch]$/.test(name),
  );
  return [
    manifest.main,
    manifest.browser,
    manifest.icon,
    ...Object.values(manifest.contributes.languages ?? {}).flatMap(({ configuration }) => configuration ?? []),
    ...(manifest.contributes.grammars ?? []).map((grammar) => grammar.path),
    'dist/session-worker.js',
    'dist/trial.js',
    'native/faults/faults.c',
    'dist/web/session-worker.js',
    'dist/addr2line.wasm',
    ...PROCESSORS.map((processor) => `dist/recorder-${processor}.so`),
    ...['c', 'cpp', 'fortran', 'python'].map((language) => `dist/tree-sitter-${language}.wasm`),
    ...pages.flatMap((name) => [`dist/webview/${name}.js`, `dist/webview/${name}.css`]),
    ...native.map((name) => `native/recorder/${name}`),
    'demo/heat/heat.strace.gz',
  ].filter((name) => name !== undefined);
}

/**
 * Compares a .vsix with what the extension's manifest and bundles ask for.
 * @returns how many files it has, and their bytes unpacked.
 * @throws Error that names what is missing, or what has no business there.
 */
export function checkVsix(file) {
  const entries = zipEntries(file);
  const files = new Map([...entries].map(([name, entry]) => [name.replace(/^extension\//, ''), entry]));
  const manifest = JSON.parse(files.get('package.json')?.read() ?? '{"contributes":{}}');
  const wanted = new Set(['package.json', ...needed(manifest)].map((name) => path.posix.normalize(name)));
  // A set grows while it is walked: chunks import chunks.
  for (const name of wanted) {
    if (!name.startsWith('dist/') || !name.endsWith('.js')) continue;
    for (const other of imports(files.get(name)?.read() ?? ''))
      wanted.add(path.posix.join(path.posix.dirname(name), other));
  }
  const missing = [...wanted].filter((name) => !files.has(name));
  if (missing.length > 0) throw new Error(`${file} lacks ${missing.join(', ')}`);
  const unwanted = [...files.keys()].filter((name) => UNWANTED.test(name) && !WANTED_DECLARATIONS.test(name));
  if (unwanted.length > 0) throw new Error(`${file} holds ${unwanted.join(', ')}`);
  const unpacked = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  return { files: files.size, unpacked };
}
