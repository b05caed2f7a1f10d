// One selection for all views: what is clicked in one is followed in the others.
import assert from 'node:assert/strict';
import { choose, command, cursorAt, graphFrame, PATIENCE, selectionRows, shot } from './page.mjs';

export const selectionSteps = {
  async 'a file that is clicked is selected everywhere'(page) {
    await choose(page, 'cells.txt', () => selectionRows(page, 'cells.txt').first().isVisible());
    await selectionRows(page, '4,098 calls').first().waitFor({ timeout: PATIENCE });
    await page.locator('.statusbar-item', { hasText: 'cells.txt' }).waitFor({ timeout: PATIENCE });
    // What does not take part is dimmed.
    await page.locator('[aria-label*="not selected"]').first().waitFor({ timeout: PATIENCE });
  },
  async 'a node of the graph is selected everywhere, and its edges are'(page) {
    await command(page, 'I/O Lens: Show Directly-Follows-Graph');
    const frame = await graphFrame(page);
    await frame.locator('#breadcrumb', { hasText: 'Selected: cells.txt' }).waitFor({ timeout: PATIENCE });
    await frame.locator('.node.not-selected[data-activity="pread64:/home/hpc"]').waitFor({ timeout: PATIENCE });
    await frame.locator('#toolbar').getByRole('button', { name: 'Fit' }).click();
    await frame.locator('.node[data-activity="pread64:/home/hpc"]').click();
    await cursorAt(page, 42);
    await selectionRows(page, 'pread64:/home/hpc').first().waitFor({ timeout: PATIENCE });
    await frame.locator('.node.not-selected[data-activity="write:/home/hpc"]').waitFor({ timeout: PATIENCE });
    await shot(page, 'selection-dark');
    await frame
      .locator('#selection :is(button, vscode-button).link', { hasText: /^write:/ })
      .first()
      .click();
    await selectionRows(page, 'pread64:/home/hpc → write:/home/hpc').first().waitFor({ timeout: PATIENCE });
  },
  async 'the way back leads through it, and clearing ends it'(page) {
    const frame = await graphFrame(page);
    await command(page, 'I/O Lens: Previous Selection');
    await command(page, 'I/O Lens: Previous Selection');
    await frame.locator('#breadcrumb', { hasText: 'Selected: cells.txt' }).waitFor({ timeout: PATIENCE });
    await command(page, 'I/O Lens: Clear Selection');
    await selectionRows(page, 'cells.txt').first().waitFor({ state: 'detached', timeout: PATIENCE });
    await frame.locator('.not-selected').first().waitFor({ state: 'detached', timeout: PATIENCE });
    assert.equal(await frame.locator('#breadcrumb').isVisible(), false);
  },
};
