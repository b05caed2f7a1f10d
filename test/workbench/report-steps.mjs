// Steps through the report of a Darshan log, with pictures in the themes.
import assert from 'node:assert/strict';
import { axeFindsNothing, command, cursorAt, frameWhere, PATIENCE, setTheme, shot } from './page.mjs';

/** The frame of the report, once it is drawn. */
const reportFrame = (page) =>
  frameWhere(page, (frame) => frame.locator('#report [role="tab"]').first().isVisible(), 'the report is drawn');

const tab = (frame, name) => frame.getByRole('tab', { name });

const openFromExplorer = (page) =>
  page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'badmpi_4ranks.darshan' }).dblclick();

async function showExplorer(page) {
  await page.keyboard.press('Control+Shift+E');
  await page
    .locator('.explorer-folders-view .monaco-list-row', { hasText: 'badmpi_4ranks.darshan' })
    .waitFor({ timeout: PATIENCE });
}

export const reportSteps = {
  async 'a Darshan log opens from the explorer as a report'(page) {
    await command(page, 'View: Close All Editors');
    await showExplorer(page);
    await openFromExplorer(page);
    const frame = await reportFrame(page);
    assert.equal(await frame.locator('h1').innerText(), 'badmpi');
    const tiles = await frame.locator('.tile').allInnerTexts();
    assert.ok(
      tiles.some((text) => /^Processes\s+4/.test(text)),
      tiles.join(' | '),
    );
  },
  async 'its pictures in all kinds of theme'(page, workspace) {
    for (const [name, theme, kind] of [
      ['light', 'Default Light Modern', 'vs'],
      ['high-contrast', 'Default High Contrast', 'hc-black'],
      ['dark', 'Default Dark Modern', 'vs-dark'],
    ]) {
      await setTheme(page, workspace, theme, kind);
      await shot(page, `report-${name}`);
      await axeFindsNothing(await reportFrame(page));
    }
  },
  async 'the tabs are used with the keyboard'(page) {
    const frame = await reportFrame(page);
    await tab(frame, 'Overview').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await tab(frame, 'Findings').getAttribute('aria-selected'), 'true');
    await frame.locator('.finding').first().waitFor();
    await shot(page, 'report-findings');
  },
  async 'the other tabs show modules, ranks, files and the log'(page) {
    const frame = await reportFrame(page);
    for (const [name, content] of [
      ['Modules', '.picker button'],
      ['Ranks', 'figure canvas'],
      ['Files', 'table.sortable'],
      ['Log', 'table'],
    ]) {
      await tab(frame, name).click();
      await frame.locator(`[role="tabpanel"]:not([hidden]) ${content}`).first().waitFor({ timeout: PATIENCE });
      await shot(page, `report-${name.toLowerCase()}`);
    }
  },
  async 'a finding and a file are selected in all views'(page) {
    const frame = await reportFrame(page);
    await tab(frame, 'Findings').click();
    await frame.locator('.finding :is(button, vscode-button).select').first().click();
    await frame.locator('#breadcrumb', { hasText: 'Selected: M03' }).waitFor({ timeout: PATIENCE });
    await frame.locator('.finding.is-selected', { hasText: 'M03' }).waitFor({ timeout: PATIENCE });
    await page.locator('.statusbar-item', { hasText: 'M03' }).waitFor({ timeout: PATIENCE });
    await tab(frame, 'Files').click();
    await frame.locator('#panel-files :is(button, vscode-button).select', { hasText: '/header.dat' }).click();
    await frame.locator('tr.is-selected', { hasText: '/header.dat' }).waitFor({ timeout: PATIENCE });
    await shot(page, 'report-selection');
    await command(page, 'I/O Lens: Clear Selection');
    await frame.locator('.is-selected').first().waitFor({ state: 'detached', timeout: PATIENCE });
  },
  async 'files are sorted and filtered'(page) {
    const frame = await reportFrame(page);
    await tab(frame, 'Files').click();
    const paths = () => frame.locator('#panel-files tbody .path').allInnerTexts();
    await frame.locator('#panel-files th :is(button, vscode-button)[data-sort="path"]').click();
    await frame.locator('#panel-files th[aria-sort="ascending"]', { hasText: 'File' }).waitFor({ timeout: PATIENCE });
    const ascending = await paths();
    assert.deepEqual(ascending, [...ascending].sort());
    await frame.locator('#panel-files th :is(button, vscode-button)[data-sort="path"]').click();
    await frame.locator('#panel-files th[aria-sort="descending"]', { hasText: 'File' }).waitFor({ timeout: PATIENCE });
    assert.equal((await paths())[0], ascending.at(-1));
    await frame.locator('#panel-files input').fill('header');
    await frame.locator('#panel-files .count', { hasText: /in all/ }).waitFor({ timeout: PATIENCE });
    assert.ok((await paths()).every((text) => text.includes('header')));
    await frame.locator('#panel-files input').fill('');
  },
  async 'a snippet is copied'(page) {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const frame = await reportFrame(page);
    await tab(frame, 'Findings').click();
    const snippet = frame.locator('.snippet').first();
    const code = await snippet.locator('pre').innerText();
    await snippet.getByRole('button', { name: /^Copy/ }).click();
    await frame.locator('#status', { hasText: 'Copied.' }).waitFor({ timeout: PATIENCE });
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(copied.trim(), code.trim());
  },
  async 'a link leads to the source line beside the report'(page) {
    const frame = await reportFrame(page);
    await tab(frame, 'Findings').click();
    await frame.getByRole('button', { name: 'Open badmpi.c:21' }).first().click();
    await cursorAt(page, 21);
    assert.equal(await page.locator('.editor-group-container').count(), 2, 'the report stays in sight');
    await page.locator('.squiggly-warning, .squiggly-error, .squiggly-info').first().waitFor({ timeout: PATIENCE });
    await shot(page, 'report-source');
  },
  async 'a snippet is inserted at the cursor of the source'(page) {
    const frame = await reportFrame(page);
    const snippet = frame.locator('.snippet').first();
    const [line] = (await snippet.locator('pre').innerText()).split('\n');
    await snippet.getByRole('button', { name: /^Insert at Cursor/ }).click();
    await page
      .locator('.view-line', { hasText: line.trim().replaceAll(' ', '\u00a0') })
      .first()
      .waitFor({ timeout: PATIENCE });
    await command(page, 'Undo');
    await command(page, 'File: Revert File');
  },
  async 'the report comes back where it was after a reload of the window'(page) {
    const frame = await reportFrame(page);
    await tab(frame, 'Files').click();
    await frame.locator('#panel-files tbody tr').first().waitFor({ timeout: PATIENCE });
    const loaded = page.waitForEvent('load', { timeout: PATIENCE });
    await command(page, 'Developer: Reload Window');
    await loaded;
    await page.locator('.activitybar .action-label[aria-label="I/O Lens"]').waitFor({ timeout: PATIENCE });
    const again = await reportFrame(page);
    assert.equal(await tab(again, 'Files').getAttribute('aria-selected'), 'true');
  },
};
