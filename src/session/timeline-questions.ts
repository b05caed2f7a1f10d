import type {
  RangeTotals,
  RowsRequest,
  TimelineEvent,
  TimelineRows,
  TimelineWindow,
  WindowRequest,
} from '../analysis/timeline/timeline.ts';
import { eventFacts } from '../analysis/timeline/event-details.ts';
import { buildBase, Timeline, type TimelineBase } from '../analysis/timeline/timeline-base.ts';
import type { TimelineRecording } from '../analysis/timeline/timeline-recording.ts';
import type { OpenedRecording } from './opened-recording.ts';
import type { TimelineMethods } from './timeline-methods.ts';

/** Rows were asked for that are not kept any more: ask for them again. */
export class StaleRowsError extends Error {
  override name = 'StaleRowsError';

  constructor() {
    super('these rows of the timeline are not kept any more: ask for them again');
  }
}

/** Answers that are kept: of what a user looks at, and of what was there before the last change of colour or order. */
const MOST_TIMELINES = 4;
const MOST_BASES = 2;

interface KeptTimeline {
  readonly timeline: Timeline;
  readonly recordings: readonly OpenedRecording[];
  readonly ids: readonly number[];
}

interface KeptBase {
  readonly base: TimelineBase;
  readonly recordings: readonly OpenedRecording[];
}

/** Answers the questions of timelines, and keeps the last few of them. */
export class TimelineQuestions implements TimelineMethods {
  private readonly timelines = new Map<number, KeptTimeline>();
  private readonly bases = new Map<string, KeptBase>();
  private next = 1;

  /** @param recording gives an open recording, or throws when it is open no more. */
  constructor(private readonly recording: (id: number) => OpenedRecording) {}

  // Not plain functions: what they throw is a rejection, as everywhere.
  async rows(ids: readonly number[], request: RowsRequest): Promise<TimelineRows> {
    const recordings = ids.map((id) => this.recording(id));
    const base = this.base(ids, recordings, request);
    const timeline = new Timeline(base, request);
    const token = this.next++;
    keep(this.timelines, token, { timeline, recordings, ids }, MOST_TIMELINES);
    return Promise.resolve(timeline.rows(token));
  }

  async window(token: number, request: WindowRequest): Promise<TimelineWindow> {
    return Promise.resolve(this.kept(token).timeline.window(request));
  }

  async eventAt(token: number, row: number, timeNs: number, toleranceNs: number): Promise<TimelineEvent | undefined> {
    const { timeline } = this.kept(token);
    const found = timeline.spanAt(row, timeNs, toleranceNs);
    if (found === undefined) return Promise.resolve(undefined);
    const { events } = timeline.base;
    const recording = events.recordingOf(found.event);
    const facts = eventFacts(events.recordings[recording]!, found.event - events.firstEvent[recording]!);
    return Promise.resolve({ ...facts, recording, row, startNs: found.start, rawText: '', rawTextLack: 'soon' });
  }

  totals(_token: number, _fromNs: number, _toNs: number): Promise<RangeTotals> {
    return Promise.reject(new Error('soon'));
  }

  search(_token: number, _text: string, _fromNs: number, _direction: 1 | -1): Promise<TimelineEvent | undefined> {
    return Promise.reject(new Error('soon'));
  }

  private base(ids: readonly number[], recordings: readonly OpenedRecording[], request: RowsRequest): TimelineBase {
    const { grouping, facets, ownFilesOnly, stream } = request;
    const key = JSON.stringify([ids, grouping, facets, ownFilesOnly, stream]);
    const known = this.bases.get(key);
    if (known?.recordings.every((recording, i) => recording === recordings[i]) === true) {
      keep(this.bases, key, known, MOST_BASES);
      return known.base;
    }
    const base = buildBase(recordings.map(asTimelineRecording), request);
    keep(this.bases, key, { base, recordings }, MOST_BASES);
    return base;
  }

  /** @throws StaleRowsError when a recording was closed or replaced, or other rows took the place. */
  private kept(token: number): KeptTimeline {
    const kept = this.timelines.get(token);
    if (kept === undefined) throw new StaleRowsError();
    keep(this.timelines, token, kept, MOST_TIMELINES);
    return kept;
  }
}

/** Puts a value behind all others, and drops the first ones beyond a number. */
function keep<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, most: number): void {
  values.delete(key);
  values.set(key, value);
  while (values.size > most) values.delete(values.keys().next().value!);
}

export function asTimelineRecording(recording: OpenedRecording): TimelineRecording {
  return {
    name: recording.request.paths.join(' '),
    trace: recording.trace,
    resolved: recording.resolved,
    callSites: recording.callSites(),
    ignored: recording.ignored,
    insights: () => recording.insights,
    localSource: (file) => recording.localSource(file),
  };
}
