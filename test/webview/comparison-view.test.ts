import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ComparisonDocument } from '../../src/export/comparison/comparison-document.ts';
import { comparisonText } from '../../src/export/comparison/comparison-text.ts';
import { byteChange } from '../../src/export/comparison/comparison-words.ts';
import { PLAIN } from '../../src/export/report/report-text.ts';
import { barriers, takeTheme } from '../support/webview-page.ts';
import { comparedRecordings, openComparison, type OpenedComparison } from './comparison/browser.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';

/** The machine may have other things to do. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });
const HOSTILE = '<img src=x onerror=alert(1)>';
const [BEFORE, AFTER] = ['demo/heat/heat.strace.gz', 'demo/heat/heat-fixed.strace.gz'];

describe.skipIf(!hasBrowser)('the view of a comparison (skipped without Chromium)', () => {
  let browser: Browser;
  let document: ComparisonDocument;
  let shown: OpenedComparison;
  beforeAll(async () => {
    browser = await startBrowser();
    document = await comparedRecordings([BEFORE], [AFTER]);
  });
  afterEach(() => {
    expect(shown.opened.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    expect(shown.panel.problems).toEqual([]);
    shown.opened.close();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(
    of: ComparisonDocument = document,
    options: Parameters<typeof openComparison>[2] = {},
  ): Promise<Page> {
    shown = await openComparison(browser, of, options);
    await eventually(() => shown.panel.said('drawn').length).toBeGreaterThan(0);
    return shown.opened.page;
  }

  const rows = (page: Page) => page.locator('[role=tabpanel]:not([hidden]) tbody tr');
  const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

  test('says first what became of the run, in the numbers of the command', async () => {
    const page = await open();
    const text = comparisonText(document, PLAIN);
    const head = await page.locator('main').innerText();
    for (const part of ['heat.strace.gz', 'heat-fixed.strace.gz', '5,130 → 270', ...document.notes])
      expect(head).toContain(part);
    const values = await page.locator('.tile .value').allInnerTexts();
    expect(values).toHaveLength(4);
    for (const value of values) for (const side of value.split(' → ')) expect(text).toContain(side);
    expect(await page.locator('h1').innerText(), 'their intervals overlap').toBe(
      '9.96 ms → 10.9 ms, within the intervals; 5,130 → 270 calls, 95 % fewer',
    );
    expect(await page.locator('header [role=status]').innerText()).toMatch(/better/);
    expect(await page.locator('.tile', { hasText: 'Time of the run' }).innerText()).toContain('no verdict');
  });

  test('findings stand with what became of them, their sentence and both costs', async () => {
    const page = await open();
    const first = rows(page).first();
    expect(await rows(page).count()).toBe(Math.min(50, document.insights.length));
    const [insight] = document.insights;
    const words = await first.innerText();
    for (const part of [insight!.code, insight!.title, insight!.change]) expect(words).toContain(part);
    await page.locator('input[type=search]').fill('gone P06');
    await eventually(() => rows(page).count()).toBe(1);
    expect(await rows(page).first().innerText()).toMatch(/P06 Many small writes\s+heat\.c:22/);
    expect(await rows(page).locator('.bar').count(), 'one side only').toBe(1);
  });

  test('lines are sorted by any column, in the order of the comparison first', async () => {
    const page = await open();
    await tab(page, 'Lines').click();
    await eventually(() => rows(page).count()).toBe(Math.min(50, document.lines.length));
    const [line] = document.lines;
    expect(await rows(page).first().innerText()).toContain(`:${(line!.new ?? line!.base)!.line}`);
    const most = document.lines.reduce((a, b) => (Math.abs(b.bytes.change) > Math.abs(a.bytes.change) ? b : a));
    await page.getByRole('button', { name: 'Bytes' }).click();
    await eventually(() => shown.panel.asked('rows').at(-1)!.query.sort).toBe('bytes');
    await eventually(() => rows(page).first().innerText()).toContain(byteChange(most.bytes));
    await eventually(() => page.locator('th[aria-sort=descending]').innerText()).toBe('Bytes ↓');
  });

  test('a row is chosen by click and by key; all that can be done is said to the editor', async () => {
    const page = await open();
    await page.locator('input[type=search]').fill('small writes heat.c');
    await eventually(() => rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Open P06 Many small writes, heat.c:22' }).click();
    const number = document.insights.findIndex(({ code, change }) => code === 'P06' && change === 'gone');
    await eventually(() => shown.panel.said('choose')).toEqual([{ table: 'findings', number }]);
    await tab(page, 'Lines').focus();
    await page.keyboard.press('Enter');
    await eventually(() => rows(page).count()).toBeGreaterThan(1);
    await rows(page).first().getByRole('button').focus();
    await page.keyboard.press('Enter');
    await eventually(() => shown.panel.said('choose').at(-1)).toEqual({ table: 'lines', number: 0 });
    for (const [name, said] of [
      ['Graph of Both', 'showGraph'],
      ['Both in the Timeline', 'showTimeline'],
      ['Swap Sides', 'swap'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await eventually(() => shown.panel.said(said).length).toBe(1);
    }
  });

  test('the sides are swapped under the same tab, which is kept', async () => {
    const page = await open(document, { state: { tab: 'lines' } });
    expect(await tab(page, 'Lines').getAttribute('aria-selected')).toBe('true');
    const before = await page.locator('h1').innerText();
    await shown.show(await comparedRecordings([AFTER], [BEFORE]));
    await eventually(() => page.locator('h1').innerText()).not.toBe(before);
    expect(await page.locator('h1').innerText()).toContain('270 → 5,130 calls, 19 times as many');
    expect(await tab(page, 'Lines').getAttribute('aria-selected')).toBe('true');
  });

  test('several runs of a side stand with their spread, one by one; one each says that none is known', async () => {
    const page = await open();
    await tab(page, 'Spread').click();
    const panel = page.getByRole('tabpanel', { name: 'Spread' });
    expect(await panel.innerText()).toContain('how much of the difference is noise is not known');
    expect(await panel.locator('.dot').count()).toBe(6);
    shown.opened.close();
    const several = await open(await comparedRecordings([BEFORE, AFTER], [AFTER]));
    await tab(several, 'Spread').click();
    const spread = several.getByRole('tabpanel', { name: 'Spread' });
    expect(await spread.innerText()).toContain('2 runs before, 1 run after');
    expect(await spread.locator('figure').first().locator('.base .dot').count()).toBe(2);
    expect(await spread.getByRole('heading', { name: 'Lines with the largest changes' }).count()).toBe(1);
    const label = await spread.locator('svg.base').first().getAttribute('aria-label');
    expect(label).toMatch(/^Base: .+ \(.+–.+\); runs: .+, .+$/);
  });

  test('names of recordings stay text', async () => {
    const text = JSON.stringify(document).replaceAll('heat.c', `${HOSTILE}.c`).replaceAll('emit', HOSTILE);
    const page = await open(JSON.parse(text.replaceAll('small writes', HOSTILE)) as ComparisonDocument);
    for (const name of ['Lines', 'Files', 'Functions', 'Calls', 'Layers', 'Spread']) await tab(page, name).click();
    await eventually(() => page.locator('main').textContent()).toContain(HOSTILE);
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('what is not here is selected, not opened', async () => {
    const text = JSON.stringify(document).replaceAll('"isHere":true', '"isHere":false');
    const page = await open(JSON.parse(text) as ComparisonDocument);
    expect(await page.getByRole('button', { name: /^Open / }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Select the calls of P06/ }).count()).toBeGreaterThan(0);
  });

  test('axe finds nothing to complain about in any tab and theme', async () => {
    const page = await open();
    for (const name of ['Findings', 'Lines', 'Files', 'Functions', 'Calls', 'Layers', 'Spread']) {
      await tab(page, name).click();
      expect(await barriers(page), name).toEqual([]);
    }
    for (const theme of ['light', 'high-contrast', 'high-contrast-light']) {
      await takeTheme(page, theme);
      expect(await barriers(page, 'colours'), theme).toEqual([]);
    }
  });
});
