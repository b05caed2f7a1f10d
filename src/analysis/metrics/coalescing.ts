import type { HandleIndex } from '../../trace/indices.ts';

/**
 * How many calls are left of an open file's accesses when they go through a buffer: an access that begins where the last
 * one ended joins it as long as the buffer has room.
 */
export class Coalescing {
  private readonly end: Float64Array;
  private readonly filled: Float64Array;

  /** @param handles number of handles; @param bufferBytes size of the buffer. */
  constructor(
    handles: number,
    private readonly bufferBytes: number,
  ) {
    this.end = new Float64Array(handles).fill(NaN);
    this.filled = new Float64Array(handles);
  }

  /**
   * Takes an access into account.
   * @param offset NaN when unknown; @param appends the access is at the end of the file, wherever that is.
   * @returns whether it needs a call of its own: nothing before it can take it in.
   */
  needsCall(handle: HandleIndex, offset: number, bytes: number, appends: boolean): boolean {
    const follows = appends || offset === this.end[handle];
    const joins = follows && this.filled[handle]! > 0 && this.filled[handle]! + bytes <= this.bufferBytes;
    this.end[handle] = offset + bytes;
    this.filled[handle] = joins ? this.filled[handle]! + bytes : bytes;
    return !joins;
  }
}
