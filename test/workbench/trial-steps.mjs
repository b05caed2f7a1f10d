// Steps through a trial of a fix: the commands are asked for once, and the view shows what came of it.
import assert from 'node:assert/strict';
import { axeFindsNothing, command, frameWhere, goToFix, PATIENCE, rows, shot, until } from './page.mjs';

/** Building, and some dozens of runs. */
const TRIAL_PATIENCE = 180_000;

export const trialSteps = {
  async 'a fix is tried: what builds and runs the program is proposed, and the view shows what that showed'(page) {
    await goToFix(page, /^Try: Keep the file open/);
    await page.keyboard.press('Enter');
    const box = page.locator('.quick-input-widget input[type="text"]').first();
    await until(async () => (await box.inputValue()).startsWith('./heat'), 'the command of the recording is proposed');
    await box.fill('mkdir -p results && ./heat results');
    await box.press('Enter');
    await until(async () => (await box.inputValue()) === '', 'no build is proposed for a command with several words');
    await box.fill('gcc -g -O2 -o heat heat.c');
    await box.press('Enter');
    let frame;
    await until(
      async () => {
        for (const each of page.frames())
          if (
            (await each
              .locator('#trial .verdict')
              .count()
              .catch(() => 0)) > 0
          )
            frame = each;
        return frame !== undefined;
      },
      'the view shows a verdict',
      TRIAL_PATIENCE,
    );
    assert.match(await frame.locator('.verdict').innerText(), /keeps results/);
    await frame.locator('.diff .inserted', { hasText: 'static int fd' }).first().waitFor({ timeout: PATIENCE });
    await axeFindsNothing(frame);
    await command(page, 'Notifications: Clear All Notifications');
    await shot(page, 'try-fix');
  },
  async 'keeping it writes the change, and the view goes'(page) {
    const frame = await frameWhere(page, (each) => each.locator('#trial .verdict').isVisible(), 'the view is there');
    await frame.getByText('Keep', { exact: true }).first().click();
    await page.locator('.view-line', { hasText: 'static int fd = -1' }).first().waitFor({ timeout: PATIENCE });
    await page.locator('.tab', { hasText: 'Tried Fix' }).waitFor({ state: 'detached', timeout: PATIENCE });
    await command(page, 'File: Revert File');
    await rows(page, 'Many small writes').first().waitFor({ timeout: PATIENCE });
  },
};
