import { TIMELINE, type TimelineLine } from '../../src/features/timeline/protocol.ts';
import { PageEnd } from '../kit/page-end.ts';
import { TimelineView } from './timeline-view.ts';

performance.mark('iolens.timeline.start');
const page = new PageEnd<TimelineLine>(TIMELINE);
const view = new TimelineView(document.body, page);

page.listen({ recordings: ({ recordings, selection }) => view.show(recordings, selection) }, (message) =>
  view.say(message, true),
);
