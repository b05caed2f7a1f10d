import { CHUNK_ROWS, NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import { FILE_EFFECT, fileEffects } from './file-effects.ts';

/** Whether a row is one of the calls that are put into an order. */
export type TakesPart = (chunk: EventChunk, place: number, row: number) => boolean;

/**
 * The calls on files that are put into an order, one stream behind the other: call `k` of all is number
 * `k − first[stream]` of its stream.
 */
export class IoEvents {
  /** By stream, and one more: where its calls begin. */
  readonly first: Int32Array;
  readonly row: Int32Array;
  readonly stream: Int32Array;
  readonly file: Int32Array;
  /** FILE_EFFECT. */
  readonly effect: Uint8Array;
  /** Nanoseconds from the trace's origin; never decreasing within a stream, whatever its clock did. */
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly offset: Float64Array;
  readonly bytes: Float64Array;
  readonly argument: Float64Array;
  /** Whether times of different streams can be compared. */
  readonly comparable: boolean;

  constructor(trace: Trace, takesPart: TakesPart) {
    const { events, streams } = trace;
    const effects = fileEffects(trace.calls);
    const counts = new Int32Array(streams.length + 1);
    const chosen = new Uint8Array(events.length);
    events.chunks.forEach((chunk, number) => {
      const rows = events.rowsIn(number);
      const base = number * CHUNK_ROWS;
      for (let i = 0; i < rows; i++) {
        if (chunk.file[i] === NONE || effects[chunk.call[i]!] === FILE_EFFECT.none) continue;
        if (!takesPart(chunk, i, base + i)) continue;
        chosen[base + i] = 1;
        counts[chunk.stream[i]! + 1]!++;
      }
    });
    for (let stream = 0; stream < streams.length; stream++) counts[stream + 1]! += counts[stream]!;
    this.first = counts;
    const length = counts[streams.length]!;
    this.row = new Int32Array(length);
    this.stream = new Int32Array(length);
    this.file = new Int32Array(length);
    this.effect = new Uint8Array(length);
    this.start = new Float64Array(length);
    this.end = new Float64Array(length);
    this.offset = new Float64Array(length);
    this.bytes = new Float64Array(length);
    this.argument = new Float64Array(length);
    const hasClock = trace.capabilities.time;
    // Without a clock the lines of one recording file still tell which call began before which.
    this.comparable = hasClock || trace.parts.length <= 1;
    this.fill(trace, effects, chosen, hasClock);
  }

  private fill(trace: Trace, effects: Uint8Array, chosen: Uint8Array, hasClock: boolean): void {
    const { events } = trace;
    const next = this.first.slice();
    const latest = new Float64Array(trace.streams.length).fill(-Infinity);
    events.chunks.forEach((chunk, number) => {
      const rows = events.rowsIn(number);
      const base = number * CHUNK_ROWS;
      for (let i = 0; i < rows; i++) {
        if (chosen[base + i] === 0) continue;
        const stream = chunk.stream[i]!;
        const k = next[stream]!++;
        const recorded = hasClock ? chunk.start[i]! : base + i;
        // An unknown time is that of the call before.
        const start = recorded > latest[stream]! ? recorded : Math.max(latest[stream]!, -Number.MAX_VALUE);
        latest[stream] = start;
        const duration = hasClock && chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
        this.row[k] = base + i;
        this.stream[k] = stream;
        this.file[k] = chunk.file[i]!;
        this.effect[k] = effects[chunk.call[i]!]!;
        this.start[k] = start;
        this.end[k] = start + duration;
        this.offset[k] = chunk.offset[i]!;
        this.bytes[k] = chunk.bytes[i]!;
        this.argument[k] = chunk.argument[i]!;
      }
    });
  }

  get length(): number {
    return this.row.length;
  }

  /** Calls of a stream. */
  count(stream: StreamIndex): number {
    return this.first[stream + 1]! - this.first[stream]!;
  }
}
