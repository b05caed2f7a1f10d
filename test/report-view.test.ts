import { afterAll, beforeAll, expect, describe, test } from 'vitest';
import type { Browser } from 'playwright-core';
import { hasBrowser, openView, startBrowser } from './report/browser.ts';
import { REPORT } from './report/made-up.ts';

describe.skipIf(!hasBrowser)('the view of a report (skipped without Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });

  test('shots', async () => {
    for (const theme of ['dark', 'light']) {
      const { page, problems } = await openView(browser, { report: REPORT, theme });
      await page.getByRole('tab', { name: 'Overview' }).waitFor();
      for (const tab of ['Overview', 'Findings', 'Modules', 'Ranks', 'Files', 'Log']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.waitForTimeout(300);
        await page.screenshot({ path: `/tmp/shots/${theme}-${tab}.png`, fullPage: true });
      }
      expect(problems).toEqual([]);
      await page.close();
    }
  });
});
