import { build } from 'esbuild';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  OFFSETS,
  FROM_OFFSETS,
  type OffsetsLine,
  type FileName,
  type ViewAccess,
} from '../../../src/features/offsets/protocol.ts';
import type { OffsetAccess } from '../../../src/features/offsets/methods.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { localSession, type Session } from '../../../src/features/answers/all-answers.ts';
import { PlayedPanel } from '../../support/played-panel.ts';
import { THEMES } from '../report/themes.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const NONCE = 'test';
const texts = new Map<string, string>();

async function bundled(entry: string): Promise<string> {
  const options = { bundle: true, write: false, format: 'iife', platform: 'browser', target: 'es2023' } as const;
  const { outputFiles } = await build({ entryPoints: [path.join(root, entry)], ...options });
  return outputFiles[0]!.text;
}

/** The view in a page of its own, under the policy of the editor, with a session that answers it. */
export interface OpenedOffsets {
  readonly page: Page;
  readonly session: Session;
  readonly id: number;
  readonly panel: PlayedPanel<OffsetsLine>;
  send(message: unknown): Promise<void>;
  show(file: FileName | undefined, span?: { fromNs: number; toNs: number }): Promise<void>;
  /** Errors of the page and of its policy, and messages that the editor would not take. */
  readonly problems: readonly string[];
}

export interface OffsetOptions {
  readonly theme?: string;
  readonly state?: unknown;
  readonly file?: FileName;
  readonly width?: number;
  readonly scale?: number;
  /** Answers about single accesses wait for it. */
  readonly hold?: Promise<void>;
}

export async function openOffsets(
  browser: Browser,
  recording: string,
  options: OffsetOptions = {},
): Promise<OpenedOffsets> {
  for (const entry of ['webview/offsets/main.ts', 'webview/offsets/offsets.css'])
    if (!texts.has(entry)) texts.set(entry, await bundled(entry));
  const session = localSession({ folder: path.join(root, 'dist') });
  const { id } = await session.recordings.open({ ...plainRequest(recording), cacheBytes: 0, maySpawn: false });
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1180, height: 900 },
    deviceScaleFactor: options.scale ?? 1,
  });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  const about = { paths: [recording], recording: path.basename(recording) };
  let file = options.file;
  let listed: readonly FileName[] = [];
  const send = async (message: unknown): Promise<void> => {
    // Typed arrays as the editor hands them over.
    const text = JSON.stringify(message, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? { array: value.constructor.name, values: [...(value as Uint8Array)] } : value,
    );
    await page.evaluate(`window.postMessage(window.revived(${JSON.stringify(text)}), '*')`);
  };
  const show = async (wanted: FileName | undefined, span?: { fromNs: number; toNs: number }): Promise<void> => {
    file = wanted;
    const facts = file === undefined ? undefined : await session.offsets.facts(id, file);
    await panel.say('subject', { ...about, facts: facts ?? null, span: span ?? null });
  };
  const panel = new PlayedPanel<OffsetsLine>(OFFSETS, FROM_OFFSETS, send, {
    answers: {
      files: async ({ filter }) => {
        const found = await session.offsets.files(id, filter, 50);
        listed = found.files;
        return found;
      },
      operations: async () => (await session.timeline.summary([id]))[0]!,
      window: (wanted) => session.offsets.window(id, { file: file!, selection: [], ...wanted }),
      access: async ({ choices, ...at }) => {
        const access = await session.offsets.accessAt(id, file!, choices, at);
        await options.hold;
        return access === undefined ? null : viewAccess(access);
      },
    },
    hears: { chooseFile: ({ index }) => show(listed[index]) },
    present: () => show(file),
  });
  await page.exposeFunction('iolensSaid', (message: unknown) => panel.hear(message));
  await page.addInitScript(`
    window.kept = ${JSON.stringify(options.state ?? null)};
    window.revived = (text) => JSON.parse(text, (_, value) =>
      value !== null && typeof value === 'object' && typeof value.array === 'string' ? window[value.array].from(value.values) : value);
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => window.iolensSaid(message),
      getState: () => window.kept ?? undefined,
      setState: (state) => { window.kept = state; },
    });`);
  await page.route('http://offsets.test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/main.js')
      return route.fulfill({ contentType: 'text/javascript', body: texts.get('webview/offsets/main.ts')! });
    if (pathname === '/style.css')
      return route.fulfill({ contentType: 'text/css', body: texts.get('webview/offsets/offsets.css')! });
    return route.fulfill({ contentType: 'text/html', body: document(options.theme ?? 'dark') });
  });
  await page.goto('http://offsets.test/');
  return { page, session, id, panel, send, show, problems };
}

let numbers = 0;

function viewAccess(access: OffsetAccess): ViewAccess {
  return { ...access, number: ++numbers, hasSource: access.event.site !== undefined, hasRecordingLine: true };
}

function document(theme: string): string {
  const { kind, colours } = THEMES[theme]!;
  const variables = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value}`);
  const fonts = '--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px';
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src http://offsets.test 'nonce-${NONCE}'`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Offsets over Time</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">:root { ${variables.join('; ')}; ${fonts} }</style>
<link rel="stylesheet" href="/style.css"></head>
<body class="${kind}"><div id="status" role="status" aria-live="polite"></div><main id="offsets"></main>
<script nonce="${NONCE}" src="/main.js"></script></body></html>`;
}
