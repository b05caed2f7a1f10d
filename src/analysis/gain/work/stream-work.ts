import { getOrCreate } from '../../../base/grouping.ts';
import { LAYERS, OPERATION } from '../../../trace/calls.ts';
import { NONE, type EventChunk } from '../../../trace/events.ts';
import { HANDLE_FLAGS } from '../../../trace/files.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { Lanes } from '../lanes.ts';
import { quantile, Sample } from '../sample.ts';

const STDIO = LAYERS.indexOf('STDIO');
/** Bytes of a call of which at most every fourth fills or empties a stream's buffer: the typical one only reaches it. */
const SMALL = 1024;

/**
 * What calls on C's streams take for formatting, parsing and copying: most of them reach the stream's buffer and no file.
 * What the others take longer is I/O.
 */
export class StreamWork {
  private readonly samples = new Map<number, Sample>();
  /** Calls by lane and name. */
  private readonly counts = new Map<number, Map<number, number>>();
  /** 1 where a seek threw away what the buffer held. */
  private readonly isMoved: Uint8Array;

  constructor(
    private readonly trace: Trace,
    private readonly lanes: Lanes,
  ) {
    this.isMoved = new Uint8Array(trace.handles.length);
  }

  /** @param duration in nanoseconds. */
  see(chunk: EventChunk, i: number, duration: number): void {
    const handle = chunk.handle[i]!;
    if (chunk.layer[i] !== STDIO) return;
    const { operation } = this.trace.calls;
    const call = chunk.call[i]!;
    const isTransfer = operation[call] === OPERATION.read || operation[call] === OPERATION.write;
    const isMoved = handle !== NONE && this.isMoved[handle] === 1;
    if (handle !== NONE && (isTransfer || operation[call] === OPERATION.seek))
      this.isMoved[handle] = isTransfer ? 0 : 1;
    const flags = handle === NONE ? 0 : this.trace.handles.flags.at(handle);
    const writesThrough = (flags & HANDLE_FLAGS.writesThrough) !== 0;
    if (!isTransfer || isMoved || writesThrough || chunk.bytes[i]! >= SMALL) return;
    getOrCreate(this.samples, call, () => new Sample()).add(duration, chunk.bytes[i]!);
    const counts = getOrCreate(this.counts, this.lanes.of[chunk.stream[i]!]!, () => new Map<number, number>());
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }

  /** Nanoseconds in a lane. */
  ofLane(lane: number): number {
    let sum = 0;
    for (const [call, count] of this.counts.get(lane) ?? [])
      sum += count * quantile(this.samples.get(call)!.sorted, 0.5);
    return sum;
  }
}
