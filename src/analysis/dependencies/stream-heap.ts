import type { StreamIndex } from '../../trace/indices.ts';

/** Streams by the time of what they do next: the earliest first, of equal ones the lowest number. */
export class StreamHeap {
  private readonly streams: StreamIndex[] = [];
  private readonly times: number[] = [];

  get length(): number {
    return this.streams.length;
  }

  /** The earliest time; Infinity when it is empty. */
  get earliest(): number {
    return this.times[0] ?? Infinity;
  }

  push(time: number, stream: StreamIndex): void {
    let at = this.streams.length;
    this.streams.push(stream);
    this.times.push(time);
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.isBefore(at, parent)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  pop(): number | undefined {
    const first = this.streams[0];
    if (first === undefined) return undefined;
    const stream = this.streams.pop()!;
    const time = this.times.pop()!;
    if (this.streams.length === 0) return first;
    this.streams[0] = stream;
    this.times[0] = time;
    for (let at = 0; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < this.streams.length && this.isBefore(child, least)) least = child;
      if (least === at) return first;
      this.swap(at, least);
      at = least;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const difference = this.times[a]! - this.times[b]!;
    return difference < 0 || (difference === 0 && this.streams[a]! < this.streams[b]!);
  }

  private swap(a: number, b: number): void {
    [this.streams[a], this.streams[b]] = [this.streams[b]!, this.streams[a]!];
    [this.times[a], this.times[b]] = [this.times[b]!, this.times[a]!];
  }
}
