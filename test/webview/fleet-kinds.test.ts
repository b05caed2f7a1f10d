/** The history of kinds in the view of a store: what `iolens fleet history` says, as text, and as charts. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeSentence } from '../../src/export/fleet/history-words.ts';
import type { FleetHistory } from '../../src/fleet/history/history.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { plantedRows } from '../support/fleet-planted.ts';
import { row, writeStore } from '../support/fleet-rows.ts';
import { HOSTILE, slowDownRows, SLOWED } from '../fleet/slow-down.ts';
import { barriers, takeTheme } from '../support/webview-page.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { openFleet, openStore, type FleetStore, type OpenedFleet } from './store/browser.ts';

const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });
const folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-kinds-view-'));
/** Belongs to no kind: nobody knows when it ran. */
const UNDATED = 'undated'.padEnd(32, '.');

const panel = (page: Page): ReturnType<Page['locator']> => page.locator('[role="tabpanel"]:not([hidden])');

describe.skipIf(!hasBrowser)('jobs over time in the view of a store (skipped without Chromium)', () => {
  let browser: Browser;
  let store: FleetStore;
  let view: OpenedFleet;
  let history: FleetHistory;
  beforeAll(async () => {
    const planted = plantedRows();
    const slow = slowDownRows();
    await writeStore(folder, {
      ...planted,
      job: [...planted.job, ...slow.job, row('job', { log: UNDATED, job_id: '5', application: 'x' })],
      server_load: [...planted.server_load, ...slow.server_load],
    });
    const opened = await OpenedStore.open(folder);
    history = await opened.history({ mostKinds: 100 });
    opened.close();
    store = await openStore(folder);
    browser = await startBrowser();
  });
  afterEach(() => {
    expect(view.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    expect(view.panel.problems).toEqual([]);
    view.close();
  });
  afterAll(async () => {
    await browser.close();
    await store.fleet.close(store.summary.id);
    rmSync(folder, { recursive: true });
  });

  async function open(tab: string, job = '', application = ''): Promise<Page> {
    const jobs = { orderBy: 'start_time', descending: true, columns: ['application', 'job_id'] };
    const filter = application === '' ? {} : { application };
    const state = { folder, tab, filter, ...jobs, sql: '', history: [], job };
    view = await openFleet(browser, store, { state });
    return view.page;
  }
  const drawn = (name: string): number | undefined =>
    view.panel.said('drawn').findLast((shown) => shown.tab === name)?.rows;

  test('a change is a sentence, the one of the command, and its kind is drawn first', async () => {
    const page = await open('kinds');
    await eventually(() => drawn('kinds')).toBe(history.told.length);
    const [kind] = history.told;
    const [change] = kind!.measures[0]!.changes;
    const sentence = changeSentence('bandwidth', change!);
    expect(sentence).toMatch(/^since 2018-0.* half as fast .*servers were not busier/);
    const first = panel(page).getByRole('region', { name: 'Kinds of jobs' }).locator('tbody tr').first();
    expect(await first.innerText()).toContain(sentence);
    expect(await first.innerText()).toContain('75');
    await panel(page)
      .getByRole('heading', { name: `${SLOWED}, 64 processes, reads about 8 GiB` })
      .waitFor();
    expect(await panel(page).locator('.kind .changes').innerText()).toBe(`Worse: ${sentence}`);
    await panel(page).locator('.kind figure canvas').first().waitFor();
    expect(await panel(page).locator('.kind figure').count()).toBe(kind!.measures.length);
    expect(await panel(page).locator('.kind .legend').first().innerText()).toBe('runs\nmedian\nchange');
    expect(await panel(page).getByRole('status').innerText()).toContain('looked through for changes');
  });

  test('a kind without a change says so, and a hostile name stays text', async () => {
    const page = await open('kinds');
    await eventually(() => drawn('kinds')).toBe(history.told.length);
    await panel(page).getByRole('button', { name: 'alert("x")' }).click();
    await panel(page).locator('.kind').getByText('No change.').waitFor();
    expect(await panel(page).locator('.kind h2').innerText()).toContain('</td><script>alert("x")</script>');
    expect(await page.locator('main script').count()).toBe(0);
    expect(HOSTILE).toContain('</td>');
    expect(await panel(page).locator('.kind .legend').first().innerText()).toBe('runs\nmedian');
  });

  test('a run leads to its job, the job says where it stands, and leads back to its kind', async () => {
    const page = await open('kinds');
    await eventually(() => drawn('kinds')).toBe(history.told.length);
    await panel(page).locator('.kind figure').first().getByText('As a table').click();
    const row = panel(page).locator('.kind figure').first().locator('tbody tr').first();
    expect(await row.innerText()).toContain('9c74');
    await row.getByRole('button').click();
    const card = panel(page).locator('.standing');
    await card.waitFor();
    expect(await card.innerText()).toMatch(/bandwidth\s+\d+ MB\/s: \d+ % of them have less/);
    expect(await card.innerText()).toContain('75 runs');
    await card.getByRole('button', { name: 'Jobs over Time' }).click();
    await eventually(() => drawn('kinds')).toBe(1);
    expect(await page.getByLabel('Application', { exact: true }).inputValue()).toBe(SLOWED);
    await panel(page).getByRole('button', { name: 'Its Jobs' }).click();
    await eventually(() => drawn('jobs')).toBe(75);
  });

  test('a job without a start is of no kind, and jobs that are too few say so', async () => {
    const page = await open('job', UNDATED);
    await panel(page).getByText('It is of no kind: its application or its start is unknown.').waitFor();
    view.close();
    await open('kinds', '', 'x');
    await eventually(() => drawn('kinds')).toBe(0);
    await panel(view.page).getByText('No kind of jobs (application, processes, bytes read) has enough runs.').waitFor();
  });

  test('axe finds nothing to complain about in any theme, however narrow', async () => {
    const page = await open('kinds');
    await eventually(() => drawn('kinds')).toBe(history.told.length);
    for (const theme of ['dark', 'light', 'high-contrast']) {
      await takeTheme(page, theme);
      expect(await barriers(page, theme === 'dark' ? 'all' : 'colours'), theme).toEqual([]);
    }
    await page.setViewportSize({ width: 480, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});
