import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { JobLine } from '../../src/drawing/parallel/parallel-axes.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { barriers, openWebview, takeTheme, type WebviewPage } from '../support/webview-page.ts';

const SCRIPT = `import { ParallelCoordinates } from './webview/store/parallel-coordinates.ts';
  window.chosen = [];
  window.plot = new ParallelCoordinates({
    choose: (job) => window.chosen.push(job),
    brushed: (jobs) => { window.brushed = jobs; },
  });
  document.querySelector('main').append(window.plot.element);`;

function job(number: number, of: { small: number; application: string; bandwidth?: number | null }): JobLine {
  const random = randomNumbers(number + 1);
  random(2);
  const factors = {
    smallPercent: of.small,
    nonConsecutivePercent: random(101),
    collective: random(2) as 0 | 1,
    ostCount: 1 + random(248),
    processesPerOst: 1 + random(1000) / 10,
  };
  const bandwidth = of.bandwidth === undefined ? 1e6 * (1 + random(1000)) : of.bandwidth;
  const causes = { bytes: 1e9 * (1 + random(5000)), bandwidth, factors };
  return {
    log: `log${number}`,
    jobId: String(1000 + number),
    application: of.application,
    nodes: 1 + random(64),
    causes,
  };
}

const JOBS = [
  job(0, { small: 98, application: '<img src=x onerror=alert(1)>' }),
  job(1, { small: 95, application: 'climate' }),
  job(2, { small: 20, application: 'climate' }),
  job(3, { small: 10, application: 'climate', bandwidth: null }),
];

describe.skipIf(!hasBrowser)('parallel coordinates (skipped without Chromium)', () => {
  let browser: Browser;
  let opened: WebviewPage;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(() => {
    expect(opened.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    opened.close();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(jobs: readonly JobLine[]): Promise<Page> {
    const style = 'webview/store/parallel-coordinates.css';
    opened = await openWebview(browser, { script: SCRIPT, style, body: '<main><h1>Causes</h1></main>', width: 1180 });
    await opened.page.evaluate(`plot.show(${JSON.stringify(jobs)})`);
    return opened.page;
  }
  const brushed = (page: Page): Promise<number[]> => page.evaluate('window.brushed');
  const painted = async (page: Page, canvas: number): Promise<number> =>
    page.evaluate(`{
      const canvas = document.querySelectorAll('canvas')[${canvas}];
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      data.reduce((sum, value, at) => sum + (at % 4 === 3 && value > 0 ? 1 : 0), 0);
    }`);

  /** Where a position of an axis is on the page. */
  async function pointOf(page: Page, axis: number, position: number): Promise<[x: number, y: number]> {
    const { x, y, width, height } = (await page.locator('.parallel-plot').boundingBox())!;
    return [x + 34 + (axis / 9) * (width - 146), y + 46 + ((1 - position) / 1.12) * (height - 56)];
  }

  async function drag(page: Page, axis: number, from: number, to: number): Promise<void> {
    await page.mouse.move(...(await pointOf(page, axis, from)));
    await page.mouse.down();
    await page.mouse.move(...(await pointOf(page, axis, to)), { steps: 4 });
    await page.mouse.up();
  }

  test('brushes of several axes all hold; they move, and a click clears them', async () => {
    const page = await open(JOBS);
    expect(await brushed(page)).toEqual([0, 1, 2, 3]);
    const all = await painted(page, 1);
    expect(all).toBeGreaterThan(1000);
    await drag(page, 0, 0.8, 1);
    expect(await brushed(page)).toEqual([0, 1]);
    expect(await painted(page, 1)).toBeLessThan(all);
    expect(await page.getByRole('status').innerText()).toBe('2 of 4 jobs');
    await page.getByRole('button', { name: 'climate' }).click();
    expect(await brushed(page)).toEqual([1]);
    await drag(page, 0, 0.95, 0.18);
    expect(await brushed(page)).toEqual([2, 3]);
    await page.mouse.click(...(await pointOf(page, 0, 0.15)));
    expect(await brushed(page)).toEqual([1, 2, 3]);
    await page.getByRole('button', { name: 'Clear brushes' }).click();
    expect(await brushed(page)).toEqual([0, 1, 2, 3]);
  });

  test('the keyboard brushes, too, also what is not known', async () => {
    const page = await open(JOBS);
    const top = page.getByRole('slider', { name: 'BW: highest value' });
    await top.focus();
    await page.keyboard.press('Home');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp');
    expect(await top.getAttribute('aria-valuetext')).toBe('unknown');
    expect(await brushed(page)).toEqual([3]);
    await page.keyboard.press('Escape');
    expect(await brushed(page)).toEqual([0, 1, 2, 3]);
    const bottom = page.getByRole('slider', { name: 'Small: lowest value' });
    await bottom.focus();
    await page.keyboard.press('End');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
    expect(await bottom.getAttribute('aria-valuetext')).toBe('94 %');
    expect(await brushed(page)).toEqual([0, 1]);
  });

  test('the pointer and the arrows find lines, and hand out their jobs', async () => {
    const page = await open(JOBS);
    await drag(page, 0, 0, 0.15);
    const [small, next] = [0.1, JOBS[3]!.causes.factors.nonConsecutivePercent! / 100];
    const place = await pointOf(page, 0.2, small + (next - small) * 0.2);
    await page.mouse.move(...place);
    await page.getByText('Job id 1003, Small 10 %').waitFor();
    await page.mouse.click(...place);
    await page.getByRole('group', { name: /Lines of jobs/ }).focus();
    await page.getByRole('button', { name: 'Clear brushes' }).click();
    await page.getByRole('group', { name: /Lines of jobs/ }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByText('Brushed jobs, as a table').click();
    await page.getByRole('button', { name: '1001' }).click();
    expect(await page.evaluate('chosen')).toEqual([3, expect.any(Number), 1]);
  });

  test('ten thousand lines follow a brush', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const jobs = Array.from({ length: 10_000 }, (_, i) =>
      job(i, { small: ((i * 7) % 100) + 0.5, application: names[i % 9]! }),
    );
    const page = await open(jobs);
    await page.evaluate(`{
      const end = document.querySelector('[aria-label="Small: lowest value"]');
      for (let i = 0; i < 10; i++) end.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp' }));
    }`);
    const left = jobs.flatMap(({ causes }, i) => (causes.factors.smallPercent! >= 88 ? [i] : []));
    expect(await brushed(page)).toEqual(left);
  });

  test('has no barrier that axe finds, in any theme', async () => {
    const page = await open(JOBS);
    await drag(page, 0, 0.9, 1);
    await page.getByText('Brushed jobs, as a table').click();
    expect(await barriers(page)).toEqual([]);
    for (const theme of ['light', 'high-contrast']) {
      await takeTheme(page, theme);
      expect(await barriers(page, 'colours'), theme).toEqual([]);
    }
  });
});
