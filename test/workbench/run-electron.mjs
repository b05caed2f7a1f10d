// Runs the suite inside a desktop VS Code, which is downloaded: for machines with a screen and a network.
import { runTests } from '@vscode/test-electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setUp } from '../../scripts/machine.mjs';
import { bundleSuite } from './bundle-suite.mjs';
import { makeWorkspace } from './workspace.mjs';

setUp();
const root = path.resolve(import.meta.dirname, '../..');
const workspace = makeWorkspace();
// The socket that the editor makes in its profile has a short limit on its path: not below the project.
const profile = mkdtempSync(path.join(tmpdir(), 'iolens-'));
try {
  await runTests({
    version: process.argv[2] ?? 'stable',
    cachePath: path.join(root, '.cache/vscode'),
    extensionDevelopmentPath: root,
    extensionTestsPath: await bundleSuite(),
    launchArgs: [workspace, '--disable-workspace-trust', '--user-data-dir', profile],
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(workspace, { recursive: true, force: true });
  rmSync(profile, { recursive: true, force: true });
}
