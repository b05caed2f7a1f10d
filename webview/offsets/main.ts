import {
  DEFAULT_OFFSET_CHOICES,
  isOffsetViewState,
  OFFSET_PROTOCOL,
  type FromOffsetView,
  type OffsetAnswer,
  type OffsetQuestion,
  type OffsetViewState,
  type ToOffsetView,
} from '../../src/features/offsets/protocol.ts';
import { onThemeChange } from '../kit/theme.ts';
import { OffsetsView } from './offsets-view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromOffsetView): void;
  getState(): unknown;
  setState(state: OffsetViewState): void;
};

const editor = acquireVsCodeApi();
const status = document.getElementById('status')!;
const asked = new Map<number, { resolve: (answer: OffsetAnswer) => void; reject: (error: Error) => void }>();
let requests = 0;

function ask(question: OffsetQuestion): Promise<OffsetAnswer> {
  const request = ++requests;
  editor.postMessage({ kind: 'question', request, question });
  return new Promise((resolve, reject) => asked.set(request, { resolve, reject }));
}

function say(message: string): void {
  status.textContent = message;
}

const kept = editor.getState();
const view = new OffsetsView(
  document.getElementById('offsets')!,
  {
    ask,
    say,
    post: (message) => editor.postMessage(message),
    keep: (state) => editor.setState(state),
  },
  isOffsetViewState(kept) ? kept : { paths: [], file: null, choices: DEFAULT_OFFSET_CHOICES, area: null },
);

window.addEventListener('message', ({ data }: MessageEvent<ToOffsetView>) => {
  switch (data.kind) {
    case 'subject':
      if (data.protocol === OFFSET_PROTOCOL) view.show(data.subject);
      else say('This view is from another version of I/O Lens: close and open it.');
      break;
    case 'answer':
      asked.get(data.request)?.resolve(data.answer);
      asked.delete(data.request);
      break;
    case 'problem':
      asked.get(data.request)?.reject(new Error(data.message));
      asked.delete(data.request);
      break;
    case 'showOperations':
      view.showOperations();
      break;
    case 'said':
      say(data.message);
      break;
  }
});

onThemeChange(() => view.recolour());
editor.postMessage({ kind: 'ready', protocol: OFFSET_PROTOCOL });
