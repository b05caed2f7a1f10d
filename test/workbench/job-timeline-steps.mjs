// Steps through the timeline of a job: its ranks by layer, moved to another group of editors, with pictures in the themes.
import { axeFindsNothing, command, PATIENCE, pressLayers, setTheme, shot, timelineFrame, frameWhere } from './page.mjs';

export const jobTimelineSteps = {
  async 'the timeline of a job has its ranks, layer by layer'(page) {
    await command(page, 'I/O Lens: Show Timeline');
    const frame = await timelineFrame(page);
    await frame.locator('#labels .row', { hasText: 'rank 3' }).first().waitFor({ timeout: PATIENCE });
    await pressLayers(frame);
    for (const layer of ['MPI-IO', 'POSIX'])
      await frame.locator('#labels .row', { hasText: layer }).first().waitFor({ timeout: PATIENCE });
  },
  async 'it is as it was when it is moved to another group of editors'(page, workspace) {
    await command(page, 'View: Join All Editor Groups');
    await page.locator('.tab', { hasText: 'Timeline: badmpi' }).click();
    const frame = await timelineFrame(page);
    for (const layer of ['MPI-IO', 'POSIX'])
      await frame.locator('#labels .row', { hasText: layer }).first().waitFor({ timeout: PATIENCE });
    for (const [name, theme, kind] of [
      ['timeline-job-light', 'Default Light Modern', 'vs'],
      ['timeline-job-high-contrast', 'Default High Contrast', 'hc-black'],
      ['timeline-job-dark', 'Default Dark Modern', 'vs-dark'],
    ]) {
      await setTheme(page, workspace, theme, kind);
      await shot(page, name);
    }
  },
  async 'who touches which bytes of a file when'(page) {
    await command(page, 'I/O Lens: Show Offsets over Time');
    const frame = await offsetsFrame(page);
    await frame.locator('.files :is(button, vscode-button)', { hasText: 'shared.dat' }).click();
    await frame.locator('canvas').waitFor({ timeout: PATIENCE });
    await frame.getByLabel('Colour').selectOption({ label: 'Rank or process' });
    await frame.locator('.legend', { hasText: 'rank 3' }).waitFor({ timeout: PATIENCE });
    await shot(page, 'offsets-dark');
    await axeFindsNothing(frame);
  },
};

/** The frame of the view of offsets, once its files are listed. */
const offsetsFrame = (page) =>
  frameWhere(
    page,
    async (frame) => (await frame.locator('#offsets .files tbody tr').count()) > 0,
    'the files of the view of offsets are listed',
  );
