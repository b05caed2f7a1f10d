import type { Page } from 'playwright-core';

/** Timers and frames that a page has asked for and that have not come yet. */
const COUNT = `
const due = new Set();
window.isIdle = () => due.size === 0;
for (const [ask, drop] of [['setTimeout', 'clearTimeout'], ['requestAnimationFrame', 'cancelAnimationFrame']]) {
  const [asked, dropped] = [window[ask].bind(window), window[drop].bind(window)];
  window[ask] = (run, ...more) => {
    const number = asked((...given) => { try { run(...given); } finally { due.delete(ask + number); } }, ...more);
    due.add(ask + number);
    return number;
  };
  window[drop] = (number) => { due.delete(ask + number); dropped(number); };
}`;

/** Makes `idle` possible for what is opened in a page from now on. */
export async function countWhatIsDue(page: Page): Promise<void> {
  await page.addInitScript(`{${COUNT}}`);
}

/** Waits until a page has nothing more to do of its own: no timer, no frame. */
export async function idle(page: Page): Promise<void> {
  await page.waitForFunction('window.isIdle()');
}
