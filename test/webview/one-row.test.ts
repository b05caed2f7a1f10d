import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGraph } from './graph/browser.ts';
import { GraphHost, writeRun } from './graph/recorded.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { MadeUpTimeline } from './timeline/made-up.ts';
import { TimelinePage } from './timeline/page.ts';

const WIDTHS = [300, 480, 640, 900, 1280, 1900];

describe.skipIf(!hasBrowser)('controls in one row (skipped without Chromium)', () => {
  let browser: Browser;
  let folder = '';
  beforeAll(async () => {
    browser = await startBrowser();
    folder = mkdtempSync(path.join(tmpdir(), 'iolens-row-'));
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function graph(): Promise<Page> {
    const host = new GraphHost();
    await host.add([writeRun(folder, 'run', 2, 4)]);
    const { page, panel } = await openGraph(browser, host, { width: 900 });
    await expect.poll(() => panel.said('drawn').length, { timeout: 30_000 }).toBe(1);
    return page;
  }
  async function timeline(): Promise<Page> {
    return (await TimelinePage.open(browser, { width: 900, height: 600 }, new MadeUpTimeline())).view.page;
  }

  test.each([
    ['graph', graph],
    ['timeline', timeline],
  ])('the bar of the %s is one row, and all its controls can be reached', async (_name, open) => {
    const page = await open();
    const more = page.getByRole('button', { name: 'More controls' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 600 });
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const look = (): Promise<{ height: number; beyond: string[]; unseen: string[] }> =>
        page.evaluate(`(() => {
          const bar = document.querySelector('#toolbar');
          const isShown = (control) => control.checkVisibility();
          const all = [...bar.querySelectorAll('select, input, button, vscode-button, vscode-textfield')]
            .filter((control) => control.closest('label')?.hidden !== true);
          const name = (control) => control.id || control.title || control.textContent;
          return { height: bar.getBoundingClientRect().height,
            beyond: all.filter(isShown).filter((control) => {
              const { left, right } = control.getBoundingClientRect();
              return left < 0 || right > innerWidth;
            }).map(name),
            unseen: all.filter((control) => !isShown(control)).map(name) };
        })()`);
      const closed = await look();
      expect(closed.beyond, `${width} px`).toEqual([]);
      expect(closed.height, `${width} px`).toBeLessThanOrEqual(40);
      if (await more.isVisible()) await more.click();
      const opened = await look();
      expect(opened.beyond, `${width} px`).toEqual([]);
      expect(
        opened.unseen.filter((name) => name !== 'More controls'),
        `${width} px`,
      ).toEqual([]);
      if (await more.isVisible()) await page.keyboard.press('Escape');
    }
    await page.close();
  });

  test('the menu opens and closes by keys, and its controls follow the bar’s', async () => {
    const page = await timeline();
    const more = page.getByRole('button', { name: 'More controls' });
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    await more.focus();
    await page.keyboard.press('Enter');
    expect(await more.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.closest('.bar-menu') !== null`)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('More controls');
    await page.locator('#rows').focus();
    await more.click();
    await page.mouse.click(300, 400);
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    await page.close();
  });

  test('a toggle looks like one while it is off, and says whether it is on', async () => {
    const page = await timeline();
    await page.setViewportSize({ width: 1900, height: 600 });
    const toggle = page.getByRole('button', { name: 'Layers' });
    await toggle.waitFor();
    expect(await toggle.getAttribute('aria-pressed')).toBe('false');
    const border = await page.evaluate(
      `getComputedStyle(document.querySelector('button.toggle[aria-pressed="false"]')).borderTopColor`,
    );
    expect(border).not.toBe('rgba(0, 0, 0, 0)');
    await toggle.click();
    expect(await toggle.getAttribute('aria-pressed')).toBe('true');
    await page.close();
  });
});
