// Steps through the source and the side bar, with pictures in the themes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  choose,
  chooseLine,
  command,
  cursorAt,
  hoverFinding,
  offendingWord,
  openQuickFixes,
  PATIENCE,
  rows,
  selectionRows,
  setTheme,
  shot,
  unfold,
  until,
} from './page.mjs';

/** A picture of squiggle, hover, heat, totals and trees. */
async function picture(page, workspace, name, theme, kind) {
  await setTheme(page, workspace, theme, kind);
  await hoverFinding(page);
  await shot(page, name);
  await page.keyboard.press('Escape');
  await page.mouse.move(5, 5);
}

export const editorSteps = {
  async 'hot lines have a mark in the gutter and a colour of their own'(page) {
    await offendingWord(page).waitFor();
    const marks = page.locator('.glyph-margin-widgets .cgmr');
    await marks.first().waitFor({ timeout: PATIENCE });
    assert.ok((await marks.count()) >= 4, `${await marks.count()} marks`);
    const colours = await page
      .locator('.view-overlays .cdr')
      .evaluateAll((all) => all.map((one) => globalThis.getComputedStyle(one).backgroundColor));
    const seen = new Set(colours.filter((colour) => colour.startsWith('rgba(') && !colour.endsWith(' 0)')));
    assert.ok(seen.size >= 2, `the levels differ: ${[...seen].join(', ')}`);
  },
  async 'the views list call sites and files, and a row leads to its line'(page) {
    await unfold(page, 'Call Sites');
    await rows(page, 'heat.c:42').first().waitFor({ timeout: PATIENCE });
    await chooseLine(page, 'heat.c:42');
    await unfold(page, 'Files');
    await rows(page, 'cells.txt').first().waitFor({ timeout: PATIENCE });
    await choose(page, 'cells.txt', () => selectionRows(page, 'cells.txt').first().isVisible());
    await page.keyboard.press('ArrowRight');
    await rows(page, 'heat.c:22').last().waitFor({ timeout: PATIENCE });
  },
  async 'totals stand over functions'(page) {
    await command(page, 'I/O Lens: Toggle Totals over Functions');
    await page.locator('.codelens-decoration', { hasText: '4,096 I/O calls' }).waitFor({ timeout: PATIENCE });
  },
  async 'the walk leads to the caller with the keyboard alone'(page) {
    await offendingWord(page).click();
    await command(page, 'I/O Lens: Walk to Caller…');
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'main' });
    await row.waitFor({ timeout: PATIENCE });
    assert.match(await row.innerText(), /heat\.c:82[\s\S]*4,096 of 4,096 calls/);
    await page.keyboard.press('Enter');
    await cursorAt(page, 82);
    await chooseLine(page, 'heat.c:22');
  },
  async 'the delete key in the tree dismisses a finding, and the list brings it back'(page) {
    await chooseLine(page, 'heat.c:22');
    const squiggles = page.locator('.squiggly-warning');
    const before = await squiggles.count();
    await page.keyboard.press('Delete');
    await until(async () => (await squiggles.count()) < before, 'a squiggle less');
    await rows(page, 'Dismissed').first().waitFor({ timeout: PATIENCE });
    await command(page, 'I/O Lens: Show Dismissed Findings…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Many small writes' }).first().click();
    await page.keyboard.press('Enter');
    await until(async () => (await squiggles.count()) === before, 'the squiggle is there again');
  },
  async 'the status bar lists the recordings and what to do'(page) {
    await page.locator('.statusbar-item', { hasText: 'heat.strace.gz: 2 findings' }).click();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'heat.strace.gz' }).waitFor();
    for (const action of ['Show Directly-Follows-Graph', 'Close the Current Recording', 'Show Log'])
      await page.locator('.quick-input-list .monaco-list-row', { hasText: action }).waitFor({ timeout: PATIENCE });
    await page.keyboard.press('Escape');
  },
  async 'the events are exported as an OTF2 archive, where its library is'(page, workspace) {
    if (spawnSync('otf2-config', ['--version']).status !== 0) return;
    await command(page, 'I/O Lens: Export Events…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'OTF2' }).click();
    // The dialog proposes a name beside the recording.
    const name = page.locator('.quick-input-widget input[type="text"]').first();
    await until(async () => (await name.inputValue()).endsWith('.events.otf2'), 'the proposed name');
    await name.press('Enter');
    await page.locator('.notifications-toasts', { hasText: 'of events are in' }).waitFor({ timeout: PATIENCE });
    const archive = path.join(workspace, 'heat.strace.gz.events.otf2');
    assert.ok(existsSync(path.join(archive, 'traces.otf2')), archive);
    await command(page, 'Notifications: Clear All Notifications');
    rmSync(archive, { recursive: true });
  },
  async 'pictures in all kinds of theme'(page, workspace) {
    await page.keyboard.press('Escape');
    await picture(page, workspace, 'editor-light', 'Default Light Modern', 'vs');
    await picture(page, workspace, 'editor-high-contrast', 'Default High Contrast', 'hc-black');
    await picture(page, workspace, 'editor-high-contrast-light', 'Default High Contrast Light', 'hc-light');
    await picture(page, workspace, 'editor-dark', 'Default Dark Modern', 'vs-dark');
  },
  async 'a quick fix is looked at before it is made'(page) {
    await openQuickFixes(page);
    const action = page.locator('.action-widget .monaco-list-row', { hasText: /^Keep the file open/ });
    await action.waitFor({ timeout: PATIENCE });
    await page.keyboard.press('Control+Enter');
    await page.locator('.refactor-preview, .bulk-edit-panel').first().waitFor({ timeout: PATIENCE });
    const edit = page.locator('.bulk-edit-panel .monaco-list-row', { hasText: 'static int fd' }).first();
    await edit.waitFor({ timeout: PATIENCE });
    await edit.click();
    await shot(page, 'quick-fix-preview');
    await page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Discard' }).click();
    await page.locator('.tab', { hasText: 'Refactor Preview' }).waitFor({ state: 'detached', timeout: PATIENCE });
    // The preview took the place of the source, which was itself a preview. What it did to its copy moved no line.
    await chooseLine(page, 'heat.c:22');
  },
};
