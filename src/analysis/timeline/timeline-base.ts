import { Bins } from './bins.ts';
import { categorise } from './categories.ts';
import { Colouring } from './colouring.ts';
import { eventRowSource } from './event-rows.ts';
import { searchEvents, type FoundEvent } from './event-search.ts';
import { LaneGrid } from './lane-grid.ts';
import { rangeTotals } from './range-totals.ts';
import { listRows, type RowList } from './row-list.ts';
import { emptyCells, RowPainter } from './row-painter.ts';
import { ShownEvents } from './shown-events.ts';
import { SpanIndex } from './span-index.ts';
import { stackRowSource } from './stack-rows.ts';
import type { SpanSource } from './span-source.ts';
import type {
  RangeTotals,
  RowsRequest,
  TimelineCategory,
  TimelineRows,
  TimelineWindow,
  WindowRequest,
} from './timeline.ts';
import type { EventMask } from '../selection/event-mask.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** Rows and spans of a timeline: all that no colour, order or filter changes. */
export interface TimelineBase {
  readonly events: ShownEvents;
  readonly source: SpanSource;
  readonly index: SpanIndex;
  readonly lanes: LaneGrid;
}

type BaseRequest = Pick<RowsRequest, 'grouping' | 'facets' | 'ownFilesOnly' | 'stream'>;

/** @param only by recording: the events that are left in; undefined leaves all in. */
export function buildBase(
  recordings: readonly TimelineRecording[],
  request: BaseRequest,
  only?: readonly Pick<EventMask, 'has'>[],
): TimelineBase {
  const events = new ShownEvents(recordings, { ownFilesOnly: request.ownFilesOnly, ...(only && { only }) });
  const source = sourceOf(events, request);
  return { events, source, index: new SpanIndex(source), lanes: new LaneGrid(events) };
}

/** The source of a grouping's rows and spans: a new grouping gets a case here. */
function sourceOf(events: ShownEvents, { grouping, facets, stream }: BaseRequest): SpanSource {
  switch (grouping) {
    case 'stream':
    case 'file':
    case 'layer':
    case 'site':
    case 'handle':
      return eventRowSource(events, grouping, facets);
    case 'stack':
      return stackRowSource(events, stream);
  }
}

/** Rows of one request, ready to be drawn. */
export class Timeline {
  private readonly list: RowList;
  private readonly categories: readonly TimelineCategory[];
  private readonly colouring: Colouring;

  /** @param selected by recording: the events that are selected; undefined when nothing is. */
  constructor(
    readonly base: TimelineBase,
    request: RowsRequest,
    private readonly selected?: readonly Pick<EventMask, 'has'>[],
  ) {
    const { events, source, index } = base;
    this.list = listRows(source.tree, index.totals, request);
    const byEvent = categorise(events, request.colourBy);
    const bySpan = source.colours?.(index, byEvent);
    this.categories = bySpan?.categories ?? byEvent.categories;
    const mask = selected && maskOfAll(events, selected);
    this.colouring = new Colouring(index, this.categories.length, byEvent.ofEvent, mask, bySpan?.ofSpan);
  }

  rows(token: number): TimelineRows {
    const { events, source } = this.base;
    const { axis, durationNs } = events;
    const { categories } = this;
    return { token, rows: this.list.rows, axis, durationNs, categories, notes: [...events.notes, ...source.notes] };
  }

  /** @throws RangeError for a window that is none. */
  window({ fromNs, toNs, bins: count, rows }: WindowRequest): TimelineWindow {
    const bins = checkedBins(fromNs, toNs, count);
    const { index, lanes } = this.base;
    const cells = emptyCells(rows.length * count, this.colouring.selection !== undefined);
    const painter = new RowPainter(index, this.colouring, bins, cells);
    rows.forEach((row, i) => {
      const leaves = this.list.leaves[row];
      if (leaves === undefined) throw new RangeError(`there is no row ${row}`);
      painter.paint(leaves, i * count);
    });
    const { category, busy, selected } = cells;
    return {
      fromNs,
      toNs,
      bins: count,
      rows,
      category,
      busy,
      ...(selected && { selected }),
      ...lanes.lanes(bins),
    };
  }

  totals(fromNs: number, toNs: number): RangeTotals {
    return rangeTotals(this.base.events, fromNs, toNs, this.selected);
  }

  search(text: string, fromNs: number, direction: 1 | -1): FoundEvent | undefined {
    return searchEvents(this.base.events, text, fromNs, direction);
  }

  /** The row that shows an event which begins at a time, the innermost; -1 where none does. */
  rowOf({ event, start }: FoundEvent): number {
    const { index } = this.base;
    for (let leaf = 0; leaf < index.rows; leaf++) {
      const end = index.first[leaf + 1]!;
      for (let span = index.firstFrom(leaf, start); span < end && index.start[span] === start; span++) {
        if (index.event[span] === event) return this.list.leaves.findLastIndex((leaves) => leaves.includes(leaf));
      }
    }
    return -1;
  }

  /**
   * The span of a row that is drawn at a moment, else the nearest one, no farther than a tolerance.
   * @returns its event, as `ShownEvents` numbers them, and its start.
   */
  spanAt(row: number, time: number, tolerance: number): FoundEvent | undefined {
    const { index } = this.base;
    let nearest = -1;
    let least = Infinity;
    for (const leaf of this.list.leaves[row] ?? []) {
      const span = nearestSpan(index, leaf, time);
      if (span === undefined) continue;
      const distance = Math.max(index.start[span]! - time, time - index.start[span]! - index.duration(span), 0);
      const isLonger = distance === least && index.duration(span) > index.duration(nearest);
      if (distance < least || isLonger) {
        nearest = span;
        least = distance;
      }
    }
    if (nearest < 0 || least > tolerance) return undefined;
    return { event: index.event[nearest]!, start: index.start[nearest]! };
  }
}

/** Spans before a moment that are looked through for the one that ended last. */
const LOOK_BACK = 4096;

/** The span of a row that a moment belongs to, else the nearest, of equally near ones the longest. */
function nearestSpan(index: SpanIndex, leaf: number, time: number): number | undefined {
  const from = index.first[leaf]!;
  const to = index.first[leaf + 1]!;
  if (from === to) return undefined;
  const next = index.firstFrom(leaf, time);
  const owner = index.firstEndingAfter(from, next, time);
  if (owner < next) return owner;
  // Spans that start together stand longest first.
  const behind = next < to ? next : undefined;
  if (next === from || (behind !== undefined && index.start[behind] === time)) return behind;
  let latest = next - 1;
  let latestEnd = -Infinity;
  for (let span = next - 1; span >= Math.max(from, next - LOOK_BACK); span--) {
    const end = index.start[span]! + index.duration(span);
    if (end > latestEnd || (end === latestEnd && index.duration(span) > index.duration(latest))) {
      latest = span;
      latestEnd = end;
    }
  }
  return behind !== undefined && index.start[behind]! - time < time - latestEnd ? behind : latest;
}

function checkedBins(from: number, to: number, count: number): Bins {
  if (!(to > from) || !Number.isInteger(count) || count < 1) {
    throw new RangeError(`no window of a timeline: ${from} to ${to} in ${count} bins`);
  }
  return new Bins(from, to, count);
}

function maskOfAll(events: ShownEvents, masks: readonly Pick<EventMask, 'has'>[]): Pick<EventMask, 'has'> {
  return {
    has: (event) => {
      const recording = events.recordingOf(event);
      return masks[recording]!.has(event - events.firstEvent[recording]!);
    },
  };
}
