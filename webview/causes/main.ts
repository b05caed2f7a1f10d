import {
  CAUSES_PROTOCOL,
  isCausesViewState,
  type CausesViewState,
  type FromCausesView,
  type ToCausesView,
} from '../../src/features/causes/protocol.ts';
import { onThemeChange } from '../kit/theme.ts';
import { CausesView } from './causes-view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromCausesView): void;
  getState(): unknown;
  setState(state: CausesViewState): void;
};

const editor = acquireVsCodeApi();
const status = document.getElementById('status')!;

function say(message: string): void {
  status.textContent = message;
}

const kept = editor.getState();
const view = new CausesView(
  document.getElementById('causes')!,
  {
    post: (message) => editor.postMessage(message),
    keep: (state) => editor.setState(state),
    say,
  },
  isCausesViewState(kept) ? kept.direction : undefined,
);

window.addEventListener('message', ({ data }: MessageEvent<ToCausesView>) => {
  switch (data.kind) {
    case 'subject':
      if (data.protocol === CAUSES_PROTOCOL) view.show(data);
      else say('This view is from another version of I/O Lens: close and open it.');
      break;
    case 'lines':
      view.showLines(data);
      break;
    case 'said':
      say(data.message);
      break;
  }
});

onThemeChange(() => view.redraw());
editor.postMessage({ kind: 'ready', protocol: CAUSES_PROTOCOL });
