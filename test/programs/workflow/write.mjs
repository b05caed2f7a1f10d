// Writes the synthetic workflow of test/support/synthetic-workflow.ts to test/data/workflow/synthetic: node test/programs/workflow/write.mjs
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const target = path.join(here, '../../data/workflow/synthetic');
const bundled = await build({
  entryPoints: [path.join(here, '../../support/synthetic-workflow.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
});
const { syntheticWorkflow } = await import(`data:text/javascript,${encodeURIComponent(bundled.outputFiles[0].text)}`);
rmSync(target, { recursive: true, force: true });
for (const [name, bytes] of syntheticWorkflow()) {
  const file = path.join(target, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
