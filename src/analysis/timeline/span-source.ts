import type { EventCategories } from './categories.ts';
import type { RowTree } from './row-tree.ts';
import type { SpanIndex } from './span-index.ts';
import type { TimelineCategory } from './timeline.ts';

/** Spans of time that stand in rows, a block of them as columns. Valid during the visit only. */
export interface SpanBlock {
  length: number;
  /** Leaf of the RowTree. */
  readonly row: Int32Array;
  /** Nanoseconds on the axis of the timeline, 0 or more, whole numbers. */
  readonly start: Float64Array;
  /** How long it is drawn, 0 when unknown; whole numbers. */
  readonly duration: Float64Array;
  /** Event that the span shows, as `ShownEvents` numbers them. */
  readonly event: Int32Array;
  /** Bits of ROLE; without `shown` the span is not drawn but counts in its row. */
  readonly role: Uint8Array;
  /** Nanoseconds that it counts with: 0 where nobody knows how long it took. */
  readonly time: Float64Array;
  /** Bytes that it moved. */
  readonly bytes: Float64Array;
  /** What sort of thing it is, such as its call: rows are alike only when they hold the same sorts. */
  readonly kind: Int32Array;
}

/**
 * Where rows and their spans come from: **the place to add a grouping**. A source makes a tree of rows and tells which
 * span of time stands in which of them; index, windows, hover and drawing know nothing more of it. `eventRowSource` puts each
 * event into one row. A source may as well make spans that are no events (a function's time on a call stack); `event` is
 * then the first event of the span, which lends its colour and answers hover.
 */
export interface SpanSource {
  /** Complete after the first `forEachBlock`. */
  readonly tree: RowTree;
  /** Goes over all spans, in any order; it is called twice and must give the same spans both times. */
  forEachBlock(visit: (block: SpanBlock) => void): void;
  /** What cannot be shown, in words for the user. */
  readonly notes: readonly string[];
  /** For spans that are no events: what they are coloured by; otherwise each has the category of its event. */
  colours?(index: SpanIndex, byEvent: EventCategories): SpanColours;
}

/** Categories by span, as the index numbers them. */
export interface SpanColours {
  readonly categories: readonly TimelineCategory[];
  readonly ofSpan: Uint8Array;
}

export const SPANS_OF_BLOCK = 1 << 16;

export function allocateSpans(): SpanBlock {
  return {
    length: 0,
    row: new Int32Array(SPANS_OF_BLOCK),
    start: new Float64Array(SPANS_OF_BLOCK),
    duration: new Float64Array(SPANS_OF_BLOCK),
    event: new Int32Array(SPANS_OF_BLOCK),
    role: new Uint8Array(SPANS_OF_BLOCK),
    time: new Float64Array(SPANS_OF_BLOCK),
    bytes: new Float64Array(SPANS_OF_BLOCK),
    kind: new Int32Array(SPANS_OF_BLOCK),
  };
}
