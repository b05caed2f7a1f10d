// Clicks through the packaged extension in a real workbench as a person would, and takes the screenshots of the README.
// "--update-images" puts them into docs/images; they always lie in test-results/.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { makePackage, vsixFile } from '../../scripts/package.mjs';
import { CHROMIUM, installExtension, setUpTestWorkbench, startWorkbench } from '../../scripts/workbench.mjs';
import { comparisonSteps } from './comparison-steps.mjs';
import { editorSteps } from './editor-steps.mjs';
import {
  axeFindsNothing,
  chooseLine,
  command,
  control,
  cursorAt,
  fromMenu,
  goToFix,
  graphFrame,
  hoverFinding,
  PATIENCE,
  fold,
  rows,
  shot,
  STILL,
  unfold,
} from './page.mjs';
import { jobTimelineSteps } from './job-timeline-steps.mjs';
import { layerSteps } from './layer-steps.mjs';
import { reportSteps } from './report-steps.mjs';
import { selectionSteps } from './selection-steps.mjs';
import { timelineSteps } from './timeline-steps.mjs';
import { trialSteps } from './trial-steps.mjs';
import { addLayers, makeWorkspace } from './workspace.mjs';

setUpTestWorkbench();
makePackage();

const openingSteps = {
  async 'the recording opens from the explorer'(page) {
    const recording = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'heat.strace.gz' });
    await fromMenu(page, recording, 'Open Recording');
    await page.locator('.squiggly-warning').first().waitFor({ timeout: PATIENCE });
    await cursorAt(page, 22);
  },
  async 'the tree lists the findings'(page) {
    await rows(page, 'Many small writes').first().waitFor({ timeout: PATIENCE });
    await chooseLine(page, 'heat.c:35');
    await chooseLine(page, 'heat.c:22');
  },
};

/** Before any graph is open in an editor. */
const graphViewSteps = {
  async 'a view of the side bar has what is around the line'(page) {
    await chooseLine(page, 'heat.c:22');
    for (const view of ['Selection', 'Findings', 'Call Sites', 'Files', 'Loops']) await fold(page, view);
    await unfold(page, 'Graph');
    const frame = await graphFrame(page);
    await cursorAt(page, 22);
    await frame.locator('.node.selected[data-activity="write:/home/hpc"]').waitFor({ timeout: PATIENCE });
    await axeFindsNothing(frame);
    await shot(page, 'graph-view');
    await fold(page, 'Graph');
    for (const view of ['Selection', 'Findings']) await unfold(page, view);
  },
};

const graphSteps = {
  async 'the graph shows beside the source, and a node leads to its line'(page) {
    await command(page, 'I/O Lens: Show Directly-Follows-Graph');
    const frame = await graphFrame(page);
    const names = await frame
      .locator('#canvas .node')
      .evaluateAll((nodes) => nodes.map((node) => node.dataset.activity));
    assert.ok(names.includes('write:/home/hpc'), names.join(', '));
    await axeFindsNothing(frame);
    await frame.locator('#toolbar').getByRole('button', { name: 'Fit' }).click();
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
    await (await control(frame, frame.locator('#system'))).check();
    await frame
      .locator('.node[data-activity="read:/usr/lib/x86_64-linux-gnu/libc.so.6"]')
      .waitFor({ timeout: PATIENCE });
    await (await control(frame, frame.locator('#filter input'))).fill('results');
    await frame.locator('#filter').press('Enter');
    await frame
      .locator('.node[data-activity="read:/usr/lib/x86_64-linux-gnu/libc.so.6"]')
      .waitFor({ state: 'detached', timeout: PATIENCE });
  },
  async 'a node shows when it was, and a folder is one node'(page) {
    const frame = await graphFrame(page);
    await (await control(frame, frame.locator('#filter input'))).fill('');
    await frame.locator('#filter').press('Enter');
    await (await control(frame, frame.locator('#system'))).uncheck();
    // The menu would cover nodes.
    await frame.locator('#system').press('Escape');
    await frame.locator('.node[data-activity="write:/home/hpc/heat/results/cells.txt"]').waitFor({ timeout: PATIENCE });
    await frame.locator('#toolbar').getByRole('button', { name: 'Fit' }).click();
    await frame.locator('.node[data-activity="write:/home/hpc/heat/results/cells.txt"]').click();
    await frame.locator('#selection figure canvas').waitFor({ timeout: PATIENCE });
    await frame.locator('#canvas .toggle[aria-expanded="true"]').first().focus();
    const folder = await frame.locator('#canvas .toggle[aria-expanded="true"]').first().getAttribute('data-folder');
    await frame.locator('#canvas .toggle[aria-expanded="true"]').first().press('Enter');
    await frame.locator(`.node.collapsed[data-activity="${folder}/**"]`).waitFor({ timeout: PATIENCE });
    await frame.locator('#canvas .toggle[aria-expanded="false"]').first().press('Enter');
    await frame.locator('.node.collapsed').waitFor({ state: 'detached', timeout: PATIENCE });
  },
  async 'hover, squiggle and graph side by side'(page) {
    // All of it would be too small to be read.
    const frame = await graphFrame(page);
    for (let times = 0; times < 3; times++)
      await frame.locator('#toolbar').getByRole('button', { name: 'Zoom in' }).click();
    await hoverFinding(page);
    await shot(page, 'editor-hover-graph');
    await page.keyboard.press('Escape');
  },
  async 'a quick fix is looked at, then changes the code'(page) {
    await goToFix(page, /^Keep the file open/);
    await shot(page, 'quick-fix');
    await page.keyboard.press('Escape');
    await goToFix(page, /^Preview: Keep the file open/);
    await page.keyboard.press('Enter');
    await page
      .locator('.monaco-diff-editor .view-line', { hasText: 'static int fd = -1' })
      .first()
      .waitFor({ timeout: PATIENCE });
    await shot(page, 'fix-as-diff');
    await page.locator('.editor-actions [aria-label^="Apply This Fix"]').first().click();
    await page.locator('.monaco-diff-editor').first().waitFor({ state: 'detached', timeout: PATIENCE });
    await page.locator('.view-line', { hasText: 'static int fd = -1' }).first().waitFor({ timeout: PATIENCE });
    // The code stands where the preview stood, beside the graph.
    await page.locator('.tab', { hasText: 'I/O Graph' }).waitFor({ timeout: PATIENCE });
    assert.equal(await page.locator('.editor-group-container').count(), 2);
  },
};

const closingSteps = {
  async 'closing the recording takes everything away'(page) {
    await command(page, 'I/O Lens: Close Recording');
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached', timeout: PATIENCE });
    await page.locator('.tab', { hasText: 'I/O Graph' }).waitFor({ state: 'detached', timeout: PATIENCE });
  },
};

/** What needs nothing of the others: where one fails on a busy machine, it alone is gone through once more. */
const walks = {
  editor: {
    ...openingSteps,
    ...graphViewSteps,
    ...editorSteps,
    ...selectionSteps,
    ...timelineSteps,
    ...graphSteps,
    ...closingSteps,
  },
  trial: { ...openingSteps, ...trialSteps, ...closingSteps },
  comparison: comparisonSteps,
  report: { ...reportSteps, ...jobTimelineSteps },
  layers: layerSteps,
};
/** Parts of a walk that can be gone alone. */
const parts = {
  graph: { ...openingSteps, ...graphViewSteps, ...graphSteps },
  selection: { ...openingSteps, ...editorSteps, ...selectionSteps },
  timeline: { ...openingSteps, ...timelineSteps },
};
const named = { ...walks, ...parts };
const wanted = process.argv.filter((word) => Object.hasOwn(named, word));

/** A workbench with the extension and a workspace of its own, and a page that shows it. */
async function openWorkbench() {
  const extensions = mkdtempSync(path.join(tmpdir(), 'iolens-extensions-'));
  installExtension(vsixFile(), extensions);
  const workspace = makeWorkspace();
  addLayers(workspace);
  const workbench = await startWorkbench({
    extensions,
    settings: {
      'workbench.colorTheme': 'Default Dark Modern',
      'editor.fontSize': 13,
      'explorer.openEditors.visible': 0,
      ...STILL,
    },
  });
  const browser = await chromium.launch(CHROMIUM);
  const page = await browser.newPage({ viewport: { width: 1680, height: 960 } });
  await page.goto(`http://${workbench.authority}/?folder=${workspace}`);
  await page
    .locator('.explorer-folders-view .monaco-list-row', { hasText: 'heat.strace.gz' })
    .waitFor({ timeout: PATIENCE });
  // The extension is known once its icon is there.
  await page.locator('.activitybar .action-label[aria-label="I/O Lens"]').waitFor({ timeout: PATIENCE });
  const close = async () => {
    await browser.close();
    workbench.stop();
    rmSync(workspace, { recursive: true, force: true });
    rmSync(extensions, { recursive: true, force: true });
  };
  return { page, workspace, close };
}

/** @returns what the first step that failed says, if one did. */
async function walk({ page, workspace }, steps) {
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(page, workspace);
      console.log(`  ✓ ${name}`);
    } catch (error) {
      await shot(page, `failed-${name.replaceAll(/\W+/g, '-')}`);
      return `${name}\n${error.stack ?? error}\n${await sideBar(page)}`;
    }
  }
}

/** What a picture shows that nobody has who only reads what was printed. */
async function sideBar(page) {
  const texts = async (selector) =>
    (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll('\n', ' '));
  const [headers, rows, messages] = await Promise.all(
    ['.sidebar .pane-header, .sidebar .title-label', '.sidebar .monaco-list-row', '.notification-toast'].map(texts),
  );
  return `    headers: ${headers.join(' | ')}\n    rows: ${rows.join(' | ')}\n    messages: ${messages.join(' | ')}`;
}

/** Each walk has a workbench and a workspace of its own: those before it changed sources and went to other views. */
async function walkInNewWorkbench(name) {
  const workbench = await openWorkbench();
  try {
    return await walk(workbench, named[name]);
  } finally {
    await workbench.close();
  }
}

let failed = 0;
for (const name of wanted.length > 0 ? wanted : Object.keys(walks)) {
  const failure = await walkInNewWorkbench(name);
  if (failure === undefined) continue;
  console.log(`  ↻ once more, after: ${failure}`);
  const again = await walkInNewWorkbench(name);
  if (again === undefined) continue;
  failed++;
  console.log(`  ✗ ${again}`);
}
process.exit(failed === 0 ? 0 : 1);
