import { OPERATION } from '../../trace/calls.ts';
import { NONE, OPEN_MODE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { METRIC, type MetricTable } from './metric-table.ts';

/** Nanoseconds without a call from which a process pauses: it sleeps or computes. */
const PAUSE_NS = 1e6;
/** The same where a tracer stops it between its calls: to look at a deep stack (an interpreter's) takes it ten milliseconds. */
const TRACED_PAUSE_NS = 50e6;

/**
 * Counts calls that ask for the same thing again after a pause: questions about a path, opens of a file, and reads that
 * find its end once more.
 */
export class PollingCounter {
  /** End of the last call of each stream. */
  private readonly ends: Float64Array;
  /** Nanoseconds between the last call of the stream and the present one; NaN at its first. */
  private pauseNs = NaN;
  private readonly asked = new Set<string>();
  private readonly pauseFrom: number;

  constructor(
    private readonly trace: Trace,
    private readonly processOfStream: Int32Array,
    private readonly cells: MetricTable,
  ) {
    this.ends = new Float64Array(trace.streams.length).fill(NaN);
    this.pauseFrom = trace.form.tracerStopsProgram ? TRACED_PAUSE_NS : PAUSE_NS;
  }

  /** Every event goes through here. */
  see(chunk: EventChunk, i: number): void {
    const stream = chunk.stream[i]!;
    const start = chunk.start[i]!;
    const last = this.ends[stream]!;
    const end = start + Math.max(0, chunk.duration[i]! || 0);
    this.pauseNs = start - last;
    this.ends[stream] = last > end ? last : end;
  }

  /** @param isQuestion whether the call asks what a path is. */
  count(chunk: EventChunk, i: number, cell: number, time: number, isQuestion: boolean): void {
    const operation = this.trace.calls.operation[chunk.call[i]!];
    const asksPath = isQuestion && chunk.handle[i] === NONE;
    const findsEnd = operation === OPERATION.read && chunk.bytes[i] === 0 && chunk.error[i] === 0;
    const opens = operation === OPERATION.open && (chunk.argument[i]! & OPEN_MODE.access) === 0;
    if (!asksPath && !findsEnd && !opens) return;
    const key = `${this.processOfStream[chunk.stream[i]!]!} ${chunk.call[i]!} ${chunk.file[i]!}`;
    if (!this.asked.has(key)) {
      this.asked.add(key);
      return;
    }
    if (!(this.pauseNs >= this.pauseFrom)) return;
    const first = opens && chunk.error[i] === 0 ? METRIC.openPolls : METRIC.polls;
    this.cells.addThree(cell, first, 1, this.pauseNs, time);
  }
}
