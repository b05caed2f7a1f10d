// Before and after: two recordings opened from the explorer and compared.
import assert from 'node:assert/strict';
import {
  axeFindsNothing,
  command,
  cursorAt,
  fold,
  frameWhere,
  fromMenu,
  PATIENCE,
  shot,
  unfold,
  until,
} from './page.mjs';

const COMPARISON = '.pane:has(> .pane-header[aria-label^="Comparison"])';
const found = (page, text) =>
  page.locator('.pane:has(> .pane-header[aria-label^="Findings"]) .monaco-list-row', { hasText: text });
const compared = (page, text) => page.locator(`${COMPARISON} .monaco-list-row`, { hasText: text });
const lens = (page, text) => page.locator('.codelens-decoration', { hasText: text });

/** The frame of the comparison's page, once it has rows. */
const pageFrame = (page) =>
  frameWhere(
    page,
    (frame) => frame.locator('#comparison tbody tr').first().isVisible(),
    'the page of the comparison is drawn',
  );

async function openFromExplorer(page, name) {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  // A click on the view that is shown would hide it.
  if (!(await row.isVisible()))
    await page.locator('.activitybar .action-label[aria-label^="Explorer"]').first().click();
  await fromMenu(page, row, 'Open Recording');
  // The explorer makes room for the findings: who clicks into it before clicks at nothing.
  await found(page, name).first().waitFor({ timeout: PATIENCE });
  await page.locator('.statusbar-item', { hasText: name }).waitFor({ timeout: PATIENCE });
}

export const comparisonSteps = {
  async 'two recordings are compared, and the view says what changed'(page) {
    await openFromExplorer(page, 'heat.strace.gz');
    await openFromExplorer(page, 'heat-fixed.strace.gz');
    await command(page, 'I/O Lens: Compare Recordings…');
    await compared(page, 'The run: better').waitFor({ timeout: PATIENCE });
    // Where there is little room a row that is clicked may have moved before the click comes.
    for (const view of ['Findings', 'Call Sites', 'Files']) await fold(page, view);
    await compared(page, 'Gone').first().waitFor({ timeout: PATIENCE });
  },
  async 'a page has its numbers, and its rows lead to the source'(page) {
    const frame = await pageFrame(page);
    assert.match(await frame.locator('h1').innerText(), /5,130 → 270 calls/);
    await axeFindsNothing(frame);
    await frame.getByRole('button', { name: 'Open P06 Many small writes, heat.c:22' }).click();
    await cursorAt(page, 22);
    await frame.getByRole('tab', { name: 'Lines' }).click();
    await frame.getByRole('button', { name: /^Open .*heat-fixed\.c:51/ }).press('Enter');
    await cursorAt(page, 51);
    await shot(page, 'comparison-page');
  },
  async 'a line of the comparison leads to the source, where both sides stand'(page) {
    await page.locator(`${COMPARISON} .monaco-list`).first().focus();
    // Both sides have such a finding, and rows stand in the document in the order in which they were drawn.
    await compared(page, /Many small writes\s*heat\.c:22/)
      .first()
      .click();
    await lens(page, '4,096 → 0 writes').waitFor({ timeout: PATIENCE });
    await page.keyboard.type('heat-fixed.c:51');
    await compared(page, 'heat-fixed.c:51').first().click();
    await cursorAt(page, 51);
    await lens(page, '256 → 1 reads').waitFor({ timeout: PATIENCE });
    await page.locator('.view-line', { hasText: 'pread(fd, table' }).locator('span').last().hover();
    await page.locator('.monaco-hover', { hasText: 'Compared: better' }).waitFor({ timeout: PATIENCE });
    await shot(page, 'comparison-dark');
    await page.keyboard.press('Escape');
  },
  async 'the sides are swapped'(page) {
    await command(page, 'I/O Lens: Swap the Sides of the Comparison');
    // The view is filled anew, which scrolls it.
    await until(async () => {
      await page.locator(`${COMPARISON} .monaco-list`).first().focus();
      await page.keyboard.press('Home');
      return compared(page, 'The run: worse').isVisible();
    }, 'the first row');
    const frame = await pageFrame(page);
    await frame.locator('h1', { hasText: '270 → 5,130 calls' }).waitFor({ timeout: PATIENCE });
  },
  async 'both recordings, the current one and the comparison come back after a reload of the window'(page) {
    const current = page.locator('.statusbar-item', { hasText: 'heat-fixed.strace.gz' });
    await current.waitFor({ timeout: PATIENCE });
    const loaded = page.waitForEvent('load', { timeout: PATIENCE });
    await command(page, 'Developer: Reload Window');
    await loaded;
    // Nobody has asked for the extension.
    await current.filter({ hasText: '(+1)' }).waitFor({ timeout: PATIENCE });
    await until(async () => {
      await page.locator(`${COMPARISON} .monaco-list`).first().focus();
      await page.keyboard.press('Home');
      return compared(page, 'The run: worse').isVisible();
    }, 'the first row of the swapped comparison');
    const frame = await pageFrame(page);
    await frame.locator('h1', { hasText: '270 → 5,130 calls' }).waitFor({ timeout: PATIENCE });
  },
  async 'comparing ends'(page) {
    await command(page, 'I/O Lens: Stop Comparing');
    await compared(page, 'The run').waitFor({ state: 'detached', timeout: PATIENCE });
    await lens(page, '→').first().waitFor({ state: 'detached', timeout: PATIENCE });
    await page.locator('.tab', { hasText: /^Comparison/ }).waitFor({ state: 'detached', timeout: PATIENCE });
    await unfold(page, 'Findings');
    for (let open = 0; open < 2; open++) await command(page, 'I/O Lens: Close Recording');
  },
};
