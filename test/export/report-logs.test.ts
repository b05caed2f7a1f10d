import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absent, corpus } from '../support/corpus.ts';
import { shareOf } from '../support/rounds.ts';
import { hasBrowser, openView, startBrowser } from '../webview/report/browser.ts';
import { recordedReport } from '../webview/report/recorded.ts';

const folders = ['darshan', 'darshan-stack'].map(corpus).filter((folder) => folder !== undefined);
const logs = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.darshan'))
    .map((name) => path.join(folder, name)),
);

describe.skipIf(!hasBrowser)('the report of logs (skipped without Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
  });
  if (corpus('darshan') === undefined) test.skip(`of the larger corpus: ${absent('darshan')}`);

  test.concurrent.each(shareOf(logs))('%s', async (log) => {
    const recorded = await recordedReport(log);
    const { page, problems } = await openView(browser, recorded);
    await page.locator('h1').waitFor();
    for (const name of ['Overview', 'Findings', 'Modules', 'Ranks', 'Files', 'Log']) {
      await page.getByRole('tab', { name }).click();
      const panel = page.locator('[role="tabpanel"]:not([hidden])');
      if (name === 'Files')
        await panel
          .locator('.count')
          .filter({ hasText: /of|none/ })
          .waitFor();
      expect(await panel.innerText(), name).not.toMatch(/\bNaN\b|\bundefined\b|\bnull\b|\[object|Infinity/);
      expect(await panel.locator('.problem').count(), name).toBe(0);
    }
    await page.getByRole('tab', { name: 'Modules' }).click();
    for (const module of recorded.report.job.modules) {
      await page.locator('.picker').getByRole('button', { name: module.module, exact: true }).click();
      await page
        .locator('#panel-modules .count')
        .filter({ hasText: /of|none/ })
        .waitFor();
    }
    expect(problems).toEqual([]);
    await page.close();
  });
});
