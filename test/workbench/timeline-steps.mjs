// Steps through the timeline as a person would: it opens, is zoomed, a range is summed up, an event leads to its line.
import assert from 'node:assert/strict';
import {
  axeFindsNothing,
  command,
  control,
  cursorAt,
  PATIENCE,
  setTheme,
  settled,
  shot,
  timelineFrame,
  until,
  searchEvents,
} from './page.mjs';

/** Where a share of the visible time lies in a row, on the screen. */
async function at(frame, share, row = 0) {
  const box = await frame.locator('#rows').boundingBox();
  const { height } = await frame.locator('#labels .row').first().boundingBox();
  return [box.x + share * box.width, box.y + (row + 0.5) * height];
}

export const timelineSteps = {
  async 'the timeline shows the whole run, soon'(page) {
    await command(page, 'I/O Lens: Show Timeline');
    const frame = await timelineFrame(page);
    await frame.locator('#overview-label', { hasText: 'Run: 2.27' }).waitFor({ timeout: PATIENCE });
    const measured = await frame.waitForFunction(
      () => {
        const [paint] = performance.getEntriesByName('iolens.timeline.firstPaint');
        const since = (name) => performance.getEntriesByName(name)[0].startTime - paint.startTime;
        return (
          paint && {
            paint: paint.duration,
            rows: since('iolens.timeline.rows'),
            cells: since('iolens.timeline.cells'),
          }
        );
      },
      undefined,
      { timeout: PATIENCE },
    );
    const { paint, rows, cells } = await measured.jsonValue();
    const parts = [rows, cells, paint].map((ms) => `${ms.toFixed(0)} ms`);
    console.log(`    rows of the timeline, its cells, its first paint: ${parts.join(', ')} after its script began`);
    assert.ok(paint > rows);
  },
  async 'wheel and keys zoom, and the whole run comes back'(page) {
    const frame = await timelineFrame(page);
    const box = frame.locator('#overview-box');
    const whole = (await box.boundingBox()).width;
    await page.mouse.move(...(await at(frame, 0.6)));
    await page.keyboard.down('Control');
    for (let turn = 0; turn < 4; turn++) await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    await until(async () => (await box.boundingBox()).width < whole / 2, 'the wheel zooms');
    await frame.locator('#rows').focus();
    await page.keyboard.press('0');
    await until(async () => (await box.boundingBox()).width > whole - 2, 'the whole run shows');
  },
  async 'an event leads to its source line'(page) {
    const frame = await timelineFrame(page);
    await searchEvents(frame, 'emit');
    await frame.locator('#detail-panel .stack').waitFor({ timeout: PATIENCE });
    await frame.locator('#rows').focus();
    await page.keyboard.press('z');
    await settled(page);
    await page.mouse.click(...(await at(frame, 0.5)));
    await frame.locator('.chosen', { hasText: 'heat.c:22' }).first().waitFor({ state: 'attached', timeout: PATIENCE });
    await frame.locator('#detail-panel :is(button, vscode-button)', { hasText: 'Go to heat.c:22' }).click();
    await cursorAt(page, 22);
  },
  async 'a range of time is summed up, and narrows everything to it'(page) {
    const frame = await timelineFrame(page);
    await frame.getByRole('button', { name: 'Whole run' }).click();
    const [from] = await at(frame, 0.3);
    const [to] = await at(frame, 0.5);
    const { y } = await frame.locator('#head').boundingBox();
    await page.mouse.move(from, y + 10);
    await page.mouse.down();
    await page.mouse.move(to, y + 10, { steps: 5 });
    await page.mouse.up();
    await frame.locator('#detail-panel table', { hasText: 'heat.c:22' }).waitFor({ timeout: PATIENCE });
  },
  async 'pictures of the timeline in all kinds of theme'(page, workspace) {
    const frame = await timelineFrame(page);
    await frame.locator('#grouping').selectOption('site');
    // The middle of a name gives way; its end tells the line.
    await frame.locator('#labels .row', { hasText: '.c:42)' }).waitFor({ timeout: PATIENCE });
    for (const [name, theme, kind] of [
      ['timeline-light', 'Default Light Modern', 'vs'],
      ['timeline-high-contrast', 'Default High Contrast', 'hc-black'],
      ['timeline-dark', 'Default Dark Modern', 'vs-dark'],
    ]) {
      await setTheme(page, workspace, theme, kind);
      await page.mouse.move(...(await at(frame, 0.4)));
      await shot(page, name);
      await axeFindsNothing(frame);
    }
    await (await control(frame, frame.locator('button[aria-label="Select nothing"]'))).click();
    await page.locator('.tab', { hasText: 'Timeline' }).locator('.codicon-close').first().click();
  },
};
