import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { GRAPH_BODY } from '../../../src/features/graph/page-body.ts';
import { FROM_GRAPH, GRAPH, type GraphLine } from '../../../src/features/graph/protocol.ts';
import { PlayedPanel } from '../../support/played-panel.ts';
import type { GraphHost } from './recorded.ts';
import { THEMES } from '../report/themes.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const NONCE = 'test';
const HOST = 'http://graph.test';
const scripts = new Map<string, string>();

async function bundled(entry: string): Promise<string> {
  let text = scripts.get(entry);
  if (text === undefined) {
    const options = { bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2023' } as const;
    const { outputFiles } = await build({ entryPoints: [path.join(root, entry)], ...options });
    text = outputFiles[0]!.text;
    scripts.set(entry, text);
  }
  return text;
}

export interface OpenedGraph {
  readonly page: Page;
  readonly panel: PlayedPanel<GraphLine>;
  /** Errors of the page and of its policy. */
  readonly problems: readonly string[];
}

/** The graph's webview in a page of its own, under the policy of the editor. */
export async function openGraph(
  browser: Browser,
  host: GraphHost,
  options: { readonly theme?: string; readonly state?: unknown; readonly width?: number } = {},
): Promise<OpenedGraph> {
  const page = await browser.newPage({ viewport: { width: options.width ?? 1280, height: 900 } });
  page.setDefaultTimeout(20_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  const send = async (message: unknown): Promise<void> => {
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  };
  const make = async (): Promise<void> => panel.say('graph', await host.made());
  const panel = new PlayedPanel<GraphLine>(GRAPH, FROM_GRAPH, send, {
    answers: host.answers,
    hears: {
      choose: async (choices) => {
        host.choices = choices;
        await panel.say('working', undefined);
        await make();
      },
      saveMapping: async (mapping) => {
        host.offers = { ...host.offers, mappings: [mapping] };
        await panel.say('offers', host.offers);
      },
    },
    present: make,
  });
  await page.exposeFunction('iolensSaid', (message: unknown) => panel.hear(message));
  await page.addInitScript(`
    window.kept = ${JSON.stringify(options.state ?? null)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.iolensSaid(message),
      getState: () => window.kept ?? undefined,
      setState: (state) => { window.kept = state; },
    });`);
  const script = await bundled('webview/graph/main.ts');
  const style = await bundled('webview/graph/graph.css');
  const elk = readFileSync(path.join(root, 'node_modules/elkjs/lib/elk-worker.min.js'), 'utf8');
  await page.route(`${HOST}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/main.js') return route.fulfill({ contentType: 'text/javascript', body: script });
    if (pathname === '/style.css') return route.fulfill({ contentType: 'text/css', body: style });
    if (pathname === '/elk.js') return route.fulfill({ contentType: 'text/javascript', body: elk });
    return route.fulfill({ contentType: 'text/html', body: document(options.theme ?? 'dark') });
  });
  await page.goto(`${HOST}/`);
  return { page, panel, problems };
}

function document(theme: string): string {
  const { kind, colours } = THEMES[theme]!;
  const variables = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value}`);
  const fonts =
    '--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: monospace';
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${NONCE}'`,
    `style-src ${HOST} 'nonce-${NONCE}'`,
    'worker-src blob:',
    'img-src blob:',
    `connect-src ${HOST}`,
  ].join('; ');
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Graph</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">:root { ${variables.join('; ')}; ${fonts} }</style>
<link rel="stylesheet" href="/style.css"></head>
<body class="${kind}" data-elk="${HOST}/elk.js">${GRAPH_BODY}
<script nonce="${NONCE}" src="/main.js"></script></body></html>`;
}
