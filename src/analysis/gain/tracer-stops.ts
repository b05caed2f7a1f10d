import { NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { Gaps } from './gaps.ts';
import type { Lanes } from './lanes.ts';
import { Unwinding } from './unwinding.ts';

/** What shows of a tracer that stops the program at each call: all calls, also those that count for no finding. */
export class TracerStops {
  /** Between the calls of a stream. */
  readonly gaps = new Gaps();
  readonly unwinding: Unwinding;
  private readonly callsOfLane: Float64Array;
  /** End of the last call of each stream, and its stack. */
  private readonly ends: Float64Array;
  private readonly nodes: Int32Array;

  constructor(
    trace: Trace,
    callSites: CallSites,
    private readonly lanes: Lanes,
  ) {
    this.unwinding = new Unwinding(trace, callSites);
    this.callsOfLane = new Float64Array(lanes.count);
    this.ends = new Float64Array(trace.streams.length).fill(NaN);
    this.nodes = new Int32Array(trace.streams.length).fill(NONE);
  }

  see(chunk: EventChunk, i: number): void {
    const stream = chunk.stream[i]!;
    const start = chunk.start[i]!;
    this.callsOfLane[this.lanes.of[stream]!]!++;
    const gap = start - this.ends[stream]!;
    this.gaps.add(gap);
    this.unwinding.see(this.nodes[stream]!, gap);
    this.nodes[stream] = chunk.stack[i]!;
    this.ends[stream] = start + Math.max(0, chunk.duration[i]! || 0);
  }

  get calls(): number {
    return this.callsOfLane.reduce((all, calls) => all + calls, 0);
  }

  /** Calls of the lane that makes most. */
  get mostCalls(): number {
    return this.callsOfLane.reduce((most, calls) => Math.max(most, calls), 0);
  }
}
