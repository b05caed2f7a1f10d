import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { directionCauses, type RecordingCauses } from '../../src/export/fleet/causes-document.ts';
import type { CauseFile, CauseJob } from '../../src/fleet/causes/causes.ts';
import { findCauses } from '../../src/fleet/causes/find-causes.ts';
import { CAUSES, FROM_CAUSES, type CausesLine, type CauseLine } from '../../src/features/causes/protocol.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { PlayedPanel } from '../support/played-panel.ts';
import { barriers, openWebview, takeTheme, type WebviewPage } from '../support/webview-page.ts';

/** The machine may have other things to do. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });
const BODY = '<div id="status" role="status" aria-live="polite"></div><main id="causes"></main>';

function file(of: Partial<CauseFile> & Pick<CauseFile, 'path' | 'start' | 'end'>): CauseFile {
  const plain = { bytes: 2 ** 30, requests: 256, small: 0, consecutive: 255, collective: 0, processes: 64, rank: null };
  return { ...plain, stripeCount: null, osts: [], summedSeconds: null, ...of };
}

/** Figure 3 of the paper, all of it on one storage target. */
const FIGURE = [
  file({ path: '/scratch/File1', start: 0, end: 10, stripeCount: 1, osts: [17] }),
  file({ path: '/scratch/File2', start: 6, end: 12 }),
  file({ path: '/scratch/File3<img src=x onerror=alert(1)>', start: 4, end: 8 }),
  file({ path: '/scratch/File4', start: 16, end: 18 }),
];
const READS = Array.from({ length: 3000 }, (_, i) => file({ path: `/in/${i}`, start: i / 1000, end: i / 1000 + 0.5 }));

function causesOf(read: readonly CauseFile[], write: readonly CauseFile[]): RecordingCauses {
  const direction = (name: 'read' | 'write', files: readonly CauseFile[]) => {
    const job: CauseJob = { processes: 64, nodes: 4, files };
    return directionCauses(job, findCauses(job, name), 5000);
  };
  const run = { recording: 'figure3.darshan', application: 'figure3', processes: 64, nodes: 4 };
  return { ...run, read: direction('read', read), write: direction('write', write) };
}

describe.skipIf(!hasBrowser)('the view of root causes (skipped without Chromium)', () => {
  let browser: Browser;
  let opened: WebviewPage;
  let panel: PlayedPanel<CausesLine>;
  let lines: readonly CauseLine[] | Promise<never> = [];
  /** Of the questions about lines, in order. */
  let signals: AbortSignal[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(() => {
    expect(opened.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    expect(panel.problems).toEqual([]);
    opened.close();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(causes: RecordingCauses): Promise<Page> {
    signals = [];
    panel = new PlayedPanel<CausesLine>(CAUSES, FROM_CAUSES, (message) => opened.send(message), {
      answers: {
        lines: (_, { signal }) => {
          signals.push(signal);
          return lines;
        },
      },
      present: () => panel.say('subject', { recording: 'figure3.darshan', paths: ['/r/f'], causes }),
    });
    opened = await openWebview(browser, {
      script: 'webview/causes/main.ts',
      style: 'webview/causes/causes.css',
      body: BODY,
      width: 1180,
      hear: (message, page) => {
        opened = page;
        panel.hear(message);
      },
    });
    await eventually(() => panel.said('drawn').length).toBeGreaterThan(0);
    return opened.page;
  }

  test('says in words what figure 3 shows, and begins with what takes longer', async () => {
    const page = await open(causesOf([], FIGURE));
    const text = await page.locator('main').innerText();
    expect(text).toContain('307 MB/s (4 GiB over 14 s with a file in use)');
    expect(text).toContain('18 s, 78 % of it with a file in use');
    expect(text).toContain('One storage target for all');
    expect(text).toContain('71 % of the write time on the critical path goes to /scratch/File1');
    await page.getByText('Critical files, as a table').click();
    const rows = await page.locator('.wide tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t').slice(0, 3))).toEqual([
      ['/scratch/File1', '10 s', '71.4 %'],
      ['/scratch/File2', '2 s', '14.3 %'],
      ['/scratch/File4', '2 s', '14.3 %'],
    ]);
    await page.getByRole('button', { name: 'Reads' }).click();
    expect(await page.locator('main').innerText()).toContain('Nothing is read.');
    expect(await page.evaluate('kept')).toEqual({ paths: ['/r/f'], direction: 'read' });
  });

  test('a file leads to its lines, its offsets and its report', async () => {
    const line = { file: '/src/a.c', line: 12, function: 'dump', events: 3, bytes: 10, timeNs: 5e9, isHere: true };
    lines = [line, { ...line, line: 0, isHere: false }];
    const page = await open(causesOf([], FIGURE));
    const box = (await page.locator('.intervals').boundingBox())!;
    // Below axis and path the rows are 20 pixels high; the third is File4.
    await page.mouse.click(box.x + 400, box.y + 46 + 2 * 20 + 10);
    await eventually(() => panel.asked('lines')).toEqual([{ direction: 'write', file: 2 }]);
    expect(await page.locator('.said').innerText()).toBe(
      '/scratch/File4: 16 s to 18 s, 2 s of the critical path (14 %)',
    );
    await page.getByRole('button', { name: '/src/a.c:12' }).click();
    await eventually(() => panel.said('openSource').at(-1)).toEqual({ line: 0 });
    for (const [name, action] of [
      ['Offsets over Time', 'offsets'],
      ['Select in All Views', 'select'],
      ['Report', 'report'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await eventually(() => panel.said('act').at(-1)).toEqual({ action, direction: 'write', file: 2 });
    }
  });

  test('of files that are chosen one after the other only the lines of the last are waited for', async () => {
    lines = new Promise<never>(() => undefined);
    const page = await open(causesOf([], FIGURE));
    const box = (await page.locator('.intervals').boundingBox())!;
    for (const row of [2, 1]) await page.mouse.click(box.x + 400, box.y + 46 + row * 20 + 10);
    await eventually(() => signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('thousands of files: the keyboard walks through them, the filter and the order find one', async () => {
    const page = await open(causesOf(READS, FIGURE.slice(3)));
    await page.getByRole('button', { name: 'Reads' }).click();
    await eventually(() => panel.said('drawn').at(-1)).toEqual({ files: 3000 });
    await page.getByRole('combobox').selectOption('start');
    await page.getByRole('group', { name: /Intervals of files/ }).focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
    expect(await page.locator('.said').innerText()).toMatch(/^\/in\/2: /);
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await page.locator('.intervals').evaluate((element) => {
      Reflect.set(element, 'scrollTop', 40_000);
    });
    const box = (await page.locator('.intervals').boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 56);
    await eventually(() => page.locator('.said').innerText()).toMatch(/^\/in\/2000: /);
    await page.getByRole('searchbox').fill('/2999');
    await eventually(() => panel.said('drawn').at(-1)).toEqual({ files: 1 });
    expect(await page.getByText('1 of 3,000 files').count()).toBe(1);
  });

  test('saves the picture', async () => {
    const page = await open(causesOf([], FIGURE));
    await page.getByRole('button', { name: 'Save SVG…' }).click();
    await eventually(() => panel.said('picture').at(-1)?.format).toBe('svg');
    const picture = panel.said('picture').at(-1);
    expect(picture?.content).toContain('File3&lt;img');
    await page.getByRole('button', { name: 'Save PNG…' }).click();
    await eventually(() => panel.said('picture').at(-1)?.format).toBe('png');
  });

  test('tools are one row, however narrow', async () => {
    const page = await open(causesOf([], FIGURE));
    await page.setViewportSize({ width: 380, height: 700 });
    const tools = page.getByRole('toolbar', { name: 'Files' });
    expect((await tools.boundingBox())!.height).toBeLessThanOrEqual(40);
    await tools.getByRole('button', { name: 'More controls' }).click();
    await tools.getByRole('button', { name: 'Save PNG…' }).click();
    await eventually(() => panel.said('picture').at(-1)?.format).toBe('png');
  });

  test('axe finds nothing to complain about in any theme', async () => {
    const page = await open(causesOf([], FIGURE));
    await page.getByRole('button', { name: '/scratch/File1', exact: true }).first().click();
    await page.getByText('Critical files, as a table').click();
    expect(await barriers(page)).toEqual([]);
    for (const theme of ['light', 'high-contrast']) {
      await takeTheme(page, theme);
      expect(await barriers(page, 'colours'), theme).toEqual([]);
    }
  });
});
