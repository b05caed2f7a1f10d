// Runs the suites inside the extension host: in a trusted folder, then in Restricted Mode.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setUpTestWorkbench } from '../../scripts/workbench.mjs';
import { bundleSuite } from './bundle-suite.mjs';
import { runInHost } from './extension-host.mjs';
import { makeTrap } from './trap.mjs';
import { makeWorkspace } from './workspace.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const wanted = process.argv[2];

setUpTestWorkbench();
const workspace = makeWorkspace();
const trap = makeTrap(root);
let code = 0;
try {
  if (wanted !== 'restricted') code = await runInHost({ suite: await bundleSuite(), extension: root, workspace });
  if (code === 0 && wanted !== 'trusted') {
    console.log('  in Restricted Mode:');
    const workbench = { restricted: true, environment: trap.environment };
    code = await runInHost({
      suite: await bundleSuite('restricted-suite', trap.extension),
      extension: trap.extension,
      workspace,
      workbench,
    });
  }
} finally {
  rmSync(workspace, { recursive: true, force: true });
  trap.remove();
}
process.exit(code);
