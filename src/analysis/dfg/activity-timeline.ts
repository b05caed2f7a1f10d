import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { groupCases } from './cases.ts';
import { Concurrency } from './concurrency.ts';
import { forEachMapped, type GraphOptions } from './directly-follows-graph.ts';
import { ActivityMapper } from './mapping.ts';

/** What of an activity's timeline is wanted; a span of time, or all of the activity's own. */
export interface ActivityTimelineRequest {
  readonly activity: string;
  readonly bins: number;
  /** Rows at most: more cases than that stand in rows of several. */
  readonly mostRows: number;
  readonly fromNs?: number;
  readonly toNs?: number;
}

interface ActivityTimelineRow {
  readonly label: string;
  readonly cases: number;
  readonly events: number;
  readonly timeNs: number;
}

/**
 * When the events of an activity were under way, by case (figure 5 of the DFG paper). Its size depends on rows and bins,
 * never on the number of events.
 */
export interface ActivityTimeline {
  readonly activity: string;
  /** Span that is shown, and that of all events of the activity; nanoseconds from the trace's origin. */
  readonly fromNs: number;
  readonly toNs: number;
  readonly firstNs: number;
  readonly lastNs: number;
  /** In the order of their first events. */
  readonly rows: readonly ActivityTimelineRow[];
  readonly bins: number;
  /** `rows * bins` cells: nanoseconds of calls under way, for a row of several cases of all of them together. */
  readonly busyNs: readonly number[];
  /** `rows * bins` cells: calls that begin in it. */
  readonly starts: readonly number[];
  /** Most calls of the activity under way at once, over all cases, in each bin. */
  readonly concurrency: readonly number[];
  /** The most in the whole recording (equation 16), and when it was first reached. */
  readonly maxConcurrency: number;
  readonly maxConcurrencyAtNs: number;
}

/** More than a wide screen has pixels, and more rows than one could read. */
const MOST_BINS = 4096;
const MOST_ROWS = 256;

/** @returns undefined when the activity has no event, or the recording no clock. */
export function activityTimeline(
  trace: Trace,
  callSites: CallSites,
  options: GraphOptions,
  request: ActivityTimelineRequest,
): ActivityTimeline | undefined {
  const cases = groupCases(trace, options.grouping);
  const mapper = new ActivityMapper(trace, callSites, options);
  const visit = (see: (kase: number, start: number, duration: number) => void): void =>
    forEachMapped(trace, mapper, cases, (activity, kase, chunk, i) => {
      const start = chunk.start[i]!;
      if (Number.isNaN(start) || mapper.activities.at(activity) !== request.activity) return;
      see(kase, start, chunk.duration[i]! > 0 ? chunk.duration[i]! : 0);
    });
  const overview = new Overview();
  visit((kase, start, duration) => overview.add(kase, start, duration));
  if (overview.order.length === 0) return undefined;
  const fromNs = request.fromNs ?? overview.firstNs;
  const toNs = Math.max(request.toNs ?? overview.lastNs, fromNs + 1);
  const bins = bounded(request.bins, MOST_BINS);
  const grouped = groupRows(overview, cases.names, bounded(request.mostRows, MOST_ROWS));
  const cells = new Cells(fromNs, toNs, bins, grouped.rows.length);
  visit((kase, start, duration) => cells.add(grouped.rowOfCase.get(kase)!, start, duration));
  const { firstNs, lastNs, concurrency } = overview;
  return {
    activity: request.activity,
    ...{ fromNs, toNs, firstNs, lastNs, bins },
    rows: grouped.rows,
    busyNs: Array.from(cells.busyNs),
    starts: Array.from(cells.starts),
    concurrency: cells.finishedConcurrency(),
    maxConcurrency: concurrency.most,
    maxConcurrencyAtNs: overview.mostAtNs,
  };
}

function bounded(wanted: number, most: number): number {
  return Number.isFinite(wanted) ? Math.max(1, Math.min(most, Math.floor(wanted))) : 1;
}

/** What all events of an activity say together. */
class Overview {
  firstNs = NaN;
  lastNs = NaN;
  mostAtNs = NaN;
  readonly concurrency = new Concurrency();
  /** Cases with events of it, in the order of the first. */
  readonly order: number[] = [];
  readonly sums = new Map<number, { events: number; timeNs: number }>();

  add(kase: number, start: number, duration: number): void {
    if (!(start >= this.firstNs)) this.firstNs = start;
    if (!(start + duration <= this.lastNs)) this.lastNs = start + duration;
    const before = this.concurrency.most;
    this.concurrency.add(start, duration);
    if (this.concurrency.most > before) this.mostAtNs = start;
    let sum = this.sums.get(kase);
    if (sum === undefined) {
      sum = { events: 0, timeNs: 0 };
      this.sums.set(kase, sum);
      this.order.push(kase);
    }
    sum.events++;
    sum.timeNs += duration;
  }
}

interface GroupedRows {
  readonly rows: ActivityTimelineRow[];
  readonly rowOfCase: ReadonlyMap<number, number>;
}

/** Cases that begin one after the other share a row where there are too many. */
function groupRows({ order, sums }: Overview, names: readonly string[], mostRows: number): GroupedRows {
  const perRow = Math.ceil(order.length / mostRows);
  const rowOfCase = new Map<number, number>();
  const rows: ActivityTimelineRow[] = [];
  for (let at = 0; at < order.length; at += perRow) {
    const held = order.slice(at, at + perRow);
    for (const kase of held) rowOfCase.set(kase, rows.length);
    const first = names[held[0]!]!;
    rows.push({
      label: held.length === 1 ? first : `${first} … ${names[held.at(-1)!]!}`,
      cases: held.length,
      events: held.reduce((sum, kase) => sum + sums.get(kase)!.events, 0),
      timeNs: held.reduce((sum, kase) => sum + sums.get(kase)!.timeNs, 0),
    });
  }
  return { rows, rowOfCase };
}

/** Cells of rows and bins, and the concurrency by bin. Events come in the order of their starts. */
class Cells {
  readonly busyNs: Float64Array;
  readonly starts: Float64Array;
  private readonly concurrency: number[] = [];
  private readonly underWay = new Concurrency();
  private readonly width: number;

  constructor(
    private readonly fromNs: number,
    toNs: number,
    private readonly bins: number,
    rows: number,
  ) {
    this.width = (toNs - fromNs) / bins;
    this.busyNs = new Float64Array(rows * bins);
    this.starts = new Float64Array(rows * bins);
  }

  add(row: number, start: number, duration: number): void {
    const first = (start - this.fromNs) / this.width;
    const last = (start + duration - this.fromNs) / this.width;
    if (first >= 0 && first <= this.bins) this.starts[row * this.bins + Math.min(this.bins - 1, Math.floor(first))]!++;
    for (let bin = Math.max(0, Math.floor(first)); bin < this.bins && bin < last; bin++) {
      const share = Math.min(last, bin + 1) - Math.max(first, bin);
      this.busyNs[row * this.bins + bin]! += share * this.width;
    }
    this.enterBins(Math.min(this.bins - 1, Math.floor(first)));
    const now = this.underWay.add(start, duration);
    if (first >= 0 && first <= this.bins) {
      const at = this.concurrency.length - 1;
      this.concurrency[at] = Math.max(this.concurrency[at]!, now);
    }
  }

  finishedConcurrency(): number[] {
    this.enterBins(this.bins - 1);
    return this.concurrency;
  }

  /** What is under way when a bin begins counts in it. */
  private enterBins(last: number): void {
    while (this.concurrency.length <= last)
      this.concurrency.push(this.underWay.at(this.fromNs + this.concurrency.length * this.width));
  }
}
