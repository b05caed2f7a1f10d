import { addToGroup } from '../../base/grouping.ts';
import type { Chunk } from './chunks.ts';

/** A chunk of events whose bytes are kept. */
export interface KeptChunk {
  /** Where its payload stands in the kept bytes. */
  readonly from: number;
  readonly end: number;
  readonly time: bigint;
  readonly records: number;
  /** Events at its beginning that are rows already. */
  readonly done: number;
  /** Events that were lost in front of it. */
  readonly lost: number;
  /** What it lacks was told. */
  readonly isTold: boolean;
  /** Bytes in front of it in its file. */
  readonly position: number;
}

/** Chunks of events of one file, by thread. */
export class EventChunks {
  bytes = new Uint8Array();
  length = 0;
  /** In the order of their first chunks. */
  readonly threads = new Map<number, KeptChunk[]>();

  add({ payload, time, thread, records, lost, position }: Chunk): void {
    const end = this.length + payload.length;
    if (end > this.bytes.length) {
      const wider = new Uint8Array(Math.max(end, this.bytes.length * 2));
      wider.set(this.bytes.subarray(0, this.length));
      this.bytes = wider;
    }
    this.bytes.set(payload, this.length);
    const kept = { from: this.length, end, time, records, done: 0, lost, isTold: false, position };
    addToGroup(this.threads, thread, kept);
    this.length = end;
  }

  clear(): void {
    this.length = 0;
    this.threads.clear();
  }

  /** Keeps only these chunks. */
  keep(left: ReadonlyMap<number, readonly KeptChunk[]>): void {
    const size = [...left.values()].flat().reduce((sum, { from, end }) => sum + end - from, 0);
    const bytes = new Uint8Array(size);
    this.threads.clear();
    this.length = 0;
    for (const [thread, chunks] of left) {
      const moved = chunks.map((chunk) => {
        const from = this.length;
        bytes.set(this.bytes.subarray(chunk.from, chunk.end), from);
        this.length += chunk.end - chunk.from;
        return { ...chunk, from, end: this.length };
      });
      if (moved.length > 0) this.threads.set(thread, moved);
    }
    this.bytes = bytes;
  }
}
