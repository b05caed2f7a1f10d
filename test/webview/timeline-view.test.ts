import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { idle } from '../support/idle-page.ts';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { control } from './controls.ts';
import type { OpenedTimeline, TimelineOptions } from './timeline/browser.ts';
import { MadeUpTimeline } from './timeline/made-up.ts';
import { eventually, TimelinePage } from './timeline/page.ts';

describe.skipIf(!hasBrowser)('the timeline (skipped without Chromium)', () => {
  let browser: Browser;
  let view: OpenedTimeline;
  let answers: MadeUpTimeline;
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
    ({ view, answers } = shown);
    return view.page;
  }

  test('draws rows, and says how soon', async () => {
    const page = await open();
    expect(await page.locator('#labels [role="treeitem"]').count()).toBe(4);
    expect(await page.locator('#labels').innerText()).toMatch(/node01\s*10[\s\S]*rank 0/);
    const [drawn] = shown.said('drawn');
    expect(drawn!.rows).toBe(4);
    expect(drawn!.firstPaintMs).toBeGreaterThan(0);
    const [write, read, nothing] = [await shown.pixel(1, 40), await shown.pixel(1, 140), await shown.pixel(1, 75)];
    expect(write).toEqual([0xf7, 0xa4, 0x00]);
    expect(read).toEqual([0x34, 0xbc, 0xfd]);
    expect(nothing).not.toEqual(write);
    expect(await page.locator('#head').getAttribute('aria-label')).toContain(
      'Bandwidth: at most read 1 MB/s, write 3 MB/s',
    );
    expect(await page.locator('#legend').innerText()).toMatch(/write\s*50 %\s*read\s*50 %/);
  });

  test('lanes of storage stand below the others where it was looked at, and rows below them', async () => {
    const methods = new MadeUpTimeline();
    methods.hasStorage = true;
    const page = await open({}, methods);
    await eventually(() => page.locator('#head').getAttribute('aria-label')).toContain(
      'Machine’s storage: at most read 2 MB/s, write 7 MB/s. Waits for storage: at most someone waits 25 %',
    );
    const { y, height } = (await page.locator('#head').boundingBox())!;
    expect(height).toBe(26 + 4 * 42);
    expect((await page.locator('#scroller').boundingBox())!.y).toBe(y + height);
    expect(await shown.pixel(1, 40)).toEqual([0xf7, 0xa4, 0x00]);
  });

  test('a screen asks for what it shows, three times as wide, and for no more when it moves a little', async () => {
    const page = await open();
    await page.locator('#rows').focus();
    for (const key of ['w', 'w', 'w', 'w']) await page.keyboard.press(key);
    await idle(page);
    const { fromNs, toNs } = await shown.visible();
    const last = answers.windows.at(-1)!;
    expect(Math.log2((last.toNs - last.fromNs) / last.bins) % 1).toBe(0);
    expect((last.toNs - last.fromNs) / (toNs - fromNs)).toBeGreaterThan(2.5);
    const before = answers.windows.length;
    for (const key of ['a', 'd', 'd']) await page.keyboard.press(key);
    await idle(page);
    expect(answers.windows.length).toBe(before);
    for (let i = 0; i < 12; i++) await page.keyboard.press('d');
    await eventually(() => answers.windows.length).toBeGreaterThan(before);
  });

  test('of ten thousand rows only those that show are asked for and are in the page', async () => {
    const page = await open({}, new MadeUpTimeline(10_000));
    const rows = (): number[] => answers.windows.filter(({ rows }) => rows.length > 0).flatMap(({ rows }) => [...rows]);
    await eventually(() => rows().includes(12)).toBe(true);
    expect(await page.locator('#labels [role="treeitem"]').count()).toBeLessThan(60);
    answers.windows.length = 0;
    await page.mouse.move(...(await shown.at(3, 500)));
    await page.mouse.wheel(0, 90_000);
    await eventually(() => rows().length).toBeGreaterThan(0);
    expect(Math.min(...rows().filter((row) => row > 0))).toBeGreaterThan(1000);
    expect(rows().length).toBeLessThan(200);
    // The group that all of them are in stays at the top.
    expect(await page.locator('#labels .header').innerText()).toContain('node01');
    expect(await page.locator('#labels [role="treeitem"]').count()).toBeLessThan(60);
  });

  test('wheel and keys zoom and move', async () => {
    const page = await open();
    const [x, y] = await shown.at(1, 250);
    await page.mouse.move(x, y);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -400);
    await page.keyboard.up('Control');
    const zoomed = await shown.visible();
    expect(zoomed.toNs - zoomed.fromNs).toBeLessThan(0.5e9);
    const { x: left, width } = await shown.rowsBox();
    const under = zoomed.fromNs + ((x - left) / width) * (zoomed.toNs - zoomed.fromNs);
    expect(under / 1e6).toBeCloseTo(250, 0);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 100);
    await page.keyboard.up('Shift');
    expect((await shown.visible()).fromNs).toBeGreaterThan(zoomed.fromNs);
    await page.locator('#rows').focus();
    await page.keyboard.press('End');
    expect((await shown.visible()).toNs).toBe(1e9);
    await page.keyboard.press('Home');
    expect((await shown.visible()).fromNs).toBe(0);
    await page.keyboard.press('0');
    expect((await shown.state()).visible).toBeNull();
  });

  test('the overview’s box is moved, stretched and drawn anew', async () => {
    const page = await open();
    const { x, y, width } = (await page.locator('#overview').boundingBox())!;
    const drag = async (from: number, to: number): Promise<void> => {
      await page.mouse.move(x + from * width, y + 20);
      await page.mouse.down();
      await page.mouse.move(x + to * width, y + 20, { steps: 4 });
      await page.mouse.up();
    };
    await drag(0.999, 0.5);
    expect((await shown.visible()).toNs / 1e9).toBeCloseTo(0.5, 1);
    await drag(0.2, 0.4);
    expect((await shown.visible()).fromNs / 1e9).toBeCloseTo(0.2, 2);
    await drag(0.9, 0.8);
    const drawn = await shown.visible();
    expect([drawn.fromNs / 1e9, drawn.toNs / 1e9].map((each) => Math.round(each * 100))).toEqual([80, 90]);
    await page.locator('#overview-box').focus();
    await page.keyboard.press('ArrowLeft');
    expect((await shown.visible()).fromNs).toBeLessThan(drawn.fromNs);
  });

  test('hover shows the event and its raw line, and asks once for it', async () => {
    const page = await open();
    await page.mouse.move(...(await shown.at(1, 110)));
    const tip = page.locator('#tooltip');
    await tip.locator('code').waitFor();
    expect(await tip.innerText()).toMatch(/read[\s\S]*100 ms[\s\S]*50 ms[\s\S]*out\.txt[\s\S]*heat\.c:22 in emit/);
    expect(await tip.locator('code').innerText()).toBe('1 read(3, "1 2 3", 100) = 100');
    const asked = answers.points.length;
    await page.mouse.move(...(await shown.at(1, 120)));
    await page.mouse.move(...(await shown.at(1, 130)));
    expect(await tip.isVisible()).toBe(true);
    expect(answers.points.length).toBe(asked);
    await page.mouse.move(...(await shown.at(1, 75)));
    await tip.waitFor({ state: 'hidden' });
  });

  test('a click selects the event’s line and shows its stack; its source and its raw line open', async () => {
    const page = await open();
    await page.mouse.click(...(await shown.at(2, 20)));
    await eventually(() => shown.said('select').length).toBe(1);
    const [chosen] = shown.said('select');
    expect(chosen).toMatchObject({ chosen: { what: 'event' }, narrow: false });
    const panel = page.locator('#detail-panel');
    expect(await panel.locator('.stack').innerText()).toMatch(/emit \(heat\.c:22\)\s+main \(heat\.c:82\)/);
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: 'Go to heat.c:22' }).click();
    await eventually(() => shown.said('openSource').length).toBe(2);
    await panel.getByRole('button', { name: /^Show in the recording/ }).click();
    await eventually(() => shown.said('openRecording').length).toBe(1);
    await page.mouse.dblclick(...(await shown.at(2, 20)));
    await eventually(async () => (await shown.visible()).toNs).toBeLessThan(0.2e9);
    expect((await shown.visible()).fromNs).toBeLessThan(1e6);
  });

  test('a call leads up to the one that made it, down to what it became, and to its neighbours', async () => {
    const layered = new MadeUpTimeline();
    layered.layered = true;
    const page = await open({}, layered);
    await page.mouse.click(...(await shown.at(1, 20)));
    const panel = page.locator('#detail-panel');
    await eventually(() => panel.locator('.layers').innerText()).toContain('Became POSIX: 27 calls, 2 KiB, 3 ms');
    await panel.getByRole('button', { name: 'Select the calls under it' }).click();
    await eventually(() => shown.said('select').at(-1)).toMatchObject({ chosen: { what: 'below' }, narrow: false });
    await panel.getByRole('button', { name: 'Down to the first it became' }).click();
    await eventually(() => panel.locator('.layers').innerText()).toContain(
      'MPI-IO: MPI_File_write (100 B, 50 ms) → by its time',
    );
    await page.keyboard.press('n');
    await eventually(() => panel.innerText()).toContain('101 ms');
    await page.keyboard.press('p');
    await page.keyboard.press('u');
    await eventually(() => panel.locator('.layers').innerText()).toContain('Became POSIX');
    await page.keyboard.press('u');
    const told = page.locator('#announcement');
    await eventually(() => told.innerText()).toContain('No call of an upper layer is known to have made this one.');
  });

  test('arrow keys go from event to event and from row to row, and say where they are', async () => {
    const page = await open();
    await page.locator('#rows').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const announced = page.locator('#announcement');
    await expect
      .poll(() => announced.textContent())
      .toMatch(/^write out\.txt, rank 0, at 0 ns, for 50 ms, 100 B, heat\.c:22/);
    await page.keyboard.press('ArrowRight');
    await eventually(() => announced.textContent()).toMatch(/^read out\.txt, rank 0, at 100 ms/);
    await page.keyboard.press('ArrowLeft');
    await eventually(() => announced.textContent()).toMatch(/^write out\.txt, rank 0, at 0 ns/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  });

  test('a range is drawn on the axis, summed up, narrowed to a row of its totals, and taken away', async () => {
    const page = await open();
    const head = (await page.locator('#head').boundingBox())!;
    const [from] = await shown.at(0, 200);
    const [to] = await shown.at(0, 400);
    await page.mouse.move(from, head.y + 10);
    await page.mouse.down();
    await page.mouse.move(to, head.y + 10, { steps: 5 });
    await page.mouse.up();
    const panel = page.locator('#detail-panel');
    await panel.getByText('400 B').first().waitFor();
    await eventually(() => page.locator('.range').innerText()).toMatch(/^(200|199\.\d+|200\.\d+) ms$/);
    const [span] = shown.said('select');
    expect(span).toMatchObject({ narrow: true, chosen: { what: 'span' } });
    await panel.getByRole('button', { name: 'emit (heat.c:22)' }).click();
    await eventually(() => shown.said('select').at(-1)).toMatchObject({
      narrow: true,
      chosen: { list: 'sites', index: 0 },
    });
    await panel.getByRole('button', { name: 'Zoom to the range' }).click();
    const { fromNs, toNs } = await shown.visible();
    expect((toNs - fromNs) / 1e6).toBeGreaterThan(200);
    expect((toNs - fromNs) / 1e6).toBeLessThan(215);
    await page.locator('#rows').focus();
    await page.keyboard.press('Escape');
    await eventually(() => shown.said('clearSpan').length).toBe(1);
    expect((await shown.state()).range).toBeNull();
  });

  test('dragging over the rows chooses a range, and with Shift moves; the toggle turns that round', async () => {
    const page = await open();
    const drag = async (from: number, to: number): Promise<void> => {
      await page.mouse.move(...(await shown.at(1, from)));
      await page.mouse.down();
      await page.mouse.move(...(await shown.at(1, to)), { steps: 5 });
      await page.mouse.up();
    };
    await page.locator('#rows').focus();
    await page.keyboard.press('w');
    const before = await shown.visible();
    await drag(300, 500);
    expect((await shown.state()).range).not.toBeNull();
    expect(await shown.visible()).toEqual(before);
    await page.keyboard.down('Shift');
    await drag(300, 500);
    await page.keyboard.up('Shift');
    expect((await shown.visible()).fromNs).toBeLessThan(before.fromNs);
    await (await control(page, page.getByRole('button', { name: 'Drag moves' }))).click();
    await drag(500, 300);
    expect((await shown.visible()).fromNs).toBeCloseTo(before.fromNs, -5);
    expect((await shown.state()).dragMoves).toBe(true);
  });

  test('two marks show the time between them', async () => {
    const page = await open();
    for (const ms of [200, 700]) {
      await page.mouse.move(...(await shown.at(1, ms)));
      await page.keyboard.press('m');
    }
    await eventually(() => page.locator('.between').innerText()).toMatch(/^(500|499\.\d+|500\.\d+) ms$/);
    expect((await shown.state()).marks.length).toBe(2);
  });

  test('search goes from event to event, and round the end', async () => {
    const page = await open();
    const field = page.getByRole('searchbox', { name: 'Search events' });
    await field.fill('read');
    await field.press('Enter');
    await page.getByText('found', { exact: true }).waitFor();
    expect(await page.locator('#detail-panel').innerText()).toContain('100 ms');
    await page.keyboard.press('F3');
    await eventually(() => page.locator('#detail-panel').innerText()).toContain('101 ms');
    await page.keyboard.press('Shift+F3');
    await eventually(() => page.locator('#detail-panel').innerText()).toContain('100 ms');
    await page.keyboard.press('Shift+F3');
    await page.getByText('found, from the other end').waitFor();
    await field.fill('mmap');
    await field.press('Enter');
    await page.getByText('not found').waitFor();
  });

  test('rows fold by key and by click, are filtered, and lead to a selection', async () => {
    const page = await open();
    const tree = page.getByRole('tree');
    await tree.focus();
    await page.keyboard.press('ArrowLeft');
    await eventually(() => tree.getByRole('treeitem').count()).toBe(1);
    expect(await tree.getByRole('treeitem').getAttribute('aria-expanded')).toBe('false');
    expect((await shown.state()).folded).toEqual(['host']);
    await tree.locator('.twisty').first().click();
    await eventually(() => tree.getByRole('treeitem').count()).toBe(4);
    await tree.getByText('rank 1').click();
    await eventually(() => shown.said('select').at(-1)?.chosen).toMatchObject({ what: 'row', row: 2 });
    await (await control(page, page.getByRole('searchbox', { name: 'Filter rows' }))).fill('rank 2');
    await eventually(() => answers.asked.at(-1)!.rowFilter).toBe('rank 2');
    await page.locator('#grouping').selectOption('file');
    await (await control(page, page.getByRole('button', { name: 'Layers' }))).click();
    await eventually(() => answers.asked.at(-1)).toMatchObject({ grouping: 'file', facets: true });
    await page.locator('#legend button').click();
    await eventually(() => shown.said('select').at(-1)?.chosen).toMatchObject({ what: 'category', category: 0 });
    await page.getByRole('tab', { name: 'Rows as a table' }).click();
    expect(await page.locator('#detail-panel tbody tr').count()).toBe(4);
  });

  test('a view that was moved or reloaded is as it was', async () => {
    const page = await open();
    await page.locator('#colour').selectOption('layer');
    await page.locator('#rows').focus();
    await page.keyboard.press('w');
    await page.getByRole('tree').focus();
    await page.keyboard.press('ArrowLeft');
    const kept = await shown.state();
    expect(kept.paths).toEqual([['/work/heat.strace.gz']]);
    await page.close();
    await open({ state: kept });
    expect(answers.asked[0]!.colourBy).toBe('layer');
    expect(await view.page.getByRole('treeitem').count()).toBe(1);
    expect(await shown.state()).toEqual(kept);
  });

  test('a recording that is read anew changes nothing that the user did, and nothing is blank meanwhile', async () => {
    const page = await open();
    await page.locator('#rows').focus();
    await page.keyboard.press('w');
    await page.keyboard.press('Home');
    const before = await shown.visible();
    const drawn = shown.said('drawn').length;
    let go = (): void => undefined;
    answers.until = new Promise((resolve) => (go = resolve));
    answers.durationNs *= 2;
    await view.tell();
    await idle(page);
    expect(await shown.pixel(1, 55)).toEqual([0xf7, 0xa4, 0x00]);
    go();
    await eventually(() => shown.said('drawn').length).toBeGreaterThan(drawn);
    expect(await shown.pixel(1, 55)).toEqual([0xf7, 0xa4, 0x00]);
    expect(await shown.visible()).toEqual(before);
    await page.keyboard.press('0');
    answers.durationNs *= 2;
    await view.tell();
    await eventually(() => page.locator('#overview-label').innerText()).toBe('Run: 4 s');
    expect((await shown.state()).visible).toBeNull();
  });

  test('a span that is selected elsewhere is the range, and goes with the selection', async () => {
    const page = await open();
    await view.tell({ parts: ['rank 1', '200 ms – 300 ms'], span: { fromNs: 200e6, toNs: 300e6 } }, [
      { kind: 'rank', rank: 1 },
    ]);
    await eventually(() => page.locator('.chosen').first().innerText()).toBe('rank 1 › 200 ms – 300 ms');
    await eventually(() => answers.asked.at(-1)!.selection).toEqual([{ kind: 'rank', rank: 1 }]);
    await eventually(() => page.locator('.range').innerText()).toBe('100 ms');
    await (await control(page, page.getByRole('button', { name: 'Only selected' }))).click();
    await eventually(() => answers.asked.at(-1)!.onlySelected).toBe(true);
    await (await control(page, page.getByRole('button', { name: 'Select nothing' }))).click();
    await eventually(() => shown.said('clear').length).toBe(1);
    await view.tell();
    await page.locator('.range').waitFor({ state: 'hidden' });
  });

  test('rows that are not kept any more are asked for again; what fails is said', async () => {
    const page = await open();
    const asked = answers.asked.length;
    const stale = Object.assign(new Error('gone'), { name: 'StaleRowsError' });
    const real = answers.window.bind(answers);
    answers.window = () => {
      answers.window = real;
      return Promise.reject(stale);
    };
    await page.locator('#rows').focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('w');
    await eventually(() => answers.asked.length).toBe(asked + 1);
    answers.failure = new Error('the recording is open no more');
    await (await control(page, page.getByRole('button', { name: 'Own files' }))).click();
    await page.getByText('the recording is open no more').waitFor();
  });

  test('pictures are what shows', async () => {
    const page = await open();
    await (await control(page, page.getByRole('button', { name: /SVG/ }))).click();
    await (await control(page, page.getByRole('button', { name: /PNG/ }))).click();
    await eventually(() => shown.said('picture').length).toBe(2);
    const [svg, png] = shown.said('picture');
    expect(svg!.content).toContain('rank 2');
    expect(svg!.content).toContain('write 50 %');
    expect([...(png!.content as Uint8Array).subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
  });
});
