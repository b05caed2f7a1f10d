import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Said } from '../../src/base/page-line.ts';
import type { GraphLine } from '../../src/features/graph/protocol.ts';
import { control } from './controls.ts';
import { openGraph, type OpenedGraph } from './graph/browser.ts';
import { GraphHost, writeManyFiles, writeRun } from './graph/recorded.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';

/** Another program may have the machine. */
const SOON = { timeout: 30_000 };
const RULES = JSON.stringify({ base: 'call', rules: [{ path: '/p/scratch/out/**', name: 'output' }] });

describe.skipIf(!hasBrowser)('the view of a graph (skipped without Chromium)', () => {
  let browser: Browser;
  let folder = '';
  let runs: string[] = [];
  let host: GraphHost;
  let view: OpenedGraph | undefined;

  beforeAll(async () => {
    browser = await startBrowser();
    folder = mkdtempSync(path.join(tmpdir(), 'iolens-graph-'));
    runs = [writeRun(folder, 'before', 3, 40), writeRun(folder, 'after', 2, 4), writeManyFiles(folder, 150)];
  });
  beforeEach(async () => {
    host = new GraphHost();
    await host.add([runs[0]!]);
    host.choices = { ...host.choices, mapping: 'call+file' };
  });
  afterEach(async () => {
    expect(view?.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    expect(view?.panel.problems).toEqual([]);
    await view?.page.close();
    view = undefined;
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(options: { theme?: string; state?: unknown; width?: number } = {}): Promise<Page> {
    view = await openGraph(browser, host, options);
    await drawn(1);
    return view.page;
  }
  const said = <Name extends keyof Said<GraphLine>>(name: Name): Said<GraphLine>[Name][] => view!.panel.said(name);
  const drawn = (times: number): Promise<void> => expect.poll(() => said('drawn').length, SOON).toBe(times);
  const node = (page: Page, activity: string): Locator => page.locator(`.node[data-activity="${activity}"]`);
  /** Where each node stands, by its activity. */
  const places = (page: Page): Promise<Record<string, string>> =>
    page.evaluate(`Object.fromEntries([...document.querySelectorAll('.node')]
      .map((node) => [node.dataset.activity, node.getAttribute('transform')]))`);

  test.each([300, 380, 640, 1280])('the controls are whole in a panel %i pixels wide', async (width) => {
    host.offers = { mappings: [], recordings: [{ name: 'a/folder/with/a/long/name/run.strace', paths: runs }] };
    const page = await open({ width });
    await (await control(page, page.locator('#colour'))).selectOption('partition');
    await control(page, page.getByRole('button', { name: 'PNG' }));
    const faults = await page.evaluate(`(() => {
      const shown = [...document.querySelectorAll('#toolbar :is(select, input, button, vscode-button, vscode-textfield)')]
        .filter((control) => control.offsetParent !== null);
      const beyond = shown.filter((control) => control.getBoundingClientRect().right > innerWidth);
      const pen = document.createElement('canvas').getContext('2d');
      const cut = shown.filter((control) => {
        if (control.tagName !== 'SELECT') return false;
        pen.font = getComputedStyle(control).font;
        // Beside the text stands an arrow.
        return pen.measureText(control.selectedOptions[0].label).width + 20 > control.clientWidth;
      });
      const rows = new Set(['−', '+', 'Fit'].map((text) =>
        shown.find((control) => control.textContent === text).getBoundingClientRect().top));
      return { beyond: beyond.map(({ id }) => id), cut: cut.map(({ id }) => id), rows: rows.size };
    })()`);
    expect(faults).toEqual({ beyond: [], cut: [], rows: 1 });
    await (await control(page, page.locator('#base'))).selectOption({ label: 'run.strace' });
    expect(await page.locator('#base option').last().getAttribute('title')).toBe(
      'a/folder/with/a/long/name/run.strace',
    );
  });

  test('folders stand in boxes, collapse to one node with its own numbers, and expand to where they were', async () => {
    const page = await open();
    const before = await places(page);
    const handle = page.getByRole('button', { name: 'Folder /p/scratch, 5 activities' });
    expect(await handle.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('button', { name: 'Fit' }).click();
    await handle.click();
    await drawn(2);
    const collapsed = node(page, '/p/scratch/**');
    expect(await collapsed.getAttribute('aria-label')).toMatch(/5 activities, 162 events/);
    expect(await page.locator('.node-text text').allTextContents()).toContain('/p/scratch');
    expect((await places(page))['read:/home/me/config']).toBe(before['read:/home/me/config']);
    const expander = page.getByRole('button', { name: 'Folder /p/scratch, 5 activities' });
    expect(await expander.getAttribute('aria-expanded')).toBe('false');
    await expander.click();
    await drawn(3);
    expect(await places(page)).toEqual(before);
    expect(await page.evaluate('kept.choices.collapsed')).toEqual([]);
  });

  test('the keyboard reaches nodes and folders, and stays where it was', async () => {
    const page = await open();
    await page.locator('[tabindex="0"].node').focus();
    for (let step = 0; step < 20; step++) {
      await page.keyboard.press(step % 4 === 3 ? 'ArrowLeft' : 'ArrowUp');
      if (await page.evaluate(`document.activeElement.dataset.folder === '/p/scratch'`)) break;
    }
    expect(await page.evaluate(`document.activeElement.dataset.folder`)).toBe('/p/scratch');
    await page.keyboard.press('Enter');
    await drawn(2);
    await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('aria-expanded')`), SOON).toBe('false');
    await page.keyboard.press('Space');
    await drawn(3);
    await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('aria-expanded')`), SOON).toBe('true');
    expect(await page.locator('#canvas [tabindex="0"]').count()).toBe(1);
  });

  test('an activity shows when it was, by case, and how many at once', async () => {
    const page = await open();
    await node(page, 'write:/p/scratch/out/cells.dat').click();
    const figure = page.locator('#selection figure');
    await figure.waitFor();
    expect(await figure.locator('figcaption').innerText()).toMatch(
      /write:\/p\/scratch\/out\/cells\.dat in before: 3 cases, at most \d at once/,
    );
    const isDrawn = (): Promise<boolean> =>
      page.evaluate(`(() => {
        const canvas = document.querySelector('#selection canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value) => value > 0);
      })()`);
    expect(await isDrawn()).toBe(true);
    expect(await figure.locator('canvas').getAttribute('aria-label')).toContain('The table below says the same');
    await figure.getByText('As a table').click();
    const rows = await figure.locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t').slice(0, 2))).toEqual([
      ['before_host1_0', '40'],
      ['before_host1_1', '40'],
      ['before_host1_2', '40'],
      ['at once, at most', ''],
    ]);
    const box = (await figure.locator('canvas').boundingBox())!;
    await page.mouse.move(box.x + 400, box.y + 8);
    expect(await figure.locator('.hover').innerText()).toMatch(
      /before_host1_0: \d+ begin, .* under way; at most \d at once/,
    );
    expect(view!.panel.asked('timeline')[0]!.bins).toBeLessThanOrEqual(600);
  });

  test('thresholds hide, say what they hide, and move nothing', async () => {
    const page = await open();
    const before = await places(page);
    await (await control(page, page.getByLabel('Show activities'))).selectOption('0.05');
    await page.locator('#status', { hasText: 'Hidden: 3 of 6 activities' }).waitFor();
    const after = await places(page);
    expect(Object.keys(after).length).toBe(3);
    for (const [activity, place] of Object.entries(after)) expect(place).toBe(before[activity]);
    expect(await page.locator('.edge.bridge').count()).toBeGreaterThan(0);
    expect(await page.locator('#status').innerText()).toContain('dotted edges lead by way of hidden activities');
    expect(await page.evaluate('kept.display.leastShare')).toBe(0.05);
    expect(said('choose')).toEqual([]);
    await (await control(page, page.getByLabel('Show activities'))).selectOption('0');
    await expect.poll(() => places(page), SOON).toEqual(before);
  });

  test('of a large graph the costliest are shown, back and forth as one line, unless the user wants all', async () => {
    await host.add([runs[2]!]);
    const page = await open();
    expect(await page.locator('#status').innerText()).toMatch(
      /Hidden: 220 of 300 activities \(.* of the cost\) and \d+ of \d+ edges/,
    );
    expect(await page.locator('.node').count()).toBe(80);
    expect(await page.locator('#joined').isChecked()).toBe(true);
    await (await control(page, page.getByLabel('Show activities'))).selectOption('0');
    await expect.poll(() => page.locator('.node').count(), { timeout: 30_000 }).toBe(300);
  });

  test('“Lay out” lays out anew', async () => {
    const page = await open();
    await (await control(page, page.getByLabel('Show activities'))).selectOption('0.05');
    await page.locator('#status', { hasText: 'Hidden' }).waitFor();
    const before = await places(page);
    await (await control(page, page.getByRole('button', { name: 'Lay out' }))).click();
    await expect.poll(() => places(page), SOON).not.toEqual(before);
  });

  test('a mapping is written, previewed, applied, and saved', async () => {
    const page = await open();
    await (await control(page, page.getByRole('button', { name: 'Edit…' }))).click();
    const editor = page.getByRole('region', { name: 'Mapping', exact: true });
    await editor.getByText('6 activities of 165 events').waitFor();
    await editor.getByLabel('Calls that no rule names').selectOption('');
    await editor.getByLabel('Call groups').fill('read* = read|lseek');
    await editor.getByRole('button', { name: 'Add rule' }).click();
    await editor.getByLabel('Path of the rule').fill('/p/**/*.h5');
    await editor.getByLabel('Calls of the rule').fill('read*');
    await editor.getByLabel('Activity of the rule').fill('input by {call}');
    await editor.getByText('1 activities of 36 events').waitFor();
    const lists = editor.locator('.scrolling');
    expect(await lists.first().innerText()).toContain('input by read*\t36');
    expect(await lists.last().innerText()).toMatch(
      /129 events are left out[\s\S]*write:\/p\/scratch\/out\/cells\.dat\t120/,
    );
    expect(said('choose')).toEqual([]);
    await editor.getByRole('textbox', { name: 'Name' }).fill('mine');
    await editor.getByRole('button', { name: 'Save', exact: true }).click();
    await editor.getByRole('button', { name: 'Apply' }).click();
    await drawn(2);
    expect(Object.keys(await places(page))).toEqual(['input by read*']);
    expect(await page.locator('#mapping option:checked').innerText()).toBe('mine');
    expect(said('saveMapping')[0]).toMatchObject({ name: 'mine', rules: said('choose')[0]!.rules });
  });

  test('what is wrong with a mapping is said before it is applied', async () => {
    const page = await open();
    await (await control(page, page.getByRole('button', { name: 'Edit…' }))).click();
    await page.getByLabel('Site variables').fill('SCRATCH');
    await page.getByText('Site variables, line 1: write NAME = VALUE').waitFor();
    await page.getByLabel('Site variables').fill('SCRATCH = relative');
    await page.getByText('siteVariables must be absolute paths').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('#editor').isVisible()).toBe(false);
  });

  test('two recordings are laid over each other, with both counts and what changed', async () => {
    await host.add([runs[1]!]);
    host.offers = { mappings: [], recordings: [{ name: 'before', paths: [runs[0]!] }] };
    const page = await open();
    await (await control(page, page.getByLabel('Compare with'))).selectOption('before');
    await page.keyboard.press('Escape');
    await drawn(2);
    const edge = page.locator(
      '.edge[data-from="write:/p/scratch/out/cells.dat"][data-to="write:/p/scratch/out/cells.dat"]',
    );
    expect(await edge.locator('text').textContent()).toBe('117 → 6');
    expect(await edge.locator('title').textContent()).toContain('base 117, new 6 (−111)');
    expect(await node(page, 'write:/p/scratch/out/cells.dat').getAttribute('aria-label')).toContain('120 → 8 events');
    expect(await page.locator('#legend .comparison').isVisible()).toBe(true);
    await page.getByText('Nodes and edges as tables').click();
    const [first] = await page.locator('#table table').last().locator('tbody tr').allInnerTexts();
    expect(first).toBe('write:/p/scratch/out/cells.dat → write:/p/scratch/out/cells.dat\t117\t6\t−111');
    expect(await page.locator('#status').innerText()).toContain('after compared with before');
  });

  test('the picture is the whole graph, with the colours of the theme', async () => {
    const page = await open();
    await (await control(page, page.getByRole('button', { name: 'SVG' }))).click();
    await expect.poll(() => said('picture').length, SOON).toBe(1);
    const { content } = said('picture')[0]!;
    expect(content).toMatch(/^<svg [^>]*viewBox=/);
    expect(content).not.toContain('var(--');
    expect(content).toContain('cells.dat');
    await (await control(page, page.getByRole('button', { name: 'PNG' }))).click();
    await expect.poll(() => said('picture').length, SOON).toBe(2);
    expect(said('picture')[1]!.format).toBe('png');
  });

  test('comes back as it was', async () => {
    host.choices = { ...host.choices, mapping: 'rules', rules: RULES };
    const display = { leastShare: 0.01, leastCount: null, boxes: false, joined: true };
    const page = await open({ state: { paths: [runs[0]], choices: host.choices, display } });
    expect(await page.getByLabel('Show activities').inputValue()).toBe('0.01');
    expect(await page.locator('.folder').count()).toBe(0);
    expect(await page.locator('#mapping option:checked').innerText()).toBe('rules of your own');
    expect(Object.keys(await places(page))).toContain('output');
  });

  test('nothing of a recording becomes markup', async () => {
    const page = await open();
    const hostile = '<img src=x onerror="document.title=\'owned\'">\u202e';
    const made = await host.made();
    const poisoned = JSON.parse(
      JSON.stringify(made).replaceAll('cells.dat', JSON.stringify(hostile).slice(1, -1)),
    ) as typeof made;
    await view!.panel.say('graph', poisoned);
    await drawn(2);
    await node(page, `read:/p/scratch/in/mesh.h5`).click();
    await page.locator('#selection figure').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Graph');
    expect(await page.locator('#canvas').textContent()).not.toContain('\u202e');
  });

  test.each(['dark', 'light', 'high-contrast'])(
    'axe finds nothing to complain about in the %s theme',
    async (theme) => {
      await host.add([runs[1]!]);
      host.offers = { mappings: [{ name: 'mine', rules: RULES }], recordings: [{ name: 'before', paths: [runs[0]!] }] };
      const page = await open({ theme });
      await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
      const complaints = async (state: string): Promise<void> => {
        const violations = await page.evaluate(
          `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 140)).join(' | ')))`,
        );
        expect(violations, state).toEqual([]);
      };
      await complaints('as it opens');
      await page.getByRole('button', { name: 'Fit' }).click();
      await page.getByRole('button', { name: 'Folder /p/scratch, 5 activities' }).click();
      await drawn(2);
      await node(page, '/p/scratch/**').click();
      await page.locator('#selection figure').waitFor();
      await page.getByText('As a table').click();
      await complaints('a collapsed folder selected');
      await (await control(page, page.getByLabel('Compare with'))).selectOption('before');
      await page.keyboard.press('Escape');
      await drawn(3);
      await page.getByText('Nodes and edges as tables').click();
      await page.getByText('Activity log').click();
      await complaints('compared, with tables');
      await (await control(page, page.getByRole('button', { name: 'Edit…' }))).click();
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.locator('#editor .scrolling').first().waitFor();
      await complaints('editor of mappings');
    },
  );
});
