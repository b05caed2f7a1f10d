import { build } from 'esbuild';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  FROM_TIMELINE,
  TIMELINE,
  type ShownSelection,
  type TimelineLine,
  type TimelineRecordings,
  type ViewEvent,
} from '../../../src/features/timeline/protocol.ts';
import type { Selection } from '../../../src/analysis/selection/selection.ts';
import type { TimelineMethods } from '../../../src/features/timeline/methods.ts';
import { countWhatIsDue } from '../../support/idle-page.ts';
import type { TimelineEvent } from '../../../src/analysis/timeline/timeline.ts';
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

/** The view in a page of its own, under the policy of the editor, with somebody who answers it. */
export interface OpenedTimeline {
  readonly page: Page;
  readonly panel: PlayedPanel<TimelineLine>;
  send(message: unknown): Promise<void>;
  /** What the panel sends when the recordings or the selection are others. */
  tell(selection?: ShownSelection, selected?: Selection): Promise<void>;
  /** Errors of the page and of its policy, and messages that the extension would not take. */
  readonly problems: string[];
}

export interface TimelineOptions {
  readonly methods: TimelineMethods;
  readonly ids?: readonly number[];
  readonly recordings?: TimelineRecordings;
  readonly theme?: string;
  readonly state?: unknown;
  readonly width?: number;
  readonly height?: number;
  readonly scale?: number;
  readonly reducedMotion?: boolean;
}

const RECORDINGS: TimelineRecordings = { names: ['heat.strace.gz'], paths: [['/work/heat.strace.gz']] };

export async function openTimeline(browser: Browser, options: TimelineOptions): Promise<OpenedTimeline> {
  for (const entry of ['webview/timeline/main.ts', 'webview/timeline/timeline.css'])
    if (!texts.has(entry)) texts.set(entry, await bundled(entry));
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    deviceScaleFactor: options.scale ?? 1,
    ...(options.reducedMotion === true && { reducedMotion: 'reduce' as const }),
  });
  await countWhatIsDue(page);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  let selected: Selection = [];
  const send = async (message: unknown): Promise<void> => {
    const text = JSON.stringify(message, (_, value: unknown) =>
      ArrayBuffer.isView(value)
        ? {
            array: value.constructor.name,
            bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'),
          }
        : value,
    );
    if (!page.isClosed()) await page.evaluate(`window.postMessage(window.revived(${JSON.stringify(text)}), '*')`);
  };
  const tell = async (selection: ShownSelection = { parts: [] }, now: Selection = []): Promise<void> => {
    selected = now;
    await panel.say('recordings', { recordings: options.recordings ?? RECORDINGS, selection });
  };
  const { methods, ids = [1] } = options;
  const panel = new PlayedPanel<TimelineLine>(TIMELINE, FROM_TIMELINE, send, {
    answers: {
      rows: (choices) => methods.rows(ids, { ...choices, selection: selected }),
      window: ({ token, window }) => methods.window(token, window),
      event: async ({ token, row, timeNs, toleranceNs }) =>
        viewEvent(await methods.eventAt(token, row, timeNs, toleranceNs)),
      totals: async ({ token, fromNs, toNs }) => {
        return { number: ++events, totals: await methods.totals(token, fromNs, toNs) };
      },
      search: async ({ token, text, fromNs, direction }) =>
        viewEvent(await methods.search(token, text, fromNs, direction)),
      linked: async ({ token, recording, event, step }) =>
        viewEvent(await methods.linked(token, recording, event, step)),
    },
    present: () => tell(),
  });
  await page.exposeFunction('iolensSaid', (message: unknown) => panel.hear(message));
  await page.addInitScript(IN_PAGE.replace('STATE', JSON.stringify(options.state ?? null)));
  await page.route('http://timeline.test/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/main.js')
      return route.fulfill({ contentType: 'text/javascript', body: texts.get('webview/timeline/main.ts')! });
    if (pathname === '/style.css')
      return route.fulfill({ contentType: 'text/css', body: texts.get('webview/timeline/timeline.css')! });
    return route.fulfill({ contentType: 'text/html', body: document(options.theme ?? 'dark') });
  });
  await page.goto('http://timeline.test/');
  return { page, panel, send, tell, problems };
}

let events = 0;

function viewEvent(event: TimelineEvent | undefined): ViewEvent | null {
  return event === undefined ? null : { number: ++events, event, hasSource: event.site !== undefined };
}

/** Typed arrays pass as the editor hands them over; between page and test they go as text. */
const IN_PAGE = `
  window.kept = STATE;
  window.revived = (text) => JSON.parse(text, (_, value) => {
    if (value === null || typeof value !== 'object' || value.array === undefined) return value;
    const bytes = Uint8Array.from(atob(value.bytes), (character) => character.charCodeAt(0));
    return new globalThis[value.array](bytes.buffer);
  });
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.iolensSaid(message),
    getState: () => window.kept ?? undefined,
    setState: (state) => { window.kept = state; },
  });`;

function document(theme: string): string {
  const { kind, colours } = THEMES[theme]!;
  const variables = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value}`);
  const fonts =
    '--vscode-font-family: system-ui, sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: monospace';
  const policy = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src http://timeline.test 'nonce-${NONCE}'; img-src blob:`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Timeline</title>
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="${NONCE}">:root { ${variables.join('; ')}; ${fonts} }</style>
<link rel="stylesheet" href="/style.css"></head>
<body class="${kind}">
<script nonce="${NONCE}" src="/main.js"></script></body></html>`;
}
