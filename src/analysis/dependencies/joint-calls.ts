import { addToGroup } from '../../base/grouping.ts';
import { OPERATION } from '../../trace/calls.ts';
import { CHUNK_ROWS, EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import { FILE_EFFECT } from './file-effects.ts';
import type { IoEvents } from './io-events.ts';

/** From a stream's MPI_File_open to its MPI_File_close. */
interface OpenPart {
  readonly stream: StreamIndex;
  /** Numbers of all its calls in `IoEvents`. */
  readonly calls: number[];
  /** Those of them that all members of the communicator make. */
  readonly collective: number[];
}

/** One file that streams opened together. */
export interface JointFile {
  /** Streams that opened it together, in ascending order. */
  readonly members: readonly number[];
  /** Whether all of them make the same collective calls, so that these can be made together again. */
  readonly isConsistent: boolean;
  /** The individual pointers stand where transfers begin, without seeks and views: all are contiguous from 0 on. */
  readonly isContiguous: boolean;
}

/** A collective call: the call of each member. */
type JointCall = readonly number[];

/**
 * Collective calls of MPI-IO: which calls of the streams are one. Files match by communicator, path and how often that pair
 * was opened before; their collective calls by their order (MPI 4.1, 14.2.1 and 14.6.4).
 */
export class JointCalls {
  readonly files: JointFile[] = [];
  /** Offsets as recorded, NaN when unknown. */
  readonly offset: Float64Array;
  private readonly fileOfCall: Int32Array;
  private readonly jointOf: Int32Array;
  private readonly joints: JointCall[] = [];
  private readonly call: Uint16Array;
  private readonly handle: Int32Array;
  private readonly flags: Uint8Array;

  constructor(
    private readonly trace: Trace,
    private readonly events: IoEvents,
  ) {
    const { length } = events;
    this.offset = events.offset.slice();
    this.fileOfCall = new Int32Array(length).fill(NONE);
    this.jointOf = new Int32Array(length).fill(NONE);
    this.call = new Uint16Array(length);
    this.handle = new Int32Array(length);
    this.flags = new Uint8Array(length);
    this.fillColumns();
    for (const parts of this.matchedParts()) this.addFile(parts);
  }

  /** The file that a call works on; undefined when its open was not recorded. */
  fileOf(k: number): JointFile | undefined {
    return this.files[this.fileOfCall[k]!];
  }

  /** The calls of all members, of a collective call of several; undefined for others. */
  membersOf(k: number): JointCall | undefined {
    return this.joints[this.jointOf[k]!];
  }

  isCollective(k: number): boolean {
    return (this.flags[k]! & EVENT_FLAGS.collective) !== 0;
  }

  isNonBlocking(k: number): boolean {
    return (this.flags[k]! & EVENT_FLAGS.nonBlocking) !== 0;
  }

  /** Where a transfer begins, NaN when it is not known; one of no bytes may begin anywhere. */
  placeOf(k: number): number {
    const place = this.offset[k]!;
    return Number.isNaN(place) && this.events.bytes[k] === 0 ? 0 : place;
  }

  private fillColumns(): void {
    const { trace, events } = this;
    const placeOf = new Int32Array(trace.events.length).fill(NONE);
    for (let k = 0; k < events.length; k++) placeOf[events.row[k]!] = k;
    trace.events.chunks.forEach((chunk, number) => {
      const rows = trace.events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        const k = placeOf[number * CHUNK_ROWS + i]!;
        if (k === NONE) continue;
        this.call[k] = chunk.call[i]!;
        this.handle[k] = chunk.handle[i]!;
        this.flags[k] = chunk.flags[i]!;
      }
    });
  }

  /** The parts of each file, of all streams that opened it together. */
  private matchedParts(): Iterable<readonly OpenPart[]> {
    const { trace, events } = this;
    const matched = new Map<string, OpenPart[]>();
    for (let stream = 0; stream < trace.streams.length; stream++) {
      const open = new Map<string, OpenPart>();
      const opened = new Map<string, number>();
      for (let k = events.first[stream]!; k < events.first[stream + 1]!; k++) {
        const handle = this.handle[k]!;
        const own = handle === NONE ? `file ${events.file[k]!}` : String(handle);
        if (events.effect[k] === FILE_EFFECT.open) {
          const part: OpenPart = { stream, calls: [], collective: [] };
          open.set(own, part);
          const communicator = handle === NONE ? NONE : trace.handles.communicator.at(handle);
          const isAlone = trace.definitions?.communicators[communicator]?.isSelf === true;
          const pair = `${communicator} ${events.file[k]!}${isAlone ? ` of ${stream}` : ''}`;
          const before = opened.get(pair) ?? 0;
          opened.set(pair, before + 1);
          const key = `${pair} ${before}`;
          addToGroup(matched, key, part);
        }
        const part = open.get(own);
        if (part === undefined) continue;
        part.calls.push(k);
        // A file is opened and closed by all, whatever the flags say.
        const isEnd = trace.calls.operation[this.call[k]!] === OPERATION.close;
        if (isEnd || this.isCollective(k) || events.effect[k] === FILE_EFFECT.open) part.collective.push(k);
        if (isEnd) open.delete(own);
      }
    }
    return matched.values();
  }

  private addFile(parts: readonly OpenPart[]): void {
    const [first] = parts;
    const communicator = this.trace.definitions?.communicators[this.communicatorOf(first!)];
    const expected = communicator === undefined || communicator.isSelf ? parts.length : communicator.members.length;
    const isConsistent =
      parts.length === expected &&
      parts.every(
        ({ collective }) =>
          collective.length === first!.collective.length &&
          collective.every((k, i) => this.call[k] === this.call[first!.collective[i]!]),
      );
    const number = this.files.push({
      members: parts.map(({ stream }) => stream),
      isConsistent,
      isContiguous: parts.every((part) => this.isContiguous(part)),
    });
    for (const { calls } of parts) for (const k of calls) this.fileOfCall[k] = number - 1;
    if (!isConsistent || parts.length < 2) return;
    first!.collective.forEach((_, i) => {
      const joint = parts.map(({ collective }) => collective[i]!);
      const its = this.joints.push(joint) - 1;
      for (const k of joint) this.jointOf[k] = its;
    });
  }

  private communicatorOf({ calls }: OpenPart): number {
    const handle = this.handle[calls[0]!]!;
    return handle === NONE ? NONE : this.trace.handles.communicator.at(handle);
  }

  private isContiguous({ calls }: OpenPart): boolean {
    let position = 0;
    for (const k of calls) {
      const { effect, bytes } = this.events;
      if (effect[k] !== FILE_EFFECT.read && effect[k] !== FILE_EFFECT.write) continue;
      if (mpiPosition(this.trace.calls.names[this.call[k]!]!) !== 'individual' || bytes[k] === 0) continue;
      if (this.offset[k] !== position) return false;
      position += bytes[k]!;
    }
    return true;
  }
}

/** What a transfer's place is counted from, by the name of the call, in C and Fortran. */
export function mpiPosition(name: string): 'explicit' | 'individual' | 'shared' {
  if (/_(shared|ordered)(_|\b)/i.test(name)) return 'shared';
  return /_at(_|\b)/i.test(name) ? 'explicit' : 'individual';
}
