import type { Browser } from 'playwright-core';
import {
  FLEET_PROTOCOL,
  isFromFleetView,
  type FleetAnswers,
  type FleetQuestion,
  type FromFleetView,
  type StoreSummary,
  type ToFleetView,
} from '../../../src/features/store/protocol.ts';
import { openStores } from '../../../src/features/store/answers.ts';
import type { FleetMethods } from '../../../src/features/store/methods.ts';
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
export interface OpenedFleet extends Pick<WebviewPage, 'page' | 'close'> {
  /** All messages of the view so far. */
  readonly said: readonly FromFleetView[];
  send(message: ToFleetView): Promise<void>;
  /** Errors of the page and of its policy, and messages that the editor would not take. */
  readonly problems: readonly string[];
}

export interface FleetOptions {
  readonly theme?: string;
  readonly state?: unknown;
  /** What the view gets instead of a store. */
  readonly instead?: ToFleetView;
}

export async function openFleet(
  browser: Browser,
  { fleet, summary }: FleetStore,
  options: FleetOptions = {},
): Promise<OpenedFleet> {
  const said: FromFleetView[] = [];
  const hear = async (message: unknown, { send, problems }: WebviewPage): Promise<void> => {
    if (!isFromFleetView(message)) {
      problems.push(`no message: ${JSON.stringify(message)}`);
      return;
    }
    said.push(message);
    if (message.kind === 'ready') await send(options.instead ?? { kind: 'store', protocol: FLEET_PROTOCOL, summary });
    if (message.kind !== 'question') return;
    const { request, question } = message;
    await answerOf(fleet, summary.id, question).then(
      (value) => send({ kind: 'answer', request, value }),
      (error: unknown) =>
        send({ kind: 'problem', request, message: error instanceof Error ? error.message : String(error) }),
    );
  };
  const opened = await openWebview(browser, {
    ...options,
    script: 'webview/store/main.ts',
    style: 'webview/store/store.css',
    title: 'Store',
    body: '<div id="status" role="status" aria-live="polite"></div><main id="store"></main>',
    hear,
  });
  return { ...opened, said };
}

/** As the panel asks (fleet-panel.ts). */
async function answerOf(
  fleet: FleetMethods,
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
