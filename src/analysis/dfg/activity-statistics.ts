import { OPERATION, type CallTable } from '../../trace/calls.ts';
import type { EventChunk } from '../../trace/events.ts';
import type { CostSums } from '../gain/cost-sums.ts';
import type { RunCosts } from '../gain/run-costs.ts';
import { Concurrency } from './concurrency.ts';
import { partitionOf, type GraphNode } from './graph.ts';

/** The statistics of one activity while events are added (section IV-B of the paper). */
interface Totals {
  events: number;
  duration: number;
  bytes: number;
  /** Sum of the calls' own data rates in bytes per second, and how many calls have one. */
  rates: number;
  ratedEvents: number;
  firstStart: number;
  lastEnd: number;
  green: number;
  red: number;
  readonly concurrency: Concurrency;
}

/** Statistics of all activities of a graph. Events come in the order of their starts. */
export class ActivityStatistics {
  private readonly totals: Totals[] = [];
  private duration = 0;

  private readonly sums: CostSums | undefined;

  /** @param costs absent where the recorded times are those of the calls. */
  constructor(
    private readonly calls: CallTable,
    private readonly costs: RunCosts | undefined,
  ) {
    this.sums = costs?.sums();
  }

  /** Adds the event in row `i` of `chunk`. */
  add(activity: number, group: number, chunk: EventChunk, i: number): void {
    const totals = (this.totals[activity] ??= emptyTotals());
    totals.events++;
    if (group === 1) totals.green++;
    else if (group === 2) totals.red++;
    const start = chunk.start[i]!;
    const duration = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
    totals.duration += duration;
    this.duration += duration;
    const operation = this.calls.operation[chunk.call[i]!]!;
    // As the paper: only the variants of read and write have a size.
    if (operation === OPERATION.read || operation === OPERATION.write) {
      const bytes = chunk.bytes[i]!;
      totals.bytes += bytes;
      if (duration > 0) {
        totals.rates += (bytes / duration) * 1e9;
        totals.ratedEvents++;
      }
    }
    if (!(start >= totals.firstStart)) totals.firstStart = start;
    if (!(start + duration <= totals.lastEnd)) totals.lastEnd = start + duration;
    totals.concurrency.add(start, duration);
    this.sums?.add(activity, chunk, i);
  }

  node(activity: number, name: string, partitioned: boolean): Omit<GraphNode, 'folder'> {
    const totals = this.totals[activity] ?? emptyTotals();
    const cost = this.sums && this.costs?.cost(1, this.sums.spent(activity));
    return {
      activity: name,
      events: totals.events,
      durationNs: totals.duration,
      relativeDuration: this.duration === 0 ? 0 : totals.duration / this.duration,
      ...(cost && { cost }),
      bytes: totals.bytes,
      processDataRate: totals.ratedEvents === 0 ? null : totals.rates / totals.ratedEvents,
      maxConcurrency: totals.concurrency.most,
      firstStartNs: Number.isNaN(totals.firstStart) ? null : totals.firstStart,
      lastEndNs: Number.isNaN(totals.lastEnd) ? null : totals.lastEnd,
      partition: partitioned ? partitionOf(totals.green, totals.red) : null,
    };
  }
}

function emptyTotals(): Totals {
  return {
    events: 0,
    duration: 0,
    bytes: 0,
    rates: 0,
    ratedEvents: 0,
    firstStart: NaN,
    lastEnd: NaN,
    green: 0,
    red: 0,
    concurrency: new Concurrency(),
  };
}
