import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';

/** Hands out the messages of streams that lie between their I/O calls; those inside of a call are how it works. */
export class MessagesBetween {
  /** Rows of each stream in the order of their beginnings. */
  private readonly rows: number[][];
  private readonly next: Int32Array;
  /** When the last call of each stream ended. */
  private readonly busyUntil: Float64Array;

  /** @param kept 1 for each row that counts; all unless given. */
  constructor(
    private readonly trace: Trace,
    kept: Uint8Array | undefined,
  ) {
    const { messages, streams } = trace;
    this.rows = streams.map(() => []);
    this.next = new Int32Array(streams.length);
    this.busyUntil = new Float64Array(streams.length).fill(-Infinity);
    for (let row = 0; row < (messages?.length ?? 0); row++) {
      if (kept?.[row] !== 0) this.rows[messages!.stream.at(row)]?.push(row);
    }
    for (const rows of this.rows) rows.sort((a, b) => messages!.start.at(a) - messages!.start.at(b));
  }

  /** How many a stream has at most. */
  most(stream: StreamIndex): number {
    return this.rows[stream]!.length;
  }

  /** Visits the messages of a stream that began before a time and were not visited yet. */
  before(stream: StreamIndex, time: number, visit: (row: number) => void): void {
    const rows = this.rows[stream]!;
    let next = this.next[stream]!;
    for (; next < rows.length; next++) {
      const start = this.trace.messages!.start.at(rows[next]!);
      if (start >= time) break;
      if (start >= this.busyUntil[stream]!) visit(rows[next]!);
    }
    this.next[stream] = next;
  }

  /** A stream is in a call until then. */
  busy(stream: StreamIndex, until: number): void {
    if (until > this.busyUntil[stream]!) this.busyUntil[stream] = until;
  }
}
