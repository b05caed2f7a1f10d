/**
 * Places the calls of streams on tracks where every two calls are apart or one within the other, as viewers of traces
 * ask for. A stream has one track, and more where its calls overlap.
 */
export class Tracks {
  /** All tracks, by their number. */
  readonly all: { readonly stream: number; readonly lane: number }[] = [];
  /** For each stream its tracks: number, and the ends of the calls that are open there, the innermost last. */
  private readonly lanes: { readonly track: number; readonly ends: number[] }[][];

  constructor(streams: number) {
    this.lanes = Array.from({ length: streams }, () => []);
  }

  /**
   * The track of a call; calls of a stream are to come in the order of their starts.
   * @param end of the call, in the unit of `start`; Infinity when it has none.
   */
  place(stream: number, start: number, end: number): number {
    const lanes = this.lanes[stream]!;
    for (const { track, ends } of lanes) {
      while (ends.length > 0 && ends.at(-1)! <= start) ends.pop();
      if (ends.length > 0 && ends.at(-1)! < end) continue;
      ends.push(end);
      return track;
    }
    const track = this.all.push({ stream, lane: lanes.length }) - 1;
    lanes.push({ track, ends: [end] });
    return track;
  }
}
