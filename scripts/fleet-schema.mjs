// node scripts/fleet-schema.mjs: writes the tables of a store into docs/fleet-schema.md, and those of a recording into
// docs/query.md, between their two marks, as src/fleet/schema and src/export/tables describe them.
// test/fleet/fleet-schema.test.ts fails when a document is behind.
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
const { withTables, withRecordedTables } = await import(outfile);
for (const [name, renewed] of [
  ['fleet-schema.md', withTables],
  ['query.md', withRecordedTables],
]) {
  const document = path.join(root, 'docs', name);
  writeFileSync(document, renewed(readFileSync(document, 'utf8')));
}
