// What the command line is bundled from: a quarter of all packages, so that "npm run demo" begins soon. Only Node's own modules:
// this runs before anything is installed.
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodePackages, root, run } from './machine.mjs';

/** Bundled into the command, copied beside it, or what does that. `scripts/build.mjs` fails where one is missing. */
const BUNDLED = [
  '@duckdb/node-api',
  '@modelcontextprotocol/sdk',
  'commander',
  'elkjs',
  'esbuild',
  'fzstd',
  'hyparquet',
  'hyparquet-writer',
  'picomatch',
  'sax',
  'tar-stream',
  'tree-sitter-c',
  'tree-sitter-cpp',
  'tree-sitter-python',
  'tree-sitter-wasm',
  'unbzip2-stream',
  'web-tree-sitter',
  'xxhash-wasm',
  'xz-decompress',
];
/** 70 MB: not bundled, but looked for where it is installed. */
const NATIVE_ENGINE = /^@duckdb\/node-bindings-/;

const PLACE = 'node_modules/';

/** Where a package finds another, in the lock file's words: in its own folder, or one above. */
function placeOf(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf(PLACE) - 1))) {
    const place = `${at === '' ? '' : `${at}/`}${PLACE}${name}`;
    if (place in packages) return place;
    if (at === '') return undefined;
  }
}

/** The lock file's entries for these packages and what they need. @throws Error when one is not in it. */
function lockedParts(packages, names) {
  const parts = {};
  const add = (from, name, isOptional) => {
    const place = placeOf(packages, from, name);
    if (place === undefined && !isOptional) throw new Error(`package-lock.json has no ${name}`);
    if (place === undefined || place in parts) return;
    const entry = { ...packages[place], dev: undefined, optional: undefined };
    const optionals = Object.entries(entry.optionalDependencies ?? {}).filter(([each]) => !NATIVE_ENGINE.test(each));
    parts[place] = { ...entry, optionalDependencies: Object.fromEntries(optionals) };
    for (const each of Object.keys(entry.dependencies ?? {})) add(place, each, false);
    for (const [each] of optionals) add(place, each, true);
  };
  for (const name of names) add('', name, false);
  return parts;
}

/** A manifest of these packages alone, and its lock file with the project's versions and hashes. */
function partOf(lock, names) {
  const { devDependencies, optionalDependencies } = lock.packages[''];
  const wanted = { ...devDependencies, ...optionalDependencies };
  const manifest = {
    name: 'iolens-command',
    version: lock.version,
    private: true,
    dependencies: Object.fromEntries(names.map((name) => [name, wanted[name]])),
  };
  const packages = { '': manifest, ...lockedParts(lock.packages, names) };
  return { manifest, lock: { ...manifest, lockfileVersion: 3, requires: true, packages } };
}

/** Installs what the command is built from, unless all packages are here, or belong here: then those. */
export function commandPackages() {
  const folder = path.join(root, 'node_modules');
  const stamp = path.join(folder, '.command');
  const lockFile = path.join(root, 'package-lock.json');
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) {
    if (!existsSync(stamp) || existsSync(path.join(folder, '.installed'))) return nodePackages();
    if (statSync(stamp).mtimeMs >= statSync(lockFile).mtimeMs) return;
  }
  console.log('Installing the Node packages of the command');
  const work = path.join(root, '.cache/command');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const { manifest, lock } = partOf(JSON.parse(readFileSync(lockFile, 'utf8')), BUNDLED);
  writeFileSync(path.join(work, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(work, 'package-lock.json'), JSON.stringify(lock));
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: work });
  rmSync(folder, { recursive: true, force: true });
  renameSync(path.join(work, 'node_modules'), folder);
  writeFileSync(stamp, '');
}

/** @throws Error when the command is bundled from a package that `commandPackages` does not install. */
export function checkBundled(files) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const installed = lockedParts(packages, BUNDLED);
  for (const file of files) {
    const place = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
    if (place !== undefined && !(place in installed))
      throw new Error(`the command is bundled from ${place}: add it to BUNDLED (scripts/command-packages.mjs)`);
  }
}
