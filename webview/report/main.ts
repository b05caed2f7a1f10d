import {
  isReportViewState,
  REPORT_PROTOCOL,
  type FromReportView,
  type PageAnswer,
  type PageRequest,
  type ReportViewState,
  type ToReportView,
} from '../../src/features/report/protocol.ts';
import { button, make } from '../kit/dom.ts';
import { FIRST_STATE, ReportView } from './report-view.ts';
import { SelectionMarks } from './selection-marks.ts';
import { onThemeChange } from '../kit/theme.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromReportView): void;
  getState(): unknown;
  setState(state: ReportViewState): void;
};

const editor = acquireVsCodeApi();
const status = document.getElementById('status')!;
const asked = new Map<number, (answer: PageAnswer) => void>();
let requests = 0;

function page(wanted: PageRequest): Promise<PageAnswer> {
  const request = ++requests;
  editor.postMessage({ kind: 'page', request, wanted });
  return new Promise((resolve) => asked.set(request, resolve));
}

const kept = editor.getState();
const view = new ReportView(
  document.getElementById('report')!,
  {
    page,
    openPlace: (place) => editor.postMessage({ kind: 'openPlace', place }),
    snippet: (number, into) => editor.postMessage({ kind: 'snippet', number, into }),
    export: (format) => editor.postMessage({ kind: 'export', format }),
    showGraph: () => editor.postMessage({ kind: 'showGraph' }),
    keep: (state) => editor.setState(state),
  },
  isReportViewState(kept) ? kept : FIRST_STATE,
);

const marks = new SelectionMarks(document.getElementById('report')!, (part) =>
  editor.postMessage({ kind: 'select', part }),
);

/** Milliseconds that a short word on what was done stays. */
const SAID_FOR = 4_000;
let saying: ReturnType<typeof setTimeout> | undefined;

function say(...content: readonly (Node | string)[]): void {
  clearTimeout(saying);
  status.className = '';
  status.replaceChildren(...content);
}

window.addEventListener('message', ({ data }: MessageEvent<ToReportView>) => {
  switch (data.kind) {
    case 'report':
      if (data.protocol !== REPORT_PROTOCOL) {
        view.clear();
        fail('This view is from another version of I/O Lens: close and open it.');
        break;
      }
      say();
      view.show(data.report);
      editor.postMessage({ kind: 'drawn' });
      break;
    case 'working':
      work(data.share);
      break;
    case 'failed':
      view.clear();
      fail(
        data.message,
        button('Open Again', {}, () => editor.postMessage({ kind: 'openAgain' })),
      );
      break;
    case 'selection':
      marks.show(data);
      break;
    case 'page':
      asked.get(data.request)?.(data.answer);
      asked.delete(data.request);
      break;
    case 'said':
      say(data.message);
      status.className = 'said';
      saying = setTimeout(say, SAID_FOR);
      break;
  }
});

/** Reading takes its time: how far it is, and how to stop it. */
function work(share: number | null): void {
  const cancel = status.querySelector('button');
  const bar = make('progress', { max: '1', 'aria-label': 'Reading the log' });
  if (share !== null) bar.value = share;
  if (cancel !== null && status.className === 'working') {
    status.querySelector('progress')!.replaceWith(bar);
    return;
  }
  view.clear();
  const stop = button('Cancel', {}, () => editor.postMessage({ kind: 'cancel' }));
  say(make('span', {}, 'Reading the log …'), bar, stop);
  status.className = 'working';
}

function fail(message: string, ...actions: readonly Node[]): void {
  const log = button('Show Log', {}, () => editor.postMessage({ kind: 'showLog' }));
  say(make('p', {}, message), ...actions, log);
  status.className = 'failed';
}

onThemeChange(() => view.redraw());
editor.postMessage({ kind: 'ready', protocol: REPORT_PROTOCOL });
