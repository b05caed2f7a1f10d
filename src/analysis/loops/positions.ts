import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

const NAMES_OFFSET = /^p(read|write)|_at(_all)?(_begin)?$|^aio_|^io_submit|_at_c$/i;

/** Whether calls of this name are given their offset: pread and pwrite with their kin, MPI_File_read_at and its. */
export function namesOffset(name: string): boolean {
  return NAMES_OFFSET.test(name);
}

/** Follows where the next read or write at a handle's own position begins, as far as one stream can know. */
export class Positions {
  /** 1 for each call that is given its offset. */
  private readonly namesOffset: Uint8Array;
  /** Offset at which a handle's next access begins, and the stream that brought it there. */
  private readonly next: Float64Array;
  private readonly stream: Int32Array;
  /** Whether the call that was asked about last goes on where its handle stood. */
  follows = false;

  constructor(private readonly trace: Trace) {
    this.namesOffset = Uint8Array.from(trace.calls.names, (name) => Number(namesOffset(name)));
    this.next = new Float64Array(trace.handles.length).fill(NaN);
    this.stream = new Int32Array(trace.handles.length).fill(NONE);
  }

  /** The offset that tells a call from others: NaN where it has none, or it follows from the calls before. */
  offsetOf(chunk: EventChunk, i: number): number {
    const handle = chunk.handle[i]!;
    const offset = chunk.offset[i]!;
    const operation = this.trace.calls.operation[chunk.call[i]!]!;
    this.follows = false;
    if (handle === NONE) return offset;
    const stream = chunk.stream[i]!;
    if (operation === OPERATION.open || operation === OPERATION.seek) {
      this.next[handle] = operation === OPERATION.open ? 0 : offset;
      this.stream[handle] = stream;
      return operation === OPERATION.open ? NaN : offset;
    }
    const moves = operation === OPERATION.read || operation === OPERATION.write || operation === OPERATION.copy;
    if (!moves || this.namesOffset[chunk.call[i]!] === 1) return offset;
    const goesOn = this.stream[handle] === stream && this.next[handle] === offset;
    const appends = (chunk.flags[i]! & EVENT_FLAGS.append) !== 0;
    this.follows = goesOn && !appends;
    this.next[handle] = offset + chunk.bytes[i]!;
    this.stream[handle] = stream;
    return goesOn || appends ? NaN : offset;
  }
}
