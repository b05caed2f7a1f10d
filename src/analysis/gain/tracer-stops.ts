import { NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { Gaps } from './gaps.ts';
import type { Lanes } from './lanes.ts';
import { Unwinding } from './unwinding.ts';

/** What a program does each time shows also in the shorter times between calls: busy processors spare some of them. */
const SHORT = 0.02;
/** Of fewer each may have waited for a processor. */
const FEWEST = 8;
/** Places that are looked at by themselves; programs make most of their calls from few. */
const MOST_PLACES = 500;
const BELOW_NONE = NONE - 1;

/** What shows of a tracer that stops the program at each call: all calls, also those that count for no finding. */
export class TracerStops {
  /** Between the calls of a stream. */
  readonly gaps = new Gaps();
  /** The same by the place of the call before: what a program does behind one call it does not behind another. */
  private readonly gapsOfPlace = new Map<number, Gaps>();
  /** Behind the calls of all further places. */
  private readonly others = new Gaps();
  readonly unwinding: Unwinding;
  private readonly callsOfLane: Float64Array;
  /** End of the last call of each stream, and its place: its stack, or its function below NONE where there is none. */
  private readonly ends: Float64Array;
  private readonly places: Int32Array;

  constructor(
    trace: Trace,
    callSites: CallSites,
    private readonly lanes: Lanes,
  ) {
    this.unwinding = new Unwinding(trace, callSites);
    this.callsOfLane = new Float64Array(lanes.count);
    this.ends = new Float64Array(trace.streams.length).fill(NaN);
    this.places = new Int32Array(trace.streams.length).fill(NONE);
  }

  see(chunk: EventChunk, i: number): void {
    const stream = chunk.stream[i]!;
    const start = chunk.start[i]!;
    this.callsOfLane[this.lanes.of[stream]!]!++;
    const gap = start - this.ends[stream]!;
    this.gaps.add(gap);
    this.gapsBehind(this.places[stream]!).add(gap);
    this.unwinding.see(this.places[stream]!, gap);
    this.places[stream] = chunk.stack[i]! === NONE ? BELOW_NONE - chunk.call[i]! : chunk.stack[i]!;
    this.ends[stream] = start + Math.max(0, chunk.duration[i]! || 0);
  }

  /** What the program does behind each call, as long as `most` is the tracer's: mean nanoseconds of all calls. */
  always(most: number): number {
    let sum = 0;
    for (const gaps of [...this.gapsOfPlace.values(), this.others])
      if (gaps.count >= FEWEST) sum += gaps.count * Math.max(0, gaps.quantile(SHORT) - most);
    return sum / Math.max(1, this.calls);
  }

  private gapsBehind(place: number): Gaps {
    const known = this.gapsOfPlace.get(place);
    if (known !== undefined) return known;
    if (this.gapsOfPlace.size >= MOST_PLACES) return this.others;
    const gaps = new Gaps();
    this.gapsOfPlace.set(place, gaps);
    return gaps;
  }

  get calls(): number {
    return this.callsOfLane.reduce((all, calls) => all + calls, 0);
  }

  /** Calls of the lane that makes most. */
  get mostCalls(): number {
    return this.callsOfLane.reduce((most, calls) => Math.max(most, calls), 0);
  }
}
