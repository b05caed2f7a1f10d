/**
 * Tests inside a real extension host, with the real `vscode` API. `run` is called by the host; it works on the workspace
 * that workspace.mjs makes.
 */
/* eslint no-console: off -- the console is the suite's only way out of the extension host */
import { FINDINGS } from './suite/findings.ts';
import { closeAll, type Suite } from './suite/host.ts';
import { AT_START, MANNERS } from './suite/manners.ts';
import { RECORDING } from './suite/recording.ts';
import { SOURCES } from './suite/sources.ts';
import { VIEWS } from './suite/views.ts';

// The first looks at an editor in which nothing has been done yet.
const TESTS: Suite = { ...AT_START, ...FINDINGS, ...VIEWS, ...RECORDING, ...SOURCES, ...MANNERS };

export async function run(): Promise<void> {
  const failed: string[] = [];
  for (const [name, test] of Object.entries(TESTS)) {
    try {
      await test();
      console.log(`  ✓ ${name}`);
    } catch (error) {
      failed.push(name);
      console.log(`  ✗ ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    await closeAll();
  }
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${Object.keys(TESTS).length} failed: ${failed.join('; ')}`);
}
