import type { StreamIndex } from '../../trace/indices.ts';

/**
 * How much each stream is known to have done when another goes on: calls of each, as vectors (vector clocks of Fidge and
 * Mattern). A vector is never changed once it was handed out, so many may keep it.
 */
export type Vector = Int32Array;

export class Knowledge {
  private readonly known: (Vector | undefined)[];

  /** @param streams their number; a vector has as many numbers. */
  constructor(private readonly streams: number) {
    this.known = new Array<Vector | undefined>(streams);
  }

  /** What a stream knows of others; its own place in it means nothing. */
  of(stream: StreamIndex): Vector | undefined {
    return this.known[stream];
  }

  /** Whether a stream knows that another has done so many calls, and all that the other knew then. */
  has(stream: StreamIndex, other: StreamIndex, calls: number, others: Vector | undefined): boolean {
    if (other === stream) return true;
    const mine = this.known[stream];
    if (mine === undefined) return calls === 0 && others === undefined;
    if (mine[other]! < calls) return false;
    if (others === undefined || others === mine) return true;
    for (let i = 0; i < others.length; i++) if (others[i]! > mine[i]! && i !== stream && i !== other) return false;
    return true;
  }

  /** A stream learns that another has done so many calls, and all that the other knew then. */
  learn(stream: StreamIndex, other: StreamIndex, calls: number, others: Vector | undefined): void {
    const vector = new Int32Array(this.streams);
    const mine = this.known[stream];
    if (mine !== undefined) vector.set(mine);
    if (others !== undefined)
      for (let i = 0; i < others.length; i++) if (others[i]! > vector[i]!) vector[i] = others[i]!;
    if (calls > vector[other]!) vector[other] = calls;
    this.known[stream] = vector;
  }

  /** All of some streams know the same from now on. @param calls that each of them has done. */
  share(streams: readonly StreamIndex[], calls: (stream: StreamIndex) => number): void {
    const vector = this.together(streams, calls);
    for (const stream of streams) this.known[stream] = vector;
  }

  /** Whether each of some streams already knows all that they know together. */
  isShared(streams: readonly StreamIndex[], calls: (stream: StreamIndex) => number): boolean {
    const first = this.known[streams[0]!];
    // They came together before, with nobody else in between.
    if (first !== undefined && streams.every((stream) => this.known[stream] === first))
      return streams.every((stream) => calls(stream) <= first[stream]!);
    const vector = this.together(streams, calls);
    return streams.every((stream) => {
      const mine = this.known[stream];
      return vector.every((value, i) => i === stream || value <= (mine?.[i] ?? 0));
    });
  }

  private together(streams: readonly StreamIndex[], calls: (stream: StreamIndex) => number): Vector {
    const vector = new Int32Array(this.streams);
    for (const stream of streams) {
      const mine = this.known[stream];
      if (mine !== undefined) for (let i = 0; i < vector.length; i++) if (mine[i]! > vector[i]!) vector[i] = mine[i]!;
    }
    for (const stream of streams) vector[stream] = Math.max(vector[stream]!, calls(stream));
    return vector;
  }
}
