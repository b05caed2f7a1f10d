import { NONE } from '../../trace/events.ts';
import { Bins } from './bins.ts';
import { searchEvents, type FoundEvent } from './event-search.ts';
import type { GroupSums } from './group-sums.ts';
import { rangeTotals } from './range-totals.ts';
import { listRows, type RowList } from './row-list.ts';
import { emptyCells, RowPainter } from './row-painter.ts';
import type { SpanIndex } from './span-index.ts';
import type { RangeTotals, RowsRequest, TimelineRows, TimelineWindow, WindowRequest } from './timeline.ts';
import type { Coloured, NamedEvents, TimelineBase } from './timeline-base.ts';

/** Spans of rows that stand for several which a window goes through one by one. */
const MOST_GROUPED = 300_000;
/** Finding the first span of a row takes as long as going through this many. */
const COST_OF_ROW = 16;

/** Rows of one request, ready to be drawn. */
export class Timeline {
  private readonly list: RowList;
  private readonly coloured: Coloured;

  /** @param selected the events that are selected; undefined when nothing is. */
  constructor(
    readonly base: TimelineBase,
    request: RowsRequest,
    private readonly selected?: NamedEvents,
    private readonly mostGrouped = MOST_GROUPED,
  ) {
    this.list = listRows(base.source.tree, base.index.totals, request);
    this.coloured = base.coloured(request.colourBy, selected);
  }

  rows(token: number): TimelineRows {
    const { events, source } = this.base;
    const { axis, durationNs } = events;
    const { shown: categories } = this.coloured;
    return { token, rows: this.list.rows, axis, durationNs, categories, notes: [...events.notes, ...source.notes] };
  }

  /** @throws RangeError for a window that is none. */
  window({ fromNs, toNs, bins: count, rows }: WindowRequest): TimelineWindow {
    const bins = checkedBins(fromNs, toNs, count);
    const { index, lanes } = this.base;
    const { colouring } = this.coloured;
    const cells = emptyCells(rows.length * count, colouring.selection !== undefined);
    const painter = new RowPainter(index, colouring, bins, cells);
    const summed = this.summedRows(rows, bins);
    rows.forEach((row, i) => {
      const leaves = this.list.leaves[row];
      if (leaves === undefined) throw new RangeError(`there is no row ${row}`);
      const group = summed.get(row);
      if (group === undefined) painter.paint(leaves, i * count);
      else painter.paintSums(group, i * count);
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

  /** Rows that are drawn from sums, for their spans are too many; those that take least are drawn span by span. */
  private summedRows(rows: readonly number[], { from, to }: Bins): Map<number, GroupSums> {
    const summed = new Map<number, GroupSums>();
    const costs = new Map<number, number>();
    for (const row of rows) {
      const group = this.coloured.groups.get(this.list.nodes[row] ?? NONE);
      if (group === undefined) continue;
      summed.set(row, group);
      costs.set(row, group.spansWithin(from, to) + group.rows * COST_OF_ROW);
    }
    let left = this.mostGrouped;
    for (const [row, cost] of [...costs].sort((a, b) => a[1] - b[1])) {
      left -= cost;
      if (left < 0) break;
      summed.delete(row);
    }
    return summed;
  }

  totals(fromNs: number, toNs: number): RangeTotals {
    return rangeTotals(this.base.events, fromNs, toNs, this.selected?.masks);
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
