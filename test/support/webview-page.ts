import { build, type BuildOptions } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { THEMES } from '../webview/report/themes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const NONCE = 'test';
const ORIGIN = 'http://webview.test';
const texts = new Map<string, Promise<string>>();
const pages = new WeakMap<Browser, Promise<ServedPage>>();

export interface WebviewOptions {
  /** A file of the webviews; or a script that imports such files by their paths from the project's folder. */
  readonly script: string;
  readonly style: string;
  readonly body: string;
  readonly title?: string;
  readonly theme?: string;
  /** What `getState` gives. */
  readonly state?: unknown;
  readonly width?: number;
  readonly height?: number;
  /** What the view's policy allows beyond that of all views. */
  readonly policy?: string;
  /** In a page of its own, which its test closes: several are open at a time. */
  readonly isAlone?: boolean;
  /** Takes a message of the view; it can come before the page is opened wholly. */
  readonly hear?: (message: unknown, opened: WebviewPage) => unknown;
}

/** A view in a page under the policy of the editor, in the colours of one of its themes. */
export interface WebviewPage {
  readonly page: Page;
  /** Errors of the page and of its policy. */
  readonly problems: string[];
  /** Hands the view a message, unless its test is over. */
  readonly send: (message: unknown) => Promise<void>;
  /** The page is free for the next test. */
  readonly close: () => void;
}

/** What the one page of a browser serves and reports to at present. */
interface ServedPage {
  readonly page: Page;
  script: string;
  style: string;
  html: string;
  problems: string[];
  hear: (message: unknown) => unknown;
  /** Which document it is: the one before may still speak while this one is on its way. */
  number: number;
}

/** Opens a view; mostly one at a time in a browser, as a new page takes longer than what most tests do in it. */
export async function openWebview(browser: Browser, options: WebviewOptions): Promise<WebviewPage> {
  const made = (options.isAlone === true ? undefined : pages.get(browser)) ?? servedPage(browser);
  if (options.isAlone !== true) pages.set(browser, made);
  const served = await made;
  const { page } = served;
  const problems: string[] = [];
  const send = async (message: unknown): Promise<void> => {
    if (served.problems === problems) await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  };
  const close = (): void => {
    Object.assign(served, { problems: [], hear: () => undefined });
  };
  const opened = { page, problems, send, close };
  const [script, style] = await Promise.all([bundled(options.script), bundled(options.style)]);
  const hear = (message: unknown): unknown => options.hear?.(message, opened);
  served.number++;
  const html = documentOf(options, served.number);
  Object.assign(served, { script, style, html, problems, hear });
  await page.setViewportSize({ width: options.width ?? 1280, height: options.height ?? 900 });
  await page.mouse.move(0, 0);
  await page.goto(`${ORIGIN}/`);
  return opened;
}

async function servedPage(browser: Browser): Promise<ServedPage> {
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  const nothing = { script: '', style: '', html: '', problems: [], hear: () => undefined };
  const served: ServedPage = { page, ...nothing, number: 0 };
  page.on('pageerror', (error) => served.problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') served.problems.push(message.text());
  });
  await page.exposeFunction('iolensSaid', (message: unknown, number: number) => {
    if (number === served.number) served.hear(message);
  });
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/main.js') return route.fulfill({ contentType: 'text/javascript', body: served.script });
    if (pathname === '/style.css') return route.fulfill({ contentType: 'text/css', body: served.style });
    return route.fulfill({ contentType: 'text/html', body: served.html });
  });
  return served;
}

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

function documentOf(
  { theme = 'dark', title = 'I/O Lens', body, state = null, policy: more = '' }: WebviewOptions,
  number: number,
): string {
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src ${ORIGIN} 'nonce-${NONCE}'; ${more}`;
  const kept = JSON.stringify(state).replaceAll('<', String.raw`\u003c`);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>${title}</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">:root { ${variablesOf(theme)} }</style>
<link rel="stylesheet" href="/style.css"></head>
<body class="${THEMES[theme]!.kind}">${body}
<script nonce="${NONCE}">
window.kept = ${kept};
window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.iolensSaid(message, ${number}),
  getState: () => window.kept ?? undefined,
  setState: (state) => { window.kept = state; },
});
</script>
<script nonce="${NONCE}" src="/main.js"></script></body></html>`;
}

function variablesOf(theme: string): string {
  const variables = Object.entries(THEMES[theme]!.colours).map(([name, value]) => `--vscode-${name}: ${value}`);
  const fonts = ['font-family: system-ui, sans-serif', 'font-size: 13px', 'editor-font-family: monospace'];
  return [...variables, ...fonts.map((font) => `--vscode-${font}`)].join('; ');
}

/** The user takes another theme while the view is open: the editor changes class and style of the page. */
export async function takeTheme(page: Page, theme: string): Promise<void> {
  const [kind, variables] = [THEMES[theme]!.kind, variablesOf(theme)].map((text) => JSON.stringify(text));
  await page.evaluate(`{
    document.querySelector('style').sheet.cssRules[0].style.cssText = ${variables};
    document.documentElement.style.cssText = ${variables};
    document.body.className = ${kind};
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }`);
}

/** What axe complains about in a page. @param rules all, or those that depend on the theme: it differs in its colours. */
export async function barriers(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`)))
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const only = rules === 'all' ? '' : `runOnly: ['color-contrast', 'link-in-text-block'],`;
  return page.evaluate(`axe.run({ ${only} resultTypes: ['violations'], preload: false }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`);
}
