import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { FROM_TRIAL, TRIAL, type TrialLine, type TrialSubject } from '../../src/features/fixes/protocol.ts';
import { PlayedPanel } from '../support/played-panel.ts';
import { barriers, openWebview, takeTheme, type WebviewPage } from '../support/webview-page.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';

/** The machine may have other things to do. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });
const BODY = '<div id="status" role="status" aria-live="polite"></div><main id="trial"></main>';
const HOSTILE = '<img src=x onerror=alert(1)>';

const SUBJECT: TrialSubject = {
  title: 'Keep the file open',
  verdict: 'keeps results, saves 61 %',
  proven: true,
  commands: [
    ['Build', 'make'],
    ['Run', './app input'],
  ],
  buildErrors: '',
  runs: { before: [2e9, 1e9], after: [1e9, 5e8] },
  facts: [['Results', 'equal']],
  differences: [`${HOSTILE}: other bytes`],
  faults: [
    { fault: 'disk full', before: 'exit status 1', after: 'exit status 0', worse: true, judged: 'worse' },
    {
      fault: 'short reads and writes',
      before: 'exit status 0',
      after: 'exit status 0',
      worse: false,
      judged: 'the same',
    },
  ],
  notes: ['left out of the copies: app.strace'],
  diff: `--- a/app.c\n+++ b/app.c\n@@ -1,3 +1,3 @@\n int\tmain\n-old ${HOSTILE}\n+new\u202e\n`,
  words: {
    keep: 'Keep',
    discard: 'Discard',
    copy: 'Copy as Markdown',
    change: 'Change',
    runs: 'Runs',
    before: 'before',
    after: 'after',
    faults: 'When something fails',
    fault: 'fault',
    judged: 'compared',
    differences: 'Results',
    notes: 'Notes',
  },
};

describe.skipIf(!hasBrowser)('the view of a trial (skipped without Chromium)', () => {
  let browser: Browser;
  let opened: WebviewPage;
  let panel: PlayedPanel<TrialLine>;
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

  async function open(subject: TrialSubject): Promise<Page> {
    panel = new PlayedPanel<TrialLine>(TRIAL, FROM_TRIAL, (message) => opened.send(message), {
      answers: {},
      present: () => panel.say('subject', subject),
    });
    opened = await openWebview(browser, {
      script: 'webview/trial/main.ts',
      style: 'webview/trial/trial.css',
      body: BODY,
      width: 900,
      hear: (message, page) => {
        opened = page;
        panel.hear(message);
      },
    });
    await eventually(() => panel.said('drawn').length).toBeGreaterThan(0);
    return opened.page;
  }

  test('shows verdict, runs, faults and the change; what is in names is text', async () => {
    const page = await open(SUBJECT);
    const text = await page.locator('main').innerText();
    for (const part of ['keeps results, saves 61 %', './app input', `${HOSTILE}: other bytes`, 'app.strace'])
      expect(text).toContain(part);
    expect(await page.locator('main img').count()).toBe(0);
    const styles = await Promise.all((await page.locator('.bar').all()).map((bar) => bar.getAttribute('style')));
    expect(styles).toEqual(['100%', '50%', '50%', '25%'].map((width) => `width: ${width};`));
    expect(await page.locator('.diff .removed').innerText()).toBe(`-old ${HOSTILE}`);
    // What turns the direction of writing is shown as what it is.
    expect(await page.locator('.diff .inserted').innerText()).toBe('+new\\u{202e}');
    expect(await page.locator('td .problem').allInnerTexts()).toEqual(['worse']);
    expect(panel.said('drawn')).toEqual([{ runs: 2 }]);
  });

  test('says what is to be done with it', async () => {
    const page = await open(SUBJECT);
    for (const [button, said] of [
      ['Keep', 'keep'],
      ['Discard', 'discard'],
      ['Copy as Markdown', 'copy'],
    ] as const) {
      await page.locator('vscode-button', { hasText: button }).click();
      await eventually(() => panel.said(said).length).toBe(1);
    }
    await panel.say('said', 'Copied');
    await eventually(() => page.locator('#status').innerText()).toBe('Copied');
  });

  test('of a change that does not build it shows what the build says', async () => {
    const runs = { before: [], after: [] };
    const subject = { ...SUBJECT, proven: false, buildErrors: `app.c:1: ${HOSTILE}`, runs, facts: [], faults: [] };
    const page = await open(subject);
    expect(await page.locator('pre').first().innerText()).toBe(`app.c:1: ${HOSTILE}`);
    expect(await page.locator('.bar').count()).toBe(0);
  });

  test('axe finds nothing to complain about in any theme', async () => {
    const page = await open(SUBJECT);
    expect(await barriers(page)).toEqual([]);
    for (const theme of ['light', 'high-contrast']) {
      await takeTheme(page, theme);
      expect(await barriers(page, 'colours'), theme).toEqual([]);
    }
  });
});
