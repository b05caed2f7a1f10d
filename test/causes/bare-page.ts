import { build, type BuildOptions } from 'esbuild';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { THEMES } from '../report/themes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const NONCE = 'test';
const HOST = 'http://causes.test';
const texts = new Map<string, Promise<string>>();

/** A file of the webviews, bundled; or a script that imports such files by their paths from the project's folder. */
function bundled(source: string): Promise<string> {
  const entry: BuildOptions = /^\S+$/.test(source)
    ? { entryPoints: [path.join(root, source)] }
    : { stdin: { contents: source, resolveDir: root, loader: 'ts' } };
  const made =
    texts.get(source) ??
    build({ ...entry, bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2023' }).then(
      ({ outputFiles }) => outputFiles[0]!.text,
    );
  texts.set(source, made);
  return made;
}

export interface BarePage {
  readonly page: Page;
  /** Errors of the page and of its policy. */
  readonly problems: readonly string[];
}

export interface BarePageOptions {
  readonly script: string;
  readonly style: string;
  readonly body: string;
  readonly theme?: string;
  readonly width?: number;
  /** Before the page's own script. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** A page under the policy of the editor, in the colours of one of its themes. */
export async function openBarePage(browser: Browser, options: BarePageOptions): Promise<BarePage> {
  const [script, style] = await Promise.all([bundled(options.script), bundled(options.style)]);
  const page = await browser.newPage({ viewport: { width: options.width ?? 1180, height: 900 } });
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await options.prepare?.(page);
  await page.route(`${HOST}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/main.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (pathname === '/style.css') return route.fulfill({ contentType: 'text/css', body: style });
    return route.fulfill({ contentType: 'text/html', body: document(options) });
  });
  await page.goto(`${HOST}/`);
  return { page, problems };
}

function document({ theme = 'dark', body }: BarePageOptions): string {
  const { kind, colours } = THEMES[theme]!;
  const variables = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value}`);
  const fonts = '--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px';
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src ${HOST} 'nonce-${NONCE}'`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>I/O Lens</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">:root { ${variables.join('; ')}; ${fonts} }</style>
<link rel="stylesheet" href="/style.css"></head>
<body class="${kind}">${body}<script nonce="${NONCE}" src="/main.js"></script></body></html>`;
}
