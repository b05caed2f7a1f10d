// Clicks through the packaged extension in a real workbench as a person would, and takes the screenshots of the README.
// "--update-images" puts them into docs/images; they always lie in test-results/.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { makePackage, vsixFile } from '../../scripts/package.mjs';
import { CHROMIUM, installExtension, setUpWorkbench, startWorkbench } from '../../scripts/workbench.mjs';
import { makeWorkspace } from './workspace.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const results = path.join(root, 'test-results');
const images = path.join(root, 'docs/images');
const PATIENCE = 30_000;

setUpWorkbench();
makePackage();
mkdirSync(results, { recursive: true });
const extensions = mkdtempSync(path.join(tmpdir(), 'iolens-extensions-'));
installExtension(vsixFile(), extensions);
const workspace = makeWorkspace();

async function shot(page, name) {
  const file = path.join(results, `${name}.png`);
  await page.screenshot({ path: file });
  if (process.argv.includes('--update-images')) {
    mkdirSync(images, { recursive: true });
    copyFileSync(file, path.join(images, `${name}.png`));
  }
}

async function command(page, name) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill(`>${name}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
}

/** The frame of the graph, once its nodes are drawn. */
async function graphFrame(page) {
  for (let waited = 0; waited < PATIENCE; waited += 100) {
    for (const frame of page.frames()) {
      if (
        (await frame
          .locator('#canvas .node')
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    await page.waitForTimeout(100);
  }
  throw new Error('the graph was never drawn');
}

const cursorLine = (page) => page.locator('#status\\.editor\\.selection').innerText();

async function cursorAt(page, line) {
  for (let waited = 0; waited < PATIENCE; waited += 100) {
    if ((await cursorLine(page)).startsWith(`Ln ${line},`)) return;
    await page.waitForTimeout(100);
  }
  assert.fail(`the cursor is at ${await cursorLine(page)}, not on line ${line}`);
}

/** Moves the mouse over the text of the offending call until the hover with its evidence shows. */
async function hoverFinding(page) {
  const call = page.locator('.view-line', { hasText: 'write(fd, line, 100)' }).first();
  const hover = page.locator('.monaco-hover-content', { hasText: 'Many small writes' });
  const box = await call
    .locator('span span', { hasText: /^write$/ })
    .first()
    .boundingBox();
  for (let attempt = 0; attempt < 10 && !(await hover.first().isVisible()); attempt++) {
    await page.mouse.move(box.x + 12 + attempt, box.y + box.height / 2);
    await page.waitForTimeout(700);
  }
  await hover.first().waitFor({ timeout: PATIENCE });
  return hover.first();
}

/** Opens the menu of the fixes on the offending call, and goes to one. The menu takes keys, no clicks, while it is new. */
async function goToFix(page, title) {
  const call = page.locator('.view-line', { hasText: 'write(fd, line, 100)' }).first();
  await call.click();
  await call
    .locator('span span', { hasText: /^write$/ })
    .first()
    .click();
  await page.keyboard.press('Control+.');
  const action = page.locator('.action-widget .monaco-list-row', { hasText: title });
  await action.waitFor({ timeout: PATIENCE });
  await page.waitForTimeout(300);
  for (let row = 0; row < 8; row++) {
    if ((await action.getAttribute('class')).includes('focused')) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail(`no way leads to ${String(title)}`);
}

const steps = {
  async 'the recording opens from the explorer'(page) {
    await page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'heat.strace.gz' })
      .click({ button: 'right' });
    const item = page.locator('.context-view .action-item', { hasText: 'Open Recording' });
    await item.waitFor({ timeout: PATIENCE });
    // A menu takes no click in its first moments: it could be the one that opened it.
    await page.waitForTimeout(500);
    await item.click();
    await page.locator('.squiggly-warning').first().waitFor({ timeout: PATIENCE });
    await cursorAt(page, 22);
  },
  async 'the tree lists the findings'(page) {
    const rows = page.locator('.pane-body .monaco-list-row');
    await rows.filter({ hasText: 'Many small writes' }).first().waitFor({ timeout: PATIENCE });
    await rows.filter({ hasText: 'heat.c:35' }).first().click();
    await cursorAt(page, 35);
    await rows.filter({ hasText: 'heat.c:22' }).first().click();
    await cursorAt(page, 22);
  },
  async 'the graph shows beside the source, and a node leads to its line'(page) {
    await command(page, 'I/O Lens: Show Directly-Follows-Graph');
    const frame = await graphFrame(page);
    const names = await frame
      .locator('#canvas .node')
      .evaluateAll((nodes) => nodes.map((node) => node.dataset.activity));
    assert.ok(names.includes('write:/home/hpc'), names.join(', '));
    await frame.locator('.node[data-activity="pread64:/home/hpc"]').click();
    await cursorAt(page, 42);
    await frame.locator('.node[data-activity="write:/home/hpc"]').click();
    await cursorAt(page, 22);
  },
  async 'a line in the editor marks its node'(page) {
    const frame = await graphFrame(page);
    await page.locator('.view-line', { hasText: 'close(fd);' }).first().click();
    await frame.locator('.node.selected[data-activity="close:/home/hpc"]').waitFor({ timeout: PATIENCE });
    await page.locator('.view-line', { hasText: 'write(fd, line, 100)' }).first().click();
    await frame.locator('.node.selected[data-activity="write:/home/hpc"]').waitFor({ timeout: PATIENCE });
  },
  async 'choices make another graph'(page) {
    const frame = await graphFrame(page);
    await frame.locator('#mapping').selectOption('call+file:1');
    await frame.locator('.node[data-activity="write:/home/hpc/heat/results/cells.txt"]').waitFor({ timeout: PATIENCE });
    await frame.locator('#system').check();
    await frame
      .locator('.node[data-activity="read:/usr/lib/x86_64-linux-gnu/libc.so.6"]')
      .waitFor({ timeout: PATIENCE });
    await frame.locator('#filter').fill('results');
    await frame.locator('#filter').press('Enter');
    await frame
      .locator('.node[data-activity="read:/usr/lib/x86_64-linux-gnu/libc.so.6"]')
      .waitFor({ state: 'detached', timeout: PATIENCE });
  },
  async 'hover, squiggle and graph side by side'(page) {
    await hoverFinding(page);
    await page.waitForTimeout(500);
    await shot(page, 'editor-hover-graph');
    await page.keyboard.press('Escape');
  },
  async 'a quick fix is looked at, then changes the code'(page) {
    await goToFix(page, /^Collect these 4,096 writes/);
    await shot(page, 'quick-fix');
    await page.keyboard.press('Escape');
    await goToFix(page, /^Preview: Collect these 4,096 writes/);
    await page.keyboard.press('Enter');
    await page
      .locator('.monaco-diff-editor .view-line', { hasText: 'flush_writes(void)' })
      .first()
      .waitFor({ timeout: PATIENCE });
    await shot(page, 'preview');
    await page.locator('.editor-actions [aria-label^="Apply This Fix"]').first().click();
    await page.locator('.monaco-diff-editor').first().waitFor({ state: 'detached', timeout: PATIENCE });
    await page.locator('.view-line', { hasText: 'flush_writes(void)' }).first().waitFor({ timeout: PATIENCE });
    // The code stands where the preview stood, beside the graph.
    await page.locator('.tab', { hasText: 'I/O Graph' }).waitFor({ timeout: PATIENCE });
    assert.equal(await page.locator('.editor-group-container').count(), 2);
  },
  async 'closing the recording takes everything away'(page) {
    await command(page, 'I/O Lens: Close Recording');
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached', timeout: PATIENCE });
    await page.locator('.tab', { hasText: 'I/O Graph' }).waitFor({ state: 'detached', timeout: PATIENCE });
  },
};

const workbench = await startWorkbench({
  extensions,
  settings: { 'workbench.colorTheme': 'Default Dark Modern', 'editor.fontSize': 13, 'explorer.openEditors.visible': 0 },
});
const browser = await chromium.launch(CHROMIUM);
let failed = 0;
try {
  const page = await browser.newPage({ viewport: { width: 1680, height: 960 } });
  await page.goto(`http://${workbench.authority}/?folder=${workspace}`);
  await page
    .locator('.explorer-folders-view .monaco-list-row', { hasText: 'heat.strace.gz' })
    .waitFor({ timeout: PATIENCE });
  // The extension is known once its icon is there.
  await page.locator('.activitybar .action-label[aria-label="I/O Lens"]').waitFor({ timeout: PATIENCE });
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(page);
      console.log(`  ✓ ${name}`);
    } catch (error) {
      failed++;
      console.log(`  ✗ ${name}\n${error.stack ?? error}`);
      await shot(page, `failed-${failed}`);
      break;
    }
  }
} finally {
  await browser.close();
  workbench.stop();
  rmSync(workspace, { recursive: true, force: true });
  rmSync(extensions, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
