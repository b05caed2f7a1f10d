import { CHUNK_ROWS, EVENT_FLAGS, LINK, NONE, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { HandleIndex } from '../../trace/indices.ts';
import { CallerScopes } from './caller-scopes.ts';
import { oneClock, type Clocks } from './clocks.ts';
import { AMBIGUOUS, EnclosingCalls } from './enclosing-calls.ts';
import { FilesFromBelow } from './files-from-below.ts';
import { handleFamilies } from './handle-families.ts';
import { hasSeveralLayers, layersPresent } from './layers-present.ts';

/** How many calls were linked, and how. */
interface LinkCounts {
  readonly handle: number;
  readonly time: number;
  /** Lie within several calls of one layer at once: they stay without a parent. */
  readonly ambiguous: number;
  /** May lie within a call of another recording, but the clocks agree too roughly to be sure: no parent either. */
  readonly uncertain: number;
}

const NOTHING: LinkCounts = { handle: 0, time: 0, ambiguous: 0, uncertain: 0 };

/**
 * Fills `parent` and `link` of the calls that a reader left without: with the call of an upper layer whose time contains
 * theirs, in the same stream, or in another stream of the same process that records no calls of this layer itself. A call
 * whose handle belongs to theirs comes first (LINK.handle), one on the same file second (LINK.time). A call on a file that
 * finds none of these is given to one that knows no file itself, by time alone (LINK.time), which takes its file from it. Of several layers the nearest
 * counts, and of its calls one that the program waited for before one that was only begun. Where two calls of that
 * layer contain the time nobody knows which it was, and the call stays as it is (docs/layers.md).
 *
 * Two passes over the events, in no order of them, and memory for the calls of upper layers.
 */
export function linkLayers(trace: Trace, clocks: Clocks = oneClock(trace)): LinkCounts {
  if (!hasSeveralLayers(trace) || !trace.capabilities.time) return NOTHING;
  return new LayerLinks(trace, clocks).link();
}

/** Reasons why a row has no known end, or is no call of its own. */
const NO_CALLER = NOT_MEASURED | EVENT_FLAGS.part | EVENT_FLAGS.beginningLost;

/** The subject of calls that name none. */
const ONLY = 0;

class LayerLinks {
  private readonly scopes: CallerScopes;
  private readonly families: Int32Array | undefined;
  private readonly byFile: EnclosingCalls;
  private readonly byHandle: EnclosingCalls;
  /** Calls that know neither a file nor a handle, all on one subject. */
  private readonly byTime: EnclosingCalls;
  private readonly files = new FilesFromBelow();
  private readonly lowest: number;
  /** Layers that rows are of, as levels of `EnclosingCalls`, nearest first, for each layer below them. */
  private readonly levelsAbove: readonly (readonly number[])[];
  private readonly found = { ...NOTHING };
  /** Whether a call of another recording may contain the row, as far as the clocks are known. */
  private isUncertain = false;

  constructor(
    private readonly trace: Trace,
    private readonly clocks: Clocks,
  ) {
    const { all, upperRows, byStream } = layersPresent(trace);
    this.scopes = new CallerScopes(trace, byStream, clocks.sourceOfStream);
    this.families = handleFamilies(trace.handles);
    const room = Math.max(1, upperRows);
    this.byFile = new EnclosingCalls(trace.files.length, room);
    this.byHandle = new EnclosingCalls(trace.handles.length, this.families === undefined ? 1 : room);
    this.byTime = new EnclosingCalls(1, 1);
    this.lowest = 31 - Math.clz32(all);
    this.levelsAbove = Array.from({ length: this.lowest + 1 }, (_, layer) =>
      Array.from({ length: layer }, (_above, up) => layer - 1 - up)
        .filter((above) => (all & (1 << above)) !== 0)
        .flatMap((above) => [levelOf(above, false), levelOf(above, true)]),
    );
  }

  link(): LinkCounts {
    const { events } = this.trace;
    events.chunks.forEach((chunk, number) => this.gather(chunk, events.rowsIn(number), number * CHUNK_ROWS));
    if (this.byFile.isEmpty && this.byHandle.isEmpty && this.byTime.isEmpty) return this.found;
    events.update((chunk, number) => {
      const rows = events.rowsIn(number);
      for (let i = 0; i < rows; i++) if (this.wantsParent(chunk, i)) this.linkRow(chunk, i);
    });
    this.files.fill(events);
    return this.found;
  }

  private gather(chunk: EventChunk, rows: number, first: number): void {
    const { families, lowest } = this;
    for (let i = 0; i < rows; i++) {
      const layer = chunk.layer[i]!;
      const flags = chunk.flags[i]!;
      if (layer >= lowest || flags & NO_CALLER) continue;
      const start = chunk.start[i]!;
      const end = start + chunk.duration[i]!;
      if (!(end >= start)) continue;
      const file = chunk.file[i]!;
      const family = this.familyOf(families, chunk.handle[i]!);
      if (file !== NONE) this.add(this.byFile, file, chunk, i, first + i);
      if (family !== NONE) this.add(this.byHandle, family, chunk, i, first + i);
      if (file === NONE && family === NONE) this.add(this.byTime, ONLY, chunk, i, first + i);
    }
  }

  /** To the calls of the row's own stream, and to those that other streams of its process are shown. */
  private add(calls: EnclosingCalls, subject: number, chunk: EventChunk, i: number, row: number): void {
    const level = levelOf(chunk.layer[i]!, (chunk.flags[i]! & EVENT_FLAGS.nonBlocking) !== 0);
    const stream = chunk.stream[i]!;
    const start = chunk.start[i]!;
    const end = start + chunk.duration[i]!;
    const outside = this.scopes.outside(stream);
    calls.add(calls.groupOf(stream, subject, level), start, end, row);
    if (outside !== NONE) calls.add(calls.groupOf(outside, subject, level), start, end, row);
  }

  private wantsParent(chunk: EventChunk, i: number): boolean {
    const flags = chunk.flags[i]!;
    // A call that never returned has no known end, so nobody knows what contains it.
    return chunk.parent[i] === NONE && !(flags & (EVENT_FLAGS.part | NOT_MEASURED)) && chunk.layer[i]! > 0;
  }

  private linkRow(chunk: EventChunk, i: number): void {
    const { families, byFile, byHandle, byTime, found } = this;
    if (this.levelsAbove[chunk.layer[i]!]!.length === 0 || Number.isNaN(chunk.start[i]!)) return;
    const family = this.familyOf(families, chunk.handle[i]!);
    const file = chunk.file[i]!;
    let parent = family === NONE ? NONE : this.search(byHandle, family, chunk, i);
    let link: number = LINK.handle;
    if (parent === NONE && file !== NONE) {
      parent = this.search(byFile, file, chunk, i);
      // What touches no file may be anything that the process did meanwhile.
      if (parent === NONE && !byTime.isEmpty) {
        parent = this.search(byTime, ONLY, chunk, i);
        if (parent >= 0) this.files.add(parent, file, chunk.bytes[i]!);
      }
      link = LINK.time;
    }
    if (parent === AMBIGUOUS) found.ambiguous++;
    else if (parent === NONE && this.isUncertain) found.uncertain++;
    this.isUncertain = false;
    if (parent < 0) return;
    chunk.parent[i] = parent;
    chunk.link[i] = link;
    if (link === LINK.handle) found.handle++;
    else found.time++;
  }

  /** The caller in the row's own stream, or else in the others of its process that lack its layer. */
  private search(calls: EnclosingCalls, subject: number, chunk: EventChunk, i: number): number {
    const levels = this.levelsAbove[chunk.layer[i]!]!;
    const start = chunk.start[i]!;
    const end = chunk.duration[i]! > 0 ? start + chunk.duration[i]! : start;
    const stream = chunk.stream[i]!;
    for (const level of levels) {
      const row = calls.find(calls.knownGroup(stream, subject, level), start, end, 0);
      if (row !== NONE) return row;
    }
    const others = this.scopes.othersLacking(stream, chunk.layer[i]!);
    if (others.length === 0) return NONE;
    const source = this.clocks.sourceOfStream[stream]!;
    for (const level of levels) {
      let only = NONE;
      for (const { scope, source: other } of others) {
        const tolerance = this.clocks.toleranceNs(source, other);
        const group = calls.knownGroup(scope, subject, level);
        const row = calls.find(group, start, end, tolerance);
        if (row === NONE && tolerance < 0 && calls.find(group, start, end, -tolerance) !== NONE)
          this.isUncertain = true;
        if (row !== NONE) only = only === NONE ? row : AMBIGUOUS;
      }
      if (only !== NONE) return only;
    }
    return NONE;
  }

  private familyOf(families: Int32Array | undefined, handle: HandleIndex): number {
    return families === undefined || handle === NONE ? NONE : families[handle]!;
  }
}

function levelOf(layer: number, isOnlyBegun: boolean): number {
  return layer * 2 + (isOnlyBegun ? 1 : 0);
}
