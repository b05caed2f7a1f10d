import { chromium, type Browser } from 'playwright-core';
import type { CallTree } from '../../../src/analysis/call-tree/call-tree.ts';
import { browserFile } from '../../../scripts/chromium.mjs';
import type { PanelAnswers } from '../../../src/features/editor/panel-end.ts';
import {
  FROM_REPORT,
  REPORT,
  type ReportLine,
  type ViewReport,
  type ViewSummary,
} from '../../../src/features/report/protocol.ts';
import { PlayedPanel } from '../../support/played-panel.ts';
import { openWebview, type WebviewPage } from '../../support/webview-page.ts';
import { madeUpFile } from './made-up.ts';

const executablePath = browserFile();

export const hasBrowser = executablePath !== undefined;

export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

/** The webview in a page of its own, under the policy of the editor, and what it said to the extension. */
export interface OpenedView extends WebviewPage {
  readonly panel: PlayedPanel<ReportLine>;
}

export interface ViewOptions {
  readonly theme?: string;
  /** What `getState` gives. */
  readonly state?: unknown;
  readonly report?: ViewReport | ViewSummary;
  /** Answers to questions for pages; by default 120 made-up files. */
  readonly answers?: PanelAnswers<ReportLine>;
}

export async function openView(browser: Browser, options: ViewOptions = {}): Promise<OpenedView> {
  let send: WebviewPage['send'] = () => Promise.resolve();
  const panel = new PlayedPanel<ReportLine>(REPORT, FROM_REPORT, (message) => send(message), {
    answers: options.answers ?? MADE_UP,
    present: () => {
      if (options.report !== undefined) void panel.say('report', options.report);
    },
  });
  const opened = await openWebview(browser, {
    ...options,
    isAlone: true,
    script: 'webview/report/main.ts',
    style: 'webview/report/report.css',
    title: 'Report',
    body: '<div id="status" role="status" aria-live="polite"></div><main id="report"></main>',
    hear: (message, page) => {
      ({ send } = page);
      panel.hear(message);
    },
  });
  return { ...opened, panel };
}

const ALL = Array.from({ length: 120 }, (_, number) => madeUpFile(number));

/** `main` calls `save` and `load`; nobody knows who made one call. */
export const MADE_UP_TREE: CallTree = {
  places: [
    ...[
      ['all calls', 'rest', ''],
      ['main', 'program', ''],
      ['save', 'program', ''],
      ['H5Dwrite', 'library', ''],
      ['write', 'call', 'write'],
      ['load', 'program', ''],
      ['read', 'call', 'read'],
      ['(no call stack)', 'rest', ''],
    ].map(([name, kind, operation]) => {
      const isProgram = kind === 'program';
      const about = { name, kind, operation, file: isProgram ? '/src/app.c' : '', isHere: isProgram };
      return { ...about, module: isProgram ? '/bin/app' : '' } as CallTree['places'][number];
    }),
  ],
  ...{ parent: [-1, 0, 1, 2, 3, 1, 5, 0, 7], place: [0, 1, 2, 3, 4, 5, 6, 7, 4], line: [0, 10, 20, 0, 0, 30, 0, 0, 0] },
  timeNs: [0, 0, 0, 1e6, 5e6, 0, 3e6, 0, 1e6],
  bytes: [0, 0, 0, 0, 4096, 0, 512, 0, 64],
  ...{ calls: [0, 0, 0, 0, 8, 0, 4, 0, 1], times: 'recorded', hasStacks: true },
};

export const MADE_UP: PanelAnswers<ReportLine> = {
  callTree: () => MADE_UP_TREE,
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
