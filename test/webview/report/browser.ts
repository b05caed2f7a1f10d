import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { PanelAnswers } from '../../../src/features/editor/panel-end.ts';
import { FROM_REPORT, REPORT, type ReportLine, type ViewReport } from '../../../src/features/report/protocol.ts';
import { PlayedPanel } from '../../support/played-panel.ts';
import { madeUpFile } from './made-up.ts';
import { THEMES } from './themes.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** As in scripts/workbench.mjs. */
const CHROMIUM = { executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] };

export const hasBrowser = existsSync(CHROMIUM.executablePath);

export async function startBrowser(): Promise<Browser> {
  return chromium.launch(CHROMIUM);
}

async function bundled(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2023',
  });
  return outputFiles[0]!.text;
}

/** The webview in a page of its own, under the policy of the editor, and what it said to the extension. */
export interface OpenedView {
  readonly page: Page;
  readonly panel: PlayedPanel<ReportLine>;
  send(message: unknown): Promise<void>;
  /** Errors of the page and of its policy. */
  readonly problems: readonly string[];
}

export interface ViewOptions {
  readonly theme?: string;
  /** What `getState` gives. */
  readonly state?: unknown;
  readonly report?: ViewReport;
  /** Answers to questions for pages; by default 120 made-up files. */
  readonly answers?: PanelAnswers<ReportLine>;
}

const NONCE = 'test';
const scripts = new Map<string, string>();

export async function openView(browser: Browser, options: ViewOptions = {}): Promise<OpenedView> {
  for (const entry of ['webview/report/main.ts', 'webview/report/report.css'])
    if (!scripts.has(entry)) scripts.set(entry, await bundled(entry));
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  const send = async (message: unknown): Promise<void> => {
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  };
  const panel = new PlayedPanel<ReportLine>(REPORT, FROM_REPORT, send, {
    answers: options.answers ?? MADE_UP,
    present: () => {
      if (options.report !== undefined) void panel.say('report', options.report);
    },
  });
  await page.exposeFunction('iolensSaid', (message: unknown) => panel.hear(message));
  await page.addInitScript(`
    window.kept = ${JSON.stringify(options.state ?? null)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.iolensSaid(message),
      getState: () => window.kept ?? undefined,
      setState: (state) => { window.kept = state; },
    });`);
  await page.route('http://report.test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/main.js')
      return route.fulfill({ contentType: 'text/javascript', body: scripts.get('webview/report/main.ts')! });
    if (pathname === '/style.css')
      return route.fulfill({ contentType: 'text/css', body: scripts.get('webview/report/report.css')! });
    return route.fulfill({ contentType: 'text/html', body: document(options.theme ?? 'dark') });
  });
  await page.goto('http://report.test/');
  return { page, problems, send, panel };
}

function document(theme: string): string {
  const { kind, colours } = THEMES[theme]!;
  const variables = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value}`);
  const fonts =
    '--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: monospace';
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src http://report.test 'nonce-${NONCE}'`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Report</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">:root { ${variables.join('; ')}; ${fonts} }</style>
<link rel="stylesheet" href="/style.css"></head>
<body class="${kind}"><div id="status" role="status" aria-live="polite"></div><main id="report"></main>
<script nonce="${NONCE}" src="/main.js"></script></body></html>`;
}

const ALL = Array.from({ length: 120 }, (_, number) => madeUpFile(number));

const MADE_UP: PanelAnswers<ReportLine> = {
  files: ({ from, count, filter, descending }) => {
    const kept = ALL.filter(({ path: file }) => file.includes(filter));
    if (descending) kept.reverse();
    return { rows: kept.slice(from, from + count), from, matching: kept.length, total: ALL.length };
  },
  records: ({ module }) => {
    const rows = [0, 1].map((rank) => ({
      recordId: '77',
      rank,
      path: '/scratch/run/out.txt',
      values: [rank + 1, 0.5],
    }));
    const page = { module, counters: ['POSIX_OPENS', 'POSIX_F_READ_TIME'], unusedCounters: 66 };
    return { ...page, rows, from: 0, matching: 2, total: 2 };
  },
};
