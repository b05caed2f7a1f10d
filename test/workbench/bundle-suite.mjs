import { build } from 'esbuild';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Bundles a suite for the extension host; it finds `vscode` only below the extension. Returns the file. */
export async function bundleSuite(name = 'suite', extension = root) {
  const outfile = path.join(extension, `.cache/${name}/index.js`);
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return outfile;
}
