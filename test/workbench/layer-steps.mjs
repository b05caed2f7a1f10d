// Steps through recordings of several layers: from the explorer to the line of the upper call, the timeline of its layers,
// the graph, the loops, the picture of a pattern, and a second recording beside the first.
import assert from 'node:assert/strict';
import {
  axeFindsNothing,
  chooseLine,
  command,
  control,
  cursorAt,
  fromMenu,
  graphFrame,
  openMenu,
  PATIENCE,
  pressLayers,
  rows,
  setTheme,
  settled,
  shot,
  timelineFrame,
  unfold,
  searchEvents,
} from './page.mjs';

const explorerRow = (page, text) => page.locator('.explorer-folders-view .monaco-list-row', { hasText: text });
const rowsOf = (page, view, text) =>
  page.locator(`.pane:has(> .pane-header[aria-label^="${view}"]) .monaco-list-row`, { hasText: text });
const choice = (page, text) => page.locator('.quick-input-list .monaco-list-row', { hasText: text });

async function inThemes(page, workspace, name) {
  for (const [suffix, theme, kind] of [
    ['light', 'Default Light Modern', 'vs'],
    ['high-contrast', 'Default High Contrast', 'hc-black'],
    ['dark', 'Default Dark Modern', 'vs-dark'],
  ]) {
    await setTheme(page, workspace, theme, kind);
    await shot(page, `${name}-${suffix}`);
  }
}

export const layerSteps = {
  async 'an archive opens by its anchor from the explorer, and is named by its folder'(page) {
    await command(page, 'View: Close All Editors');
    await page.keyboard.press('Control+Shift+E');
    await explorerRow(page, /^layers$/).click();
    await explorerRow(page, 'btio-simple').click();
    await fromMenu(page, explorerRow(page, 'traces.otf2'), 'Open Recording');
    await rows(page, 'Independent MPI-IO writes').first().waitFor({ timeout: PATIENCE });
    await page.locator('.statusbar-item', { hasText: 'btio-simple: 1 finding' }).waitFor({ timeout: PATIENCE });
    await chooseLine(page, 'btio.c:72');
    // Of the run, most of which is the start of MPI, its I/O is next to nothing.
    await page.locator('.squiggly-info').first().waitFor({ timeout: PATIENCE });
  },
  async 'the timeline leads from a call to what it became, and back'(page, workspace) {
    await command(page, 'I/O Lens: Show Timeline');
    const frame = await timelineFrame(page);
    await pressLayers(frame);
    for (const layer of ['MPI-IO', 'POSIX'])
      await frame.locator('#labels .row', { hasText: layer }).first().waitFor({ timeout: PATIENCE });
    await searchEvents(frame, 'MPI_File_write_at');
    const layers = frame.locator('#detail-panel .layers');
    await layers.filter({ hasText: 'Became POSIX: 1 call, 640 B' }).waitFor({ timeout: PATIENCE });
    await layers.scrollIntoViewIfNeeded();
    await inThemes(page, workspace, 'layers-timeline');
    await axeFindsNothing(frame);
    await frame.locator('#rows').focus();
    await page.keyboard.press('j');
    await frame.locator('#detail-panel h2', { hasText: /^pwrite$/ }).waitFor({ timeout: PATIENCE });
    await page.keyboard.press('u');
    await frame.locator('#detail-panel h2', { hasText: /^MPI_File_write_at$/ }).waitFor({ timeout: PATIENCE });
  },
  async 'the graph shows the calls of one layer, or of all'(page, workspace) {
    await command(page, 'I/O Lens: Show Directly-Follows-Graph');
    const frame = await graphFrame(page);
    const node = (name) => frame.locator(`#canvas .node[data-activity="${name}:/scratch/run"]`);
    await node('MPI_File_write_at').waitFor({ timeout: PATIENCE });
    assert.equal(await node('pwrite').count(), 0, 'the calls of the program');
    await (await control(frame, frame.locator('#layer'))).selectOption('all');
    await node('pwrite').waitFor({ timeout: PATIENCE });
    await inThemes(page, workspace, 'layers-graph');
    await axeFindsNothing(frame);
  },
  async 'loops unfold, and a call of theirs leads to its line'(page, workspace) {
    await unfold(page, 'Loops');
    await rowsOf(page, 'Loops', 'rank 0').first().click();
    await page.keyboard.press('ArrowRight');
    // The outer loop, one in it, its call; the first click of a row opens its line.
    for (const text of [/^9 × \[/, /^16 × \[/]) {
      await rowsOf(page, 'Loops', text).first().click();
      await page.keyboard.press('ArrowRight');
      await settled(page);
    }
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await cursorAt(page, 72);
    await inThemes(page, workspace, 'layers-loops');
  },
  async 'what can be done with a recording stands in the menu of its row'(page) {
    await openMenu(
      page,
      rowsOf(page, 'Findings', 'btio-simple').first(),
      'Replay Recording…',
      'Add a Recording of the Same Run…',
      'Export Events…',
    );
    await page.keyboard.press('Escape');
    await command(page, 'I/O Lens: Replay Recording…');
    await choice(page, 'in turns').waitFor({ timeout: PATIENCE });
    await shot(page, 'layers-replay');
    await page.keyboard.press('Escape');
    await command(page, 'I/O Lens: Print or Export Report…');
    await choice(page, 'HTML').waitFor({ timeout: PATIENCE });
    await page.keyboard.press('Escape');
    await command(page, 'I/O Lens: Close Recording');
  },
  async 'a folder opens as well, and a pattern has a picture'(page, workspace) {
    await command(page, 'View: Close All Editors');
    await page.keyboard.press('Control+Shift+E');
    await fromMenu(page, explorerRow(page, /^heat-each$/), 'Open Recording');
    const waits = rowsOf(page, 'Findings', 'Processes wait for the last one').first();
    await waits.waitFor({ timeout: PATIENCE });
    await chooseLine(page, 'heat.c:45');
    await fromMenu(page, waits, 'Show Picture');
    await page.locator('.tab', { hasText: 'Picture of L24' }).waitFor({ timeout: PATIENCE });
    await inThemes(page, workspace, 'layers-picture');
  },
  async 'a recording that is added is named beside the first'(page, workspace) {
    await command(page, 'I/O Lens: Add a Recording of the Same Run…');
    await page.locator('.quick-input-widget', { hasText: 'Add a recording of the same run' }).waitFor();
    await settled(page);
    // The dialog follows what is typed, not what is put in.
    await page.keyboard.press('Control+a');
    await page.keyboard.type(`${workspace}/layers/heat-each-strace`);
    const added = page.locator('.notification-list-item', {
      hasText: 'added heat-each-strace, times moved by 362.046 s',
    });
    const button = page.locator('.quick-input-widget .monaco-button', { hasText: 'Add Recording' });
    // A click may lead into the folder that was typed first; the next one takes it.
    for (let attempt = 0; attempt < 4 && (await button.isVisible()); attempt++) {
      await settled(page);
      await button.click();
      await added.waitFor({ timeout: 5_000 }).catch(() => undefined);
    }
    await added.waitFor({ timeout: PATIENCE });
    await rowsOf(page, 'Findings', 'with heat-each-strace').waitFor({ timeout: PATIENCE });
    await command(page, 'I/O Lens: Show Timeline');
    const frame = await timelineFrame(page);
    await pressLayers(frame);
    await frame.locator('#labels .row', { hasText: 'system call' }).first().waitFor({ timeout: PATIENCE });
    await shot(page, 'layers-joined');
    await axeFindsNothing(frame);
    await command(page, 'I/O Lens: Close Recording');
  },
};
