import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openGraph, type OpenedGraph } from './graph/browser.ts';
import { GraphHost, writeManyFiles, writeRun, writeSystemRun } from './graph/recorded.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';

/** Another program may have the machine. */
const SOON = { timeout: 30_000 };

interface Seen {
  /** Height of the smallest letters on the screen, and how far the drawing reaches over each side of its stage. */
  readonly letters: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

describe.skipIf(!hasBrowser)('a graph can be read (skipped without Chromium)', () => {
  let browser: Browser;
  let folder = '';
  let small = '';
  let large = '';
  let host: GraphHost;
  let view: OpenedGraph | undefined;

  beforeAll(async () => {
    browser = await startBrowser();
    folder = mkdtempSync(path.join(tmpdir(), 'iolens-legible-'));
    small = writeRun(folder, 'before', 3, 40);
    large = writeManyFiles(folder, 150);
  });
  beforeEach(() => {
    host = new GraphHost();
    host.choices = { ...host.choices, mapping: 'call+file' };
  });
  afterEach(async () => {
    expect(view?.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    await view?.page.close();
    view = undefined;
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(recording: string, options: Parameters<typeof openGraph>[2] = {}): Promise<Page> {
    await host.add([recording]);
    view = await openGraph(browser, host, options);
    await expect.poll(() => view!.panel.said('drawn').length, SOON).toBe(1);
    return view.page;
  }
  const seen = (page: Page): Promise<Seen> =>
    page.evaluate(`(() => {
      const stage = document.querySelector('#stage').getBoundingClientRect();
      const drawing = document.querySelector('#canvas').getBoundingClientRect();
      const scale = document.querySelector('#canvas').getCTM().a;
      const letters = [...document.querySelectorAll('#canvas text')].map((text) => parseFloat(getComputedStyle(text).fontSize) * scale);
      return { letters: Math.min(...letters), left: stage.left - drawing.left, right: drawing.right - stage.right,
        top: stage.top - drawing.top, bottom: drawing.bottom - stage.bottom };
    })()`);
  const transform = (page: Page): Promise<string | null> => page.locator('#canvas').getAttribute('transform');

  test.each([420, 640, 1280])(
    '%i pixels wide it opens with letters of 11 pixels, and no room is left beside what is cut',
    async (width) => {
      for (const recording of [small, large]) {
        const page = await open(recording, { width });
        const { letters, left, right, top, bottom } = await seen(page);
        expect(letters).toBeGreaterThanOrEqual(11);
        // Either both sides are within the stage, or nothing is empty beside what reaches over the other one.
        for (const [one, other] of [
          [left, right],
          [top, bottom],
        ] as const)
          if (one > 0 || other > 0) expect(Math.min(one, other), `${recording} ${width}`).toBeGreaterThan(-30);
        const costliest = page.locator('.node .box').first();
        await costliest.waitFor();
        await page.close();
      }
    },
  );

  test('what costs most is in sight', async () => {
    const page = await open(large, { width: 700 });
    const [most] = [...host.graph!.nodes].sort((a, b) => b.durationNs - a.durationNs);
    const box = (await page.locator(`.node[data-activity="${most!.activity}"]`).boundingBox())!;
    const stage = (await page.locator('#stage').boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(stage.x);
    expect(box.x + box.width).toBeLessThanOrEqual(stage.x + stage.width);
    expect(box.y).toBeGreaterThanOrEqual(stage.y);
    expect(box.y + box.height).toBeLessThanOrEqual(stage.y + stage.height);
  });

  test('“Fit” is remembered until the user zooms', async () => {
    const page = await open(large, { width: 700 });
    await page.getByRole('button', { name: 'Fit' }).click();
    expect(await page.evaluate('kept.fits')).toBe(true);
    const fitted = await transform(page);
    await page.setViewportSize({ width: 560, height: 900 });
    await expect.poll(() => transform(page), SOON).not.toBe(fitted);
    const narrow = await seen(page);
    expect(Math.max(narrow.left, narrow.right)).toBeLessThanOrEqual(0);
    const state: unknown = await page.evaluate('kept');
    await page.close();
    const again = await open(large, { width: 700, state });
    const { left, right, top, bottom } = await seen(again);
    expect(Math.max(left, right, top, bottom)).toBeLessThanOrEqual(0);
    await again.getByRole('button', { name: 'Zoom in' }).click();
    expect(await again.evaluate('kept.fits')).toBe(false);
  });

  test('“Fit” is a habit: another panel begins with it', async () => {
    const page = await open(large, { width: 700 });
    await page.getByRole('button', { name: 'Fit' }).click();
    await page.reload();
    await expect.poll(() => view!.panel.said('drawn').length, SOON).toBe(2);
    const { left, right, top, bottom } = await seen(page);
    expect(Math.max(left, right, top, bottom)).toBeLessThanOrEqual(0);
  });

  test('numbers are whole, in boxes as wide as their text', async () => {
    const page = await open(small);
    const faults = await page.evaluate(`(() => [...document.querySelectorAll('.node')].flatMap((node) => {
      const box = node.querySelector('.box').getBoundingClientRect();
      return [...node.nextElementSibling.querySelectorAll('text')].flatMap((text) => {
        const { left, right } = text.getBoundingClientRect();
        return left < box.left + 2 || right > box.right - 2 || /load.*…/i.test(text.textContent) ? [text.textContent] : [];
      });
    }))()`);
    expect(faults).toEqual([]);
    expect(
      (await page.locator('.node-text .number').allTextContents()).filter((text) => /load: .*iB\)$/i.test(text)).length,
    ).toBeGreaterThan(2);
  });

  test('the folder that all lies in is said once', async () => {
    host.choices = { ...host.choices, pathFilter: '/p/scratch' };
    const page = await open(small);
    expect(await page.locator('.node-text .subtitle').allTextContents()).toContain('cells.dat');
    expect((await page.locator('.folder-name').allTextContents()).sort()).toEqual([
      '/p/scratch',
      'cells.dat',
      'in/mesh.h5',
      'out',
    ]);
    expect((await page.locator('.node-text').allTextContents()).join(' ')).not.toContain('/p/scratch');
    expect(await page.locator('#status').innerText()).toContain('paths are below /p/scratch/');
  });

  test.each(['dark', 'light', 'high-contrast'])(
    'what is not selected stays readable in the %s theme',
    async (theme) => {
      const page = await open(small, { theme });
      const [first] = host.graph!.nodes;
      await view!.panel.say('selection', {
        labels: ['x'],
        isMarked: true,
        activities: [{ activity: first!.activity, share: 1 }],
        edges: [],
      });
      await page.locator('.node.not-selected').first().waitFor();
      const contrasts: number[] = await page.evaluate(`(() => {
      const channels = (colour) => {
        const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const light = (colour) => channels(colour)
        .map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
        .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
      const opacity = (element) => element === null ? 1 : Number(getComputedStyle(element).opacity) * opacity(element.parentElement);
      const edges = [...document.querySelectorAll('.edge.not-selected text')].map((text) => {
        const [ink, paper] = [getComputedStyle(text).fill, getComputedStyle(document.body).backgroundColor].map(light);
        return opacity(text) < 1 ? 1 : (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      });
      return [...document.querySelectorAll('.node.not-selected')].flatMap((node) => {
        const under = light(getComputedStyle(node.querySelector('.box')).fill);
        return [...node.nextElementSibling.querySelectorAll('text')].map((text) => {
          const ink = light(getComputedStyle(text).fill);
          return opacity(text) < 1 ? 1 : (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
        });
      }).concat(edges);
    })()`);
      expect(contrasts.length).toBeGreaterThan(3);
      expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('what a filter hides is said, with a button that shows it', async () => {
    host.choices = { ...host.choices, pathFilter: 'nowhere' };
    const page = await open(small);
    const status = page.locator('#status');
    expect(await status.innerText()).toContain('before: the filter hides everything.');
    expect(await status.innerText()).toContain('Hidden: 165 events whose path does not contain “nowhere”.');
    await status.getByRole('button', { name: 'Show all paths' }).click();
    await page.locator('.node').first().waitFor();
    expect(await status.innerText()).not.toContain('Hidden');
    expect(await page.evaluate(`document.querySelector('#filter').value`)).toBe('');
  });

  test('a program that touches files of the system only is not said to have done nothing', async () => {
    const page = await open(writeSystemRun(folder));
    const status = page.locator('#status');
    expect(await status.innerText()).toContain('Hidden: 3 events on files of the system');
    expect(await page.locator('.node').count()).toBe(0);
    await status.getByRole('button', { name: 'Show system files' }).click();
    await page.locator('.node').first().waitFor();
    expect(host.choices.systemFiles).toBe(true);
  });

  test('in a narrow panel it shows what stands around the current line, at a size that can be read', async () => {
    const page = await open(small, { width: 300 });
    const { letters, left, right } = await seen(page);
    expect(letters).toBeGreaterThanOrEqual(11);
    expect(Math.max(left, right)).toBeLessThanOrEqual(0);
    const shown = (): Promise<string[]> =>
      page.evaluate(`[...document.querySelectorAll('.node')].map(({ dataset }) => dataset.activity)`);
    expect(await shown()).toContain('write:/p/scratch/out/cells.dat');
    expect(await shown()).not.toContain('read:/home/me/config');
    await view!.panel.say('select', ['read:/home/me/config']);
    await expect.poll(shown, SOON).toContain('read:/home/me/config');
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.node')].map((node) => node.getBoundingClientRect().top)`,
    );
    expect(new Set(tops).size, 'below each other').toBe(tops.length);
    await page.getByRole('button', { name: 'Show the whole graph' }).click();
    await expect.poll(async () => (await shown()).length, SOON).toBe(6);
    expect(await page.evaluate('kept.whole')).toBe(true);
    await page.getByRole('button', { name: 'Show the neighbourhood' }).click();
    await expect.poll(async () => (await shown()).length, SOON).toBeLessThan(6);
    await page.setViewportSize({ width: 800, height: 900 });
    await expect.poll(async () => (await shown()).length, SOON).toBe(6);
  });
});
