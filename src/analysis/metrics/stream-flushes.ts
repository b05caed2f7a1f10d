import { LAYERS } from '../../trace/calls.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import { HANDLE_FLAGS } from '../../trace/files.ts';
import type { HandleIndex } from '../../trace/indices.ts';
import { StackTraits, TRAIT } from '../sites/stack-traits.ts';
import { Coalescing } from './coalescing.ts';
import { METRIC, siteEntry } from './metric-table.ts';
import type { PassState } from './metrics-pass.ts';
import { SizeDistribution } from './sizes.ts';

const STDIO = LAYERS.indexOf('STDIO');

/** Writes of one place that stand in a stream's buffer. */
interface BufferedWrites {
  readonly cell: number;
  /** A seek stands before the first of them: it would have written them at its next turn, without a flush. */
  readonly isSought: boolean;
  calls: number;
  bytes: number;
  time: number;
}

/**
 * Counts what flushes of C's streams write, where a recording shows calls on streams and not the writes that the C library
 * makes of them: what was written to a stream since its buffer was emptied is what a flush writes.
 */
export class StreamFlushes {
  /** Sizes of what was flushed, index site + 1; of flushes that show as writes, too. */
  readonly sizes: (SizeDistribution | undefined)[] = [];
  /** By handle: what its buffer holds, by place. */
  private readonly buffered = new Map<number, BufferedWrites[]>();
  private readonly flushes: Uint8Array;
  private readonly largerBuffer: Coalescing;

  constructor(private readonly state: PassState) {
    const { calls, handles } = state.trace;
    const traits = new StackTraits();
    this.flushes = Uint8Array.from(calls.names, (name) => Number((traits.ofFunctionName(name) & TRAIT.flush) !== 0));
    this.largerBuffer = new Coalescing(handles.length, state.limits.bufferBytes);
  }

  /** Whether a transfer only goes into, or comes out of, the buffer of a stream: it is no request to the system. */
  isBuffered(chunk: EventChunk, i: number): boolean {
    const handle = chunk.handle[i]!;
    if (chunk.layer[i] !== STDIO) return false;
    return handle === NONE || (this.state.trace.handles.flags.at(handle) & HANDLE_FLAGS.writesThrough) === 0;
  }

  /** A write that goes into the buffer of its stream. */
  wrote(chunk: EventChunk, i: number, cell: number, time: number): void {
    const handle = chunk.handle[i]!;
    if (handle === NONE) return;
    let writes = this.buffered.get(handle);
    if (writes === undefined) this.buffered.set(handle, (writes = []));
    let own = writes.find((of) => of.cell === cell);
    if (own === undefined) {
      const isSought = this.state.handles.isSought[handle] === 1;
      writes.push((own = { cell, isSought, calls: 0, bytes: 0, time: 0 }));
    }
    own.calls++;
    own.bytes += chunk.bytes[i]!;
    own.time += time;
  }

  /** A call that moves no bytes: one that flushes, seeks or closes empties the buffer. */
  see(chunk: EventChunk, i: number, cell: number, time: number, empties: boolean): void {
    const handle = chunk.handle[i]!;
    if (handle === NONE || chunk.layer[i] !== STDIO) return;
    const flushes = this.flushes[chunk.call[i]!] === 1;
    const writes = flushes || empties ? this.buffered.get(handle) : undefined;
    if (writes === undefined || writes.length === 0) return;
    const bytes = writes.reduce((sum, of) => sum + of.bytes, 0);
    const isSought = writes[0]!.isSought;
    if (flushes && !isSought && chunk.error[i] === 0 && bytes > 0 && bytes < this.state.limits.tinyBytes)
      this.countFlush(handle, cell, time, bytes, writes);
    writes.length = 0;
  }

  addSize(cell: number, bytes: number): void {
    (this.sizes[siteEntry(this.state.siteOfCell[cell]!)] ??= new SizeDistribution()).add(bytes);
  }

  private countFlush(
    handle: HandleIndex,
    cell: number,
    time: number,
    bytes: number,
    writes: readonly BufferedWrites[],
  ): void {
    const { cells } = this.state;
    cells.addThree(cell, METRIC.flushedWrites, 1, bytes, time);
    cells.add(cell, METRIC.streamFlushes, 1);
    if (this.largerBuffer.needsCall(handle, NaN, bytes, true, false, NONE, cell))
      cells.add(cell, METRIC.coalescedFlushes, 1);
    this.addSize(cell, bytes);
    for (const of of writes) cells.addThree(of.cell, METRIC.flushedTransfers, of.calls, of.bytes, of.time);
  }
}
