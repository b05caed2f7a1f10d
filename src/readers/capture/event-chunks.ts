import type { Chunk } from './chunks.ts';

/** A chunk of events whose bytes are kept. */
export interface KeptChunk {
  /** Where its payload stands in the kept bytes. */
  readonly from: number;
  readonly end: number;
  readonly time: bigint;
  readonly records: number;
  readonly lost: number;
  /** Bytes in front of it in its file. */
  readonly position: number;
}

/** Chunks of events of one file, by thread. */
export class EventChunks {
  bytes = new Uint8Array(1 << 16);
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
    const kept = { from: this.length, end, time, records, lost, position };
    const list = this.threads.get(thread);
    if (list === undefined) this.threads.set(thread, [kept]);
    else list.push(kept);
    this.length = end;
  }

  clear(): void {
    this.length = 0;
    this.threads.clear();
  }
}
