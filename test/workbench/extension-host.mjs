// Runs a bundled suite inside the extension host of the workbench (code-server, driven by Chromium).
import path from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM, startWorkbench } from '../../scripts/workbench.mjs';

const LONGEST = 600_000;

/**
 * @param options.suite file with the exported `run`; `extension` is the folder of the extension, `workspace` the folder
 *   that is opened; `workbench` are options of startWorkbench.
 * @returns the suite's exit code.
 */
export async function runInHost({ suite, extension, workspace, workbench: options = {} }) {
  const workbench = await startWorkbench(options);
  const browser = await chromium.launch(CHROMIUM);
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
    const remote = (file) => `vscode-remote://${workbench.authority}${path.resolve(file)}`;
    const payload = JSON.stringify([
      ['extensionDevelopmentPath', remote(extension)],
      ['extensionTestsPath', remote(suite)],
    ]);
    await page.goto(`http://${workbench.authority}/?folder=${workspace}&payload=${encodeURIComponent(payload)}`);
    const code = await ended;
    if (code === 124) console.log('the suite did not end in time');
    return code;
  } finally {
    await browser.close();
    workbench.stop();
  }
}
