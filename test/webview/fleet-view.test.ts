import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StoreViewState, JobFilter } from '../../src/features/store/protocol.ts';
import { plantedRows } from '../support/fleet-planted.ts';
import { writeStore } from '../support/fleet-rows.ts';
import { openFleet, openStore, type FleetOptions, type FleetStore, type OpenedFleet } from './store/browser.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { barriers, takeTheme } from '../support/webview-page.ts';

/** The machine may have other things to do. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });
const folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-fleet-view-'));
const planted = plantedRows();
const HOSTILE = '<img src=x onerror="document.title=\'owned\'">';
const TABS = ['Dashboard', 'Jobs', 'Causes', 'SQL', 'Job'];

const tab = (page: Page, name: string): ReturnType<Page['getByRole']> => page.getByRole('tab', { name, exact: true });
const panel = (page: Page): ReturnType<Page['locator']> => page.locator('[role="tabpanel"]:not([hidden])');

describe.skipIf(!hasBrowser)('the view of a store (skipped without Chromium)', () => {
  let browser: Browser;
  let store: FleetStore;
  let view: OpenedFleet;
  beforeAll(async () => {
    const [first, ...others] = planted.job;
    await writeStore(folder, { ...planted, job: [{ ...first!, application: HOSTILE, command: HOSTILE }, ...others] });
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

  async function open(shown: string, options: FleetOptions = {}): Promise<Page> {
    view = await openFleet(browser, store, { state: stateOf({ tab: shown.toLowerCase() }), ...options });
    return view.page;
  }
  const drawn = (name: string): number | undefined =>
    view.panel.said('drawn').findLast((shown) => shown.tab === name)?.rows;
  const kept = async (): Promise<StoreViewState> => view.page.evaluate('kept');
  const cells = (page: Page, row: number): Promise<string[]> =>
    panel(page).locator(`[data-row="${row}"] > *`).allInnerTexts();
  const filters = (): JobFilter[] => view.panel.asked('jobs').map(({ filter }) => filter);

  test('the dashboard answers the ready-made questions, with the SQL behind each', async () => {
    const page = await open('Dashboard');
    await eventually(() => drawn('question:top-read-applications')).toBeGreaterThan(3);
    const card = page.getByRole('article', { name: 'Applications that read most' });
    const read = new Map<string, number>();
    for (const { application, bytes_read } of planted.job.slice(1))
      read.set(application!, (read.get(application!) ?? 0) + bytes_read!);
    const [most] = [...read].sort((a, b) => b[1] - a[1]);
    const table = card.getByRole('region', { name: /^Rows of/ });
    expect(await table.locator('tbody tr').first().innerText()).toContain(most![0]);
    await card.getByText('SQL', { exact: true }).click();
    expect(await card.locator('pre').innerText()).toContain('LIMIT 10');
    await card.locator('canvas').waitFor();
    await table.getByRole('button', { name: most![0] }).click();
    expect(await tab(page, 'Jobs').getAttribute('aria-selected')).toBe('true');
    const jobs = planted.job.slice(1).filter(({ application }) => application === most![0]).length;
    await eventually(() => drawn('jobs')).toBe(jobs);
    expect(await page.getByLabel('Application', { exact: true }).inputValue()).toBe(most![0]);
  });

  test('a parameter asks anew, and what is none is told', async () => {
    const page = await open('Dashboard');
    const card = page.getByRole('article', { name: 'Applications that read most' });
    await eventually(() => drawn('question:top-read-applications')).toBeGreaterThan(3);
    await card.getByLabel('rows', { exact: true }).fill('2');
    await card.getByLabel('rows', { exact: true }).press('Enter');
    await eventually(() => drawn('question:top-read-applications')).toBe(2);
    await card.getByLabel('rows', { exact: true }).fill('many');
    await card.getByLabel('rows', { exact: true }).press('Enter');
    await card.getByText('rows: a whole number is expected.').waitFor();
  });

  test('jobs are sorted by any column and filtered, and a row leads to its job', async () => {
    const page = await open('Jobs');
    await eventually(() => drawn('jobs')).toBe(planted.job.length);
    await panel(page)
      .getByRole('button', { name: /^bytes written/ })
      .click();
    await panel(page).locator('[aria-sort="descending"]', { hasText: 'bytes written' }).waitFor();
    const largest = [...planted.job].sort((a, b) => b.bytes_written! - a.bytes_written!)[0]!;
    await eventually(async () => (await cells(page, 0))[1]).toBe(largest.job_id);
    await eventually(() => page.evaluate('document.activeElement.dataset.sort')).toBe('bytes_written');
    await page.getByText('More filters').click();
    await page.getByLabel('Processes, at least').fill('2,048');
    await page.getByText('Filters: Processes, at least 2,048').waitFor();
    const large = planted.job.filter(({ processes }) => processes! >= 2048);
    await eventually(() => drawn('jobs')).toBe(large.length);
    expect(filters().at(-1)).toEqual({ leastProcesses: 2048 });
    await page.getByLabel('Moved, at least').fill('a lot');
    await page.getByText('a size such as 1 GB or 512 MiB is expected').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await eventually(() => drawn('jobs')).toBe(planted.job.length);
    await panel(page).locator('[data-row="0"]').click();
    await eventually(() => drawn('job')).toBe(planted.file.filter(({ log }) => log === largest.log).length);
    expect(await panel(page).locator('h2').first().innerText()).toBe(`${largest.application!}, job ${largest.job_id!}`);
    expect((await kept()).job).toBe(largest.log);
  });

  test('a long table is walked through with the keyboard, and only what is in sight is asked for', async () => {
    const page = await open('Jobs');
    await eventually(() => drawn('jobs')).toBe(planted.job.length);
    const grid = panel(page).getByRole('grid');
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(planted.job.length + 1));
    await grid.focus();
    await page.keyboard.press('End');
    const last = planted.job.length - 1;
    await eventually(async () => (await cells(page, last))[0]).not.toBe('…');
    const active = await grid.getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active!}`).getAttribute('aria-rowindex')).toBe(String(last + 2));
    expect(await panel(page).locator('[data-row]').count()).toBeLessThan(100);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Home');
    await eventually(async () => (await cells(page, 0))[0]).not.toBe('…');
    await page.keyboard.press('Enter');
    await eventually(() => drawn('job')).toBeGreaterThan(0);
  });

  test('columns can be chosen, and the choice is kept', async () => {
    const page = await open('Jobs');
    await eventually(() => drawn('jobs')).toBe(planted.job.length);
    await panel(page).getByText('Columns').first().click();
    await panel(page).getByLabel('shared files').check();
    await panel(page).getByRole('button', { name: 'shared files' }).waitFor();
    expect((await kept()).columns).toContain('shared_files');
    await panel(page).getByRole('button', { name: 'As at first' }).click();
    await eventually(async () => (await kept()).columns).not.toContain('shared_files');
  });

  test('SQL is completed, run, drawn, told and remembered', async () => {
    const page = await open('SQL');
    const field = page.getByRole('textbox', { name: 'SQL' });
    await field.fill('');
    await field.pressSequentially('SELECT user_id, sum(bytes_r');
    await page.getByRole('option', { name: /^bytes_read/ }).waitFor();
    await page.keyboard.press('Tab');
    await field.pressSequentially(') AS read_bytes, count(*) AS jobs FROM jo');
    await page.getByRole('option', { name: /^job / }).first().waitFor();
    await page.keyboard.press('Escape');
    await field.pressSequentially('b GROUP BY user_id');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    const users = new Set(planted.job.map(({ user_id }) => user_id)).size;
    await eventually(() => drawn('sql')).toBe(users);
    await page.getByRole('combobox', { name: 'Chart of the result' }).selectOption('Bars');
    await panel(page).locator('figure canvas').waitFor();
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const sql = 'SELECT user_id, sum(bytes_read) AS read_bytes, count(*) AS jobs FROM job GROUP BY user_id';
    expect(view.panel.said('exportCsv')).toEqual([{ sql }]);
    await field.fill('SELECT nothing FROM job');
    await page.keyboard.press('Control+Enter');
    await panel(page).locator('.problem', { hasText: 'nothing' }).waitFor();
    await page.getByRole('combobox', { name: 'SQL that was run before' }).selectOption({ index: 2 });
    expect(await field.inputValue()).toBe(sql);
    expect((await kept()).history).toEqual(['SELECT nothing FROM job', sql]);
  });

  test('causes are lines; brushing counts the verdicts, and a line leads to its job', async () => {
    const page = await open('Causes');
    await eventually(() => drawn('causes')).toBeGreaterThan(10);
    const all = drawn('causes')!;
    await page
      .getByRole('list', { name: /in common/ })
      .locator('li')
      .first()
      .waitFor();
    await page.getByLabel('at most', { exact: true }).fill('10 MB/s');
    await page.getByRole('button', { name: 'Find Causes' }).click();
    await eventually(() => drawn('causes')).toBeLessThan(all);
    await page.getByText('Brushed jobs, as a table').click();
    await panel(page).locator('.parallel-list tbody button').first().click();
    await panel(page).getByText('Causes of slow writes').waitFor();
    await tab(page, 'Causes').click();
    await page.getByLabel('Jobs, at most').fill('0');
    await page.getByRole('button', { name: 'Find Causes' }).click();
    await page.getByText('A number of jobs from 1 to 20,000 is expected.').waitFor();
  });

  test('findings of a job lead to their lines by number', async () => {
    const { log } = planted.insight.find(({ source_file }) => source_file !== null)!;
    const state = stateOf({ tab: 'job', job: log! });
    const page = await open('Job', { state });
    const link = panel(page)
      .getByRole('button', { name: /^flux\.c:42|:\d+$/ })
      .first();
    await link.click();
    await eventually(() => view.panel.said('openLine')).toMatchObject([{ of: 'insight', log }]);
  });

  test('is where it was after a reload', async () => {
    const state = stateOf({ tab: 'jobs', filter: { application: 'vasp' }, orderBy: 'processes' });
    const page = await open('Jobs', { state });
    const jobs = planted.job.slice(1).filter(({ application }) => application === 'vasp').length;
    await eventually(() => drawn('jobs')).toBe(jobs);
    await panel(page).locator('[aria-sort="descending"]', { hasText: 'processes' }).waitFor();
  });

  test('nothing of a log becomes markup', async () => {
    const { log } = planted.job[0]!;
    const page = await open('Jobs', { state: stateOf({ tab: 'jobs', job: log! }) });
    await page.getByLabel('Search').fill('onerror');
    await eventually(() => drawn('jobs')).toBe(1);
    await panel(page).locator('[data-row="0"]').click();
    await panel(page).getByText('onerror').first().waitFor();
    await tab(page, 'Dashboard').click();
    await eventually(() => drawn('question:top-read-applications')).toBe(1);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe('Store');
  });

  test('no engine: says how to get it, and asks again', async () => {
    const page = await open0({ message: 'The SQL engine is not installed here.', canInstall: true });
    await page.getByRole('button', { name: 'Install the SQL Engine' }).click();
    await page.getByRole('button', { name: 'Open Again' }).click();
    await eventually(() => view.panel.heard.map((message) => ('say' in message ? message.say : 'ready'))).toEqual([
      'ready',
      'installEngine',
      'openAgain',
    ]);
    await view.send({ version: 99, say: 'store', value: store.summary });
    await page.getByText('another version of I/O Lens').waitFor();
  });

  test('axe finds nothing to complain about in any theme', async () => {
    const page = await open('Dashboard', { state: stateOf({ job: planted.insight[0]!.log! }) });
    for (const theme of ['dark', 'light', 'high-contrast']) {
      await takeTheme(page, theme);
      for (const name of TABS) {
        await tab(page, name).click();
        if (name === 'SQL') await panel(page).getByRole('textbox').waitFor();
        else
          await eventually(() =>
            drawn(name === 'Dashboard' ? 'question:top-read-applications' : name.toLowerCase()),
          ).toBeGreaterThan(0);
        expect(await barriers(page, theme === 'dark' ? 'all' : 'colours'), `${theme}, ${name}`).toEqual([]);
      }
    }
  });

  test('is as wide as the editor, however narrow', async () => {
    const page = await open('Dashboard');
    await eventually(() => drawn('question:top-read-applications')).toBeGreaterThan(1);
    for (const width of [1280, 480]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of ['Dashboard', 'Jobs', 'SQL']) {
        await tab(page, name).click();
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(wider, `${name}, ${width}`).toBeLessThanOrEqual(0);
      }
    }
  });

  async function open0(instead: NonNullable<FleetOptions['instead']>): Promise<Page> {
    view = await openFleet(browser, store, { instead });
    return view.page;
  }

  /** What the view keeps, otherwise as at first. */
  function stateOf(change: Partial<StoreViewState>): StoreViewState {
    const jobs = {
      orderBy: 'start_time',
      descending: true,
      columns: ['application', 'job_id', 'processes', 'bytes_written'],
    };
    return { folder, tab: 'dashboard', filter: {}, ...jobs, sql: '', history: [], job: '', ...change };
  }
});
