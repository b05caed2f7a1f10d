import { build } from 'esbuild';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  FLEET_PROTOCOL,
  isFromFleetView,
  type FleetAnswers,
  type FleetQuestion,
  type FromFleetView,
  type StoreSummary,
  type ToFleetView,
} from '../../src/messages/fleet-messages.ts';
import { FleetQuestions } from '../../src/session/fleet/fleet-questions.ts';
import { THEMES } from '../report/themes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const NONCE = 'test';
const texts = new Map<string, string>();

async function bundled(entry: string): Promise<string> {
  const options = { bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2023' } as const;
  const { outputFiles } = await build({ entryPoints: [path.join(root, entry)], ...options });
  return outputFiles[0]!.text;
}

/** The view in a page of its own, under the policy of the editor, with a store that answers it. */
export interface OpenedFleet {
  readonly page: Page;
  readonly fleet: FleetQuestions;
  readonly summary: StoreSummary;
  /** All messages of the view so far. */
  readonly said: readonly FromFleetView[];
  send(message: ToFleetView): Promise<void>;
  /** Errors of the page and of its policy, and messages that the editor would not take. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export interface FleetOptions {
  readonly theme?: string;
  readonly state?: unknown;
  readonly width?: number;
  readonly height?: number;
  /** Answers in place of the store's. */
  readonly answer?: (question: FleetQuestion) => FleetAnswers[keyof FleetAnswers] | undefined;
  /** What the view gets instead of a store. */
  readonly instead?: ToFleetView;
}

export async function openFleet(browser: Browser, store: string, options: FleetOptions = {}): Promise<OpenedFleet> {
  for (const entry of ['webview/fleet/main.ts', 'webview/fleet/fleet.css'])
    if (!texts.has(entry)) texts.set(entry, await bundled(entry));
  const fleet = new FleetQuestions([]);
  const summary = await fleet.open(store);
  const page = await browser.newPage({ viewport: { width: options.width ?? 1280, height: options.height ?? 900 } });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  const said: FromFleetView[] = [];
  const send = async (message: ToFleetView): Promise<void> => {
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
  };
  await page.exposeFunction('iolensSaid', async (message: unknown) => {
    if (!isFromFleetView(message)) {
      problems.push(`no message: ${JSON.stringify(message)}`);
      return;
    }
    said.push(message);
    if (message.kind === 'ready') await send(options.instead ?? { kind: 'store', protocol: FLEET_PROTOCOL, summary });
    if (message.kind !== 'question') return;
    const { request, question } = message;
    await Promise.resolve(options.answer?.(question) ?? answerOf(fleet, summary.id, question)).then(
      (value) => send({ kind: 'answer', request, value }),
      (error: unknown) =>
        send({ kind: 'problem', request, message: error instanceof Error ? error.message : String(error) }),
    );
  });
  await page.addInitScript(`
    window.kept = ${JSON.stringify(options.state ?? null)};
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.iolensSaid(message),
      getState: () => window.kept ?? undefined,
      setState: (state) => { window.kept = state; },
    });`);
  await page.route('http://fleet.test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/main.js')
      return route.fulfill({ contentType: 'text/javascript', body: texts.get('webview/fleet/main.ts')! });
    if (pathname === '/style.css')
      return route.fulfill({ contentType: 'text/css', body: texts.get('webview/fleet/fleet.css')! });
    return route.fulfill({ contentType: 'text/html', body: document(options.theme ?? 'dark') });
  });
  await page.goto('http://fleet.test/');
  const close = async (): Promise<void> => {
    await page.close();
    await fleet.close(summary.id);
  };
  return { page, fleet, summary, said, send, problems, close };
}

/** As the panel asks (fleet-panel.ts). */
async function answerOf(
  fleet: FleetQuestions,
  id: number,
  question: FleetQuestion,
): Promise<FleetAnswers[keyof FleetAnswers]> {
  switch (question.ask) {
    case 'questions':
      return fleet.questions();
    case 'answer':
      return fleet.answer(id, question.question, question.parameters, question.filter);
    case 'jobs':
      return fleet.jobs(id, question.page);
    case 'job':
      return fleet.job(id, question.log);
    case 'causes':
      return fleet.causes(id, question.request);
    case 'query':
      return fleet.query(id, question.sql, 100_000);
    case 'complete':
      return fleet.complete(id, question.sql, question.position);
  }
}

function document(theme: string): string {
  const { kind, colours } = THEMES[theme]!;
  const variables = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value}`);
  const fonts =
    '--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: monospace';
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src http://fleet.test 'nonce-${NONCE}'`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Store</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">:root { ${variables.join('; ')}; ${fonts} }</style>
<link rel="stylesheet" href="/style.css"></head>
<body class="${kind}"><div id="status" role="status" aria-live="polite"></div><main id="fleet"></main>
<script nonce="${NONCE}" src="/main.js"></script></body></html>`;
}
