// The five minutes of a newcomer, in the newest VS Code that runs here: the packaged extension is installed, the sample
// looked at, a program of their own recorded, read, repaired and recorded again, and both runs compared. Nothing is done
// that a person with a mouse and a keyboard could not do. A picture of each step lies in test-results/five-minutes.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { makePackage, vsixFile } from '../../scripts/package.mjs';
import { CHROMIUM, installExtension, NEWEST, setUpTestWorkbench, startWorkbench } from '../../scripts/workbench.mjs';
import { writeOcean } from './five-minutes/ocean.mjs';
import { command, PATIENCE, rows, settled, shot, STILL, until } from './page.mjs';

setUpTestWorkbench(NEWEST);
makePackage();

const notification = (page, text) => page.locator('.notification-toast', { hasText: text });
const inputBox = (page) => page.locator('.quick-input-widget input[type="text"]').first();

/** The text box of recording, filled as a person fills it. */
async function record(page, line) {
  await command(page, 'I/O Lens: Record a Program…');
  const box = inputBox(page);
  await box.waitFor({ timeout: PATIENCE });
  await box.fill(line);
  await settled(page);
  await shot(page, `five-minutes/${next()}-record`);
  await box.press('Enter');
  const message = notification(page, 'ocean: ').last();
  await message.waitFor({ timeout: PATIENCE });
  return message;
}

let count = 0;
const next = () => String(++count).padStart(2, '0');
const picture = (page, name) => shot(page, `five-minutes/${next()}-${name}`);

const steps = {
  async 'the side bar says what to do'(page) {
    await page.locator('.activitybar .action-label[aria-label="I/O Lens"]').click();
    await page.locator('.pane-body', { hasText: 'Record a Program' }).first().waitFor({ timeout: PATIENCE });
    await picture(page, 'welcome');
  },
  async 'the sample opens on its worst line'(page) {
    await page.locator('.pane-body .monaco-button', { hasText: 'Sample' }).first().click();
    await page.locator('.squiggly-warning').first().waitFor({ timeout: PATIENCE });
    await rows(page, 'Many small writes').first().waitFor({ timeout: PATIENCE });
    await picture(page, 'sample');
  },
  async 'a program of their own is recorded, and a message says what came of it'(page) {
    const message = await record(page, './ocean out');
    assert.match(await message.innerText(), /of .* is I\/O|findings/);
    await picture(page, 'recorded');
    await message.locator('.monaco-button', { hasText: 'Worst Line' }).click();
    await page.locator('.tab', { hasText: 'output.c' }).waitFor({ timeout: PATIENCE });
    await page.locator('.squiggly-warning').first().waitFor({ timeout: PATIENCE });
    await picture(page, 'worst-line');
  },
  async 'the hover says why, and what to write instead'(page) {
    const word = page.locator('.view-line span span', { hasText: /^open$/ }).first();
    const hover = page.locator('.monaco-hover-content', { hasText: /heights\.txt|opened/ }).first();
    await until(async () => {
      const box = await word.boundingBox();
      await page.mouse.move(box.x + 4, box.y + box.height / 2);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      return hover.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    }, 'the hover shows');
    await picture(page, 'hover');
    await page.keyboard.press('Escape');
  },
  async 'a quick fix repairs it'(page, workspace) {
    const before = readFileSync(path.join(workspace, 'output.c'), 'utf8');
    const action = page.locator('.action-widget .monaco-list-row', { hasText: /^Keep the file open/ }).first();
    await until(async () => {
      await page
        .locator('.view-line span span', { hasText: /^open$/ })
        .first()
        .click({ force: true });
      await page.keyboard.press('Control+.');
      return action.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    }, 'the menu has the fix');
    await picture(page, 'menu');
    await until(async () => {
      if ((await action.getAttribute('class')).includes('focused')) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    }, 'keys lead to the fix');
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: 'static int fd = -1' }).first().waitFor({ timeout: PATIENCE });
    await picture(page, 'repaired');
    await command(page, 'File: Save All Files');
    await until(() => readFileSync(path.join(workspace, 'output.c'), 'utf8') !== before, 'the file is saved');
  },
  async 'the program is built in a terminal'(page, workspace) {
    const built = () => statSync(path.join(workspace, 'ocean')).mtimeMs;
    const before = built();
    await command(page, 'Terminal: Create New Terminal');
    await page.locator('.terminal-wrapper .xterm').last().waitFor({ timeout: PATIENCE });
    await settled(page);
    await page.keyboard.type('make\n');
    await until(() => built() > before, 'make is done');
    await picture(page, 'built');
  },
  async 'recorded again, it is compared with the run before'(page) {
    const message = await record(page, './ocean out');
    await picture(page, 'recorded-again');
    await message.locator('.monaco-button', { hasText: 'Compare' }).click();
    await page
      .locator('.pane-header', { hasText: /Comparison/ })
      .first()
      .waitFor({ timeout: PATIENCE });
    await picture(page, 'compared');
  },
  async 'the summary, the timeline and the graph of it'(page) {
    for (const [name, title] of [
      ['Show Summary', 'summary'],
      ['Show Timeline', 'timeline'],
      ['Show Directly-Follows-Graph', 'graph'],
    ]) {
      await command(page, `I/O Lens: ${name}`);
      await settled(page);
      await picture(page, title);
    }
  },
};

const home = mkdtempSync(path.join(tmpdir(), 'iolens-newcomer-'));
const extensions = path.join(home, 'extensions');
const workspace = path.join(home, 'ocean');
mkdirSync(extensions);
writeOcean(workspace);
const started = performance.now();
installExtension(vsixFile(), extensions, NEWEST);
console.log(`  ✓ installed: ${((performance.now() - started) / 1000).toFixed(1)} s`);
const workbench = await startWorkbench({ installation: NEWEST, extensions, settings: STILL });
const browser = await chromium.launch(CHROMIUM);
let failed = false;
try {
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
  page.on('console', (message) => {
    if (message.type() === 'error') console.log(`    console: ${message.text().slice(0, 200)}`);
  });
  await page.goto(`http://${workbench.authority}/?folder=${workspace}`);
  await page.locator('.activitybar .action-label[aria-label="I/O Lens"]').waitFor({ timeout: PATIENCE });
  for (const [name, step] of Object.entries(steps)) {
    const begun = performance.now();
    try {
      await step(page, workspace);
    } catch (error) {
      await shot(page, `failed-five-minutes`);
      throw new Error(name, { cause: error });
    }
    console.log(`  ✓ ${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
} catch (error) {
  console.log(`  ✗ ${error.message}\n${error.cause?.stack ?? error.stack}`);
  failed = true;
} finally {
  await browser.close();
  workbench.stop();
  rmSync(home, { recursive: true, force: true });
}
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s in all, without what a person reads and thinks`);
process.exit(failed ? 1 : 0);
