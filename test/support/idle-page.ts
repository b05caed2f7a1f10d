import type { Page } from 'playwright-core';

/** Timers and frames that a page has asked for and that have not come yet. */
const COUNT = `
const due = new Set();
const waiting = [];
window.idle = () => new Promise((resolve) => { waiting.push(resolve); look(); });
// What the last timer leaves to be done at once comes first.
const look = () => queueMicrotask(() => { if (due.size === 0) for (const resolve of waiting.splice(0)) resolve(); });
const over = (name) => { due.delete(name); look(); };
for (const [ask, drop] of [['setTimeout', 'clearTimeout'], ['requestAnimationFrame', 'cancelAnimationFrame']]) {
  const [asked, dropped] = [window[ask].bind(window), window[drop].bind(window)];
  window[ask] = (run, ...more) => {
    const number = asked((...given) => { try { run(...given); } finally { over(ask + number); } }, ...more);
    due.add(ask + number);
    return number;
  };
  window[drop] = (number) => { over(ask + number); dropped(number); };
}`;

/** Makes `idle` possible for what is opened in a page from now on. */
export async function countWhatIsDue(page: Page): Promise<void> {
  await page.addInitScript(`{${COUNT}}`);
}

/** Waits until a page has nothing more to do of its own: no timer, no frame. */
export async function idle(page: Page): Promise<void> {
  await page.evaluate('window.idle()');
}
