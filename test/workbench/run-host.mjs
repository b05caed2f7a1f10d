// Runs the suite inside the extension host of the workbench (code-server, driven by Chromium).
import { rmSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM, setUpWorkbench, startWorkbench } from '../../scripts/workbench.mjs';
import { bundleSuite } from './bundle-suite.mjs';
import { makeWorkspace } from './workspace.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const LONGEST = 240_000;

setUpWorkbench();
const suite = await bundleSuite();
const workspace = makeWorkspace();
const workbench = await startWorkbench();
const browser = await chromium.launch(CHROMIUM);
let code;
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  const ended = new Promise((resolve) => {
    void page.exposeFunction('codeAutomationExit', (status) => resolve(status));
    setTimeout(() => resolve(124), LONGEST).unref();
  });
  await page.exposeFunction('codeAutomationLog', (type, values) => {
    // The workbench says much about its own start; what the suite says goes to info.
    const text = values.join(' ');
    if (type === 'info' ? /^\s+[✓✗]|^\s+at |Error/.test(text) : type === 'error' && !text.includes('open-vsx'))
      console.log(text);
  });
  const remote = (file) => `vscode-remote://${workbench.authority}${file}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(root)],
    ['extensionTestsPath', remote(suite)],
  ]);
  await page.goto(`http://${workbench.authority}/?folder=${workspace}&payload=${encodeURIComponent(payload)}`);
  code = await ended;
  if (code === 124) console.log('the suite did not end in time');
} finally {
  await browser.close();
  workbench.stop();
  rmSync(workspace, { recursive: true, force: true });
}
process.exit(code);
