import type { Browser } from 'playwright-core';
import {
  FROM_STORE,
  STORE,
  type StoreFailure,
  type StoreLine,
  type StoreSummary,
} from '../../../src/features/store/protocol.ts';
import { openStores } from '../../../src/features/store/answers.ts';
import type { FleetMethods } from '../../../src/features/store/methods.ts';
import { PlayedPanel } from '../../support/played-panel.ts';
import { openWebview, type WebviewPage } from '../../support/webview-page.ts';

/** A store that several views can be opened on, one after the other. */
export interface FleetStore {
  readonly fleet: FleetMethods;
  readonly summary: StoreSummary;
}

export async function openStore(folder: string): Promise<FleetStore> {
  const fleet = openStores([]);
  return { fleet, summary: await fleet.open(folder) };
}

/** The view under the policy of the editor, with a store that answers it. */
export interface OpenedFleet extends Pick<WebviewPage, 'page' | 'close' | 'send' | 'problems'> {
  readonly panel: PlayedPanel<StoreLine>;
}

export interface FleetOptions {
  readonly theme?: string;
  readonly state?: unknown;
  /** What the view gets instead of a store. */
  readonly instead?: StoreFailure;
}

export async function openFleet(
  browser: Browser,
  { fleet, summary }: FleetStore,
  options: FleetOptions = {},
): Promise<OpenedFleet> {
  const { id } = summary;
  let send: WebviewPage['send'] = () => Promise.resolve();
  let answers = 0;
  const panel = new PlayedPanel<StoreLine>(STORE, FROM_STORE, (message) => send(message), {
    // As the panel asks (store-panel.ts).
    answers: {
      questions: () => fleet.questions(),
      answer: async ({ question, parameters, filter }) => {
        return { number: ++answers, answer: await fleet.answer(id, question, parameters, filter) };
      },
      jobs: (wanted) => fleet.jobs(id, wanted),
      job: ({ log }) => fleet.job(id, log),
      causes: (wanted) => fleet.causes(id, wanted),
      kinds: ({ filter, ...request }) => fleet.kinds(id, request, filter),
      query: ({ sql }) => fleet.query(id, sql, 100_000),
      complete: ({ sql, position }) => fleet.complete(id, sql, position),
    },
    present: () => {
      if (options.instead === undefined) void panel.say('store', summary);
      else void panel.say('failed', options.instead);
    },
  });
  const opened = await openWebview(browser, {
    ...options,
    script: 'webview/store/main.ts',
    style: 'webview/store/store.css',
    title: 'Store',
    body: '<div id="status" role="status" aria-live="polite"></div><main id="store"></main>',
    hear: (message, page) => {
      ({ send } = page);
      panel.hear(message);
    },
  });
  return { ...opened, panel };
}
