import { build } from 'esbuild';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Bundles the suite for the extension host; returns the file. */
export async function bundleSuite() {
  const outfile = path.join(root, '.cache/suite/index.js');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'suite.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return outfile;
}
