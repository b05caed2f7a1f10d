// What the steps from outside share: how a person finds their way in the workbench, and screenshots.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const results = path.join(root, 'test-results');
const images = path.join(root, 'docs/images');

/** Milliseconds that anything may take on a busy machine. */
export const PATIENCE = 30_000;

function keep(name, picture) {
  const file = path.join(results, `${name}.png`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, picture);
  return file;
}

/** Takes a picture into test-results/; with "--update-images" it also becomes one of the documents'. */
export async function shot(page, name) {
  // What failed is shown as it is.
  const file = keep(name, name.startsWith('failed') ? await page.screenshot() : await settled(page));
  if (process.argv.includes('--update-images') && !name.startsWith('failed')) {
    mkdirSync(images, { recursive: true });
    const image = path.join(images, `${name}.png`);
    copyFileSync(file, image);
    // Pictures are an eighth of the package: 64 colours are enough for them. Without the tools they stay as they are.
    spawnSync('pngquant', ['--force', '--speed', '1', '--strip', '--output', image, '64', image]);
    spawnSync('zopflipng', ['-y', image, image]);
  }
}

/** Runs a command from the palette. What takes the focus meanwhile closes the palette: then it is asked for again. */
export async function command(page, name) {
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press('F1');
    try {
      await page.locator('.quick-input-widget input').fill(`>${name}`, { timeout: 3000 });
      await row.click({ timeout: 3000 });
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

/** A control of a view's bar: where it has no room there it stands in the bar's menu, which is opened then. */
export async function control(frame, locator) {
  const more = frame.getByRole('button', { name: 'More controls' });
  if (!(await locator.isVisible()) && (await more.getAttribute('aria-expanded')) === 'false') await more.click();
  await locator.waitFor({ timeout: PATIENCE });
  return locator;
}

/** The timeline with a row for each layer. */
export async function pressLayers(frame) {
  const layers = await control(frame, frame.getByRole('button', { name: 'Layers', exact: true }));
  await layers.click();
  // Where it is in the menu, that closes again: it would cover rows.
  await layers.press('Escape');
}

/** Goes to the first event of the timeline that a text finds. */
export async function searchEvents(frame, text) {
  const search = await control(frame, frame.locator('input[aria-label="Search events"]'));
  await search.fill(text);
  await search.press('Enter');
  await search.press('Escape');
}

/** The selection has a view of its own, whose rows are named like those of the others. */
const SELECTION = '.pane:has(> .pane-header[aria-label^="Selection"])';

/** Rows of the views of findings, call sites and files. */
export const rows = (page, text) =>
  page.locator(`.pane:not(${SELECTION}) .pane-body .monaco-list-row`, { hasText: text });

/** Settings for pictures: a cursor that blinks lets no three be alike where each takes half a second. */
export const STILL = { 'editor.cursorBlinking': 'solid', 'workbench.reduceMotion': 'on' };

/** Rows of the breadcrumb of what is selected. */
export const selectionRows = (page, text) => page.locator(`${SELECTION} .monaco-list-row`, { hasText: text });

/** Opens a view of the side bar that is folded. */
export async function unfold(page, title) {
  const header = page.locator('.pane-header', { hasText: title }).first();
  if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  await settled(page);
}

/** Waits for what no locator can tell. */
export async function until(look, what, patience = PATIENCE) {
  const end = performance.now() + patience;
  while (!(await look())) {
    if (performance.now() > end) assert.fail(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Waits until the picture stands still: what unfolds, scrolls or fades in is soon not where it would be clicked.
 * @returns the picture.
 */
export async function settled(page) {
  const pictures = [];
  try {
    await until(async () => {
      pictures.push(await page.screenshot());
      return pictures.length > 2 && pictures.slice(-3).every((picture) => picture.equals(pictures.at(-1)));
    }, 'the picture stands still');
  } catch (error) {
    // What it is that moves can only be seen.
    pictures.slice(-3).forEach((picture, i) => keep(`failed-moving-${i}`, picture));
    throw error;
  }
  return pictures.at(-1);
}

/**
 * Clicks the first row with this text when nothing moves any more, until it is seen to be chosen: each choice dims the
 * rows of all views anew, and the editor drops a click on a row that is replaced under it.
 */
export async function choose(page, text, isChosen) {
  for (let attempt = 1; ; attempt++) {
    await settled(page);
    await rows(page, text).first().click();
    try {
      await until(isChosen, `${text} is chosen`, PATIENCE / 5);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

/** Chooses a row that leads to the line that it names: "heat.c:22". */
export const chooseLine = (page, place) =>
  choose(page, place, async () => (await cursorLine(page)).startsWith(`Ln ${place.split(':')[1]},`));

const menuItem = (page, text) => page.locator('.context-view .action-item', { hasText: text });

/** Opens the menu of a row that has these entries. Rows move while trees are filled: it may be that of the row beside. */
export async function openMenu(page, row, ...entries) {
  for (let attempt = 1; ; attempt++) {
    await row.click({ button: 'right' });
    try {
      for (const entry of entries) await menuItem(page, entry).waitFor({ timeout: PATIENCE / 5 });
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** Chooses from the menu of a row. A menu that has just opened swallows clicks. */
export async function fromMenu(page, row, entry) {
  await openMenu(page, row, entry);
  const item = menuItem(page, entry);
  await until(async () => {
    await item.click({ timeout: 1000 }).catch(() => undefined);
    return (await item.count()) === 0;
  }, `the menu takes a click on ${entry}`);
}

/** The frame of a page for which something holds; pages of views are frames in frames, which come and go. */
export async function frameWhere(page, holds, what) {
  let found;
  await until(async () => {
    for (const frame of page.frames()) if (await holds(frame).catch(() => false)) found = frame;
    return found !== undefined;
  }, what);
  return found;
}

/** Folds a view of the side bar that is open: the others get its room. */
export async function fold(page, title) {
  const header = page.locator(`.pane-header[aria-label^="${title}"]`);
  // Farther right its buttons may stand.
  if ((await header.getAttribute('aria-expanded')) === 'true') await header.click({ position: { x: 20, y: 8 } });
  await settled(page);
}

const cursorLine = (page) => page.locator('#status\\.editor\\.selection').innerText();

export const cursorAt = (page, line) =>
  until(async () => (await cursorLine(page)).startsWith(`Ln ${line},`), `the cursor is on line ${line}`);

const offendingCall = (page) => page.locator('.view-line', { hasText: 'write(fd, line, 100)' }).first();

/** Its name: the line goes on with its numbers, and a click on the middle of all that would scroll. */
export const offendingWord = (page) =>
  offendingCall(page)
    .locator('span span', { hasText: /^write$/ })
    .first();

/** Moves the mouse over the text of the offending call until the hover with its evidence shows. */
export async function hoverFinding(page) {
  const hover = page.locator('.monaco-hover-content', { hasText: 'Many small writes' });
  for (let attempt = 0; attempt < 10 && !(await hover.first().isVisible()); attempt++) {
    const box = await offendingWord(page).boundingBox();
    await page.mouse.move(box.x + 12 + attempt, box.y + box.height / 2);
    await hover
      .first()
      .waitFor({ timeout: 2000 })
      .catch(() => undefined);
  }
  await hover.first().waitFor({ timeout: PATIENCE });
  return hover.first();
}

/** Opens the list of quick fixes on the open that a loop repeats; it stands some lines below the offending call. */
export async function openQuickFixes(page) {
  await page
    .locator('.view-line', { hasText: 'open(path, O_CREAT | O_APPEND' })
    .first()
    .locator('span span', { hasText: /^open$/ })
    .first()
    // The cursor of the last click stands over the word, and the click would wait until it is gone.
    .click({ force: true });
  await page.keyboard.press('Control+.');
}

const THEME_KINDS = { vs: 'vscode-light', 'vs-dark': 'vscode-dark', 'hc-black': 'vscode-high-contrast' };

/** Another theme, once the workbench and the pages of its views have it. */
export async function setTheme(page, workspace, theme, kind) {
  const file = path.join(workspace, '.vscode/settings.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), 'workbench.colorTheme': theme }));
  await page.locator(`.monaco-workbench.${kind}`).waitFor({ timeout: PATIENCE });
  const kindOf = (frame) => frame.evaluate('document.body?.dataset.vscodeThemeKind').catch(() => undefined);
  await until(async () => {
    const kinds = await Promise.all(page.frames().map(kindOf));
    return kinds.every((each) => each === undefined || each === THEME_KINDS[kind]);
  }, `all views are shown in ${theme}`);
}

/** The frame of the graph, once its nodes are drawn. */
export const graphFrame = (page) =>
  frameWhere(page, async (frame) => (await frame.locator('#canvas .node').count()) > 0, 'the graph is drawn');

/** The frame of the timeline, once rows are drawn. */
export const timelineFrame = (page) =>
  frameWhere(
    page,
    async (frame) =>
      (await frame.locator('#labels .row').count()) > 0 && (await frame.locator('#legend .chip').count()) > 0,
    'the timeline is drawn',
  );

const axe = readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** What keeps people from using a view with a keyboard or a screen reader, as it stands in the workbench. */
export async function axeFindsNothing(frame) {
  // The page's policy allows no scripts but its own; what the browser's tools evaluate is not under it.
  const found = await frame.evaluate(
    `${axe}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 160)))`,
  );
  assert.deepEqual(found, []);
}

/** Goes to a row of the menu of fixes. The menu takes keys, no clicks, while it is new. */
export async function goToFix(page, title) {
  const action = page.locator('.action-widget .monaco-list-row', { hasText: title });
  // What the editor asked by itself after a click it takes as late as 750 ms behind it, and drops what is asked by hand
  // just then (docs/decisions/0139): then the menu is asked for again.
  await until(
    async () => {
      await page.keyboard.press('Escape');
      await openQuickFixes(page);
      return action.waitFor({ timeout: PATIENCE / 5 }).then(
        () => true,
        () => false,
      );
    },
    `there is a fix ${String(title)}`,
  );
  await until(
    async () => {
      if ((await action.getAttribute('class')).includes('focused')) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    },
    `keys lead to ${String(title)}`,
  );
}
