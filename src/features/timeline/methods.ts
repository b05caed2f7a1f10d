import type { OperationsSummary } from '../../analysis/timeline/summary.ts';
import type {
  LayerStep,
  RangeTotals,
  RowsRequest,
  TimelineEvent,
  TimelineRows,
  TimelineWindow,
  WindowRequest,
} from '../../analysis/timeline/timeline.ts';

/**
 * Questions of a timeline. Several recordings stand on one axis, each from its own origin. A token is good until more
 * than a few other rows were asked for, or a recording was closed: then the answer is an Error named `StaleRowsError`,
 * and the rows are to be asked for again.
 */
export interface TimelineMethods {
  rows(ids: readonly number[], request: RowsRequest): Promise<TimelineRows>;
  window(token: number, request: WindowRequest): Promise<TimelineWindow>;
  /** The event that a row shows at a point, else the nearest, no farther than `toleranceNs`. */
  eventAt(token: number, row: number, timeNs: number, toleranceNs: number): Promise<TimelineEvent | undefined>;
  /** What happened in a span of time, over all rows, whatever is filtered out of their list. */
  totals(token: number, fromNs: number, toNs: number): Promise<RangeTotals>;
  /**
   * The next event that begins after (or before) a point whose call, path, function or error holds a text; `row` is where it
   * stands, -1 where no listed row shows it.
   */
  search(token: number, text: string, fromNs: number, direction: 1 | -1): Promise<TimelineEvent | undefined>;
  /**
   * The call of another layer that an event is linked with, or its neighbour among the calls that its caller made.
   * @param recording index among those of the timeline, as in the event; `event` likewise.
   */
  linked(token: number, recording: number, event: number, step: LayerStep): Promise<TimelineEvent | undefined>;
  /** Calls, bytes and times by layer, operation, file and function. */
  summary(ids: readonly number[]): Promise<OperationsSummary[]>;
}
