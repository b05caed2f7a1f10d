import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { control } from '../../webview/controls.ts';
import { hasBrowser, startBrowser } from '../../webview/report/browser.ts';
import type { OpenedTimeline, TimelineOptions } from '../../webview/timeline/browser.ts';
import { MadeUpTimeline } from '../../webview/timeline/made-up.ts';
import { eventually, TimelinePage } from '../../webview/timeline/page.ts';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';

describe.skipIf(!hasBrowser)(
  'who may read the timeline, and what it takes from recordings (skipped without Chromium)',
  () => {
    let browser: Browser;
    let view: OpenedTimeline;
    let shown: TimelinePage;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterEach(async () => {
      expect(view.problems, 'no error in the page, and nothing against its policy').toEqual([]);
      await view.page.close();
    });
    afterAll(async () => {
      await browser.close();
    });

    async function open(options: Partial<TimelineOptions> = {}, methods = new MadeUpTimeline()): Promise<Page> {
      shown = await TimelinePage.open(browser, options, methods);
      ({ view } = shown);
      return view.page;
    }

    test('names from a recording are text and nothing else', async () => {
      const page = await open({}, new MadeUpTimeline(3, (name) => `${name}${HOSTILE}`));
      await page.mouse.click(...(await shown.at(2, 20)));
      await page.getByRole('tab', { name: 'Rows as a table' }).click();
      const head = (await page.locator('#head').boundingBox())!;
      await page.mouse.move(head.x + 400, head.y + 10);
      await page.mouse.down();
      await page.mouse.move(head.x + 700, head.y + 10, { steps: 3 });
      await page.mouse.up();
      await page.locator('#detail-panel table').first().waitFor();
      await (await control(page, page.getByRole('button', { name: /PNG/ }))).click();
      await eventually(() => shown.said('picture').length).toBe(1);
      expect(await page.title()).toBe('Timeline');
      expect(await page.locator('img, script:not([src])').count()).toBe(0);
    });

    test('help names the keys, and closes', async () => {
      const page = await open();
      await page.locator('#rows').focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Ctrl+wheel').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    });

    test.each(['dark', 'light', 'high-contrast'])('axe finds nothing, %s', async (theme) => {
      const page = await open({ theme, reducedMotion: true });
      const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      const faults = async (): Promise<unknown> => {
        const said =
          'violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])])';
        return page.evaluate(`${axe}; axe.run().then(({ violations }) => ${said})`);
      };
      await page.mouse.click(...(await shown.at(2, 20)));
      await page.locator('.stack').waitFor();
      expect(await faults()).toEqual([]);
      await view.tell({ parts: ['x'], span: { fromNs: 200e6, toNs: 300e6 } });
      await page.getByText('Zoom to the range').waitFor();
      expect(await faults()).toEqual([]);
      await page.getByRole('tab', { name: 'Rows as a table' }).click();
      expect(await faults()).toEqual([]);
      // The button stands in the menu, which is open then.
      const help = await control(page, page.getByRole('button', { name: /Keys and mouse/ }));
      expect(await faults()).toEqual([]);
      await help.click();
      expect(await faults()).toEqual([]);
    });

    test('at 200 % in a narrow column everything can be reached', async () => {
      const page = await open({ width: 480, height: 420, scale: 2 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(480);
      const { width, height } = await shown.rowsBox();
      expect(width).toBeGreaterThan(150);
      expect(height).toBeGreaterThan(40);
      expect(await page.evaluate('document.querySelector("#rows").width')).toBe(Math.round(width * 2));
    });

    test('a view of another version says so', async () => {
      const page = await open();
      await view.send({ version: 99, say: 'recordings', value: {} });
      await page.getByText('another version').waitFor();
    });
  },
);
