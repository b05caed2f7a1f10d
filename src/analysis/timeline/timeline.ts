import type { Link } from '../../trace/events.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import type { Selection, SelectionPart } from '../selection/selection.ts';

/**
 * What a timeline asks and is told. The view never gets events: it asks for a window of time, some rows and a number of
 * bins (pixels), and gets columns of that size back, whatever the size of the recording.
 */

/** What stands in one row. */
export type RowGrouping =
  /** Host → process or rank → thread. */
  | 'stream'
  | 'file'
  | 'layer'
  /** Source lines. */
  | 'site'
  /** The call stack of one stream, a row for each depth, outermost first. */
  | 'stack'
  /** Handles below their parents. */
  | 'handle';

export type ColourBy = 'operation' | 'layer' | 'file' | 'size' | 'site' | 'insight';

/** How rows are made; plain data. The same request gives the same rows. */
export interface RowsRequest {
  readonly grouping: RowGrouping;
  /** The layers first, each with rows of its own, on one axis of time. */
  readonly facets: boolean;
  /** `outliers`: those first that differ most from the others of their group. */
  readonly order: 'recorded' | 'time' | 'events' | 'bytes' | 'outliers';
  /** Rows of a group that are alike stand as one, with how many they are. */
  readonly exemplars: boolean;
  /** Only rows whose label holds this text, with the groups above them. */
  readonly rowFilter: string;
  readonly colourBy: ColourBy;
  /** Leaves out the files that findings leave out (system, loader, libraries). */
  readonly ownFilesOnly: boolean;
  /** Stream whose call stack is shown (index within its recording), for the grouping `stack`. */
  readonly stream?: StreamIndex;
  /** What is not selected is dimmed; with `onlySelected` it is left out. */
  readonly selection: Selection;
  readonly onlySelected: boolean;
}

export interface TimelineRow {
  /** The same for the same thing in another answer: what was unfolded stays so. */
  readonly key: string;
  /** Row of the group that this one belongs to, or -1. */
  readonly parent: number;
  readonly depth: number;
  readonly label: string;
  /** More of the same, for hover and screen readers. */
  readonly description: string;
  readonly isGroup: boolean;
  /** Rows that this one stands for: 1, or more where alike ones are shown as one. */
  readonly standsFor: number;
  readonly events: number;
  readonly timeNs: number;
  readonly bytes: number;
  /** What choosing the row selects; absent where there is no such thing. */
  readonly selects?: SelectionPart;
}

/** A colour of the timeline: what it stands for, and how much of the time. */
export interface TimelineCategory {
  readonly label: string;
  readonly events: number;
  readonly timeNs: number;
  /** What choosing the category selects; absent where there is no such thing. */
  readonly selects?: SelectionPart;
}

export interface TimelineRows {
  /** Names these rows in the questions that follow. */
  readonly token: number;
  readonly rows: readonly TimelineRow[];
  /** What the axis counts: nanoseconds, or (`order`) calls of each recorded file where the recording has no clock. */
  readonly axis: 'time' | 'order';
  /** End of the axis, which begins at 0: nanoseconds, or calls. All times of questions and answers are of this unit. */
  readonly durationNs: number;
  /** By time, the costliest first; the last may stand for all that are left. */
  readonly categories: readonly TimelineCategory[];
  /** What cannot be shown of this recording, and why; in words for the user. */
  readonly notes: readonly string[];
  /** Where there is no row: calls that are left out as they are on files that are not the program's own. */
  readonly otherFiles?: number;
}

export interface WindowRequest {
  readonly fromNs: number;
  readonly toNs: number;
  /** Columns of the answer. */
  readonly bins: number;
  /** Indices of the rows that are wanted. */
  readonly rows: readonly number[];
}

/** "No event" in the column `category`. */
export const NO_CATEGORY = 0xffff;

/** Columns of `rows.length * bins` cells, row by row, and lanes of `bins` values. */
export interface TimelineWindow extends WindowRequest {
  /**
   * Category of what takes most of the cell's time, or NO_CATEGORY. Of spans that overlap in a row each instant belongs to
   * the one that began first (the longest, where several began together).
   */
  readonly category: Uint16Array;
  /** Share of the cell that is busy, 0 to 255; at least 1 where an event is. Of a group: the mean of its rows. */
  readonly busy: Uint8Array;
  /** Share of that which is selected, 0 to 255; absent when nothing is selected. */
  readonly selected?: Uint8Array;
  /** Bytes per second that were read and written, over all rows of the timeline; of the lowest layer alone. */
  readonly readRate: Float32Array;
  readonly writeRate: Float32Array;
  /** Most calls in flight at the same time in each bin; of the outermost calls alone. */
  readonly concurrency: Uint32Array;
  /** What lay below; absent where nothing was noted of it. */
  readonly storage?: StorageLanes;
}

/** What the machine's storage did, for whoever, by bin: between two looks evenly, 0 before the first and after the last. */
export interface StorageLanes {
  /** Bytes per second. */
  readonly readRate: Float32Array;
  readonly writeRate: Float32Array;
  /** Percent of the time in which at least one process of the machine waited for storage; absent where the kernel does not tell. */
  readonly waiting?: Float32Array;
}

/** One event, as hover shows it. */
export interface TimelineEvent {
  /** Index of the recording among those of the timeline, and of the event in it. */
  readonly recording: number;
  readonly event: number;
  readonly row: number;
  readonly startNs: number;
  /** null when unknown. */
  readonly durationNs: number | null;
  readonly call: string;
  readonly layer: string;
  readonly path: string;
  readonly offset: number | null;
  readonly bytes: number;
  readonly requested: number | null;
  /** '' for success. */
  readonly error: string;
  readonly host: string;
  readonly process: number;
  readonly thread: number;
  readonly rank: number | null;
  /** Where it stands in the recording, and the raw line; '' where the recording is no text. */
  readonly recordingFile: string;
  readonly recordingLine: number;
  readonly rawText: string;
  /** Why there is no raw line; '' where there is one. */
  readonly rawTextLack: string;
  /** The call site, as on this machine where it is here; absent when unknown. */
  readonly site?: { readonly file: string; readonly line: number; readonly functionName: string };
  /** The chain of callers, innermost first: `write_cells (heat.c:22)`. */
  readonly stack: readonly string[];
  /** Calls of other layers that it is linked with; absent where there are none. */
  readonly layers?: EventLayers;
}

/** A call of an upper layer that caused an event. */
export interface LinkedCall {
  readonly call: string;
  readonly layer: string;
  readonly bytes: number;
  /** null when unknown. */
  readonly durationNs: number | null;
  /** How it is known that it made the call below it. */
  readonly link: Link;
}

/** From a call to those of other layers that belong to it. */
export interface EventLayers {
  /** The call that made it, the one that made that, up to the program's own. */
  readonly above: readonly LinkedCall[];
  /** What it became: the calls below it by layer, the highest first. */
  readonly below: readonly (SummedCalls & { readonly layer: string })[];
  /** The call that made it made another one before, or after it. */
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

interface SummedCalls {
  readonly calls: number;
  readonly bytes: number;
  readonly timeNs: number;
}

/** To the call that made an event, the first that it made, or its neighbours among those that its maker made. */
export type LayerStep = 'up' | 'down' | 'next' | 'previous';

export interface RangeAmounts {
  /** Requests: of a transfer that two layers show, the lower one. */
  readonly events: number;
  /** Of the outermost calls. */
  readonly timeNs: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** Sums of the events that overlap a span of time, each as a whole: the same events that the span selects. */
export interface RangeTotals extends RangeAmounts {
  readonly fromNs: number;
  readonly toNs: number;
  readonly files: number;
  readonly streams: number;
  /** What of it is selected; absent when nothing is. */
  readonly selected?: RangeAmounts;
  /** The costliest calls, files and source lines of the span. */
  readonly calls: readonly RangeShare[];
  readonly paths: readonly RangeShare[];
  readonly sites: readonly RangeShare[];
}

export interface RangeShare {
  readonly label: string;
  readonly events: number;
  readonly timeNs: number;
  readonly bytes: number;
  readonly selects?: SelectionPart;
}
