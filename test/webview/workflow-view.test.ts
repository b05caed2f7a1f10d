import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WorkflowDocument } from '../../src/fleet/workflow/workflow-document.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { openWorkflow, type OpenedWorkflow, type WorkflowOptions } from './workflow/browser.ts';
import { barriers, takeTheme } from '../support/webview-page.ts';
import { dependency, madeUpWorkflow } from './workflow/made-up.ts';

/** The machine may have other things to do. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });

describe.skipIf(!hasBrowser)('the view of a workflow (skipped without Chromium)', () => {
  let browser: Browser;
  let view: OpenedWorkflow;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(() => {
    expect(view.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    expect(view.panel.problems).toEqual([]);
    view.close();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(options: WorkflowOptions = {}, document: WorkflowDocument = madeUpWorkflow()): Promise<Page> {
    view = await openWorkflow(browser, document, options);
    await eventually(() => view.panel.said('drawn').length).toBeGreaterThan(0);
    return view.page;
  }
  const timeline = { folder: '/work/sim', mode: 'timeline', tab: 'workflow' };
  const step = (job: number, at: number): string => `.step[data-job="${job}"][data-step="${at}"]`;
  const focused = (): Promise<string> =>
    view.page.evaluate(`[document.activeElement.dataset.job, document.activeElement.dataset.step ?? ''].join(' ')`);
  const attributes = async (all: ReturnType<Page['locator']>, name: string): Promise<(string | null)[]> =>
    Promise.all((await all.all()).map((each) => each.getAttribute(name)));
  const panel = (page: Page): ReturnType<Page['locator']> => page.locator('[role="tabpanel"]:not([hidden])');

  test('shows jobs, their steps and files, and every kind of dependency in its own style', async () => {
    const page = await open();
    expect(await page.locator('.job').count()).toBe(5);
    expect(await page.locator('.step').count()).toBe(15);
    const dashes = (kind: string): Promise<string | null> =>
      page.locator(`.arrow.${kind} .line`).first().getAttribute('stroke-dasharray');
    expect([await dashes('declared'), await dashes('data')]).toEqual(['none', '8 5']);
    // 43 → 45: nothing was declared, the data say it.
    const between = page.locator('.arrow').filter({ has: page.locator('title', { hasText: 'Job 43 → job 45' }) });
    expect(await between.count()).toBe(1);
    expect(await between.getAttribute('class')).toBe('arrow data critical');
    expect(await between.locator('title').textContent()).toContain('data: left.chk');
    expect(await page.locator('.job.critical').count()).toBe(4);
    const colours = await page.locator('.job .back').evaluateAll((all) =>
      all.map((each) => {
        const style = Reflect.get(globalThis, 'getComputedStyle') as (of: unknown) => { fill: string };
        return style(each).fill;
      }),
    );
    expect(new Set(colours).size).toBe(5);
  });

  test('a step is coloured by its share, and has a box for each access mode', async () => {
    const page = await open();
    const heights = async (at: string): Promise<number[]> =>
      (await attributes(page.locator(`${at} .part`), 'height')).map(Number);
    const [computation, communication, io] = await heights(step(0, 2));
    const total = computation! + communication! + io!;
    expect(communication! / total).toBeCloseTo(0.5, 3);
    expect(io! / total).toBeCloseTo(0.02, 3);
    expect(await page.locator(`${step(4, 0)} .files`).getAttribute('class')).toBe('files read');
    expect(
      await page
        .locator(`${step(4, 0)} ~ .file-count`)
        .first()
        .textContent(),
    ).toBe('2');
    const places = await Promise.all(
      [step(1, 0), step(1, 1), step(1, 2)].map(async (at) => {
        const [outer, inner] = [
          await page.locator(`${at} .frame`).boundingBox(),
          await page.locator(`${at} .files`).boundingBox(),
        ];
        return (inner!.x + inner!.width / 2 - outer!.x) / outer!.width;
      }),
    );
    expect(places.map((place) => Math.round(place * 6))).toEqual([1, 3, 5]);
  });

  test('the timeline has an axis, rows of jobs that ran side by side, and the time in the queue', async () => {
    const page = await open({ state: timeline });
    expect(await page.locator('.axis text').allTextContents()).toEqual(
      expect.arrayContaining(['0', '2 min', '14 min']),
    );
    const boxes = await Promise.all(
      [0, 1, 2, 3, 4].map((job) => page.locator(`.job[data-job="${job}"] .back`).boundingBox()),
    );
    expect(boxes[2]!.y).toBeGreaterThan(boxes[1]!.y + boxes[1]!.height);
    expect(boxes[3]!.y).toBeCloseTo(boxes[1]!.y, 0);
    expect(boxes[4]!.width / boxes[0]!.width).toBeCloseTo(423 / 120, 1);
    expect(await page.locator('.queue title').allTextContents()).toContain('Job 45 in the queue: 185 s');
    await page.getByLabel('Arrange by').selectOption({ label: 'Dependencies' });
    await eventually(() => page.locator('.axis').count()).toBe(0);
    expect(await page.evaluate('kept.mode')).toBe('dependency');
  });

  test('says what the whole and each job took, as charts and as tables', async () => {
    const page = await open();
    const tab = panel(page);
    await tab.getByText('Job 45 reads what job 43 wrote, and the scheduler does not know').waitFor();
    // 423 of 1,143 s: job 46 dominates (section 5.4.1).
    const row = tab.getByRole('row', { name: /Job 46 stage 46/ });
    expect(await row.innerText()).toMatch(/7\.05 min\s+37 %/);
    for (const summary of await tab.locator('figure summary').all()) await summary.click();
    const table = tab.locator('figure').filter({ hasText: 'Run times of jobs' }).locator('table');
    await eventually(() => table.innerText()).toMatch(/Job 43\s+104 s\s+66\.8 s\s+9\.4 s/);
    expect(await tab.locator('figure canvas').count()).toBe(2);
    await page.getByRole('tab', { name: 'Job', exact: true }).click();
    await panel(page).getByText('Choose a job').waitFor();
  });

  test('a chart that comes into sight moves nothing on the page', async () => {
    const page = await open();
    await page.setViewportSize({ width: 1280, height: 300 });
    const figures = panel(page).locator('figure');
    const canvases = figures.locator('canvas');
    const heights = (): Promise<number[]> =>
      figures.evaluateAll((all) => all.map((each) => (each as { clientHeight: number }).clientHeight));
    // Chart.js gives a canvas its size in a style.
    expect(await attributes(canvases, 'style')).toEqual([null, null]);
    const before = await heights();
    await figures.first().scrollIntoViewIfNeeded();
    await eventually(() => attributes(canvases, 'style')).not.toContain(null);
    expect(await heights()).toEqual(before);
  });

  test('a click on a step tells of it, its button and a double click open the recording', async () => {
    const page = await open();
    await page.locator(step(3, 1)).click();
    const tab = panel(page);
    await tab.getByRole('heading', { name: 'Step 45.1: solve_2' }).waitFor();
    expect(await tab.innerText()).toContain('51 % computation, 48 % communication, 1 % I/O');
    expect(view.panel.said('openRecording')).toEqual([]);
    await tab.getByRole('button', { name: 'Open in Timeline' }).click();
    await page.locator(step(3, 1)).dblclick();
    await eventually(() => view.panel.said('openRecording')).toEqual([
      { job: 3, step: 1, as: 'timeline' },
      { job: 3, step: 1, as: 'findings' },
    ]);
    expect(await page.evaluate('kept.tab')).toBe('step');
  });

  test('of a step without a recording nothing is opened, and why is said', async () => {
    const made = madeUpWorkflow();
    const job = made.jobs[0]!;
    const bare = { ...job.steps[0]!, recording: [], recordingFormat: null, share: null, state: 'FAILED', exitCode: 1 };
    const jobs = [{ ...job, state: 'FAILED', steps: [bare, ...job.steps.slice(1)] }, ...made.jobs.slice(1)];
    const page = await open({}, { ...made, jobs });
    await page.locator(step(0, 0)).dblclick();
    await page.getByText('Nothing that could be opened was recorded of this step.').waitFor();
    await panel(page).getByText('Nothing was recorded of this step.').waitFor();
    expect(await page.locator(`${step(0, 0)} .part`).getAttribute('class')).toBe('part unknown');
    expect(await page.locator('.job.failed').getAttribute('aria-label')).toContain('FAILED');
    expect(view.panel.said('openRecording')).toEqual([]);
  });

  test('a file tells all its users, who wrote it before and who reads it later, and marks them', async () => {
    const page = await open();
    await page.getByRole('tab', { name: 'Files' }).click();
    const tab = panel(page);
    await tab.getByRole('searchbox').fill('MESH');
    await tab.getByText('1 of 7 files').waitFor();
    await tab.getByRole('button', { name: '/work/sim/mesh.h5' }).click();
    const rows = tab.getByRole('region', { name: /^Users of the file/ }).locator('tbody tr');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^42\.3\s+Job 42\s+written only.*–\s+43\.0, 44\.0$/s),
      expect.stringMatching(/^43\.0\s+Job 43\s+read only.*42\.3\s+44\.0$/s),
      expect.stringMatching(/^44\.0\s+Job 44\s+read only.*42\.3\s+–$/s),
    ]);
    const marked = await attributes(page.locator('.step.marked'), 'data-job');
    expect(marked).toEqual(['0', '1', '2']);
    await rows.nth(1).getByRole('button', { name: '43.0' }).click();
    await panel(page).getByRole('heading', { name: 'Step 43.0: solve_1' }).waitFor();
    expect(await page.locator(step(1, 0)).getAttribute('aria-current')).toBe('true');
  });

  test('the keyboard walks along the dependencies, into the steps, and opens a recording', async () => {
    const page = await open();
    await page.locator('.job[tabindex="0"]').focus();
    expect(await focused()).toBe('0 ');
    const way: string[] = [];
    for (const key of [
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowLeft',
      'ArrowDown',
      'ArrowLeft',
      'ArrowRight',
      'n',
      'n',
      'p',
      'Escape',
      'p',
    ]) {
      await page.keyboard.press(key);
      way.push(await focused());
    }
    expect(way).toEqual(['1 ', '3 ', '4 ', '3 ', '2 ', '0 ', '1 ', '1 0', '1 1', '1 0', '1 ', '1 2']);
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'Step 43.2: solve_3' }).waitFor();
    expect(await focused()).toBe('1 2');
    await page.keyboard.press('Control+Enter');
    await eventually(() => view.panel.said('openRecording').at(-1)).toEqual({ job: 1, step: 2, as: 'findings' });
    expect(await page.locator('#canvas [tabindex="0"]').count()).toBe(1);
  });

  test('an insight marks its jobs, an arrow tells the file that it stands for', async () => {
    const page = await open();
    await page.getByRole('button', { name: /^Job 45 reads what job 43 wrote/ }).click();
    const marked = (): Promise<(string | null)[]> => attributes(page.locator('.job.marked'), 'data-job');
    expect(await marked()).toEqual(['1', '3']);
    const arrow = page.locator('.arrow.data').filter({ has: page.locator('title', { hasText: 'Job 45 → job 46' }) });
    await arrow.locator('.hit').dispatchEvent('click');
    await panel(page).getByRole('heading', { name: '/work/sim/left.h5' }).waitFor();
    expect(await marked()).toEqual(['3', '4']);
  });

  test('the wheel zooms, dragging moves, and all can be shown again', async () => {
    const page = await open();
    const width = async (): Promise<number> => (await page.locator('.job .back').first().boundingBox())!.width;
    const before = await width();
    const stage = (await page.locator('#stage').boundingBox())!;
    await page.mouse.move(stage.x + 300, stage.y + 200);
    await page.mouse.wheel(0, -400);
    await eventually(width).toBeGreaterThan(before * 1.5);
    await page.getByRole('button', { name: 'Fit' }).click();
    await eventually(width).toBeCloseTo(before, 0);
    await page.mouse.down();
    await page.mouse.move(stage.x + 400, stage.y + 200, { steps: 3 });
    await page.mouse.up();
    expect(await page.locator('.selected').count()).toBe(0);
  });

  test('a picture is saved as SVG and PNG, with its legend', async () => {
    const page = await open({ state: timeline });
    await page.getByRole('button', { name: 'Save the picture as SVG' }).click();
    await page.getByRole('button', { name: 'Save the picture as PNG' }).click();
    await eventually(() => view.panel.said('picture').length).toBe(2);
    const [svg, png] = view.panel.said('picture');
    expect(svg!.content).toMatch(
      /^<svg .*Job 46: stage 46.*declared to the scheduler.*waiting in the queue.*<\/svg>$/s,
    );
    expect(svg!.content).not.toMatch(/<script|NaN|undefined|tabindex/);
    expect(png!.format).toBe('png');
    expect(await page.locator('#canvas .legend').count()).toBe(0);
  });

  test('reads again, and keeps what is selected where it is still there', async () => {
    const page = await open();
    await page.locator(step(1, 2)).click();
    await page.getByRole('button', { name: 'Read Again' }).click();
    await eventually(() => view.panel.said('readAgain')).toHaveLength(1);
    const made = madeUpWorkflow();
    const shifted = { ...made, jobs: made.jobs.slice(1), dependencies: [dependency('time', 0, 2)], criticalChain: [] };
    await view.panel.say('workflow', shifted);
    await eventually(() => page.locator('.job').count()).toBe(4);
    expect(await page.locator('.selected').getAttribute('data-job')).toBe('0');
    expect(await page.locator('#canvas .arrow .line').getAttribute('stroke-dasharray')).toBe('1.5 4.5');
    await panel(page).getByRole('heading', { name: 'Step 43.2: solve_3' }).waitFor();
  });

  test('hundreds of jobs, and indices that lead nowhere, are no trouble', async () => {
    const made = madeUpWorkflow();
    const jobs = Array.from({ length: 400 }, (_, i) => ({ ...made.jobs[i % 5]!, id: String(1_000 + i) }));
    const dependencies = [
      ...jobs.slice(1).map((_, i) => dependency('declared', Math.floor(i / 4), i + 1)),
      dependency('data', 0, 5_000, [99]),
      dependency('time', 3, 3),
    ];
    const files = [{ path: '/x', parent: 77, users: [{ job: 900, step: 3, mode: 'write' as const }] }];
    const page = await open({ state: timeline }, { ...made, jobs, dependencies, files, criticalChain: [0, 900] });
    expect(await page.locator('.job').count()).toBe(400);
    // What does not fit is shown from its beginning.
    const [first, stage] = await Promise.all([
      page.locator('.job .back').first().boundingBox(),
      page.locator('#stage').boundingBox(),
    ]);
    expect(Math.abs(first!.y - stage!.y)).toBeLessThan(60);
    await page.getByRole('tab', { name: 'Files' }).click();
    await panel(page).getByRole('button', { name: '/x' }).click();
    await panel(page).getByRole('heading', { name: '/x' }).waitFor();
  });

  test('nothing of a log becomes markup', async () => {
    const made = madeUpWorkflow();
    const evil = '<img src=x onerror="document.title=1">\u202egpj';
    const jobs = made.jobs.map((job) => ({
      ...job,
      id: `${job.id}<b>`,
      name: evil,
      state: '<i>COMPLETED</i>',
      declared: evil,
      steps: job.steps.map((each) => ({ ...each, name: evil, step: '<u>0</u>', recordingFormat: evil })),
    }));
    const files = made.files.map((file) => ({ ...file, path: `/${evil}` }));
    const insights = made.insights.map((insight) => ({ ...insight, title: evil, message: evil }));
    const page = await open({}, { ...made, jobs, files, insights, notes: [evil], folder: `/${evil}` });
    await page.locator(step(0, 0)).click();
    for (const tab of ['Workflow', 'Job', 'Step', 'Files'])
      await page.getByRole('tab', { name: tab, exact: true }).click();
    expect(await page.locator('main img, main script, main b, main i, main u').count()).toBe(0);
    expect(await page.locator('h1').innerText()).toContain('\\u{202e}');
    expect(await page.locator('.label').first().textContent()).not.toContain('\u202e');
    expect(await page.title()).toBe('Workflow');
  });

  test('says what it waits for and what went wrong, takes no state from elsewhere, and no other version', async () => {
    view = await openWorkflow(browser, undefined, { state: { folder: '/x', mode: 'evil', tab: 'job' } });
    const { page } = view;
    expect(await page.getByLabel('Arrange by').inputValue()).toBe('dependency');
    await view.panel.say('working', { folder: '/work/sim' });
    await page.getByText('Reading /work/sim …').waitFor();
    await view.panel.say('failed', 'There is no job in /work/sim.');
    await page.getByText('There is no job in /work/sim.').waitFor();
    await view.send({ version: 99, say: 'workflow', value: madeUpWorkflow() });
    await page.getByText('another version of I/O Lens').waitFor();
    await view.panel.say('workflow', {
      ...madeUpWorkflow(),
      jobs: [],
      files: [],
      dependencies: [],
      criticalChain: [],
      share: null,
      start: null,
      end: null,
    });
    await page.getByText('0 jobs').waitFor();
  });

  test('axe finds nothing to complain about in any theme', async () => {
    const page = await open({ state: timeline });
    await page.locator(step(3, 0)).click();
    for (const theme of ['dark', 'light', 'high-contrast']) {
      await takeTheme(page, theme);
      for (const tab of ['Workflow', 'Job', 'Step', 'Files']) {
        await page.getByRole('tab', { name: tab, exact: true }).click();
        if (tab === 'Files' && theme === 'dark')
          await panel(page).getByRole('button', { name: '/work/sim/mesh.h5' }).click();
        expect(await barriers(page, theme === 'dark' ? 'all' : 'colours'), `${theme}, ${tab}`).toEqual([]);
      }
    }
  });

  test('is as wide as the editor, however narrow', async () => {
    const page = await open({ width: 420 });
    expect((await page.locator('#toolbar').boundingBox())!.height, 'tools are one row').toBeLessThanOrEqual(40);
    for (const tab of ['Workflow', 'Job', 'Files']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(420);
    }
  });
});
