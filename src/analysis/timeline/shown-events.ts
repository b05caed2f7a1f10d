import { OPERATION } from '../../trace/calls.ts';
import { CHUNK_MASK, CHUNK_ROWS, EVENT_FLAGS, NONE, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { counterLacks } from '../lacks/counter-lacks.ts';
import { LAYER_ROLE, layerRoles, type LayerRoles } from '../metrics/layer-roles.ts';
import { counted } from '../../base/quantities.ts';
import type { EventMask } from '../selection/event-mask.ts';
import { hasHeatmaps } from './heatmap-lanes.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** What an event counts as; bits. */
export const ROLE = {
  /** It has a place in rows. */
  shown: 1,
  /** It counts, as for the metrics: a call (or a request that one submitted) that was seen from start to end. */
  call: 2,
  /** The program itself waits for it (the outermost call): its time counts. */
  takesTime: 4,
  /** A request that reaches the file (the lowest layer): it counts, and so do its bytes. */
  isRequest: 8,
  /** A part of a call: the other file of a copy, or a request that it submitted. It is drawn in rows of files alone. */
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

/** One event as a timeline shows it. The same object for each visit. */
export interface ShownEvent {
  recording: number;
  chunk: EventChunk;
  /** Its place in the chunk. */
  i: number;
  /** Its number among those of all recordings. */
  event: number;
  start: number;
  duration: number;
  role: number;
}

interface ShownOptions {
  /** Leaves out what findings leave out: files of the system, and calls without a file. */
  readonly ownFilesOnly: boolean;
  /** By recording: events that are left in; absent where nothing is left out. */
  readonly only?: readonly Pick<EventMask, 'has'>[];
}

/** Rows of a chunk whose times are summed up, so that those of a window are found without going through all. */
const PIECE_ROWS = 64;

/** What has to be known of a recording before its events can be shown. */
interface Extent {
  /** End of the last call of each part of the recording, nanoseconds. */
  readonly endOfPart: Float64Array;
  /** By 64 rows: the first start and the last end. */
  readonly firstStart: Float64Array;
  readonly lastEnd: Float64Array;
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

  /** Where an event stands on the axis; NaN when it has no place on it. */
  startOf(event: number): number {
    const recording = this.recordingOf(event);
    if (this.axis === 'time')
      return this.recordings[recording]!.trace.events.value('start', event - this.firstEvent[recording]!);
    let found = NaN;
    this.forEachBlock(({ firstEvent, rows, start }) => {
      if (event >= firstEvent && event < firstEvent + rows) found = start[event - firstEvent]!;
    });
    return found;
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

  /**
   * Visits the events that lie at least partly in `from` to before `to` (a moment where it is), without going through all
   * of a recording that has a clock.
   */
  forEachWithin(from: number, to: number, visit: (event: ShownEvent) => void): void {
    const found = { recording: 0, event: 0, i: 0, start: 0, duration: 0, role: 0 } as ShownEvent;
    if (this.axis === 'order') {
      this.forEachBlock(({ recording, chunk, rows, firstEvent, start, duration, role }) => {
        for (let i = 0; i < rows; i++) {
          if (role[i] === 0 || start[i]! >= to || start[i]! + duration[i]! <= from) continue;
          Object.assign(found, { recording, chunk, i, event: firstEvent + i, start: start[i], duration: duration[i] });
          found.role = role[i]!;
          visit(found);
        }
      });
      return;
    }
    this.extents.forEach(({ firstStart, lastEnd }, recording) => {
      for (let piece = 0; piece < firstStart.length; piece++) {
        if (firstStart[piece]! < to && lastEnd[piece]! >= from)
          this.visitPiece(recording, piece, { from, to }, found, visit);
      }
    });
  }

  private visitPiece(
    recording: number,
    piece: number,
    { from, to }: { readonly from: number; readonly to: number },
    found: ShownEvent,
    visit: (event: ShownEvent) => void,
  ): void {
    const { events } = this.recordings[recording]!.trace;
    const first = piece * PIECE_ROWS;
    const chunk = events.chunkOf(first);
    const end = Math.min(first + PIECE_ROWS, events.length);
    for (let row = first; row < end; row++) {
      const i = row & CHUNK_MASK;
      const start = chunk.start[i]!;
      if (!(start >= 0 && start < to)) continue;
      const duration = this.drawnDuration(recording, chunk, i);
      if (start < from && start + duration <= from) continue;
      const role = this.roleOf(recording, chunk, i, row);
      if (role === 0) continue;
      found.recording = recording;
      found.chunk = chunk;
      found.i = i;
      found.event = this.firstEvent[recording]! + row;
      found.start = start;
      found.duration = duration;
      found.role = role;
      visit(found);
    }
  }

  private fillTimes(recording: number, chunk: EventChunk, rows: number): void {
    const { start, duration, role } = this;
    for (let i = 0; i < rows; i++) {
      const begins = chunk.start[i]!;
      // NaN and what lies before the origin (a damaged clock) has no place.
      if (!(begins >= 0)) role[i] = 0;
      start[i] = begins;
      duration[i] = this.drawnDuration(recording, chunk, i);
    }
  }

  private drawnDuration(recording: number, chunk: EventChunk, i: number): number {
    if (!(chunk.flags[i]! & EVENT_FLAGS.neverReturned)) return chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
    const { streams, capabilities } = this.recordings[recording]!.trace;
    // Where nothing has a duration all are moments.
    if (!capabilities.duration) return 0;
    const { part } = streams[chunk.stream[i]!]!;
    return Math.max(0, this.extents[recording]!.endOfPart[part]! - chunk.start[i]!);
  }

  /** The place of each call among those of its recorded file, one unit each. */
  private fillOrder(trace: Trace, chunk: EventChunk, rows: number, placesOfParts: Float64Array): void {
    const { start, duration } = this;
    for (let i = 0; i < rows; i++) {
      const { part } = trace.streams[chunk.stream[i]!]!;
      // A part of a call stands where its call does.
      const isPart = chunk.flags[i]! & EVENT_FLAGS.part;
      start[i] = isPart ? Math.max(0, placesOfParts[part]! - 1) : placesOfParts[part]!++;
      duration[i] = 1;
    }
  }

  private fillRoles(recording: number, chunk: EventChunk, rows: number, first: number): void {
    for (let i = 0; i < rows; i++) this.role[i] = this.roleOf(recording, chunk, i, first + i);
  }

  private roleOf(recording: number, chunk: EventChunk, i: number, row: number): number {
    const { trace, ignored } = this.recordings[recording]!;
    const { ownFilesOnly, only } = this.options;
    const flags = chunk.flags[i]!;
    const file = chunk.file[i]!;
    if (flags & EVENT_FLAGS.restarted) return 0;
    if (ownFilesOnly && (file === NONE || ignored[file] === 1)) return 0;
    if (only !== undefined && !only[recording]!.has(row)) return 0;
    let role: number = ROLE.shown;
    if (flags & EVENT_FLAGS.part) {
      role |= ROLE.part;
      // The other side of a copy: its call's own row counts.
      if (trace.calls.operation[chunk.call[i]!] === OPERATION.copy) return role;
    }
    if (flags & NOT_MEASURED) return role;
    const roles = this.roles[recording];
    role |= ROLE.call;
    if (roles === undefined) return role | ROLE.takesTime | ROLE.isRequest;
    const inLayers = roles.of(chunk, i);
    if (inLayers & LAYER_ROLE.outermost) role |= ROLE.takesTime;
    if (inLayers & LAYER_ROLE.request) role |= ROLE.isRequest;
    return role;
  }
}

function extentOf(trace: Trace, axis: 'time' | 'order'): Extent {
  const endOfPart = new Float64Array(trace.parts.length);
  const pieces = Math.ceil(trace.events.length / PIECE_ROWS);
  const firstStart = new Float64Array(axis === 'time' ? pieces : 0).fill(Infinity);
  const lastEnd = new Float64Array(firstStart.length).fill(-Infinity);
  let untimed = 0;
  let neverReturned = 0;
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const { part } = trace.streams[chunk.stream[i]!]!;
      const start = chunk.start[i]!;
      if (axis === 'order') endOfPart[part]! += chunk.flags[i]! & EVENT_FLAGS.part ? 0 : 1;
      else if (!(start >= 0)) untimed++;
      else {
        const piece = Math.floor((number * CHUNK_ROWS + i) / PIECE_ROWS);
        const end = chunk.duration[i]! > 0 ? start + chunk.duration[i]! : start;
        if (end > endOfPart[part]!) endOfPart[part] = end;
        if (start < firstStart[piece]!) firstStart[piece] = start;
        if (end > lastEnd[piece]!) lastEnd[piece] = end;
        if (!(chunk.flags[i]! & EVENT_FLAGS.neverReturned)) continue;
        // It is shown to the end of its part, which is not known yet.
        lastEnd[piece] = Infinity;
        if (!LEAVES.has(trace.calls.names[chunk.call[i]!]!)) neverReturned++;
      }
    }
  });
  return { endOfPart, firstStart, lastEnd, untimed, neverReturned };
}

/** Calls that cannot return: nothing is missing from a recording that ends with them. */
const LEAVES: ReadonlySet<string> = new Set(['exit', 'exit_group', 'execve']);

function notesOf(trace: Trace, { untimed, neverReturned }: Extent, axis: 'time' | 'order'): string[] {
  if (trace.events.length === 0) return [noCalls(trace)];
  if (axis === 'order') return [NO_CLOCK];
  const notes: string[] = [];
  if (!trace.capabilities.duration) {
    notes.push(
      'the recording has no durations: each call is a moment (record with strace -T to see how long they take)',
    );
  }
  if (untimed > 0) notes.push(`${counted(untimed, 'call')} without a time ${untimed === 1 ? 'is' : 'are'} not shown`);
  if (neverReturned > 0 && trace.capabilities.duration) {
    const calls = counted(neverReturned, 'call');
    notes.push(`${calls} whose return was not recorded: shown to the end of the recording, not counted`);
  }
  return notes;
}

/** Why a recording has no rows, and how to record one that has. */
function noCalls(trace: Trace): string {
  const lack = counterLacks(trace).find(({ name }) => name === 'segments');
  if (lack === undefined) return 'the recording holds no single calls';
  const lanes = hasHeatmaps(trace) ? '; the lanes of bytes come from its heatmap' : '';
  return `the recording holds ${lack.what}: there is nothing to put into rows${lanes}. To see calls, ${lack.remedy}`;
}
