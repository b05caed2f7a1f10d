import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { ComparisonDocument } from '../../../src/export/comparison/comparison-document.ts';
import { localSession } from '../../../src/features/answers/all-answers.ts';
import { viewComparison } from '../../../src/features/comparison/comparison-content.ts';
import { ComparisonRows } from '../../../src/features/comparison/comparison-rows.ts';
import { COMPARISON, FROM_COMPARISON, type ComparisonLine } from '../../../src/features/comparison/protocol.ts';
import { plainRequest } from '../../../src/session/reading/open-request.ts';
import { PlayedPanel } from '../../support/played-panel.ts';
import { openWebview, type WebviewPage } from '../../support/webview-page.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The demo was recorded where its sources lay in another folder. */
const DEMO = { from: '/home/hpc/heat', to: path.join(root, 'demo/heat') };

/** The comparison of recordings, as the editor asks for it. */
export async function comparedRecordings(
  base: readonly string[],
  changed: readonly string[],
): Promise<ComparisonDocument> {
  const session = localSession({ folder: path.join(root, 'dist') });
  const opened = async (side: readonly string[]): Promise<number[]> => {
    const ids: number[] = [];
    for (const recording of side) {
      const request = {
        ...plainRequest(path.join(root, recording)),
        pathRules: [DEMO],
        cacheBytes: 0,
        maySpawn: false,
      };
      ids.push((await session.recordings.open(request)).id);
    }
    return ids;
  };
  return session.comparison.compare(await opened(base), await opened(changed));
}

/** The page in a browser, and the panel that answers it out of a comparison. */
export interface OpenedComparison {
  readonly opened: WebviewPage;
  readonly panel: PlayedPanel<ComparisonLine>;
  /** Shows another comparison, as after the sides were swapped. */
  show(document: ComparisonDocument): Promise<void>;
}

export async function openComparison(
  browser: Browser,
  document: ComparisonDocument,
  options: { readonly state?: unknown; readonly isAlone?: boolean; readonly width?: number } = {},
): Promise<OpenedComparison> {
  let shown = document;
  let rows = new ComparisonRows(document);
  let send: WebviewPage['send'] = () => Promise.resolve();
  const names = (side: 'base' | 'new'): { name: string }[] =>
    shown[side].runs.map(({ recording }) => ({ name: path.basename(recording) }));
  const present = (): Promise<void> =>
    panel.say('comparison', viewComparison(shown, { base: names('base'), new: names('new') }));
  const panel = new PlayedPanel<ComparisonLine>(COMPARISON, FROM_COMPARISON, (message) => send(message), {
    answers: { rows: ({ table, query }) => rows.page(table, query) },
    present,
  });
  const opened = await openWebview(browser, {
    ...options,
    script: 'webview/comparison/main.ts',
    style: 'webview/comparison/comparison.css',
    title: 'Comparison',
    body: '<div id="status" role="status" aria-live="polite"></div><main id="comparison"></main>',
    hear: (message, page) => {
      ({ send } = page);
      panel.hear(message);
    },
  });
  return {
    opened,
    panel,
    show: (other) => {
      shown = other;
      rows = new ComparisonRows(other);
      return present();
    },
  };
}
