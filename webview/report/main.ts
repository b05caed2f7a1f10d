import { REPORT, type ReportLine } from '../../src/features/report/protocol.ts';
import { button, make } from '../kit/dom.ts';
import { PageEnd } from '../kit/page-end.ts';
import { onThemeChange } from '../kit/theme.ts';
import { ReportView } from './report-view.ts';
import { SelectionMarks } from './selection-marks.ts';

const page = new PageEnd<ReportLine>(REPORT);
const status = document.getElementById('status')!;
const room = document.getElementById('report')!;
const view = new ReportView(room, page);
const marks = new SelectionMarks(room, (part) => page.say('select', part));

/** Milliseconds that a short word on what was done stays. */
const SAID_FOR = 4_000;
let saying: ReturnType<typeof setTimeout> | undefined;

function say(...content: readonly (Node | string)[]): void {
  clearTimeout(saying);
  status.className = '';
  status.replaceChildren(...content);
}

/** Reading takes its time: how far it is, and how to stop it. */
function work(share: number | null): void {
  const cancel = status.querySelector('button');
  const bar = make('progress', { max: '1', 'aria-label': 'Reading the recording' });
  if (share !== null) bar.value = share;
  if (cancel !== null && status.className === 'working') {
    status.querySelector('progress')!.replaceWith(bar);
    return;
  }
  view.clear();
  const stop = button('Cancel', {}, () => page.say('cancel'));
  say(make('span', {}, 'Reading the recording …'), bar, stop);
  status.className = 'working';
}

function fail(message: string, ...actions: readonly Node[]): void {
  view.clear();
  const log = button('Show Log', {}, () => page.say('showLog'));
  say(make('p', {}, message), ...actions, log);
  status.className = 'failed';
}

page.listen(
  {
    report: (report) => {
      say();
      view.show(report);
      page.say('drawn');
    },
    working: ({ share }) => work(share),
    failed: (message) =>
      fail(
        message,
        button('Open Again', {}, () => page.say('openAgain')),
      ),
    selection: (selection) => {
      marks.show(selection);
      view.selectionChanged(selection.isMarked);
    },
    said: (message) => {
      say(message);
      status.className = 'said';
      saying = setTimeout(say, SAID_FOR);
    },
  },
  fail,
);
onThemeChange(() => view.redraw());
