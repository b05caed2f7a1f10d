import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewReport } from '../../src/features/report/protocol.ts';
import { hasBrowser, openView, startBrowser, type OpenedView, type ViewOptions } from './report/browser.ts';
import { FINDINGS, REPORT } from './report/made-up.ts';
import { recordedSummary } from './report/recorded.ts';

const TABS = ['Overview', 'Findings', 'Modules', 'Ranks', 'Files', 'Call Stacks', 'Log'];

/** What a log may call a file, a hint or its program. */
const HOSTILE = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';

const tab = (page: Page, name: string): ReturnType<Page['getByRole']> => page.getByRole('tab', { name });
const panel = (page: Page): ReturnType<Page['locator']> => page.locator('[role="tabpanel"]:not([hidden])');

/** What axe complains about on the page as it is. */
async function violationsOf(page: Page): Promise<unknown> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
  );
}

/** Every text of a report replaced. */
function poisoned<Value>(value: Value, poison: string): Value {
  if (typeof value === 'string') return `${value}${poison}` as Value;
  if (Array.isArray(value)) return value.map((each: unknown) => poisoned(each, poison)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  // What the view looks things up by stays.
  const kept = ['kind', 'severity', 'source', 'audience', 'role', 'table'];
  const entries = Object.entries(value).map(([name, each]: [string, unknown]) => [
    name,
    kept.includes(name) ? each : poisoned(each, poison),
  ]);
  return Object.fromEntries(entries) as Value;
}

describe.skipIf(!hasBrowser)('the view of a report (skipped without Chromium)', () => {
  let browser: Browser;
  let view: OpenedView;
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

  async function open(options: ViewOptions = { report: REPORT }): Promise<Page> {
    view = await openView(browser, options);
    if (options.report !== undefined) await view.page.locator('h1').waitFor();
    return view.page;
  }

  /** What the view said and asked, by name. */
  const heard = (): string[] =>
    view.panel.heard.map((message) => ('ready' in message ? 'ready' : 'ask' in message ? message.ask : message.say));

  test('says that it is ready, and that it has drawn', async () => {
    await open();
    await expect.poll(heard).toEqual(['ready', 'drawn']);
  });

  test('shows what Drishti and PyDarshan show at the top', async () => {
    const page = await open();
    const text = await page.locator('main').innerText();
    for (const part of [
      'badmpi',
      './badmpi --steps 100 /scratch/run',
      '4242 of user 1000',
      '12.5 s',
      'romio_no_indep_rw=true cb_nodes=4',
      '9 (POSIX 9, MPI-IO 1)',
      '3.5.0, log format 3.41',
      'records are missing from MPI-IO',
      'Many small writes',
    ])
      expect(text).toContain(part);
  });

  test('a canvas draws, and its table says the same', async () => {
    const page = await open();
    const drawn = await page
      .locator('figure canvas')
      .evaluateAll((all) => all.map((canvas) => Reflect.get(canvas, 'width') as number));
    expect(drawn.length).toBe(2);
    for (const width of drawn) expect(width).toBeGreaterThan(100);
    const cost = page.locator('figure', { hasText: 'I/O cost' });
    await cost.locator('summary').click();
    expect(await cost.locator('tbody tr').first().innerText()).toMatch(/POSIX\s+4 %\s+12 %\s+1.2 %/);
    expect(await cost.locator('canvas').getAttribute('aria-label')).toContain('table');
  });

  test('a heatmap says what lies under the pointer, in the room that there is', async () => {
    const page = await open();
    const heatmap = page.locator('figure.heatmap');
    const drawing = heatmap.locator('svg.chart');
    const { width, height } = (await drawing.boundingBox())!;
    expect(width).toBeGreaterThan(1_000);
    await drawing.hover({ position: { x: width / 2, y: height - 40 } });
    expect(await heatmap.locator('.said').innerText()).toMatch(/^Rank 3, 6.25 s to 6.56 s: 1.08 MiB$/);
    await drawing.hover({ position: { x: width / 2, y: 40 } });
    expect(await heatmap.locator('.said').innerText()).toMatch(/^All ranks, .*: read .*, written /);
    await page.setViewportSize({ width: 600, height: 900 });
    await expect.poll(async () => (await drawing.boundingBox())!.width).toBeLessThan(600);
  });

  test('a finding leads to its line, its file and its snippets, code and job apart', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Many small writes' }).click();
    const finding = page.locator('.finding').first();
    expect(await finding.innerText()).toContain('badio.c:42 in emit, ranks 0-3');
    expect(await finding.locator('.for-code').innerText()).toContain('Collect the 47-byte records');
    expect(await finding.locator('.for-job').innerText()).toContain('cb_nodes 4');
    await finding.getByRole('button', { name: 'Open badio.c:42' }).click();
    await finding.getByRole('combobox', { name: 'Language' }).selectOption('Python');
    expect(await finding.locator('.for-code pre').innerText()).toContain('buffering=1 << 20');
    await finding.locator('.for-code').getByRole('button', { name: /^Copy/ }).click();
    await finding
      .locator('.for-job')
      .getByRole('button', { name: /^Insert/ })
      .click();
    await finding
      .locator('.for-job')
      .getByRole('button', { name: /^New File/ })
      .click();
    expect(heard().slice(2)).toEqual(['openPlace', 'snippet', 'snippet', 'snippet']);
    expect(view.panel.said('openPlace')).toEqual([{ place: 0 }]);
    expect(view.panel.said('snippet')).toEqual([
      { number: 2, into: 'clipboard' },
      { number: 1, into: 'editor' },
      { number: 1, into: 'newFile' },
    ]);
    await finding.getByRole('button', { name: /^Show \/scratch\/run\/out\.txt/ }).click();
    expect(await tab(page, 'Files').getAttribute('aria-selected')).toBe('true');
    expect(await page.getByRole('searchbox', { name: 'Filter files' }).inputValue()).toBe('/scratch/run/out.txt');
  });

  test('a line that is not here cannot be opened', async () => {
    const page = await open();
    await tab(page, 'Findings').click();
    expect(await page.getByRole('button', { name: 'Open gone.c:7' }).count()).toBe(0);
    expect(await page.locator('.finding').first().innerText()).toContain('is not on this machine');
  });

  test('findings, files and ranks can be selected, and what takes part in a selection is marked', async () => {
    const page = await open();
    await tab(page, 'Findings').click();
    await page.getByRole('button', { name: `Select the calls of ${FINDINGS[0]!.title}` }).click();
    await tab(page, 'Ranks').click();
    await panel(page).locator('.exemplars button.select').first().click();
    await tab(page, 'Files').click();
    const names = panel(page).locator('button.select.path');
    await names.first().click();
    const file = await names.first().innerText();
    const chosen = view.panel.said('select');
    expect(chosen.map(({ kind }) => kind)).toEqual(['insight', 'rank', 'file']);
    expect(chosen[0]).toEqual({ kind: 'insight', code: FINDINGS[0]!.code });
    expect(chosen[2]).toEqual({ kind: 'file', path: file });

    const marks = { isMarked: true, findings: [], files: [file], filesAreCut: false, ranks: [1] };
    await view.panel.say('selection', { labels: ['<b>rank 1', 'out.txt'], ...marks });
    await expect.poll(() => page.locator('#breadcrumb').innerText()).toBe('Selected: <b>rank 1 › out.txt');
    expect(await panel(page).locator('tr.is-selected').count()).toBe(1);
    expect(await panel(page).locator('tr.not-selected').count()).toBe(49);
    expect(await names.first().getAttribute('aria-pressed')).toBe('true');
    // Rows that come later are marked, too.
    await page.getByRole('button', { name: 'Next page of files' }).click();
    await expect.poll(() => panel(page).locator('tr.is-selected').count()).toBe(0);
    expect(await panel(page).locator('tr.not-selected').count()).toBe(50);
    await tab(page, 'Findings').click();
    expect(await page.locator('article.finding.is-selected').count()).toBe(0);
    const none = { isMarked: false, findings: [], files: [], filesAreCut: false, ranks: [] };
    await view.panel.say('selection', { labels: ['rank 9'], ...none });
    const elsewhere = 'Selected: rank 9 (nothing of it is here)';
    await expect.poll(() => page.locator('#breadcrumb').innerText()).toBe(elsewhere);
    expect(await page.locator('.not-selected').count()).toBe(0);
    await view.panel.say('selection', { labels: [], ...none });
    await expect.poll(() => page.locator('#breadcrumb').isVisible()).toBe(false);
  });

  test('files are asked for page by page, in the wanted order', async () => {
    const page = await open();
    await tab(page, 'Files').click();
    await panel(page).getByText('1–50 of 120').waitFor();
    await panel(page).getByRole('button', { name: 'Next page of files' }).click();
    await panel(page).getByText('51–100 of 120').waitFor();
    await panel(page).getByRole('button', { name: /^File/ }).click();
    await panel(page).getByText('1–50 of 120').waitFor();
    await panel(page).locator('th[aria-sort="ascending"]').waitFor();
    await panel(page).getByRole('searchbox').fill('part.11');
    await panel(page).getByText('1–10 of 10 (120 in all)').waitFor();
    const queries = view.panel.asked('files');
    expect(queries.at(-1)).toEqual({ sort: 'path', descending: false, filter: 'part.11', from: 0, count: 50 });
    expect(queries.every(({ count }) => count <= 50)).toBe(true);
  });

  test('an answer that failed stands where the table would', async () => {
    const page = await open({
      report: REPORT,
      answers: {
        files: () => Promise.reject(new Error('The recording was closed.')),
        records: () => Promise.reject(new Error('The recording was closed.')),
        callTree: () => Promise.reject(new Error('The recording was closed.')),
      },
    });
    await tab(page, 'Files').click();
    await panel(page).locator('.problem', { hasText: 'The recording was closed.' }).waitFor();
  });

  test('modules one at a time, each with its counters and records', async () => {
    const page = await open();
    await tab(page, 'Modules').click();
    expect(await panel(page).innerText()).toContain('47 B');
    await panel(page).getByText('Totals of 4 counters, 1 more are 0').click();
    expect(await panel(page).locator('.totals').innerText()).toMatch(/WRITES\s+16,384/);
    await panel(page).getByRole('button', { name: 'MPI-IO' }).click();
    await panel(page).getByText('1–2 of 2').waitFor();
    expect(view.panel.asked('records').at(-1)).toMatchObject({ module: 'MPI-IO' });
  });

  test('works with the keyboard', async () => {
    const page = await open();
    await tab(page, 'Overview').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await tab(page, 'Log').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await tab(page, 'Findings').getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('[role="tab"][tabindex="0"]').count()).toBe(1);
    await tab(page, 'Files').click();
    await panel(page).getByRole('button', { name: 'Writes' }).focus();
    await page.keyboard.press('Enter');
    await panel(page).locator('th[aria-sort="descending"]', { hasText: 'Writes' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.dataset.sort')).toBe('writes');
  });

  test('comes back where it was', async () => {
    const query = { sort: 'path', descending: true, filter: 'part.0', from: 50, count: 50 };
    const page = await open({
      report: REPORT,
      state: { paths: [], tab: 'files', module: '', scroll: 0, files: query, records: query },
    });
    await panel(page).getByText('51–100 of 100 (120 in all)').waitFor();
    expect(await panel(page).getByRole('searchbox').inputValue()).toBe('part.0');
    await tab(page, 'Log').click();
    expect(await page.evaluate('kept')).toMatchObject({ tab: 'log', files: query });
  });

  test('a state from elsewhere is not taken', async () => {
    const page = await open({ report: REPORT, state: { tab: 7 } });
    expect(await tab(page, 'Overview').getAttribute('aria-selected')).toBe('true');
  });

  test('nothing of a log becomes markup', async () => {
    const page = await open({ report: poisoned(REPORT, HOSTILE) });
    for (let at = 0; at < TABS.length; at++) {
      await page.getByRole('tab').nth(at).click();
      await panel(page).waitFor();
    }
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('Report');
    expect(await page.locator('h1').innerText()).toContain('<script>');
  });

  test('control characters and marks of direction are seen', async () => {
    const page = await open({ report: poisoned(REPORT, '\u001b[31m\u202egnp.exe\u0000\u200b') });
    expect(await page.locator('h1').innerText()).toContain('\u241b[31m\\u{202e}gnp.exe\u2400\\u{200b}');
    await tab(page, 'Findings').click();
    expect(await panel(page).innerText()).not.toMatch(/\u202e/);
  });

  test('a recording without a job shows its run, its lines and its files', async () => {
    const { summary } = await recordedSummary('demo/heat/heat.strace.gz');
    const page = await open({ report: summary });
    expect(await page.locator('h1').innerText()).toBe('heat.strace.gz');
    expect(await page.locator('.head p').first().innerText()).toBe(summary.head[0]);
    for (const name of ['Overview', 'Findings', 'Lines', 'Files', 'Recording']) {
      await tab(page, name).click();
      expect(await panel(page).innerText()).not.toMatch(/NaN|undefined|null/);
    }
    expect(await page.getByRole('tab').count()).toBe(6);
    await tab(page, 'Lines').click();
    const [dearest] = summary.run.lines;
    const row = panel(page).locator('tbody tr').first();
    for (const text of [dearest!.place.label, dearest!.function, dearest!.cost, dearest!.recorded, dearest!.share])
      expect(await row.innerText()).toContain(text);
    await tab(page, 'Files').click();
    await panel(page).locator('button.select').first().click();
    await expect.poll(() => view.panel.said('select')).toEqual([{ kind: 'file', path: summary.run.files[0]!.path }]);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a log of nothing is shown, too', async () => {
    const { job } = REPORT;
    const bare: ViewReport = {
      ...REPORT,
      job: {
        ...job,
        job: { ...job.job, command: '', executable: '', runSeconds: null, endTime: null, hints: [], mounts: [] },
        regions: [],
        modules: [],
        usedFiles: { files: 0, byModule: [] },
        fileSystems: [],
        ranks: [],
        heatmaps: [],
        segments: [],
      },
      findings: [],
      patches: [],
      events: 0,
    };
    const page = await open({ report: bare });
    expect(await page.locator('h1').innerText()).toBe('badmpi.darshan');
    // Without a call there is no call stack.
    for (const name of TABS.filter((each) => each !== 'Call Stacks')) {
      await tab(page, name).click();
      expect(await panel(page).innerText()).not.toMatch(/NaN|undefined|null/);
      if (name === 'Overview' || name === 'Findings')
        expect(await panel(page).innerText()).toContain(REPORT.nothingFound);
    }
    expect(await page.getByRole('button', { name: 'Graph' }).count()).toBe(0);
  });

  test('progress, cancelling, failing, and trying again', async () => {
    const page = await open({});
    await view.panel.say('working', { share: null });
    await view.panel.say('working', { share: 0.25 });
    await expect.poll(() => page.locator('progress').getAttribute('value')).toBe('0.25');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await view.panel.say('failed', 'Reading the recording was cancelled.');
    await page.getByText('Reading the recording was cancelled.').waitFor();
    await page.getByRole('button', { name: 'Show Log' }).click();
    await page.getByRole('button', { name: 'Open Again' }).click();
    await view.panel.say('report', REPORT);
    await page.locator('h1').waitFor();
    expect(await page.locator('#status').innerText()).toBe('');
    expect(heard()).toEqual(['ready', 'cancel', 'showLog', 'openAgain', 'drawn']);
  });

  test('a report of another version is refused', async () => {
    const page = await open({});
    await view.send({ version: 99, say: 'report', value: REPORT });
    await page.getByText('another version of I/O Lens').waitFor();
  });

  test('damage stands above everything', async () => {
    const damage = { where: 'x.darshan, POSIX', what: 'the data ends early', lost: '3 records' };
    const page = await open({ report: { ...REPORT, damage: [damage, damage] } });
    expect(await page.locator('.warning').first().innerText()).toBe(
      'The log was read in part: x.darshan, POSIX: the data ends early. Lost: 3 records. 1 more report of damage is under “Log”.',
    );
    await tab(page, 'Log').click();
    expect(await panel(page).innerText()).toContain('3 records');
  });

  test('draws anew in another theme', async () => {
    const page = await open();
    const colourOfBar = (): Promise<string> =>
      page
        .locator('figure canvas')
        .first()
        .evaluate((canvas) => (Reflect.get(canvas, 'toDataURL') as () => string).call(canvas));
    await expect.poll(colourOfBar).toMatch(/^data:image/);
    const dark = await colourOfBar();
    await page.evaluate(`document.documentElement.style.setProperty('--vscode-iolens-read', '#00ff00')`);
    await expect.poll(colourOfBar).not.toBe(dark);
    const green = await colourOfBar();
    await page.evaluate(`document.body.className = 'vscode-high-contrast'`);
    await expect.poll(colourOfBar).not.toBe(green);
  });

  test('on paper all parts stand one behind the other', async () => {
    const page = await open();
    await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
    await page.emulateMedia({ media: 'print' });
    for (const part of ['#panel-findings', '#panel-modules', '#panel-log'])
      expect(await page.locator(part).isVisible()).toBe(true);
    expect(await page.getByRole('tablist').isVisible()).toBe(false);
  });

  test.each(['dark', 'light'])('axe finds nothing to complain about in the %s theme', async (theme) => {
    const page = await open({ report: REPORT, theme });
    for (const name of TABS) {
      await tab(page, name).click();
      await panel(page).waitFor();
      expect(await violationsOf(page), name).toEqual([]);
    }
  });

  test('is as wide as the editor, however narrow', async () => {
    const page = await open({ report: { ...REPORT, findings: poisoned(FINDINGS, 'x'.repeat(300)) } });
    for (const width of [1280, 700, 380]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of TABS) {
        await tab(page, name).click();
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          `${name}, ${width}`,
        ).toBeLessThanOrEqual(0);
      }
    }
  });
});
