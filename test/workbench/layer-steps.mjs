// Steps through a recording of several layers: from the explorer to the line, its picture, the timeline, the graph, the
// loops, and a second recording of the same run.
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
const findingRows = (page, text) =>
  page.locator('.pane:has(> .pane-header[aria-label^="Findings"]) .monaco-list-row', { hasText: text });
const workspaceOf = (page) => new URL(page.url()).searchParams.get('folder');
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
  async 'a finding opens the line of the upper call'(page) {
    await rows(page, 'btio.c:72').first().click();
    await cursorAt(page, 72);
    await page.locator('.squiggly-warning').first().waitFor({ timeout: PATIENCE });
    // All archives have an anchor of this name: the folder is shown.
    await page.locator('.statusbar-item', { hasText: 'btio-simple: 3 findings' }).waitFor({ timeout: PATIENCE });
  },
  async 'the timeline by layers'(page, workspace) {
    await command(page, 'I/O Lens: Show Timeline');
    const frame = await timelineFrame(page);
    await frame.locator('button', { hasText: 'Layers' }).click();
    await frame.locator('#labels .row', { hasText: 'POSIX' }).first().waitFor({ timeout: PATIENCE });
    await page.waitForTimeout(800);
    const search = frame.locator('input[aria-label="Search events"]');
    await search.fill('MPI_File_write_at');
    await search.press('Enter');
    await frame.locator('#detail-panel .layers').waitFor({ timeout: PATIENCE });
    await everyTheme(page, workspace, 'layers-05-timeline');
    await axeFindsNothing(frame);
    await frame.locator('#rows').focus();
    await frame.locator('#detail-panel .layers').scrollIntoViewIfNeeded();
    await page.waitForTimeout(400);
    await shot(page, 'layers-06-timeline-details');
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
  async 'what can be done with a recording stands in the menu of its row'(page) {
    const row = findingRows(page, 'btio-simple').first();
    await menuOf(page, row);
    for (const entry of ['Add a Recording of the Same Run…', 'Replay Recording…'])
      await menuItem(page, entry).waitFor({ timeout: PATIENCE });
    await page.keyboard.press('Escape');
    await command(page, 'I/O Lens: Replay Recording…');
    await page
      .locator('.quick-input-list .monaco-list-row', { hasText: 'As advised' })
      .or(page.locator('.quick-input-list .monaco-list-row', { hasText: 'in turns' }))
      .waitFor({ timeout: PATIENCE });
    await shot(page, 'layers-13-replay');
    await page.keyboard.press('Escape');
    await command(page, 'I/O Lens: Close Recording');
  },
  async 'a folder opens as well; its patterns have a picture, in the hover and in a panel'(page, workspace) {
    await command(page, 'View: Close All Editors');
    await page.keyboard.press('Control+Shift+E');
    await menuOf(page, explorerRow(page, /^heat-each$/));
    await menuItem(page, 'Open Recording').click();
    await rows(page, 'Processes wait for the last one').first().waitFor({ timeout: PATIENCE });
    await rows(page, 'heat.c:45').first().click();
    await cursorAt(page, 45);
    await command(page, 'Show or Focus Hover');
    await page.waitForTimeout(1500);
    await shot(page, 'layers-20-hover');
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('PageDown');
      await page.waitForTimeout(500);
      await shot(page, `layers-21-hover-${i}`);
    }
    await page.keyboard.press('Escape');
    await menuOf(page, findingRows(page, 'Processes wait').first());
    await shot(page, 'layers-22-menu');
    await menuItem(page, 'Show Picture').click();
    await page.locator('.tab', { hasText: 'Picture of L24' }).waitFor({ timeout: PATIENCE });
    await everyTheme(page, workspace, 'layers-23-picture');
  },
  async 'a second recording of the same run is added'(page) {
    await command(page, 'I/O Lens: Add a Recording of the Same Run…');
    await page.waitForTimeout(1200);
    await page.keyboard.press('Control+a');
    await page.keyboard.type(`${workspaceOf(page)}/layers/heat-each-strace`);
    await page.waitForTimeout(800);
    await shot(page, 'layers-24-add');
    await page.locator('.quick-input-widget .monaco-button', { hasText: 'Add Recording' }).click();
    await page.waitForTimeout(5000);
    await shot(page, 'layers-25-added');
    await command(page, 'I/O Lens: Show Timeline');
    const frame = await timelineFrame(page);
    await frame.locator('button', { hasText: 'Layers' }).click();
    await page.waitForTimeout(1500);
    await shot(page, 'layers-26-timeline-joined');
    await axeFindsNothing(frame);
  },
};
