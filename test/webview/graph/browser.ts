import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { GRAPH_BODY } from '../../../src/features/graph/page-body.ts';
import { FROM_GRAPH, GRAPH, type GraphLine } from '../../../src/features/graph/protocol.ts';
import { PlayedPanel } from '../../support/played-panel.ts';
import { openWebview, type WebviewPage } from '../../support/webview-page.ts';
import type { GraphHost } from './recorded.ts';

const ELK = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');

export interface OpenedGraph extends WebviewPage {
  readonly panel: PlayedPanel<GraphLine>;
}

/** The graph's webview in a page of its own, under the policy of the editor. */
export async function openGraph(
  browser: Browser,
  host: GraphHost,
  options: { readonly theme?: string; readonly state?: unknown; readonly width?: number } = {},
): Promise<OpenedGraph> {
  let send: WebviewPage['send'] = () => Promise.resolve();
  const make = async (): Promise<void> => panel.say('graph', await host.made());
  const panel = new PlayedPanel<GraphLine>(GRAPH, FROM_GRAPH, (message) => send(message), {
    answers: { ...host.answers, layoutEngine: () => readFileSync(ELK, 'utf8') },
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
  const opened = await openWebview(browser, {
    ...options,
    isAlone: true,
    script: 'webview/graph/main.ts',
    style: 'webview/graph/graph.css',
    title: 'Graph',
    body: GRAPH_BODY,
    policy: 'worker-src blob:; img-src blob:',
    hear: (message, page) => {
      ({ send } = page);
      panel.hear(message);
    },
  });
  return { ...opened, panel };
}
