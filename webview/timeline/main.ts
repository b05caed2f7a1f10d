import {
  isTimelineViewState,
  TIMELINE_PROTOCOL,
  type FromTimelineView,
  type TimelineViewState,
  type ToTimelineView,
} from '../../src/features/timeline/protocol.ts';
import { TimelineView } from './timeline-view.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromTimelineView): void;
  getState(): unknown;
  setState(state: TimelineViewState): void;
};

performance.mark('iolens.timeline.start');
const editor = acquireVsCodeApi();
const view = new TimelineView(
  document.body,
  (message) => editor.postMessage(message),
  (state) => editor.setState(state),
);

window.addEventListener('message', (event: MessageEvent<ToTimelineView>) => {
  const message = event.data;
  if (message.kind === 'recordings' && message.protocol !== TIMELINE_PROTOCOL)
    view.say('This view is from another version of I/O Lens: close and open it.', true);
  else view.receive(message);
});

const state = editor.getState();
if (isTimelineViewState(state)) view.restore(state);
editor.postMessage({ kind: 'ready', protocol: TIMELINE_PROTOCOL });
