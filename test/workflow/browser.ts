import { build } from 'esbuild';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { WorkflowDocument } from '../../src/fleet/workflow/workflow-document.ts';
import { WORKFLOW_BODY } from '../../src/messages/workflow-body.ts';
import {
  isFromWorkflowView,
  WORKFLOW_PROTOCOL,
  type FromWorkflowView,
  type ToWorkflowView,
} from '../../src/messages/workflow-messages.ts';
import { THEMES } from '../report/themes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const NONCE = 'test';
const ORIGIN = 'http://workflow.test';
const texts = new Map<string, string>();

async function bundled(entry: string): Promise<string> {
  const options = { bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2023' } as const;
  const { outputFiles } = await build({ entryPoints: [path.join(root, entry)], ...options });
  return outputFiles[0]!.text;
}

/** The view in a page of its own, under the policy of the editor. */
export interface OpenedWorkflow {
  readonly page: Page;
  /** All messages of the view so far. */
  readonly said: readonly FromWorkflowView[];
  send(message: ToWorkflowView): Promise<void>;
  /** Errors of the page and of its policy, and messages that the editor would not take. */
  readonly problems: readonly string[];
}

export interface WorkflowOptions {
  readonly theme?: string;
  readonly state?: unknown;
  readonly width?: number;
  readonly height?: number;
}

/** @param document that the extension sends once the view is ready; none when the test sends something else. */
export async function openWorkflow(
  browser: Browser,
  document: WorkflowDocument | undefined,
  options: WorkflowOptions = {},
): Promise<OpenedWorkflow> {
  for (const entry of ['webview/workflow/main.ts', 'webview/workflow/workflow.css'])
    if (!texts.has(entry)) texts.set(entry, await bundled(entry));
  const page = await browser.newPage({ viewport: { width: options.width ?? 1280, height: options.height ?? 1000 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  const said: FromWorkflowView[] = [];
  const send = async (message: ToWorkflowView): Promise<void> => {
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  };
  await page.exposeFunction('iolensSaid', async (message: unknown) => {
    if (!isFromWorkflowView(message)) {
      problems.push(`no message: ${JSON.stringify(message)}`);
      return;
    }
    said.push(message);
    if (message.kind === 'ready' && document !== undefined)
      await send({ kind: 'workflow', protocol: WORKFLOW_PROTOCOL, document });
  });
  await page.addInitScript(`
    window.kept = ${JSON.stringify(options.state ?? null)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.iolensSaid(message),
      getState: () => window.kept ?? undefined,
      setState: (state) => { window.kept = state; },
    });`);
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/main.js')
      return route.fulfill({ contentType: 'text/javascript', body: texts.get('webview/workflow/main.ts')! });
    if (pathname === '/style.css')
      return route.fulfill({ contentType: 'text/css', body: texts.get('webview/workflow/workflow.css')! });
    return route.fulfill({ contentType: 'text/html', body: pageOf(options.theme ?? 'dark') });
  });
  await page.goto(`${ORIGIN}/`);
  return { page, said, send, problems };
}

function pageOf(theme: string): string {
  const { kind, colours } = THEMES[theme]!;
  const variables = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value}`);
  const fonts = '--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px';
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src ${ORIGIN} 'nonce-${NONCE}'; img-src blob:`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Workflow</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">:root { ${variables.join('; ')}; ${fonts} }</style>
<link rel="stylesheet" href="/style.css"></head>
<body class="${kind}">${WORKFLOW_BODY}
<script nonce="${NONCE}" src="/main.js"></script></body></html>`;
}
