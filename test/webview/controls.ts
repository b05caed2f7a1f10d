import type { Locator, Page } from 'playwright-core';

/** A control of a bar, where somebody sees it: in the bar, or in its menu, which is opened then. */
export async function control(page: Page, of: Locator): Promise<Locator> {
  const more = page.getByRole('button', { name: 'More controls' });
  if (!(await of.isVisible()) && (await more.getAttribute('aria-expanded')) === 'false') await more.click();
  await of.waitFor();
  return of;
}
