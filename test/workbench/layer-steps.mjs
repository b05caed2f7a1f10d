// Steps through a recording of several layers: from the explorer to the line, its picture, the timeline, the graph, the
// loops, and a second recording of the same run.
import assert from 'node:assert/strict';
import {
  axeFindsNothing,
  command,
  cursorAt,
  graphFrame,
  PATIENCE,
  rows,
  setTheme,
  shot,
  timelineFrame,
  unfold,
} from './page.mjs';

const explorerRow = (page, text) => page.locator('.explorer-folders-view .monaco-list-row', { hasText: text });
const menuItem = (page, text) => page.locator('.context-view .action-item', { hasText: text });

/** Right click; a menu that has just opened swallows clicks. */
async function menuOf(page, row) {
  await row.click({ button: 'right' });
  await page.waitForTimeout(600);
}

async function everyTheme(page, workspace, name) {
  for (const [suffix, theme, kind] of [
    ['light', 'Default Light Modern', 'vs'],
    ['dark', 'Default Dark Modern', 'vs-dark'],
  ]) {
    await setTheme(page, workspace, theme, kind);
    await page.waitForTimeout(900);
    await shot(page, `${name}-${suffix}`);
  }
}

export const layerSteps = {
  async 'an archive opens by its anchor from the explorer'(page) {
    await page.locator('.activitybar .action-label[aria-label="I/O Lens"]').click();
    await page.waitForTimeout(1500);
    await shot(page, 'layers-00-empty');
    await page.keyboard.press('Control+Shift+E');
    await explorerRow(page, 'layers').first().click();
    await explorerRow(page, 'btio-simple').click();
    await explorerRow(page, 'traces.otf2').waitFor({ timeout: PATIENCE });
    await menuOf(page, explorerRow(page, 'traces.otf2'));
    await shot(page, 'layers-01-menu');
    await menuItem(page, 'Open Recording').click();
    await rows(page, 'Independent MPI-IO writes').first().waitFor({ timeout: PATIENCE });
    await page.waitForTimeout(1500);
    await shot(page, 'layers-02-opened');
  },
  async 'findings stand on the line of the upper call, with a hover'(page, workspace) {
    await rows(page, 'btio.c:72').first().click();
    await cursorAt(page, 72);
    const word = page
      .locator('.view-line', { hasText: 'MPI_File_write_at(' })
      .first()
      .locator('span span')
      .filter({ hasText: 'MPI_File_write_at' })
      .first();
    const box = await word.boundingBox();
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await page.mouse.move(box.x + 24, box.y + box.height / 2);
    await page.locator('.monaco-hover-content').first().waitFor({ timeout: PATIENCE });
    await page.waitForTimeout(1500);
    await shot(page, 'layers-03-hover');
    await page.mouse.move(5, 5);
  },
  async 'the picture of a pattern'(page, workspace) {
    await command(page, 'I/O Lens: Show Picture');
    await page.waitForTimeout(1500);
    await everyTheme(page, workspace, 'layers-04-picture');
  },
  async 'the timeline by layers'(page, workspace) {
    await command(page, 'I/O Lens: Show Timeline');
    const frame = await timelineFrame(page);
    await frame.locator('button', { hasText: 'Layers' }).click();
    await frame.locator('#labels .row', { hasText: 'MPI-IO' }).first().waitFor({ timeout: PATIENCE });
    await page.waitForTimeout(800);
    const search = frame.locator('input[aria-label="Search events"]');
    await search.fill('MPI_File_write_at');
    await search.press('Enter');
    await frame.locator('#detail-panel .layers').waitFor({ timeout: PATIENCE });
    await everyTheme(page, workspace, 'layers-05-timeline');
    await axeFindsNothing(frame);
    await frame.locator('#rows').focus();
    for (const key of ['j', 'u']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(900);
      await shot(page, `layers-06-timeline-${key}`);
    }
  },
  async 'the graph of one layer'(page, workspace) {
    await command(page, 'I/O Lens: Show Directly-Follows-Graph');
    const frame = await graphFrame(page);
    await page.waitForTimeout(800);
    await shot(page, 'layers-07-graph');
    await frame.locator('#layer').selectOption('all');
    await page.waitForTimeout(1500);
    await everyTheme(page, workspace, 'layers-08-graph-all');
    await axeFindsNothing(frame);
  },
  async 'the loops'(page, workspace) {
    await unfold(page, 'Loops');
    await page.waitForTimeout(1000);
    const loops = (text) =>
      page.locator('.pane:has(> .pane-header[aria-label^="Loops"]) .monaco-list-row', { hasText: text });
    await loops('rank 0').first().click();
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(1000);
    await loops('×').first().click();
    await page.keyboard.press('ArrowRight');
    await page.waitForTimeout(1200);
    await shot(page, 'layers-09-loops');
    await everyTheme(page, workspace, 'layers-10-loops');
  },
  async 'the report'(page) {
    await command(page, 'I/O Lens: Print or Export Report…');
    await page.waitForTimeout(1200);
    await shot(page, 'layers-11-export');
    await page.keyboard.press('Escape');
  },
  async 'what can be done with a recording'(page) {
    const row = page.locator('.pane:has(> .pane-header[aria-label^="Findings"]) .monaco-list-row').first();
    await menuOf(page, row);
    await shot(page, 'layers-12-row-menu');
    await page.keyboard.press('Escape');
    await command(page, 'I/O Lens: Replay Recording…');
    await page.waitForTimeout(800);
    await shot(page, 'layers-13-replay');
    await page.keyboard.press('Escape');
    await command(page, 'I/O Lens: Add a Recording of the Same Run…');
    await page.waitForTimeout(1200);
    await shot(page, 'layers-14-add');
    await page.keyboard.press('Escape');
    assert.ok(true);
  },
};
