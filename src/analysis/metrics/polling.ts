import { OPERATION } from '../../trace/calls.ts';
import { NONE, OPEN_MODE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { METRIC, type MetricTable } from './metric-table.ts';

/** Nanoseconds without a call from which a process pauses: it sleeps or computes. */
const PAUSE_NS = 1e6;
/** The same where a tracer stops it between its calls: to look at a deep stack (an interpreter's) takes it ten milliseconds, */
const TRACED_PAUSE_NS = 50e6;
/** unless the stops before other calls are known to be shorter: then from here on, */
const SHORTEST_TRACED_PAUSE_NS = 3e6;
/** and from so many of these on. */
const STOPS = 3;
/** What the newest of the stops weighs in their mean. */
const NEWEST = 0.25;

/**
 * Counts calls that ask for the same thing again after a pause: questions about a path, opens of a file, and reads that
 * find its end once more.
 */
export class PollingCounter {
  /** End of the last call of each stream, and the time before it. */
  private readonly ends: Float64Array;
  private readonly lastPause: Float64Array;
  /** Nanoseconds between the last call of the stream and the present one; NaN at its first. */
  private pauseNs = NaN;
  private readonly asked = new Set<string>();
  /** By stream: the mean of the last times before calls that do not ask again, NaN before there was one; and 1 where the last one did. */
  private readonly stops: Float64Array;
  private readonly hasAsked: Uint8Array;

  constructor(
    private readonly trace: Trace,
    private readonly processOfStream: Int32Array,
    private readonly cells: MetricTable,
  ) {
    this.ends = new Float64Array(trace.streams.length).fill(NaN);
    this.lastPause = new Float64Array(trace.streams.length).fill(NaN);
    this.stops = new Float64Array(trace.streams.length).fill(NaN);
    this.hasAsked = new Uint8Array(trace.streams.length);
  }

  /** Every event goes through here. */
  see(chunk: EventChunk, i: number): void {
    const stream = chunk.stream[i]!;
    const start = chunk.start[i]!;
    const last = this.ends[stream]!;
    const end = start + Math.max(0, chunk.duration[i]! || 0);
    if (this.hasAsked[stream] === 0) this.noteStop(stream);
    this.lastPause[stream] = this.pauseNs = start - last;
    this.hasAsked[stream] = 0;
    this.ends[stream] = last > end ? last : end;
  }

  private noteStop(stream: number): void {
    const pause = this.lastPause[stream]!;
    if (Number.isNaN(pause)) return;
    const mean = this.stops[stream]!;
    this.stops[stream] = Number.isNaN(mean) ? pause : mean + NEWEST * (pause - mean);
  }

  private pauseFrom(stream: number): number {
    if (!this.trace.form.tracerStopsProgram) return PAUSE_NS;
    const stops = this.stops[stream]!;
    return Number.isNaN(stops)
      ? TRACED_PAUSE_NS
      : Math.min(TRACED_PAUSE_NS, Math.max(SHORTEST_TRACED_PAUSE_NS, STOPS * stops));
  }

  /** @param isQuestion whether the call asks what a path is. */
  count(chunk: EventChunk, i: number, cell: number, time: number, isQuestion: boolean): void {
    const operation = this.trace.calls.operation[chunk.call[i]!];
    const asksPath = isQuestion && chunk.handle[i] === NONE;
    const findsEnd = operation === OPERATION.read && chunk.bytes[i] === 0 && chunk.error[i] === 0;
    const opens = operation === OPERATION.open && (chunk.argument[i]! & OPEN_MODE.access) === 0;
    if (!asksPath && !findsEnd && !opens) return;
    const stream = chunk.stream[i]!;
    this.hasAsked[stream] = 1;
    const key = `${this.processOfStream[chunk.stream[i]!]!} ${chunk.call[i]!} ${chunk.file[i]!}`;
    if (!this.asked.has(key)) {
      this.asked.add(key);
      return;
    }
    if (!(this.pauseNs >= this.pauseFrom(stream))) return;
    const first = opens && chunk.error[i] === 0 ? METRIC.openPolls : METRIC.polls;
    this.cells.addThree(cell, first, 1, this.pauseNs, time);
  }
}
