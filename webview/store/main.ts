import { STORE, type StoreFailure, type StoreLine } from '../../src/features/store/protocol.ts';
import { button, make } from '../kit/dom.ts';
import { PageEnd } from '../kit/page-end.ts';
import { onThemeChange } from '../kit/theme.ts';
import { FleetView } from './fleet-view.ts';

const page = new PageEnd<StoreLine>(STORE);
const status = document.getElementById('status')!;
const view = new FleetView(document.getElementById('store')!, page);

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
  page.forget('The store was read again.');
}

function fail({ message, canInstall }: StoreFailure): void {
  forget();
  view.clear();
  const install = button('Install the SQL Engine', { class: 'primary' }, () => page.say('installEngine'));
  const again = button('Open Again', {}, () => page.say('openAgain'));
  say('failed', make('p', {}, message), ...(canInstall ? [install] : []), again);
}

page.listen(
  {
    opening: ({ folder }) => {
      view.clear();
      say('working', make('span', {}, `Opening ${folder} …`), make('progress', { 'aria-label': 'Opening the store' }));
    },
    store: (summary) => {
      forget();
      say('');
      view.show(summary);
    },
    failed: fail,
    said: (message) => {
      say('said', message);
      saying = setTimeout(say, SAID_FOR, '');
    },
  },
  (message) => fail({ message, canInstall: false }),
);
onThemeChange(() => view.redraw());
