import { NONE } from '../../trace/events.ts';
import type { HandleIndex, StreamIndex } from '../../trace/indices.ts';

/**
 * How many calls are left of an open file's accesses when they go through a buffer: an access that begins where the last
 * one ended joins it as long as the buffer has room. The call for a full buffer counts for each place that had a part in it.
 */
export class Coalescing {
  private readonly end: Float64Array;
  private readonly filled: Float64Array;
  private readonly process: Int32Array;
  /** The place whose access came last into the buffer as it is filled now, and all places that had one, where these are more. */
  private readonly lastPlace: Int32Array;
  private readonly places = new Map<HandleIndex, Set<number>>();

  /** @param handles number of handles; @param bufferBytes size of the buffer. */
  constructor(
    handles: number,
    private readonly bufferBytes: number,
  ) {
    this.end = new Float64Array(handles).fill(NaN);
    this.filled = new Float64Array(handles);
    this.process = new Int32Array(handles).fill(NONE);
    this.lastPlace = new Int32Array(handles).fill(NONE);
  }

  /**
   * Takes an access into account.
   * @param offset NaN when unknown.
   * @param appends it is at the end of the file, wherever that is.
   * @param isEnd nothing was there behind it: the next access takes in what came since.
   * @param process stream that leads the process, each of which has a buffer of its own; NONE where handles are not shared.
   * @param place whose calls are counted; NONE for an access that only fills the buffer.
   * @returns whether it needs a call for its place: none of the place's before it is in the buffer that takes it in.
   */
  // oxlint-disable-next-line max-params -- per event: no object
  needsCall(
    handle: HandleIndex,
    offset: number,
    bytes: number,
    appends: boolean,
    isEnd: boolean,
    process: StreamIndex,
    place: number,
  ): boolean {
    const follows = this.process[handle] === process && (appends || offset === this.end[handle]);
    this.process[handle] = process;
    const joins = follows && this.filled[handle]! > 0 && this.filled[handle]! + bytes <= this.bufferBytes;
    this.end[handle] = isEnd ? NaN : offset + bytes;
    this.filled[handle] = joins ? this.filled[handle]! + bytes : bytes;
    if (!joins) {
      this.places.delete(handle);
      this.lastPlace[handle] = place;
      return place !== NONE;
    }
    return place !== NONE && place !== this.lastPlace[handle] && this.isNew(handle, place);
  }

  /** What is in the buffer was written out: the next access needs a call. */
  emptied(handle: HandleIndex): void {
    this.filled[handle] = 0;
  }

  private isNew(handle: HandleIndex, place: number): boolean {
    const last = this.lastPlace[handle]!;
    this.lastPlace[handle] = place;
    if (last === NONE) return true;
    const places = this.places.get(handle);
    if (places?.has(place) === true) return false;
    if (places === undefined) this.places.set(handle, new Set([last, place]));
    else places.add(place);
    return true;
  }
}
