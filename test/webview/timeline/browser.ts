import { build } from 'esbuild';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  isFromTimelineView,
  TIMELINE_PROTOCOL,
  type FromTimelineView,
  type ShownSelection,
  type TimelineAnswer,
  type TimelineQuestion,
  type TimelineRecordings,
  type ToTimelineView,
} from '../../../src/features/timeline/protocol.ts';
import type { Selection } from '../../../src/analysis/selection/selection.ts';
import type { TimelineMethods } from '../../../src/features/timeline/methods.ts';
import { countWhatIsDue } from '../../support/idle-page.ts';
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
  /** All messages of the view so far. */
  readonly said: FromTimelineView[];
  send(message: ToTimelineView): Promise<void>;
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
  const said: FromTimelineView[] = [];
  let selected: Selection = [];
  const send = async (message: ToTimelineView): Promise<void> => {
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
    const recordings = options.recordings ?? RECORDINGS;
    await send({ kind: 'recordings', protocol: TIMELINE_PROTOCOL, recordings, selection });
  };
  const receive = async (text: string): Promise<void> => {
    const message: unknown = revived(text);
    if (!isFromTimelineView(message)) {
      problems.push(`no message of the view: ${text.slice(0, 300)}`);
      return;
    }
    said.push(message);
    if (message.kind === 'ready') await tell();
    if (message.kind !== 'question') return;
    const { request, question } = message;
    try {
      const answer = await answerOf(options.methods, options.ids ?? [1], question, selected);
      await send({ kind: 'answer', request, answer });
    } catch (error) {
      const isStale = error instanceof Error && error.name === 'StaleRowsError';
      await send({ kind: 'problem', request, message: String(error), isStale });
    }
  };
  await page.exposeFunction('iolensSaid', (text: string) => void receive(text).catch(() => undefined));
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
  return { page, said, send, tell, problems };
}

let events = 0;

async function answerOf(
  methods: TimelineMethods,
  ids: readonly number[],
  question: TimelineQuestion,
  selection: Selection,
): Promise<TimelineAnswer> {
  switch (question.ask) {
    case 'rows':
      return { ask: 'rows', value: await methods.rows(ids, { ...question.choices, selection }) };
    case 'window':
      return { ask: 'window', value: await methods.window(question.token, question.window) };
    case 'event': {
      const event = await methods.eventAt(question.token, question.row, question.timeNs, question.toleranceNs);
      return {
        ask: 'event',
        value: event === undefined ? null : { number: ++events, event, hasSource: event.site !== undefined },
      };
    }
    case 'totals':
      return {
        ask: 'totals',
        value: { number: ++events, totals: await methods.totals(question.token, question.fromNs, question.toNs) },
      };
    case 'linked': {
      const event = await methods.linked(question.token, question.recording, question.event, question.step);
      return {
        ask: 'linked',
        value: event === undefined ? null : { number: ++events, event, hasSource: event.site !== undefined },
      };
    }
    case 'search': {
      const event = await methods.search(question.token, question.text, question.fromNs, question.direction);
      return {
        ask: 'search',
        value: event === undefined ? null : { number: ++events, event, hasSource: event.site !== undefined },
      };
    }
  }
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
    postMessage: (message) => window.iolensSaid(JSON.stringify(message, (_, value) =>
      value instanceof Uint8Array ? { bytes: [...value] } : value)),
    getState: () => window.kept ?? undefined,
    setState: (state) => { window.kept = state; },
  });`;

function revived(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'bytes' in value && Array.isArray(value.bytes)
      ? Uint8Array.from(value.bytes as number[])
      : value,
  );
}

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
