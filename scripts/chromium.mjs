// The browser that tests look at pages with.
import { existsSync } from 'node:fs';

/** Debian's Chromium without windows: what it shows takes half of the time that the whole browser takes for it. */
export const HEADLESS = { package: 'chromium-headless-shell', file: '/usr/lib/chromium/chromium-headless-shell' };
export const WHOLE = { package: 'chromium', file: '/usr/bin/chromium' };

/** The one of both that is there; undefined when there is none. */
export function browserFile() {
  return [HEADLESS, WHOLE].map(({ file }) => file).find((file) => existsSync(file));
}
