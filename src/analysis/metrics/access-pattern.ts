import { NONE } from '../../trace/events.ts';
import type { HandleTable } from '../../trace/files.ts';
import type { HandleIndex, StreamIndex } from '../../trace/indices.ts';

/** How an access lies to the one before it (same handle, same direction). */
export const PATTERN = { consecutive: 0, strided: 1, repeated: 2, random: 3, backward: 4 } as const;

/** Places that a program goes back to in turns: a header, an index, data. */
const PLACES = 3;

/**
 * Follows the places that each handle is accessed at. Drishti and Darshan know consecutive (begins where the last ended),
 * sequential (anywhere behind it) and random (the rest). "Sequential" is divided here: with the distance of the time
 * before it is a stride, which read-ahead and collective buffering can serve; with any other it is a jump like those
 * backwards. What goes on where one of the last few accesses ended, or comes back to one of their places, is no jump either:
 * a program that writes a header anew after each record goes on at two places in turns.
 *
 * Threads that share a handle are followed apart: each may go through a part of its own by pread. What they read or write
 * at the handle's own offset goes on where the last of them ended, in whatever order the recording shows their calls.
 *
 * A process that opens the file for each access, and sets its place, goes on from one open to the next.
 */
export class AccessPattern {
  /** Of each lane the starts and ends of the accesses before the last one. */
  private readonly earlier: Float64Array[] = [];
  /** A lane is one stream's way through one handle. The handle's first stream has the lane with the handle's number. */
  private readonly start: number[];
  private readonly end: number[];
  /** Distance between the starts of the last two accesses; NaN before there were two. */
  private readonly stride: number[];
  private readonly firstStream: Int32Array;
  private readonly furtherLanes = new Map<number, number>();
  private readonly isShared: Uint8Array;
  private readonly wasMoved: Uint8Array;
  /** 1 for handles with a second access. */
  private readonly hasSecond: Uint8Array;
  /** The handle that a stream accessed a file through, of those whose first access it was the last. */
  private readonly lastOfFile = new Map<number, HandleIndex>();

  /** @param streams number of processes and threads. */
  constructor(
    private readonly handles: Pick<HandleTable, 'length' | 'file' | 'incarnation'>,
    private readonly streams: number,
  ) {
    const { length } = handles;
    this.start = new Array<number>(length).fill(NaN);
    this.end = new Array<number>(length).fill(NaN);
    this.stride = new Array<number>(length).fill(NaN);
    this.firstStream = new Int32Array(length).fill(NONE);
    this.isShared = new Uint8Array(length);
    this.wasMoved = new Uint8Array(length);
    this.hasSecond = new Uint8Array(length);
  }

  /** The handle's offset was set by a seek. */
  moved(handle: HandleIndex): void {
    this.wasMoved[handle] = 1;
  }

  /** @param positioned the call names its offset (pread, pwrite); the others use the handle's. */
  next(handle: HandleIndex, stream: StreamIndex, offset: number, bytes: number, positioned: boolean): number {
    const moved = this.wasMoved[handle] === 1;
    const lane = this.lane(handle, stream);
    if (Number.isNaN(this.start[lane]!)) this.begin(lane, handle, stream, (positioned || moved) && offset !== 0);
    else this.hasSecond[handle] = 1;
    const lastStart = this.start[lane]!;
    const lastEnd = this.end[lane]!;
    const lastStride = this.stride[lane]!;
    this.start[lane] = offset;
    this.end[lane] = offset + bytes;
    if (!positioned) this.wasMoved[handle] = 0;
    // The first access of a file can be anywhere.
    if (Number.isNaN(lastStart)) return PATTERN.consecutive;
    const stride = offset - lastStart;
    this.stride[lane] = stride;
    if (offset === lastEnd) return PATTERN.consecutive;
    if (!positioned && !moved && this.isShared[handle] === 1) return PATTERN.consecutive;
    if (stride === 0) return PATTERN.repeated;
    const known = this.amongEarlier(lane, offset);
    this.remember(lane, lastStart, lastEnd);
    if (known !== undefined) return known;
    if (stride < 0) return PATTERN.backward;
    // Steps that are shorter than the accesses leave no gaps: it is a window that glides over the file.
    if (offset < lastEnd) return PATTERN.repeated;
    // The first step forward may be the first of many equal ones.
    return stride !== lastStride && !Number.isNaN(lastStride) ? PATTERN.random : PATTERN.strided;
  }

  /** @param isPlaced the program has set the place of its first access: it goes on from its only one of the open before. */
  private begin(lane: number, handle: HandleIndex, stream: StreamIndex, isPlaced: boolean): void {
    const { file, incarnation } = this.handles;
    const key = file.at(handle) * this.streams + stream;
    const before = this.lastOfFile.get(key);
    this.lastOfFile.set(key, handle);
    if (!isPlaced || before === undefined || lane !== handle) return;
    const isOther = this.firstStream[before] !== stream || incarnation.at(before) !== incarnation.at(handle);
    if (isOther || this.hasSecond[before] === 1) return;
    this.start[lane] = this.start[before]!;
    this.end[lane] = this.end[before]!;
    this.stride[lane] = this.stride[before]!;
    if (this.earlier[before] !== undefined) this.earlier[lane] = this.earlier[before].slice();
  }

  private amongEarlier(lane: number, offset: number): number | undefined {
    const earlier = this.earlier[lane];
    if (earlier === undefined) return undefined;
    for (let i = 0; i < earlier.length; i += 2) {
      if (earlier[i + 1] === offset) return PATTERN.consecutive;
      if (earlier[i] === offset) return PATTERN.repeated;
    }
    return undefined;
  }

  /** The place that the lane leaves with a jump. */
  private remember(lane: number, start: number, end: number): void {
    const earlier = (this.earlier[lane] ??= new Float64Array(2 * PLACES).fill(NaN));
    earlier.copyWithin(0, 2);
    earlier[earlier.length - 2] = start;
    earlier[earlier.length - 1] = end;
  }

  private lane(handle: HandleIndex, stream: StreamIndex): number {
    const first = this.firstStream[handle]!;
    if (first === stream) return handle;
    if (first === NONE) {
      this.firstStream[handle] = stream;
      return handle;
    }
    this.isShared[handle] = 1;
    const key = handle * this.streams + stream;
    let lane = this.furtherLanes.get(key);
    if (lane === undefined) {
      lane = this.start.push(NaN) - 1;
      this.end.push(NaN);
      this.stride.push(NaN);
      this.furtherLanes.set(key, lane);
    }
    return lane;
  }
}
