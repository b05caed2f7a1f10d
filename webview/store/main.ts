import {
  FLEET_PROTOCOL,
  isFleetViewState,
  type FleetAnswers,
  type FleetQuestion,
  type FleetViewState,
  type FromFleetView,
  type ToFleetView,
} from '../../src/features/store/protocol.ts';
import { button, make } from '../kit/dom.ts';
import { onThemeChange } from '../kit/theme.ts';
import type { Numbered } from './fleet-host.ts';
import { FIRST_STATE, FleetView } from './fleet-view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromFleetView): void;
  getState(): unknown;
  setState(state: FleetViewState): void;
};

type Value = FleetAnswers[keyof FleetAnswers];

const editor = acquireVsCodeApi();
const status = document.getElementById('status')!;
const asked = new Map<number, { resolve: (answer: Numbered<Value>) => void; reject: (error: Error) => void }>();
let requests = 0;

function ask<Kind extends FleetQuestion['ask']>(
  question: Extract<FleetQuestion, { ask: Kind }>,
): Promise<Numbered<FleetAnswers[Kind]>> {
  const request = ++requests;
  editor.postMessage({ kind: 'question', request, question });
  const answer = new Promise<Numbered<Value>>((resolve, reject) => asked.set(request, { resolve, reject }));
  // The extension answers a question with what belongs to it.
  return answer as Promise<Numbered<FleetAnswers[Kind]>>;
}

const kept = editor.getState();
const view = new FleetView(
  document.getElementById('store')!,
  {
    ask,
    post: (message) => editor.postMessage(message),
  },
  (state) => editor.setState(state),
  isFleetViewState(kept) ? kept : FIRST_STATE,
);

/** Milliseconds that a short word on what was done stays. */
const SAID_FOR = 4_000;
let saying: ReturnType<typeof setTimeout> | undefined;

function say(className: string, ...content: readonly (Node | string)[]): void {
  clearTimeout(saying);
  status.className = className;
  status.replaceChildren(...content);
}

/** Questions about what is shown no more. */
function forget(): void {
  for (const { reject } of asked.values()) reject(new Error('The store was read again.'));
  asked.clear();
}

function fail(message: string, canInstall: boolean): void {
  forget();
  view.clear();
  const install = button('Install the SQL Engine', { class: 'primary' }, () =>
    editor.postMessage({ kind: 'installEngine' }),
  );
  const again = button('Open Again', {}, () => editor.postMessage({ kind: 'openAgain' }));
  say('failed', make('p', {}, message), ...(canInstall ? [install] : []), again);
}

window.addEventListener('message', ({ data }: MessageEvent<ToFleetView>) => {
  switch (data.kind) {
    case 'opening':
      view.clear();
      say(
        'working',
        make('span', {}, `Opening ${data.folder} …`),
        make('progress', { 'aria-label': 'Opening the store' }),
      );
      break;
    case 'store':
      forget();
      if (data.protocol !== FLEET_PROTOCOL) {
        fail('This view is from another version of I/O Lens: close and open it.', false);
        break;
      }
      say('');
      view.show(data.summary);
      break;
    case 'failed':
      fail(data.message, data.canInstall);
      break;
    case 'answer':
      asked.get(data.request)?.resolve({ request: data.request, value: data.value });
      asked.delete(data.request);
      break;
    case 'problem':
      asked.get(data.request)?.reject(new Error(data.message));
      asked.delete(data.request);
      break;
    case 'said':
      say('said', data.message);
      saying = setTimeout(say, SAID_FOR, '');
      break;
  }
});

onThemeChange(() => view.redraw());
editor.postMessage({ kind: 'ready', protocol: FLEET_PROTOCOL });
