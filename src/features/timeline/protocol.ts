import * as v from 'valibot';
import type {
  ColourBy,
  RangeTotals,
  RowGrouping,
  RowsRequest,
  TimelineEvent,
  TimelineRows,
  TimelineWindow,
} from '../../analysis/timeline/timeline.ts';
import type { PageLine, ViewState } from '../../base/page-line.ts';
import { COUNT, list, NOTHING, NUMBER, PICTURE, text } from '../../base/page-values.ts';

export type {
  EventLayers,
  LayerStep,
  RangeShare,
  RangeTotals,
  TimelineEvent,
  TimelineRow,
  TimelineRows,
  TimelineWindow,
} from '../../analysis/timeline/timeline.ts';

export const GROUPINGS = ['stream', 'file', 'layer', 'site', 'stack', 'handle'] as const satisfies RowGrouping[];
const ORDERS = ['recorded', 'time', 'events', 'bytes', 'outliers'] as const satisfies RowsRequest['order'][];
const COLOURS = ['operation', 'layer', 'file', 'size', 'site', 'insight'] as const satisfies ColourBy[];

/** Rows of one question: more do not fit on any screen. */
const MOST_ROWS = 4_096;
const MOST_BINS = 1 << 16;
const SHORT_TEXT = text(1_000);

const SPAN = v.pipe(
  v.object({ fromNs: NUMBER, toNs: NUMBER }),
  v.check(({ fromNs, toNs }) => fromNs <= toNs),
);

/** How the rows are made; the selection is the editor's, and is added there. */
const CHOICES = v.object({
  grouping: v.picklist(GROUPINGS),
  facets: v.boolean(),
  order: v.picklist(ORDERS),
  exemplars: v.boolean(),
  rowFilter: SHORT_TEXT,
  colourBy: v.picklist(COLOURS),
  ownFilesOnly: v.boolean(),
  onlySelected: v.boolean(),
  stream: v.exactOptional(COUNT),
});
export type TimelineChoices = Readonly<v.InferOutput<typeof CHOICES>>;

export const DEFAULT_TIMELINE_CHOICES: TimelineChoices = {
  grouping: 'stream',
  facets: false,
  order: 'recorded',
  exemplars: false,
  rowFilter: '',
  colourBy: 'operation',
  ownFilesOnly: true,
  onlySelected: false,
};

/** An event with the number by which the view may ask for its places: the view never names a file. */
export interface ViewEvent {
  readonly number: number;
  readonly event: TimelineEvent;
  /** Its call site is on this machine. */
  readonly hasSource: boolean;
}

/** Totals with the number by which the view narrows to one of their rows. */
export interface ViewTotals {
  readonly number: number;
  readonly totals: RangeTotals;
}

/** What stands in the recordings that are shown; changes when one is read anew. */
export interface TimelineRecordings {
  readonly names: readonly string[];
  /** Files and folders of each: what is opened again after a reload of the window. */
  readonly paths: readonly (readonly string[])[];
}

/** The selection in words, innermost last, and what of it is a part of the time. */
export interface ShownSelection {
  readonly parts: readonly string[];
  readonly span?: { readonly fromNs: number; readonly toNs: number };
}

interface TimelineToPage {
  readonly says: {
    /** First, and whenever the recordings or the selection are others: rows are to be asked for again. */
    readonly recordings: { readonly recordings: TimelineRecordings; readonly selection: ShownSelection };
  };
  /** A question about rows that are no longer kept fails as `STALE_ROWS`: rows are to be asked for again. */
  readonly answers: {
    readonly rows: TimelineRows;
    readonly window: TimelineWindow;
    /** null: there is none. */
    readonly event: ViewEvent | null;
    readonly totals: ViewTotals;
    readonly search: ViewEvent | null;
    readonly linked: ViewEvent | null;
  };
}

/** Name of an error. */
export const STALE_ROWS = 'StaleRowsError';

const SHARE_LIST = v.picklist(['calls', 'paths', 'sites']);
export type ShareList = v.InferOutput<typeof SHARE_LIST>;

/** What a click chooses, by where it stands in what the view was told. */
const CHOSEN = v.variant('what', [
  v.object({ what: v.literal('row'), token: COUNT, row: COUNT }),
  v.object({ what: v.literal('event'), number: COUNT }),
  /** The event and all calls of lower layers that it became. */
  v.object({ what: v.literal('below'), number: COUNT }),
  v.object({ what: v.literal('share'), number: COUNT, list: SHARE_LIST, index: COUNT }),
  v.object({ what: v.literal('category'), token: COUNT, category: COUNT }),
  v.pipe(
    v.object({ what: v.literal('span'), fromNs: NUMBER, toNs: NUMBER }),
    v.check(({ fromNs, toNs }) => fromNs <= toNs),
  ),
]);
export type Chosen = v.InferOutput<typeof CHOSEN>;

const PATHS = v.pipe(list(v.string()), v.nonEmpty());

export const TIMELINE = {
  version: 2,
  state: v.object({
    paths: v.pipe(list(PATHS), v.nonEmpty()),
    choices: CHOICES,
    /** Visible part of the time; null for the whole run, however long it becomes. */
    visible: v.nullable(SPAN),
    folded: list(v.string()),
    /** Key of the row at the top. */
    topRow: v.string(),
    /** Pixels; 0 for a share of the width. */
    labelWidth: NUMBER,
    detailsHeight: NUMBER,
    range: v.nullable(SPAN),
    marks: list(NUMBER),
    /** Dragging moves instead of choosing a range. */
    dragMoves: v.boolean(),
  }),
};

export const FROM_TIMELINE = {
  asks: {
    rows: CHOICES,
    /** `token`: of the rows that are meant. */
    window: v.object({
      token: COUNT,
      window: v.pipe(
        v.object({
          fromNs: NUMBER,
          toNs: NUMBER,
          bins: v.pipe(COUNT, v.minValue(1), v.maxValue(MOST_BINS)),
          rows: list(COUNT, MOST_ROWS),
        }),
        v.check(({ fromNs, toNs }) => fromNs <= toNs),
      ),
    }),
    event: v.object({ token: COUNT, row: COUNT, timeNs: NUMBER, toleranceNs: NUMBER }),
    totals: v.pipe(
      v.object({ token: COUNT, fromNs: NUMBER, toNs: NUMBER }),
      v.check(({ fromNs, toNs }) => fromNs <= toNs),
    ),
    search: v.object({ token: COUNT, text: SHORT_TEXT, fromNs: NUMBER, direction: v.picklist([1, -1]) }),
    /** From an event that was shown to one of another layer that it is linked with. */
    linked: v.object({
      token: COUNT,
      recording: COUNT,
      event: COUNT,
      step: v.picklist(['up', 'down', 'next', 'previous']),
    }),
  },
  says: {
    /** Rows and cells are on the screen; milliseconds since the page's script began, the first time only. */
    drawn: v.object({ rows: COUNT, firstPaintMs: v.exactOptional(NUMBER) }),
    /** Selects anew, or within what is selected already. */
    select: v.object({ chosen: CHOSEN, narrow: v.boolean() }),
    /** What is selected is no longer narrowed to a part of the time. */
    clearSpan: NOTHING,
    back: NOTHING,
    clear: NOTHING,
    openSource: v.object({ number: COUNT }),
    openRecording: v.object({ number: COUNT }),
    picture: PICTURE,
  },
};

export type TimelineLine = PageLine<typeof TIMELINE, typeof FROM_TIMELINE, TimelineToPage>;
export type TimelineViewState = ViewState<TimelineLine>;
