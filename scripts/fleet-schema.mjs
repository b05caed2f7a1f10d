// node scripts/fleet-schema.mjs: writes the tables of a store into docs/fleet-schema.md, between its two marks, as
// src/fleet/schema describes them. test/fleet/fleet-schema.test.ts fails when the document is behind.
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './machine.mjs';

const outfile = path.join(root, '.cache/fleet-schema.mjs');
await build({
  entryPoints: [path.join(root, 'test/support/schema-document.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
});
const { withTables } = await import(outfile);
const document = path.join(root, 'docs/fleet-schema.md');
writeFileSync(document, withTables(readFileSync(document, 'utf8')));
