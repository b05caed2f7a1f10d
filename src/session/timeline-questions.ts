import type { SelectedEvents } from '../analysis/selection/evaluate-selection.ts';
import { eventFacts } from '../analysis/timeline/event-details.ts';
import type { FoundEvent } from '../analysis/timeline/event-search.ts';
import { buildBase, Timeline, type TimelineBase } from '../analysis/timeline/timeline-base.ts';
import type {
  RangeTotals,
  RowsRequest,
  TimelineEvent,
  TimelineRows,
  TimelineWindow,
  WindowRequest,
} from '../analysis/timeline/timeline.ts';
import type { TimelineRecording } from '../analysis/timeline/timeline-recording.ts';
import type { OpenedRecording } from './opened-recording.ts';
import { RawLines } from './raw-lines.ts';
import { selectedEvents } from './selected-events.ts';
import type { TimelineMethods } from './timeline-methods.ts';

/** Rows were asked for that are not kept any more: ask for them again. */
export class StaleRowsError extends Error {
  override name = 'StaleRowsError';

  constructor() {
    super('these rows of the timeline are not kept any more: ask for them again');
  }
}

/** Rows that are kept: those that views look at now, and those before the last change of colour or order. */
const MOST_TIMELINES = 6;
/** Of these, spans by row that are kept beside those that the kept rows are made of: 20 bytes an event each. */
const MOST_BASES = 2;

interface Kept {
  readonly ids: readonly number[];
  readonly recordings: readonly OpenedRecording[];
}

/** Answers the questions of timelines, and keeps the last few of them. */
export class TimelineQuestions implements TimelineMethods {
  private readonly timelines = new Map<number, Kept & { readonly timeline: Timeline }>();
  private readonly bases = new Map<string, Kept & { readonly base: TimelineBase }>();
  private readonly rawLines = new RawLines();
  private next = 1;

  /** @param recording gives an open recording, or throws when it is open no more. */
  constructor(private readonly recording: (id: number) => OpenedRecording) {}

  // Not plain functions: what they throw is a rejection, as everywhere.
  async rows(ids: readonly number[], request: RowsRequest): Promise<TimelineRows> {
    this.forgetClosed();
    const recordings = ids.map((id) => this.recording(id));
    const selected =
      request.selection.length === 0 ? [] : recordings.map((of) => selectedEvents(of, request.selection));
    const masks = selected.length === 0 ? undefined : selected.map(({ mask }) => mask);
    const base = this.base(ids, recordings, request, request.onlySelected ? masks : undefined);
    const timeline = new Timeline(base, request, masks);
    const token = this.next++;
    keep(this.timelines, token, { timeline, recordings, ids }, MOST_TIMELINES);
    const rows = timeline.rows(token);
    return Promise.resolve({ ...rows, notes: [...rows.notes, ...reasonsOf(selected)] });
  }

  async window(token: number, request: WindowRequest): Promise<TimelineWindow> {
    return Promise.resolve(this.kept(token).window(request));
  }

  async eventAt(token: number, row: number, timeNs: number, toleranceNs: number): Promise<TimelineEvent | undefined> {
    const timeline = this.kept(token);
    const found = timeline.spanAt(row, timeNs, toleranceNs);
    return found && this.describe(timeline, found, row);
  }

  async totals(token: number, fromNs: number, toNs: number): Promise<RangeTotals> {
    return Promise.resolve(this.kept(token).totals(fromNs, toNs));
  }

  async search(token: number, text: string, fromNs: number, direction: 1 | -1): Promise<TimelineEvent | undefined> {
    const timeline = this.kept(token);
    const found = timeline.search(text, fromNs, direction);
    return found && this.describe(timeline, found, timeline.rowOf(found));
  }

  private async describe(timeline: Timeline, { event, start }: FoundEvent, row: number): Promise<TimelineEvent> {
    const { events } = timeline.base;
    const recording = events.recordingOf(event);
    const facts = eventFacts(events.recordings[recording]!, event - events.firstEvent[recording]!);
    const { text, lack } = await this.rawLines.line(facts.recordingFile, facts.recordingLine, facts.call);
    return { ...facts, recording, row, startNs: start, rawText: text, rawTextLack: lack };
  }

  private base(
    ids: readonly number[],
    recordings: readonly OpenedRecording[],
    request: RowsRequest,
    only: readonly SelectedEvents['mask'][] | undefined,
  ): TimelineBase {
    const { grouping, facets, ownFilesOnly, stream, selection } = request;
    const key = JSON.stringify([ids, grouping, facets, ownFilesOnly, stream, only && selection]);
    const known = this.bases.get(key)?.base;
    const base = known ?? buildBase(recordings.map(asTimelineRecording), request, only);
    keep(this.bases, key, { base, recordings, ids }, MOST_BASES);
    return base;
  }

  /** @throws StaleRowsError when a recording was closed or replaced, or other rows took the place. */
  private kept(token: number): Timeline {
    this.forgetClosed();
    const kept = this.timelines.get(token);
    if (kept === undefined) throw new StaleRowsError();
    keep(this.timelines, token, kept, MOST_TIMELINES);
    return kept.timeline;
  }

  /** Lets go of all that is made of recordings which are closed, or have their sources elsewhere since. */
  private forgetClosed(): void {
    for (const kept of [this.timelines, this.bases]) {
      for (const [key, { ids, recordings }] of kept) {
        const isOpen = ids.every((id, i) => this.isOpen(id, recordings[i]!));
        if (!isOpen) (kept as Map<unknown, unknown>).delete(key);
      }
    }
  }

  private isOpen(id: number, recording: OpenedRecording): boolean {
    try {
      return this.recording(id) === recording;
    } catch {
      return false;
    }
  }
}

/** Puts a value behind all others, and drops the first ones beyond a number. */
function keep<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, most: number): void {
  values.delete(key);
  values.set(key, value);
  while (values.size > most) values.delete(values.keys().next().value!);
}

/** Why nothing is selected, where that is so in all recordings. */
function reasonsOf(selected: readonly SelectedEvents[]): string[] {
  return selected.every(({ reasons }) => reasons.length > 0) ? selected.flatMap(({ reasons }) => reasons) : [];
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
