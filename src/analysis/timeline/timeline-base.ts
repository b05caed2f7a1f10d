import type { EventMask } from '../selection/event-mask.ts';
import { categorise, type EventCategories } from './categories.ts';
import { Colouring } from './colouring.ts';
import { eventRowSource } from './event-rows.ts';
import { GroupSums } from './group-sums.ts';
import { LaneGrid } from './lane-grid.ts';
import { ShownEvents } from './shown-events.ts';
import { SpanIndex } from './span-index.ts';
import { stackRowSource } from './stack-rows.ts';
import type { SpanSource } from './span-source.ts';
import type { ColourBy, RowsRequest, TimelineCategory } from './timeline.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** Which events of each recording are meant, and a name for them: the same name, the same events. */
export interface NamedEvents {
  readonly name: string;
  readonly masks: readonly Pick<EventMask, 'has'>[];
}

type BaseRequest = Pick<RowsRequest, 'grouping' | 'facets' | 'ownFilesOnly' | 'stream'>;

/** Colours that are kept: a user goes back and forth between a few. */
const MOST_COLOURINGS = 2;

export interface Coloured {
  readonly categories: EventCategories;
  /** Those of the spans, where these are no events. */
  readonly shown: readonly TimelineCategory[];
  readonly colouring: Colouring;
  /** By node of the tree: sums of those that stand for many spans. */
  readonly groups: ReadonlyMap<number, GroupSums>;
}

/** Rows and spans of a timeline: all that no colour, order or filter changes; and the last colours of it. */
export class TimelineBase {
  readonly events: ShownEvents;
  readonly source: SpanSource;
  readonly index: SpanIndex;
  private laneGrid: LaneGrid | undefined;
  private readonly categories = new Map<ColourBy, EventCategories>();
  private readonly colourings = new Map<string, Coloured>();

  /**
   * @param only the events that are left in; undefined leaves all in.
   * @param mostExact spans that a row of several is always drawn from one by one.
   * @param among the events of whose streams one is taken, where the rows are those of one.
   */
  constructor(
    recordings: readonly TimelineRecording[],
    request: BaseRequest,
    only?: NamedEvents,
    private readonly mostExact = 4096,
    among?: NamedEvents,
  ) {
    const { ownFilesOnly } = request;
    this.events = new ShownEvents(recordings, { ownFilesOnly, ...(only && { only: only.masks }) });
    this.source = sourceOf(this.events, request, among);
    this.index = new SpanIndex(this.source);
  }

  /** Lanes over all rows; made for the first window, so that the list of rows does not wait for them. */
  get lanes(): LaneGrid {
    return (this.laneGrid ??= new LaneGrid(this.events));
  }

  /** What spans are coloured by and which are selected; nothing is sorted for it. */
  coloured(colourBy: ColourBy, selected: NamedEvents | undefined): Coloured {
    const key = `${colourBy} ${selected?.name ?? ''}`;
    const known = this.colourings.get(key);
    const categories = known?.categories ?? this.categories.get(colourBy) ?? categorise(this.events, colourBy);
    const coloured = known ?? this.colour(categories, selected);
    keepLast(this.categories, colourBy, categories, 1);
    keepLast(this.colourings, key, coloured, MOST_COLOURINGS);
    return coloured;
  }

  /** Bytes that index, lanes and colours hold. */
  get bytes(): number {
    const categories = [...this.categories.values()].reduce((sum, { ofEvent }) => sum + ofEvent.byteLength, 0);
    let colourings = 0;
    for (const { colouring, groups } of this.colourings.values()) {
      colourings += colouring.bytes;
      for (const { bytes } of groups.values()) colourings += bytes;
    }
    return this.index.bytes + (this.laneGrid?.bytes ?? 0) + categories + colourings;
  }

  private colour(categories: EventCategories, selected: NamedEvents | undefined): Coloured {
    const { events, index } = this;
    const mask = selected && {
      has: (event: number): boolean => {
        const recording = events.recordingOf(event);
        return selected.masks[recording]!.has(event - events.firstEvent[recording]!);
      },
    };
    const bySpan = this.source.colours?.(index, categories);
    const shown = bySpan?.categories ?? categories.categories;
    const colouring = new Colouring(index, shown.length, categories.ofEvent, mask, bySpan?.ofSpan);
    return { categories, shown, colouring, groups: this.groupsOf(colouring) };
  }

  private groupsOf(colouring: Colouring): Map<number, GroupSums> {
    const { index, source } = this;
    const groups = new Map<number, GroupSums>();
    source.tree.leavesOfAll().forEach((leaves, node) => {
      const spans = leaves.reduce((sum, leaf) => sum + index.first[leaf + 1]! - index.first[leaf]!, 0);
      if (leaves.length > 1 && spans > this.mostExact) groups.set(node, new GroupSums(index, colouring, leaves));
    });
    return groups;
  }
}

/** The source of a grouping's rows and spans: a new grouping gets a case here. */
function sourceOf(events: ShownEvents, { grouping, facets, stream }: BaseRequest, among?: NamedEvents): SpanSource {
  switch (grouping) {
    case 'stream':
    case 'file':
    case 'layer':
    case 'site':
    case 'handle':
      return eventRowSource(events, grouping, facets);
    case 'stack':
      return stackRowSource(events, stream, among?.masks);
  }
}

/** Puts a value behind all others, and drops the first ones beyond a number. */
export function keepLast<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, most: number): void {
  values.delete(key);
  values.set(key, value);
  while (values.size > most) values.delete(values.keys().next().value!);
}
