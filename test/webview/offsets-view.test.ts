import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, startBrowser } from './report/browser.ts';
import { openOffsets, type OffsetOptions, type OpenedOffsets } from './offsets/browser.ts';

/** The machine may have other things to do. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000 });
const data = path.resolve(import.meta.dirname, '../data');
const LOG = path.join(data, 'darshan-stack/badmpi_4ranks.darshan');
const SHARED = { host: '', path: '/tmp/app/data/shared.dat' };
const FIELD = { host: '', path: '/tmp/app/data/field.dat' };

describe.skipIf(!hasBrowser)('the view of offsets over time (skipped without Chromium)', () => {
  let browser: Browser;
  let view: OpenedOffsets;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    expect(view.problems, 'no error in the page, and nothing against its policy').toEqual([]);
    expect(view.panel.problems).toEqual([]);
    await view.page.close();
  });
  afterAll(async () => {
    await browser.close();
  });

  async function open(options: OffsetOptions = { file: SHARED }, log = LOG): Promise<Page> {
    view = await openOffsets(browser, log, options);
    if (options.file !== undefined) await drawn(1);
    return view.page;
  }
  const drawn = (times: number): Promise<void> =>
    eventually(() => view.panel.said('drawn').length).toBeGreaterThanOrEqual(times);
  const opened = (): unknown[] => view.panel.said('openSource');
  const kept = (): Promise<{ area: { from: number; to: number; fromByte: number; toByte: number } | null }> =>
    view.page.evaluate('kept');
  const picture = (page: Page): Promise<string> =>
    page.locator('canvas').evaluate((canvas) => (Reflect.get(canvas, 'toDataURL') as () => string).call(canvas));
  const lastWindow = (): unknown => view.panel.asked('window').at(-1);

  /** Where a point of the plane is on the page. */
  async function pointOf(page: Page, along: number, across: number): Promise<{ x: number; y: number }> {
    const box = (await page.locator('canvas').boundingBox())!;
    return { x: box.x + 84 + (box.width - 168) * along, y: box.y + 58 + (box.height - 98) * (1 - across) };
  }

  test('begins with the files, most bytes first, and finds them by a part of their path', async () => {
    const page = await open({});
    await page.getByRole('button', { name: SHARED.path }).waitFor();
    const first = await page.locator('.files tbody tr').first().innerText();
    expect(first).toMatch(/shared\.dat\s+0 B\s+2.69 MiB\s+43\s+4/);
    await page.getByRole('searchbox').fill('FIELD.d');
    await eventually(() => page.locator('.files tbody tr').count()).toBe(2);
    await page.getByText('2 of 4 files').waitFor();
    await page.getByRole('button', { name: FIELD.path }).click();
    await drawn(1);
    expect(await page.locator('h1').innerText()).toBe('field.dat');
    expect(await page.evaluate('kept')).toMatchObject({ file: FIELD, paths: [LOG], area: null });
  });

  test('says in words and as a table what the picture shows', async () => {
    const page = await open();
    expect(await page.locator('.said').innerText()).toContain('43 accesses');
    await page.getByText('Busiest parts, as a table').click();
    const rows = await page
      .getByRole('region', { name: 'Busiest parts of the file' })
      .locator('tbody tr')
      .allInnerTexts();
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatch(/8 MiB to 9 MiB\s+0 B\s+1 MiB\s+16\s+1\s+0 B\s+0/);
    await page.getByRole('button', { name: '8 MiB to 9 MiB' }).click();
    await eventually(async () => (await kept()).area).toMatchObject({ fromByte: 8 << 20, toByte: 9 << 20 });
  });

  test('hover tells the exact call, a click its source line and what can be selected', async () => {
    const page = await open();
    const { x, y } = await pointOf(page, 0.06, 0.003);
    await page.mouse.move(x, y);
    await page.getByText('pwrite').or(page.getByText('write by rank 0')).first().waitFor();
    const told = await page.locator('.said').innerText();
    expect(told).toMatch(/by rank 0.*64 KiB at 0 B, at 32\.\d+ ms for .*badmpi\.c:\d+/);
    await page.mouse.click(x, y);
    const details = page.getByRole('region', { name: 'The access' });
    await details.waitFor();
    expect(await details.innerText()).toMatch(/0 B to 64 KiB \(bytes 0 to 65,535\)/);
    await details.getByRole('button', { name: 'Select Rank 0' }).click();
    await details.getByRole('button', { name: 'Select the File' }).click();
    await details.getByRole('button', { name: 'Select the Source Line' }).click();
    expect(opened()).toEqual([{ number: expect.any(Number) as number, stay: true }]);
    expect(view.panel.said('select').map(({ what }) => what)).toEqual(['process', 'file', 'line']);
  });

  test('a click is answered though the pointer has moved on', async () => {
    let answer!: () => void;
    const hold = new Promise<void>((resolve) => (answer = resolve));
    const page = await open({ file: SHARED, hold });
    const { x, y } = await pointOf(page, 0.06, 0.003);
    await page.mouse.click(x, y);
    await page.mouse.move(x + 300, y - 100);
    answer();
    await page.getByRole('region', { name: 'The access' }).getByText('0 B to 64 KiB').waitFor();
    await eventually(opened).toHaveLength(1);
  });

  test('what was asked of another file is answered no more', async () => {
    let answer!: () => void;
    const hold = new Promise<void>((resolve) => (answer = resolve));
    const page = await open({ file: SHARED, hold });
    const { x, y } = await pointOf(page, 0.06, 0.003);
    await page.mouse.click(x, y);
    await eventually(() => view.panel.asked('access')).toHaveLength(1);
    await view.show(FIELD);
    await page.locator('h1', { hasText: 'field.dat' }).waitFor();
    await drawn(2);
    const before = await page.locator('.said').innerText();
    answer();
    // The answer to a question behind it shows that its own has come.
    await page.mouse.move(x + 300, y - 200);
    await eventually(() => page.locator('.said').innerText()).not.toBe(before);
    expect(opened()).toEqual([]);
    expect(await page.getByRole('region', { name: 'The access' }).count()).toBe(0);
  });

  test('the wheel zooms around the pointer, over an axis that axis alone', async () => {
    const page = await open();
    const { x, y } = await pointOf(page, 0.5, 0.5);
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -300);
    await drawn(2);
    const both = (await kept()).area!;
    expect(both.to - both.from).toBeCloseTo(852_000 / 2.197, -5);
    expect(both.toByte - both.fromByte).toBeLessThan(5 << 20);
    const box = (await page.locator('canvas').boundingBox())!;
    await page.mouse.move(box.x + 20, y);
    await page.mouse.wheel(0, -100);
    await eventually(async () => (await kept()).area!.toByte - (await kept()).area!.fromByte).toBeLessThan(
      both.toByte - both.fromByte,
    );
    expect((await kept()).area).toMatchObject({ from: both.from, to: both.to });
    await page.mouse.dblclick(x, y);
    await eventually(async () => (await kept()).area).toBeNull();
  });

  test('dragging moves what is seen, with Shift it zooms to a part', async () => {
    const page = await open();
    const from = await pointOf(page, 0.25, 0.75);
    const to = await pointOf(page, 0.75, 0.25);
    await page.keyboard.down('Shift');
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await eventually(async () => (await kept()).area).not.toBeNull();
    const part = (await kept()).area!;
    expect(part.toByte - part.fromByte).toBeCloseTo(5 << 20, -5);
    await page.mouse.move(to.x, to.y);
    await page.mouse.down();
    await page.mouse.move(to.x - 100, to.y, { steps: 3 });
    await page.mouse.up();
    await eventually(async () => (await kept()).area!.from).toBeGreaterThan(part.from);
    expect((await kept()).area!.to - (await kept()).area!.from).toBeCloseTo(part.to - part.from, 3);
  });

  test('works with the keyboard', async () => {
    const page = await open();
    await page.locator('canvas').focus();
    await page.keyboard.press('w');
    const zoomed = (await kept()).area!;
    await page.keyboard.press('ArrowRight');
    expect((await kept()).area!.from).toBeGreaterThan(zoomed.from);
    await page.keyboard.press('ArrowUp');
    expect((await kept()).area!.fromByte).toBeGreaterThan(zoomed.fromByte);
    await page.keyboard.press('0');
    expect((await kept()).area).toBeNull();
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+w');
    const along = (await kept()).area!;
    expect([along.fromByte, along.toByte]).toEqual([0, 10 << 20]);
    await page.keyboard.press('0');
    const before = view.panel.asked('access').length;
    await page.keyboard.press('Enter');
    await eventually(() => view.panel.asked('access').length).toBeGreaterThan(before);
  });

  test('choices are asked for, and a legend entry shows itself alone', async () => {
    const page = await open();
    await page.getByLabel('Colour').selectOption({ label: 'Rank or process' });
    const rank = page.getByRole('button', { name: 'rank 3 (40)' });
    await rank.click();
    await eventually(() => page.locator('.said').innerText()).toContain('40 accesses');
    expect(lastWindow()).toMatchObject({ choices: { colourBy: 'process', only: 'rank 3' } });
    expect(await page.locator('[aria-pressed="true"]').innerText()).toBe('rank 3 (40)');
    await page.locator('[aria-pressed="true"]').click();
    await eventually(() => page.locator('.said').innerText()).toContain('43 accesses');
    await page.getByLabel('Across').selectOption({ label: 'Order of accesses' });
    await eventually(() => page.locator('.said').innerText()).toContain('access 1 to access 44');
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Reads' });
    await eventually(() => page.locator('.said').innerText()).toContain('0 accesses');
  });

  test('of two layers one is shown, and the other can be chosen', async () => {
    const page = await open({ file: FIELD });
    const layers = page.getByLabel('Layer');
    expect(await layers.locator('option').allInnerTexts()).toEqual(['MPI-IO', 'POSIX']);
    expect(await layers.inputValue()).toBe('');
    await layers.selectOption({ label: 'MPI-IO' });
    await eventually(() => lastWindow()).toMatchObject({ choices: { layer: 'MPI-IO' } });
  });

  test('the tables of operations are asked for when they are opened', async () => {
    const page = await open();
    await view.panel.say('showOperations', undefined);
    const layers = page.getByRole('region', { name: 'By layer', exact: true });
    await layers.waitFor();
    expect(await layers.innerText()).toMatch(/POSIX\s+2,744.*MPI-IO\s+2,400\s+234 KiB\s+33.9 ms\s+10.5 ms/s);
    expect(await page.getByRole('region', { name: 'By function of the program' }).innerText()).toContain('badmpi.c');
  });

  test('where functions were recorded it is said who spends least and most in each', async () => {
    const page = await open({}, path.join(data, 'layers/latecomer-late'));
    await view.panel.say('showOperations', undefined);
    const functions = page.getByRole('region', { name: 'By function, without what it calls' });
    await functions.waitFor();
    expect(await functions.innerText()).toMatch(
      /compute\s+compiler\s+48\s+534 ms\s+50\.8 ms\s+484 ms\s+rank 1 \(node01\)/,
    );
  });

  test('comes back where it was, and takes no state from elsewhere', async () => {
    const area = { from: 32_200_000, to: 32_400_000, fromByte: 0, toByte: 4 << 20 };
    const choices = { layer: '', directions: 'write', axis: 'time', colourBy: 'process', only: '' };
    const page = await open({ file: SHARED, state: { paths: [LOG], file: SHARED, choices, area } });
    expect(lastWindow()).toMatchObject({ area, choices });
    expect(await page.getByLabel('Show', { exact: true }).inputValue()).toBe('write');
    await view.page.close();
    await open({
      file: SHARED,
      state: { paths: [LOG], file: SHARED, choices: { ...choices, colourBy: 'evil' }, area },
    });
    expect(lastWindow()).toMatchObject({ area: null, choices: { colourBy: 'direction' } });
  });

  test('a picture is saved as SVG and PNG', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Save the picture as SVG' }).click();
    await page.getByRole('button', { name: 'Save the picture as PNG' }).click();
    await eventually(() => view.panel.said('picture')).toHaveLength(2);
    const [svg, png] = view.panel.said('picture');
    expect(svg!.content).toMatch(/^<svg xmlns=.*\/tmp\/app\/data\/shared\.dat.*written \(43\).*<\/svg>$/s);
    expect(svg!.content).not.toMatch(/<script|NaN|undefined/);
    expect(Object.values(png!.content).slice(1, 4)).toEqual([80, 78, 71]);
  });

  test('draws anew in another theme, and sharply on a dense screen', async () => {
    const page = await open({ file: SHARED, scale: 2 });
    const [inside, outside] = await page
      .locator('canvas')
      .evaluate((canvas) => [Reflect.get(canvas, 'width') as number, Reflect.get(canvas, 'clientWidth') as number]);
    expect(inside).toBe(outside * 2);
    const dark = await picture(page);
    await page.evaluate(`document.body.className = 'vscode-high-contrast'`);
    await eventually(() => picture(page)).not.toBe(dark);
  });

  test('a recording without times shows the order of accesses', async () => {
    const log = path.join(data, 'strace/formats/f.strace');
    view = await openOffsets(browser, log, {});
    await view.page.locator('.files tbody button').first().click();
    await drawn(1);
    expect(await view.page.getByLabel('Across').locator('option').allInnerTexts()).toEqual(['Order of accesses']);
    expect(await view.page.locator('.note').allInnerTexts()).toContain(
      'The recording has no times: accesses are shown in their order.',
    );
  });

  test('nothing of a recording becomes markup', async () => {
    const page = await open({});
    const path = '/tmp/<img src=x onerror="document.title=1">\u202egpj.exe';
    await view.panel.say('subject', {
      recording: '<script>document.title=2</script>',
      paths: [LOG],
      span: null,
      facts: {
        file: { host: '<b>h</b>', path },
        layers: ['<i>l</i>', 'POSIX'],
        processes: 1,
        stripings: [],
        blockBytes: null,
        hasTimes: true,
        notes: ['<u>n</u>'],
      },
    });
    await page.locator('h1').getByText('onerror').waitFor();
    expect(await page.locator('main img, main script, main b, main i, main u').count()).toBe(0);
    expect(await page.locator('h1').innerText()).toContain('\\u{202e}');
    expect(await page.title()).toBe('Offsets over Time');
  });

  test('a problem is said, another version is refused', async () => {
    const page = await open({});
    await view.panel.say('said', 'Nothing is read or written in /x.');
    await page.getByText('Nothing is read or written in /x.').waitFor();
    await view.send({ version: 99, say: 'subject', value: { recording: '', paths: [], facts: null, span: null } });
    await page.getByText('another version of I/O Lens').waitFor();
  });

  test.each(['dark', 'light'])('axe finds nothing to complain about in the %s theme', async (theme) => {
    const page = await open({ file: SHARED, theme });
    await page.locator('canvas').focus();
    const { x, y } = await pointOf(page, 0.06, 0.003);
    await page.mouse.click(x, y);
    await page.getByRole('region', { name: 'The access' }).waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.locator('.files tbody button').first().waitFor();
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
    const violations = await page.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
    );
    expect(violations).toEqual([]);
  });

  test('is as wide as the editor, however narrow', async () => {
    const page = await open({ file: SHARED });
    for (const width of [1280, 700, 380]) {
      await page.setViewportSize({ width, height: 900 });
      expect(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        String(width),
      ).toBeLessThanOrEqual(0);
      const tools = page.getByRole('toolbar', { name: 'Offsets over time' });
      expect((await tools.boundingBox())!.height, `tools, ${width}`).toBeLessThanOrEqual(40);
    }
  });
});
