import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RowsRequest, TimelineRow, TimelineRows } from '../../src/analysis/timeline/timeline.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { control } from './controls.ts';
import type { TimelineOptions } from './timeline/browser.ts';
import { MadeUpTimeline } from './timeline/made-up.ts';
import { eventually, TimelinePage } from './timeline/page.ts';

const FOLDER = '/p/scratch/projects/climate/experiments/2026/';
/** Rows of files and lines whose names are longer than their column. */
const NAMES = [
  `${FOLDER}control/output/log.txt`,
  `${FOLDER}control/restart/log.txt`,
  `${FOLDER}warming/output/log.txt`,
  'initialise_boundary_conditions (boundary_conditions.c:1234)',
];

class NamedRows extends MadeUpTimeline {
  override async rows(ids: readonly number[], request: RowsRequest): Promise<TimelineRows> {
    const rows = await super.rows(ids, request);
    const [first] = rows.rows;
    const named = NAMES.map((label, number): TimelineRow => ({
      ...first!,
      ...{ key: `row ${number}`, label, description: label, isGroup: false },
    }));
    return { ...rows, rows: named };
  }
}

/** One process of very many calls. */
class BusyProcess extends MadeUpTimeline {
  override async rows(ids: readonly number[], request: RowsRequest): Promise<TimelineRows> {
    const rows = await super.rows(ids, request);
    const process = { ...rows.rows[0]!, key: 'one', label: '1032832', depth: 1, isGroup: false, events: 12_345_678 };
    return { ...rows, rows: [process] };
  }
}

/** Nothing is left of it while files of the system are left out. */
class SystemOnly extends MadeUpTimeline {
  override async rows(ids: readonly number[], request: RowsRequest): Promise<TimelineRows> {
    const rows = await super.rows(ids, request);
    return request.ownFilesOnly || request.rowFilter !== ''
      ? { ...rows, rows: [], categories: [], otherFiles: 42 }
      : rows;
  }
}

describe.skipIf(!hasBrowser)('names and signs of the timeline (skipped without Chromium)', () => {
  let browser: Browser;
  let shown: TimelinePage;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    expect(shown.view.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    await shown.view.page.close();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(methods: MadeUpTimeline, options: Partial<TimelineOptions> = {}): Promise<Page> {
    shown = await TimelinePage.open(browser, options, methods);
    return shown.view.page;
  }
  const names = (page: Page): Promise<string[]> => page.locator('#labels .name').allTextContents();

  test('files of one name are told apart, lines keep their number, and hover says all', async () => {
    const page = await open(new NamedRows());
    const [control, restart, warming, line] = await names(page);
    expect([control, restart, warming]).toEqual([
      'control/output/log.txt',
      'restart/log.txt',
      'warming/output/log.txt',
    ]);
    expect(line).toMatch(/^initi.*….*\.c:1234\)$/);
    expect(await page.locator('#labels .row').first().getAttribute('title')).toContain(NAMES[0]);
    const cut = await page.evaluate(`[...document.querySelectorAll('#labels .name')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length`);
    expect(cut).toBe(0);
  });

  test('where there is room for one of both the name stands, and the number of calls is on hover', async () => {
    const page = await open(new BusyProcess());
    const count = page.locator('#labels .count').first();
    expect(await count.innerText()).toContain('12,345,678');
    await page.setViewportSize({ width: 400, height: 400 });
    await eventually(() => count.locator('.unseen').first().textContent()).toBe('12,345,678');
    expect(await names(page)).toEqual(['1032832']);
    expect(await page.locator('#labels .row').first().getAttribute('title')).toContain('12,345,678 calls');
  });

  test('the column of names is made wider by mouse and by keys, and stays so', async () => {
    const page = await open(new NamedRows());
    const [, , , before] = await names(page);
    const splitter = page.getByRole('separator', { name: 'Width of the row names' });
    const width = async (): Promise<number> => Number(await splitter.getAttribute('aria-valuenow'));
    const narrow = await width();
    const { x, y, height } = (await splitter.boundingBox())!;
    await page.mouse.move(x + 3, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 123, y + height / 2);
    await page.mouse.up();
    expect(await width()).toBe(narrow + 120);
    await splitter.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await width()).toBe(narrow + 160);
    await eventually(async () => (await names(page))[3]!.length).toBeGreaterThan(before!.length);
    const kept = await shown.state();
    expect(kept.labelWidth).toBe(narrow + 160);
    // Another panel has no state, but the user's habits.
    await page.reload();
    await page.getByRole('treeitem').first().waitFor();
    expect(await width()).toBe(narrow + 160);
    await page.close();
    const again = await open(new NamedRows(), { state: kept });
    expect((await again.locator('#labels').boundingBox())!.width).toBe(narrow + 160);
  });

  test('what was said of an event goes when the time under the pointer is another', async () => {
    const page = await open(new MadeUpTimeline());
    const tip = page.locator('#tooltip');
    await page.mouse.move(...(await shown.at(1, 110)));
    await tip.locator('code').waitFor();
    await page.locator('#rows').focus();
    await page.keyboard.press('w');
    await tip.waitFor({ state: 'hidden' });
    const line = page.locator('.crosshair');
    const before = await line.boundingBox();
    await page.keyboard.press('d');
    await eventually(async () => (await shown.visible()).fromNs).toBeGreaterThan(0);
    expect((await line.boundingBox())!.x).toBe(before!.x);
  });

  test('where nothing is left it says what is left out, with a button that shows it', async () => {
    const page = await open(new SystemOnly());
    const status = page.locator('#status');
    if ((await status.innerText()) === '')
      await (await control(page, page.getByRole('button', { name: 'Own files' }))).click();
    await status
      .getByText('42 calls on files of the system, libraries or the loader, or on none, are left out.')
      .waitFor();
    await status.getByRole('button', { name: 'Show system files' }).click();
    await page.getByRole('treeitem').first().waitFor();
    expect(await status.innerText()).toBe('');
    await (await control(page, page.getByLabel('Filter rows'))).fill('nowhere');
    await status.getByRole('button', { name: 'Show all rows' }).click();
    await page.getByRole('treeitem').first().waitFor();
    expect(await page.getByLabel('Filter rows').inputValue()).toBe('');
  });
});
