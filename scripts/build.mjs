// Bundles the extension, its worker, the webviews and the command line into dist/; with --command the command line alone.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { root } from './machine.mjs';
import { checkBundled } from './command-packages.mjs';
import { enginePackages } from './engine-packages.mjs';
import { readerHash } from './reader-hash.mjs';
import { builtFile, problemOf, PROCESSORS } from './recorder-library.mjs';
import { checkModules, EMBEDDED_MODULES, moduleFile } from './wasm.mjs';

checkModules();
const production = process.argv.includes('--production');
const onlyCommand = process.argv.includes('--command');
const dist = path.join(root, 'dist');
const at = (...parts) => path.join(root, ...parts);

/** What Node's ES modules lack and some bundled packages ask for. */
const require =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
  target: 'es2023',
  legalComments: 'none',
  loader: EMBEDDED_MODULES,
};
const define = { IOLENS_READER: JSON.stringify(readerHash()), IOLENS_ENGINE: JSON.stringify(enginePackages()) };
/** DuckDB's client is bundled; its native part, 70 MB a platform, is found where it is installed (docs/decisions/0110). */
const alias = { '@duckdb/node-bindings': at('scripts/duckdb-bindings.cjs') };
const node = { ...shared, define, alias, platform: 'node', format: 'esm', target: 'node20', banner: { js: require } };

/** Copies a file unless the copy is newer, and as long: a build for users leaves packed ones. */
function copy(from, to) {
  const [source, copied] = [statSync(from), statSync(to, { throwIfNoEntry: false })];
  if (copied !== undefined && copied.mtimeMs >= source.mtimeMs && copied.size === source.size) return;
  mkdirSync(path.dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/**
 * Tables of grammars are a quarter of the package as deflate packs them, and half of that as xz does, libraries three
 * quarters: the session unpacks them when it needs them. Without the tool they stay as they are.
 */
function copyPacked(from, name) {
  const to = path.join(dist, name);
  const packed = production ? spawnSync('xz', ['-9e', '-c', from], { maxBuffer: 1 << 26 }) : undefined;
  if (packed?.status === 0) writeFileSync(to, packed.stdout);
  else copy(from, to);
}

// Chunks carry a hash in their names: old ones must not pile up.
for (const chunks of onlyCommand ? ['cli-chunks'] : ['chunks', 'cli-chunks'])
  rmSync(path.join(dist, chunks), { recursive: true, force: true });
if (production) rmSync(dist, { recursive: true, force: true });
mkdirSync(path.join(dist, 'webview'), { recursive: true });
/** Three views draw charts: the library stands in a script of its own, which their pages load first. */
const chartsAreLoaded = {
  name: 'charts are loaded',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^chart\.js$/ }, () => ({ path: 'charts', namespace: 'loaded' }));
    onLoad({ filter: /.*/, namespace: 'loaded' }, () => ({ contents: 'module.exports = iolensCharts' }));
  },
};

/** A page holds the schemas that it looks at something with: valibot marks its functions, which esbuild heeds in their file only. */
const schemasMayGo = {
  name: 'schemas may go',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](protocol|page-line|page-values)\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replaceAll(/\b(v\.\w+|text|list)\(/g, '/* @__PURE__ */ $&'),
      loader: 'ts',
    }));
  },
};

/** The command, and what it starts in threads. */
async function buildCommand() {
  const command = build({
    ...node,
    entryPoints: { cli: at('src/cli/main.ts'), 'cli-reader': at('src/session/fleet/ingest/ingest-thread.ts') },
    outdir: dist,
    define: { ...define, IOLENS_FLEET_READER: '"cli-reader.js"' },
    metafile: true,
    // The graph's layout is larger than the rest: it is loaded when a graph is drawn.
    splitting: true,
    chunkNames: 'cli-chunks/[name]-[hash]',
  });
  // A script, not a module: its text is what a thread is started with, from the disk or out of the executable.
  const task = build({
    ...shared,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: false,
    entryPoints: { 'replay-task': at('src/session/replay/task-thread.ts') },
    outdir: dist,
    outExtension: { '.js': '.cjs' },
  });
  const [{ metafile }] = await Promise.all([command, task]);
  checkBundled(Object.keys(metafile.inputs));
}

/** The extension for editors on a machine. */
async function buildExtension() {
  const { metafile } = await build({
    ...node,
    entryPoints: {
      extension: at('src/app/extension.ts'),
      'session-worker': at('src/app/session-worker.ts'),
      replay: at('src/cli/replay-main.ts'),
      trial: at('src/cli/trial-main.ts'),
      fleet: at('src/cli/fleet/fleet-main.ts'),
      'fleet-reader': at('src/session/fleet/ingest/ingest-thread.ts'),
    },
    outdir: dist,
    // The editor's graph is laid out in its webview. Split builds keep what nothing of theirs imports: half a megabyte.
    external: ['vscode', 'elkjs/lib/elk.bundled.js'],
    metafile: true,
    // What is imported dynamically stays out of the file that is loaded at activation; what the worker uses too is there once.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
  });
  // No node_modules are packaged: what is imported from there would be missed only where the extension is installed.
  for (const [file, { imports }] of Object.entries(metafile.outputs))
    for (const { path: name, external } of imports)
      if (external && name !== 'vscode' && !isBuiltin(name))
        throw new Error(`${file} imports ${name}, which is not packaged`);
}

/** The extension for editors in a browser. Its host takes one file in CommonJS, whose name says so (docs/decisions/0081). */
function buildWebExtension() {
  const browser = { ...shared, define, platform: 'browser', outdir: path.join(dist, 'web') };
  const host = build({
    ...browser,
    format: 'cjs',
    entryPoints: { extension: at('src/app/web-extension.ts') },
    outExtension: { '.js': '.cjs' },
    external: ['vscode'],
  });
  const worker = build({
    ...browser,
    format: 'iife',
    entryPoints: { 'session-worker': at('src/app/browser-session-worker.ts') },
  });
  return Promise.all([host, worker]);
}

async function buildPages() {
  /** Each folder of webview with a `main.ts` is a page: its script and its style have the folder's name. */
  const pages = readdirSync(at('webview'))
    .filter((name) => existsSync(at('webview', name, 'main.ts')))
    .flatMap((name) => ['main.ts', `${name}.css`].map((file) => ({ in: at('webview', name, file), out: name })));
  const page = { ...shared, platform: 'browser', format: 'iife', outdir: path.join(dist, 'webview') };
  copy(at('node_modules/elkjs/lib/elk-worker.min.js'), path.join(dist, 'webview/elk-worker.min.js'));
  await Promise.all([
    build({ ...page, globalName: 'iolensCharts', entryPoints: { charts: at('webview/kit/chart-library.ts') } }),
    build({ ...page, plugins: [chartsAreLoaded, schemasMayGo], entryPoints: pages }),
  ]);
  // They stand in the page (src/features/editor/webview-page.ts), where these words would end or hide them.
  for (const name of readdirSync(page.outdir).filter((name) => /\.(js|css)$/.test(name)))
    if (/<\/(script|style)|<!--/i.test(readFileSync(path.join(page.outdir, name), 'utf8')))
      throw new Error(`${name} cannot stand in a page: it has a tag of HTML`);
}

const editor = onlyCommand ? [] : [buildExtension(), buildWebExtension(), buildPages()];
await Promise.all([buildCommand(), ...editor]);
copy(at('node_modules/web-tree-sitter/web-tree-sitter.wasm'), path.join(dist, 'web-tree-sitter.wasm'));
for (const language of ['c', 'cpp', 'python'])
  copyPacked(at(`node_modules/tree-sitter-${language}/tree-sitter-${language}.wasm`), `tree-sitter-${language}.wasm`);
// The Fortran grammar's own project publishes no npm package (docs/decisions/0031).
copyPacked(at('node_modules/tree-sitter-wasm/out/fortran/tree-sitter-fortran.wasm'), 'tree-sitter-fortran.wasm');
copy(moduleFile(at('native/wasm/addr2line')), path.join(dist, 'addr2line.wasm'));

// The recorder library as it is kept in the repository. Who works on its source compiles it where it is used meanwhile.
const problem = problemOf();
if (problem !== undefined) {
  const words = `native/recorder: ${problem}; build it by "npm run recorder-library"`;
  if (production) throw new Error(words);
  console.warn(`${words}. Until then it is compiled where it is used.`);
}
for (const processor of PROCESSORS) {
  const name = `recorder-${processor}.so`;
  if (problem === undefined) copyPacked(builtFile(processor), name);
  else rmSync(path.join(dist, name), { force: true });
}
