import { OPERATION } from '../../trace/calls.ts';
import { CHUNK_ROWS, EVENT_FLAGS, NONE, NOT_COUNTED, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { layerRoles, type LayerRoles } from '../metrics/layer-roles.ts';
import { counted } from '../quantities.ts';
import type { EventMask, TimelineRecording } from './timeline-recording.ts';

/** What an event counts as; bits. */
export const ROLE = {
  /** It has a place in rows. */
  shown: 1,
  /** A call of the program that was seen from start to end. */
  call: 2,
  /** The program itself waits for it (the outermost call): its time counts. */
  takesTime: 4,
  /** A request that reaches the file (the lowest layer): it counts, and so do its bytes. */
  isRequest: 8,
  /** Only a part of a call: it stands in rows of files, for the call's own row shows the time. */
  part: 16,
} as const;

/** Events of one chunk as a timeline shows them. Valid during the visit only. */
export interface ShownBlock {
  /** Index among the recordings of the timeline. */
  readonly recording: number;
  readonly chunk: EventChunk;
  readonly rows: number;
  /** Number of the first row's event among those of all recordings. */
  readonly firstEvent: number;
  /** Nanoseconds on the axis, or calls where there is no clock. */
  readonly start: Float64Array;
  /** How long it is drawn: to the end of the recording where the return was never seen. 0 when unknown. */
  readonly duration: Float64Array;
  /** Bits of ROLE; 0 for what is left out. */
  readonly role: Uint8Array;
}

export interface ShownOptions {
  /** Leaves out what findings leave out: files of the system, and calls without a file. */
  readonly ownFilesOnly: boolean;
  /** By recording: events that are left in; absent where nothing is left out. */
  readonly only?: readonly EventMask[];
}

/** What has to be known of a recording before its events can be shown. */
interface Extent {
  /** End of the last call of each part of the recording, nanoseconds. */
  readonly endOfPart: Float64Array;
  readonly untimed: number;
  readonly neverReturned: number;
}

const NO_CLOCK =
  'the recording has no times: the axis counts its calls in the order of each recorded file (record with "iolens record", or strace -ttt -T, to see times)';

/**
 * The events of some recordings on one axis, numbered through: where they stand, for how long, and what they count as.
 * Every recording begins at its own origin. Where one has no clock the axis counts calls instead of nanoseconds.
 *
 * What is counted is as everywhere (docs/decisions/0047): bytes are those of the requests, the lowest layer's, and time is
 * that of the outermost calls. A call whose return was never seen is shown to the end of its recording, but counts nowhere:
 * nobody knows how long it took. Calls that the kernel began again are left out: the row that repeats them is shown.
 */
export class ShownEvents {
  /** Number of each recording's first event. */
  readonly firstEvent: readonly number[];
  readonly length: number;
  readonly axis: 'time' | 'order';
  /** End of the axis. */
  readonly durationNs: number;
  readonly notes: readonly string[];
  private readonly extents: readonly Extent[];
  private readonly roles: readonly (LayerRoles | undefined)[];
  private readonly start = new Float64Array(CHUNK_ROWS);
  private readonly duration = new Float64Array(CHUNK_ROWS);
  private readonly role = new Uint8Array(CHUNK_ROWS);

  constructor(
    readonly recordings: readonly TimelineRecording[],
    private readonly options: ShownOptions,
  ) {
    const firstEvent: number[] = [];
    let length = 0;
    for (const { trace } of recordings) {
      firstEvent.push(length);
      length += trace.events.length;
    }
    this.firstEvent = firstEvent;
    this.length = length;
    this.axis = recordings.every(({ trace }) => trace.capabilities.time || trace.events.length === 0)
      ? 'time'
      : 'order';
    this.extents = recordings.map(({ trace }) => extentOf(trace, this.axis));
    this.roles = recordings.map(({ trace }) => layerRoles(trace));
    this.durationNs = this.extents.reduce((last, { endOfPart }, recording) => {
      const whole = this.axis === 'time' ? recordings[recording]!.trace.durationNs : 0;
      return endOfPart.reduce((latest, end) => Math.max(latest, end), Math.max(last, whole));
    }, 0);
    this.notes = [...new Set(recordings.flatMap(({ trace }, i) => notesOf(trace, this.extents[i]!, this.axis)))];
  }

  /** Index of the recording that an event is of. */
  recordingOf(event: number): number {
    let recording = this.firstEvent.length - 1;
    while (event < this.firstEvent[recording]!) recording--;
    return recording;
  }

  /** Goes over all events that are shown. */
  forEachBlock(visit: (block: ShownBlock) => void): void {
    this.recordings.forEach(({ trace }, recording) => {
      const placesOfParts = new Float64Array(trace.parts.length);
      const { start, duration, role } = this;
      trace.events.chunks.forEach((chunk, number) => {
        const rows = trace.events.rowsIn(number);
        const first = number * CHUNK_ROWS;
        this.fillRoles(recording, chunk, rows, first);
        if (this.axis === 'order') this.fillOrder(trace, chunk, rows, placesOfParts);
        else this.fillTimes(recording, chunk, rows);
        visit({ recording, chunk, rows, firstEvent: this.firstEvent[recording]! + first, start, duration, role });
      });
    });
  }

  private fillTimes(recording: number, chunk: EventChunk, rows: number): void {
    const { start, duration, role } = this;
    const { trace } = this.recordings[recording]!;
    const { endOfPart } = this.extents[recording]!;
    for (let i = 0; i < rows; i++) {
      const begins = chunk.start[i]!;
      // NaN and what lies before the origin (a damaged clock) has no place.
      if (!(begins >= 0)) role[i] = 0;
      start[i] = begins;
      if (chunk.flags[i]! & EVENT_FLAGS.neverReturned) {
        duration[i] = Math.max(0, endOfPart[trace.streams[chunk.stream[i]!]!.part]! - begins);
      } else duration[i] = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
    }
  }

  /** The place of each call among those of its recorded file, one unit each. */
  private fillOrder(trace: Trace, chunk: EventChunk, rows: number, placesOfParts: Float64Array): void {
    const { start, duration } = this;
    for (let i = 0; i < rows; i++) {
      const { part } = trace.streams[chunk.stream[i]!]!;
      start[i] = placesOfParts[part]!++;
      duration[i] = 1;
    }
  }

  private fillRoles(recording: number, chunk: EventChunk, rows: number, first: number): void {
    const { role, options } = this;
    const { trace, ignored } = this.recordings[recording]!;
    const only = options.only?.[recording];
    const roles = this.roles[recording];
    for (let i = 0; i < rows; i++) {
      const flags = chunk.flags[i]!;
      const file = chunk.file[i]!;
      role[i] = 0;
      if (flags & EVENT_FLAGS.restarted) continue;
      if (options.ownFilesOnly && (file === NONE || ignored[file] === 1)) continue;
      if (only !== undefined && !only.has(first + i)) continue;
      const handle = chunk.handle[i]!;
      let bits: number = ROLE.shown;
      if (flags & EVENT_FLAGS.part) bits |= ROLE.part;
      if (!(flags & NOT_COUNTED)) {
        bits |= ROLE.call;
        if (roles === undefined || roles.isOutermost[handle] === 1) bits |= ROLE.takesTime;
      }
      const isOtherSide = flags & EVENT_FLAGS.part && trace.calls.operation[chunk.call[i]!] === OPERATION.copy;
      const isRequest = roles === undefined || roles.isRequest[handle] === 1;
      if (!(flags & NOT_MEASURED) && !isOtherSide && isRequest) bits |= ROLE.isRequest;
      role[i] = bits;
    }
  }
}

function extentOf(trace: Trace, axis: 'time' | 'order'): Extent {
  const endOfPart = new Float64Array(trace.parts.length);
  let untimed = 0;
  let neverReturned = 0;
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const { part } = trace.streams[chunk.stream[i]!]!;
      const start = chunk.start[i]!;
      if (axis === 'order') endOfPart[part]!++;
      else if (!(start >= 0)) untimed++;
      else {
        const end = chunk.duration[i]! > 0 ? start + chunk.duration[i]! : start;
        if (end > endOfPart[part]!) endOfPart[part] = end;
        if (chunk.flags[i]! & EVENT_FLAGS.neverReturned) neverReturned++;
      }
    }
  });
  return { endOfPart, untimed, neverReturned };
}

function notesOf(trace: Trace, { untimed, neverReturned }: Extent, axis: 'time' | 'order'): string[] {
  if (axis === 'order') return [NO_CLOCK];
  const notes: string[] = [];
  if (trace.events.length > 0 && !trace.capabilities.duration) {
    notes.push(
      'the recording has no durations: each call is a moment (record with strace -T to see how long they take)',
    );
  }
  if (untimed > 0) notes.push(`${counted(untimed, 'call')} without a time ${untimed === 1 ? 'is' : 'are'} not shown`);
  if (neverReturned > 0) {
    const calls = counted(neverReturned, 'call');
    notes.push(`${calls} whose return was not recorded: shown to the end of the recording, not counted`);
  }
  return notes;
}
