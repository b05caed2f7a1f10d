// npm run executable [-- FILE]: dist/iolens, the command in one file with the Node that runs this script (Node's "single executable
// application"). For compute nodes, which have no current Node: copy it there and run it.
import { build } from 'esbuild';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { inject } from 'postject';
import { root, run } from './machine.mjs';
import { enginePackages } from './engine-packages.mjs';
import { readerHash } from './reader-hash.mjs';
import { EMBEDDED_MODULES } from './wasm.mjs';

const work = path.join(root, '.cache/executable');
const dist = path.join(root, 'dist');
/** Marks the place in Node's own binary that says whether it carries an application. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const ASSETS = [
  'addr2line.wasm',
  'web-tree-sitter.wasm',
  'tree-sitter-c.wasm',
  'tree-sitter-cpp.wasm',
  'tree-sitter-fortran.wasm',
  'tree-sitter-python.wasm',
  'replay-task.cjs',
  `recorder-${process.arch}.so`,
];

/** Sources that are compiled where they are used. */
const NATIVE = readdirSync(path.join(root, 'native'), { recursive: true })
  .map((name) => name.replaceAll(path.sep, '/'))
  .filter((name) => /^(calibrate|faults|mpi-replayer|otf2-writer|recorder)\/.*\.[ch]$/.test(name));

/** Bundles a script: Node runs no modules here. @returns its path. */
async function bundle(entry, name) {
  const script = path.join(work, name);
  await build({
    entryPoints: [path.join(root, entry)],
    outfile: script,
    bundle: true,
    minify: true,
    platform: 'node',
    // Node runs a script here, not a module: there is no import.meta.
    format: 'cjs',
    target: 'node20',
    // As in build.mjs.
    loader: EMBEDDED_MODULES,
    alias: { '@duckdb/node-bindings': path.join(root, 'scripts/duckdb-bindings.cjs') },
    define: {
      'import.meta.url': '__importMetaUrl',
      IOLENS_READER: JSON.stringify(readerHash()),
      IOLENS_ENGINE: JSON.stringify(enginePackages()),
      IOLENS_NATIVE: JSON.stringify(NATIVE),
    },
    banner: { js: "const __importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return script;
}

/** @returns the executable's path. */
async function makeExecutable(output) {
  mkdirSync(work, { recursive: true });
  const [script, reader] = await Promise.all([
    bundle('src/cli/main.ts', 'iolens.cjs'),
    bundle('src/session/fleet/ingest/ingest-thread.ts', 'fleet-reader.cjs'),
  ]);
  const files = [...ASSETS.map((name) => `dist/${name}`), ...NATIVE.map((name) => `native/${name}`)]
    .map((name) => [name, path.join(root, name)])
    .filter(([, file]) => existsSync(file));
  const assets = { ...Object.fromEntries(files), 'dist/fleet-reader.cjs': reader };
  const blob = path.join(work, 'iolens.blob');
  const configuration = { main: script, output: blob, disableExperimentalSEAWarning: true, assets };
  writeFileSync(path.join(work, 'sea.json'), JSON.stringify(configuration));
  run(process.execPath, ['--experimental-sea-config', path.join(work, 'sea.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(output, { force: true });
  copyFileSync(process.execPath, output);
  chmodSync(output, 0o755);
  const isMac = process.platform === 'darwin';
  if (isMac) run('codesign', ['--remove-signature', output]);
  await inject(output, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: FUSE,
    ...(isMac && { machoSegmentName: 'NODE_SEA' }),
  });
  if (isMac) run('codesign', ['--sign', '-', output]);
  return output;
}

const file = await makeExecutable(path.resolve(process.argv[2] ?? path.join(dist, 'iolens')));
const size = `${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`;
console.log(`${file}: ${size}, Node ${process.version}, ${process.platform} ${process.arch}`);
