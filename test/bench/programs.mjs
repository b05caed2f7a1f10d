// Programs of this folder, bundled, and where recordings for the benchmarks are made.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/machine.mjs';
import { EMBEDDED_MODULES } from '../../scripts/wasm.mjs';

export const folder = path.join(root, '.cache/bench');
mkdirSync(folder, { recursive: true });
export const at = (name) => path.join(folder, name);

/** @param name of a program below test/bench, without its ending; in `folder` it lies as NAME.mjs. */
export function bundle(name) {
  return build({
    entryPoints: { [path.basename(name)]: path.join(root, `test/bench/${name}.ts`) },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // As in build.mjs.
    loader: EMBEDDED_MODULES,
    alias: { '@duckdb/node-bindings': path.join(root, 'scripts/duckdb-bindings.cjs') },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
}

/** Lets a program of test/bench make a recording. */
export async function make(program, ...args) {
  await bundle(program);
  execFileSync('node', [at(`${path.basename(program)}.mjs`), ...args.map(String)]);
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
