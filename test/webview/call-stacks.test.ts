import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, MADE_UP, MADE_UP_TREE, openView, startBrowser, type OpenedView } from './report/browser.ts';
import { REPORT } from './report/made-up.ts';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'">';
const NOTHING = { labels: [], isMarked: false, findings: [], files: [], filesAreCut: false, ranks: [] };

describe.skipIf(!hasBrowser)('call stacks in the report (skipped without Chromium)', () => {
  let browser: Browser;
  let view: OpenedView;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    expect(view.problems).toEqual([]);
    await view.page.close();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(answers = MADE_UP): Promise<Page> {
    view = await openView(browser, { report: REPORT, answers });
    await view.page.getByRole('tab', { name: 'Call Stacks' }).click();
    await view.page.locator('.flame-room [data-block]').first().waitFor();
    return view.page;
  }

  const block = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) });
  const look = (page: Page, name: string) => page.getByLabel('View of the call stacks').selectOption(name);

  test('a click on a block leads to its line, and selects in all views', async () => {
    const page = await open();
    await block(page, 'save').click();
    await expect.poll(() => view.panel.said('openFrame')).toEqual([{ place: 2, line: 20 }]);
    expect(view.panel.said('select')).toEqual([{ kind: 'function', file: '/src/app.c', name: 'save' }]);
    // A call leads to the line that made it, through the library between them.
    await block(page, 'write').first().click();
    await expect.poll(() => view.panel.said('openFrame').at(-1)).toEqual({ place: 2, line: 20 });
    expect(view.panel.said('select').at(-1)).toEqual({ kind: 'call', call: 'write' });
  });

  test('the keyboard walks the chart, and looks at one block alone', async () => {
    const page = await open();
    await block(page, 'all calls').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    const focused = (): Promise<unknown> => page.evaluate(`document.activeElement.getAttribute('aria-label')`);
    expect(await focused()).toBe('load (app.c:30): 30 %, 3 ms');
    await page.keyboard.press('Enter');
    await expect.poll(() => view.panel.said('openFrame')).toEqual([{ place: 5, line: 30 }]);
    await page.keyboard.press('z');
    expect(await page.getByRole('treeitem').count()).toBe(2);
    expect(await page.locator('.flame-path').innerText()).toBe('all calls › main › load');
    await page.keyboard.press('0');
    expect(await page.getByRole('treeitem').count()).toBe(9);
    expect(await focused()).toMatch(/^all calls/);
  });

  test('the inverted tree begins with the calls, and unfolds to who made them', async () => {
    const page = await open();
    await look(page, 'inverted');
    const rows = (): Promise<string[]> => page.locator('[data-row] > td:first-child').allInnerTexts();
    const names = async (): Promise<string[]> => (await rows()).map((text) => text.replace(/[▾▸\s]+/g, ' ').trim());
    expect(await names()).toEqual([
      'write',
      'H5Dwrite',
      'save (app.c:20)',
      'main (app.c:10)',
      '(no call stack)',
      'read',
      'H5Dwrite',
    ]);
    await page.getByRole('row', { name: 'read' }).focus();
    await page.keyboard.press('ArrowRight');
    expect((await names()).slice(-2)).toEqual(['load (app.c:30)', 'H5Dwrite']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('c');
    await page.locator('.functions .is-selected', { hasText: 'load' }).waitFor();
  });

  test('around one function: what calls it above, what it calls below', async () => {
    const page = await open();
    await look(page, 'function');
    await page.locator('.functions button', { hasText: 'H5Dwrite' }).click();
    const names = (label: string): Promise<string[]> =>
      page.getByRole('tree', { name: label }).locator('text').allTextContents();
    expect(await names('What calls H5Dwrite')).toEqual(['H5Dwrite', 'save', 'main']);
    expect(await names('What H5Dwrite calls')).toEqual(['H5Dwrite', 'write']);
  });

  test('a search leaves the stacks that hold it, and says how much they are', async () => {
    const page = await open();
    await page.getByRole('searchbox').fill('LOAD');
    await page.getByText('with “LOAD”: 30 %').waitFor();
    expect(await page.getByRole('treeitem').count()).toBe(4);
    expect(await page.locator('.found').count()).toBe(1);
  });

  test('bytes and calls are other widths', async () => {
    const page = await open();
    await page.getByLabel('Weighed by').selectOption('bytes');
    await block(page, 'write').first().waitFor();
    expect(await block(page, 'write').first().getAttribute('aria-label')).toContain('88 %, 4 KiB');
  });

  test('only what is selected is asked for when it is wanted, and again when it changes', async () => {
    const page = await open();
    const only = page.getByRole('button', { name: 'Only selected' });
    expect(await only.isDisabled()).toBe(true);
    await view.panel.say('selection', { ...NOTHING, labels: ['rank 1'], isMarked: true });
    await only.click();
    await view.panel.say('selection', { ...NOTHING, labels: ['rank 2'], isMarked: true });
    await expect
      .poll(() => view.panel.asked('callTree').map(({ onlySelected }) => onlySelected))
      .toEqual([false, true, true]);
  });

  test('names of a recording are text', async () => {
    const places = MADE_UP_TREE.places.map((place) => ({
      ...place,
      name: place.name + HOSTILE,
      file: place.file + HOSTILE,
    }));
    const page = await open({ ...MADE_UP, callTree: () => ({ ...MADE_UP_TREE, places }) });
    for (const name of ['down', 'inverted', 'function']) await look(page, name);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
  });

  test('without call stacks it says how to get them', async () => {
    view = await openView(browser, {
      report: REPORT,
      answers: { ...MADE_UP, callTree: () => ({ ...MADE_UP_TREE, hasStacks: false }) },
    });
    await view.page.getByRole('tab', { name: 'Call Stacks' }).click();
    await view.page.getByText('The recording keeps no call stacks. iolens record keeps them').waitFor();
  });
});
