import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { plantedRows } from '../support/fleet-planted.ts';
import { CALL_VIEWS } from '../../src/features/report/protocol.ts';
import { writeStore } from '../support/fleet-rows.ts';
import { layoutFaults } from './measured-page.ts';
import { rounds } from '../support/rounds.ts';
import { barriers, takeTheme } from '../support/webview-page.ts';
import { comparedRecordings, openComparison } from './comparison/browser.ts';
import { openGraph } from './graph/browser.ts';
import { GraphHost } from './graph/recorded.ts';
import { openOffsets } from './offsets/browser.ts';
import { hasBrowser, MADE_UP, openView, startBrowser } from './report/browser.ts';
import { recordedReport, recordedSummary } from './report/recorded.ts';
import { openFleet, openStore, type FleetStore } from './store/browser.ts';
import { openTimeline } from './timeline/browser.ts';
import { openWorkflow } from './workflow/browser.ts';
import { madeUpWorkflow } from './workflow/made-up.ts';

/** Every view with a real recording, as large and as small as people have it, in the four themes that everybody has. */
const SIZES = [
  { width: 1600, height: 1000 },
  { width: 900, height: 600 },
];
const THEMES = ['dark', 'light', 'high-contrast', 'high-contrast-light'];
const LOOKS = SIZES.flatMap((size) => THEMES.map((theme) => ({ size, theme })));

const data = path.resolve(import.meta.dirname, '../data');
const LOG = path.join(data, 'darshan-stack/badio_serial.darshan');
const RUN = path.join(data, 'strace-programs/threads/threads.O0.strace.gz');
const SUMMARY = 'test/data/strace-programs/py_h5/py_h5.strace.gz';

/** The machine may have other things to do. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 30_000 });

interface Shown {
  readonly page: Page;
  /** What there is to be looked at one after the other; one thing where there are no tabs. */
  readonly tabs: readonly string[];
  readonly close: () => unknown;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'iolens-every-view-'));
let browser: Browser;
let store: FleetStore;

const closing = (page: Page) => () => page.close();

/** The call stacks of a recording, in one of the ways to look at them. */
async function callStacks(view: (typeof CALL_VIEWS)[number]): Promise<Shown> {
  const table = { sort: '', descending: false, filter: '', from: 0, count: 50 };
  const kept = { paths: [], tab: 'stacks', module: '', scroll: 0, files: table, records: table };
  const state = { ...kept, stacks: { view, measure: 'timeNs' } };
  const { summary, callTree } = await recordedSummary('test/data/layers/openpmd-independent');
  const answers = { ...MADE_UP, callTree: () => callTree };
  const { page } = await openView(browser, { report: summary, answers, state });
  await page.locator('.stacks .flame-room, .stacks .call-tree').first().waitFor();
  return { page, tabs: ['Call Stacks'], close: closing(page) };
}

const VIEWS: Readonly<Record<string, () => Promise<Shown>>> = {
  report: async () => {
    const { page } = await openView(browser, await recordedReport(LOG));
    await page.locator('h1').waitFor();
    return { page, tabs: await page.getByRole('tab').allInnerTexts(), close: closing(page) };
  },
  summary: async () => {
    const { summary } = await recordedSummary(SUMMARY);
    const { page } = await openView(browser, { report: summary });
    await page.locator('h1').waitFor();
    return { page, tabs: [], close: closing(page) };
  },
  ...Object.fromEntries(CALL_VIEWS.map((view) => [`call stacks, ${view}`, () => callStacks(view)])),
  timeline: async () => {
    const session = localSession({ folder: path.resolve(import.meta.dirname, '../../dist') });
    const { id } = await session.recordings.open({ ...plainRequest(RUN), maySpawn: false });
    const { page, panel } = await openTimeline(browser, { methods: session.timeline, ids: [id] });
    await eventually(() => panel.said('drawn').length).toBeGreaterThan(0);
    return { page, tabs: [], close: closing(page) };
  },
  graph: async () => {
    const host = new GraphHost();
    await host.add([RUN]);
    host.choices = { ...host.choices, mapping: 'call+file' };
    const { page, panel } = await openGraph(browser, host);
    await eventually(() => panel.said('drawn').length).toBeGreaterThan(0);
    return { page, tabs: [], close: closing(page) };
  },
  offsets: async () => {
    const file = { host: '', path: '/tmp/app/data/shared.dat' };
    const log = path.join(data, 'darshan-stack/badmpi_4ranks.darshan');
    const { page, panel } = await openOffsets(browser, log, { file });
    await eventually(() => panel.said('drawn').length).toBeGreaterThan(0);
    return { page, tabs: [], close: closing(page) };
  },
  store: async () => {
    const state = { filter: {}, tab: 'dashboard' };
    const { page, panel, close } = await openFleet(browser, store, { state });
    await eventually(() => panel.said('drawn').length).toBeGreaterThan(3);
    return { page, tabs: ['Dashboard', 'Jobs', 'Jobs over Time', 'Causes', 'SQL', 'Job'], close };
  },
  workflow: async () => {
    const { page, panel, close } = await openWorkflow(browser, madeUpWorkflow());
    await eventually(() => panel.said('drawn').length).toBeGreaterThan(0);
    return { page, tabs: ['Workflow', 'Job', 'Step', 'Files'], close };
  },
  comparison: async () => {
    const document = await comparedRecordings(['demo/heat/heat.strace.gz'], ['demo/heat/heat-fixed.strace.gz']);
    const { opened, panel } = await openComparison(browser, document, { isAlone: true });
    await eventually(() => panel.said('drawn').length).toBeGreaterThan(0);
    const { page } = opened;
    return { page, tabs: await page.getByRole('tab').allInnerTexts(), close: closing(page) };
  },
};

/** One of the looks for each view, another for each, or all in the full run. */
function looksOf(view: number): typeof LOOKS {
  return rounds(10) > 1 ? LOOKS : [LOOKS[(view * 3) % LOOKS.length]!];
}

describe.skipIf(!hasBrowser)('every view (skipped without Chromium)', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    await writeStore(folder, plantedRows());
    store = await openStore(folder);
  });
  afterAll(async () => {
    await browser.close();
    await store.fleet.close(store.summary.id);
    rmSync(folder, { recursive: true });
  });

  test('what the others look for is found', async () => {
    const page = await browser.newPage({ viewport: { width: 600, height: 400 } });
    const cut = 'width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis';
    await page.setContent(`<style>div { position: static }</style>
      <div role="toolbar" style="height: 70px">two rows</div>
      <div style="width: 300px"><div style="${cut}">a text with room beside it</div></div>
      <div style="width: 62px"><div style="${cut}">a text without room beside it</div></div>
      <div style="width: 62px"><div style="${cut}" title="all of it">a text that a hover tells wholly</div></div>
      <div style="position: relative; height: 30px"><span style="position: absolute; left: 9px">one</span><span style="position: absolute; left: 20px">other</span></div>
      <input placeholder="what it is for" style="width: 20px"><select style="width: 30px"><option>a choice</select>
      <div style="margin-left: 580px; white-space: nowrap">beyond the window</div>`);
    expect(await layoutFaults(page)).toEqual([
      'over: one | other',
      'cut with 240 px beside it: a text with room beside it',
      'cut, and nothing tells the whole: a text with room beside it',
      'cut, and nothing tells the whole: a text without room beside it',
      expect.stringMatching(/^control: \d+ px are lacking for what it is for$/),
      expect.stringMatching(/^control: \d+ px are lacking for a choice$/),
      expect.stringMatching(/^beyond: the page is \d+ px wider than its window$/),
      'beyond: beyond the window',
      'bar: 70 px high: two rows',
    ]);
    await page.close();
  });

  test.each(Object.keys(VIEWS))(
    '%s: no text is cut that has room, none lies over another, all can be read',
    async (name) => {
      const { page, tabs, close } = await VIEWS[name]!();
      const faults: string[] = [];
      for (const { size, theme } of looksOf(Object.keys(VIEWS).indexOf(name))) {
        await page.setViewportSize(size);
        await takeTheme(page, theme);
        for (const tab of tabs.length === 0 ? [''] : tabs) {
          if (tab !== '') await page.getByRole('tab', { name: new RegExp(String.raw`^${tab}(\W*\d.*)?$`) }).click();
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
          const look = `${size.width} × ${size.height}, ${theme}${tab && `, ${tab}`}`;
          for (const fault of await layoutFaults(page)) faults.push(`${look}: ${fault}`);
          if (size.width === 900 || rounds(10) === 1)
            for (const fault of await barriers(page, 'colours')) faults.push(`${look}: ${fault}`);
          if (process.env['IOLENS_PICTURES'] !== undefined)
            await page.screenshot({ path: path.join(process.env['IOLENS_PICTURES'], `${name} ${look}.png`) });
        }
      }
      await close();
      expect(faults).toEqual([]);
    },
  );
});
