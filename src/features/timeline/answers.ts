import type { Selection } from '../../analysis/selection/selection.ts';
import type { SelectedEvents } from '../../analysis/selection/evaluate-selection.ts';
import { LayerTree } from '../../analysis/layers/layer-tree.ts';
import { eventFacts } from '../../analysis/timeline/event-details.ts';
import { linkedEvent } from '../../analysis/timeline/event-layers.ts';
import type { FoundEvent } from '../../analysis/timeline/event-search.ts';
import { keepLast, TimelineBase, type NamedEvents } from '../../analysis/timeline/timeline-base.ts';
import { Timeline } from '../../analysis/timeline/timeline-rows.ts';
import type {
  LayerStep,
  RangeTotals,
  RowsRequest,
  TimelineEvent,
  TimelineRows,
  TimelineWindow,
  WindowRequest,
} from '../../analysis/timeline/timeline.ts';
import { callsOnOtherFiles } from '../../analysis/timeline/other-files.ts';
import { operationsSummary, type OperationsSummary } from '../../analysis/timeline/summary.ts';
import type { TimelineRecording } from '../../analysis/timeline/timeline-recording.ts';
import { NONE } from '../../trace/events.ts';
import type { OpenRecordings } from '../../session/reading/open-recordings.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { RawLines } from '../../session/reading/raw-lines.ts';
import { selectedEvents } from '../../session/reading/selected-events.ts';
import type { TimelineMethods } from './methods.ts';

/** Rows were asked for that are no longer kept: ask for them again. */
class StaleRowsError extends Error {
  override name = 'StaleRowsError';

  constructor() {
    super('these rows of the timeline are no longer kept: ask for them again');
  }
}

/** Rows that are kept: those that views look at now, and those before the last change of colour or order. */
const MOST_TIMELINES = 6;
/** Different rows and spans that are kept: those that views look at, and those before the last change of grouping. */
const MOST_BASES = 3;
/** Bytes that these may hold together, as long as there are several; one is some 30 bytes an event. */
const MOST_BYTES = 512 << 20;

interface Kept {
  readonly ids: readonly number[];
  readonly recordings: readonly OpenedRecording[];
}

/** Answers the questions of timelines, and keeps the last few of them. */
export class TimelineAnswers implements TimelineMethods {
  private readonly timelines = new Map<number, Kept & { readonly timeline: Timeline; readonly base: string }>();
  private readonly bases = new Map<string, Kept & { readonly base: TimelineBase }>();
  private readonly rawLines = new RawLines();
  private next = 1;

  constructor(private readonly recordings: OpenRecordings) {
    recordings.onClosing(() => this.forgetClosed());
  }

  // Not plain functions: what they throw is a rejection, as everywhere.
  async rows(ids: readonly number[], request: RowsRequest): Promise<TimelineRows> {
    this.forgetClosed();
    const recordings = ids.map((id) => this.recordings.of(id));
    const selected = selectedOf(recordings, request.selection);
    const named = namedEvents(request.selection, selected);
    // What is left when all else is left out need not be marked.
    const { onlySelected } = request;
    const [key, base] = this.base(ids, recordings, request, onlySelected ? named : undefined);
    const timeline = new Timeline(base, request, onlySelected ? undefined : named);
    const token = this.next++;
    keepLast(this.timelines, token, { timeline, base: key, recordings, ids }, MOST_TIMELINES);
    this.boundMemory();
    const rows = timeline.rows(token);
    const isEmpty = rows.rows.length === 0 && request.ownFilesOnly;
    return Promise.resolve({
      ...rows,
      notes: [...rows.notes, ...reasonsOf(selected)],
      ...(isEmpty && { otherFiles: callsOnOtherFiles(recordings) }),
    });
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

  async linked(token: number, recording: number, event: number, step: LayerStep): Promise<TimelineEvent | undefined> {
    const timeline = this.kept(token);
    const { events } = timeline.base;
    const of = events.recordings[recording];
    if (of === undefined || event >= of.trace.events.length) return undefined;
    const row = linkedEvent(LayerTree.of(of.trace), event, step);
    if (row === NONE) return undefined;
    const number = events.firstEvent[recording]! + row;
    const found = { event: number, start: events.startOf(number) };
    return this.describe(timeline, found, timeline.rowOf(found));
  }

  async summary(ids: readonly number[]): Promise<OperationsSummary[]> {
    return Promise.resolve(ids.map((id) => operationsSummary(asTimelineRecording(this.recordings.of(id)))));
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
    only: NamedEvents | undefined,
  ): [key: string, base: TimelineBase] {
    const { grouping, facets, ownFilesOnly, stream } = request;
    const among = grouping === 'stack' ? eventsOfStreams(recordings, request.selection) : undefined;
    const key = JSON.stringify([ids, grouping, facets, ownFilesOnly, stream, only?.name, among?.name]);
    const known = this.bases.get(key)?.base;
    const base = known ?? new TimelineBase(recordings.map(asTimelineRecording), request, only, undefined, among);
    keepLast(this.bases, key, { base, recordings, ids }, MOST_BASES);
    return [key, base];
  }

  /** Drops what was asked for longest ago while all together is too much. */
  private boundMemory(): void {
    const bytes = (): number => [...this.bases.values()].reduce((sum, { base }) => sum + base.bytes, 0);
    while (this.bases.size > 1 && bytes() > MOST_BYTES) this.bases.delete(this.bases.keys().next().value!);
    const kept = new Set([...this.bases.values()].map(({ base }) => base));
    for (const [token, { timeline }] of this.timelines) if (!kept.has(timeline.base)) this.timelines.delete(token);
  }

  /** @throws StaleRowsError when a recording was closed or replaced, or other rows took the place. */
  private kept(token: number): Timeline {
    this.forgetClosed();
    const kept = this.timelines.get(token);
    if (kept === undefined) throw new StaleRowsError();
    keepLast(this.timelines, token, kept, MOST_TIMELINES);
    keepLast(this.bases, kept.base, this.bases.get(kept.base)!, MOST_BASES);
    return kept.timeline;
  }

  /** Lets go of all that is made of recordings which are closed, or have their sources elsewhere since. */
  private forgetClosed(): void {
    for (const kept of [this.timelines, this.bases]) {
      for (const [key, { ids, recordings }] of kept) {
        const isOpen = ids.every((id, i) => this.recordings.find(id) === recordings[i]);
        if (!isOpen) (kept as Map<unknown, unknown>).delete(key);
      }
    }
  }
}

function selectedOf(recordings: readonly OpenedRecording[], selection: Selection): SelectedEvents[] {
  return selection.length === 0 ? [] : recordings.map((of) => selectedEvents(of, selection));
}

function namedEvents(selection: Selection, selected: readonly SelectedEvents[]): NamedEvents | undefined {
  if (selected.length === 0) return undefined;
  return { name: JSON.stringify(selection), masks: selected.map(({ mask }) => mask) };
}

/**
 * The events of the processes and threads that are selected: a call stack is that of one of them. What else is selected
 * changes no stream: a click on a line in a stack must not lead to the stack of another thread.
 */
function eventsOfStreams(recordings: readonly OpenedRecording[], selection: Selection): NamedEvents | undefined {
  const streams = selection.filter(({ kind }) => kind === 'process' || kind === 'rank' || kind === 'host');
  return namedEvents(streams, selectedOf(recordings, streams));
}

/** Why nothing is selected, where that is so in all recordings. */
function reasonsOf(selected: readonly SelectedEvents[]): string[] {
  return selected.every(({ reasons }) => reasons.length > 0) ? selected.flatMap(({ reasons }) => reasons) : [];
}

export function asTimelineRecording(recording: OpenedRecording): TimelineRecording {
  return {
    name: recording.request.paths.join(' '),
    trace: recording.trace,
    ...(recording.storage && { storage: recording.storage }),
    resolved: recording.resolved,
    callSites: recording.callSites(),
    ignored: recording.ignored,
    insights: () => recording.insights,
    localSource: (file) => recording.localSource(file),
  };
}
