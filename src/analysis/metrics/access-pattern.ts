/** How an access lies to the one before it (same handle, same direction). */
export const PATTERN = { consecutive: 0, strided: 1, repeated: 2, random: 3, backward: 4 } as const;

/**
 * Follows the places that each handle is accessed at. Drishti and Darshan know consecutive (begins where the last ended),
 * sequential (anywhere behind it) and random (the rest). "Sequential" is divided here: with the distance of the time
 * before it is a stride, which read-ahead and collective buffering can serve; with any other it is a jump like those
 * backwards.
 */
export class AccessPattern {
  private readonly start: Float64Array;
  private readonly end: Float64Array;
  /** Distance between the starts of the last two accesses; NaN before there were two. */
  private readonly stride: Float64Array;

  /** @param handles number of handles. */
  constructor(handles: number) {
    this.start = new Float64Array(handles).fill(NaN);
    this.end = new Float64Array(handles).fill(NaN);
    this.stride = new Float64Array(handles).fill(NaN);
  }

  next(handle: number, offset: number, bytes: number): number {
    const lastStart = this.start[handle]!;
    const lastEnd = this.end[handle]!;
    const lastStride = this.stride[handle]!;
    this.start[handle] = offset;
    this.end[handle] = offset + bytes;
    // The first access of a handle can be anywhere.
    if (Number.isNaN(lastStart)) return PATTERN.consecutive;
    const stride = offset - lastStart;
    this.stride[handle] = stride;
    if (offset === lastEnd) return PATTERN.consecutive;
    if (stride === 0) return PATTERN.repeated;
    if (stride < 0) return PATTERN.backward;
    // The first step forward may be the first of many equal ones.
    return stride === lastStride || Number.isNaN(lastStride) ? PATTERN.strided : PATTERN.random;
  }
}
