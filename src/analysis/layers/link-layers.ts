import { EVENT_FLAGS, LINK, NONE, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import { CHUNK_ROWS } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { CallerScopes } from './caller-scopes.ts';
import { AMBIGUOUS, EnclosingCalls } from './enclosing-calls.ts';
import { handleFamilies } from './handle-families.ts';
import { hasSeveralLayers, layersPresent } from './layers-present.ts';

export interface LinkOptions {
  /**
   * Nanoseconds by which a call may begin before, or end after, the one that made it: the clocks of joined recordings agree
   * to so much. 0 for recordings of one source.
   */
  readonly toleranceNs?: number;
}

/** How many calls were linked, and how. */
export interface LinkCounts {
  readonly handle: number;
  readonly time: number;
  /** Lie within several calls of one layer at once: they stay without a parent. */
  readonly ambiguous: number;
}

/**
 * Fills `parent` and `link` of the calls that a reader left without: with the call of an upper layer whose time contains
 * theirs, in the same stream, or in another stream of the same process that records no calls of this layer itself. A call
 * whose handle belongs to theirs comes first (LINK.handle), one on the same file second (LINK.time). Of several layers the
 * nearest counts, and of its calls one that the program waited for before one that was only begun. Where two calls of that
 * layer contain the time nobody knows which it was, and the call stays as it is (docs/layers.md).
 *
 * Two passes over the events, in no order of them, and memory for the calls of upper layers.
 */
export function linkLayers(trace: Trace, { toleranceNs = 0 }: LinkOptions = {}): LinkCounts {
  if (!hasSeveralLayers(trace) || !trace.capabilities.time) return { handle: 0, time: 0, ambiguous: 0 };
  return new LayerLinks(trace, toleranceNs).link();
}

/** Reasons why a row has no known end, or is no call of its own. */
const NO_CALLER = NOT_MEASURED | EVENT_FLAGS.part | EVENT_FLAGS.beginningLost;

class LayerLinks {
  private readonly scopes: CallerScopes;
  private readonly families: Int32Array | undefined;
  private readonly byFile: EnclosingCalls;
  private readonly byHandle: EnclosingCalls;
  private readonly lowest: number;
  /** Layers that rows are of, as levels of `EnclosingCalls`, nearest first, for each layer below them. */
  private readonly levelsAbove: readonly (readonly number[])[];
  private found = { handle: 0, time: 0, ambiguous: 0 };

  constructor(
    private readonly trace: Trace,
    toleranceNs: number,
  ) {
    const { all, byStream } = layersPresent(trace);
    this.scopes = new CallerScopes(trace, byStream);
    this.families = handleFamilies(trace.handles);
    this.byFile = new EnclosingCalls(trace.files.length, toleranceNs);
    this.byHandle = new EnclosingCalls(trace.handles.length, toleranceNs);
    this.lowest = 31 - Math.clz32(all);
    this.levelsAbove = Array.from({ length: this.lowest + 1 }, (_, layer) =>
      Array.from({ length: layer }, (_above, up) => layer - 1 - up)
        .filter((above) => (all & (1 << above)) !== 0)
        .flatMap((above) => [levelOf(above, false), levelOf(above, true)]),
    );
  }

  link(): LinkCounts {
    const { events } = this.trace;
    events.chunks.forEach((chunk, number) => {
      this.gather(chunk, events.rowsIn(number), number * CHUNK_ROWS);
    });
    if (this.byFile.isEmpty && this.byHandle.isEmpty) return this.found;
    events.update((chunk, number) => {
      const rows = events.rowsIn(number);
      for (let i = 0; i < rows; i++) if (this.wantsParent(chunk, i)) this.linkRow(chunk, i);
    });
    return this.found;
  }

  private gather(chunk: EventChunk, rows: number, first: number): void {
    const { scopes, families, lowest } = this;
    for (let i = 0; i < rows; i++) {
      const layer = chunk.layer[i]!;
      const flags = chunk.flags[i]!;
      if (layer >= lowest || flags & NO_CALLER) continue;
      const start = chunk.start[i]!;
      const end = start + chunk.duration[i]!;
      if (!(end >= start)) continue;
      const level = levelOf(layer, (flags & EVENT_FLAGS.nonBlocking) !== 0);
      const stream = chunk.stream[i]!;
      const outside = scopes.outside(stream);
      const file = chunk.file[i]!;
      if (file !== NONE) {
        this.byFile.add(stream, file, level, start, end, first + i);
        if (outside !== NONE) this.byFile.add(outside, file, level, start, end, first + i);
      }
      const family = this.familyOf(families, chunk.handle[i]!);
      if (family === NONE) continue;
      this.byHandle.add(stream, family, level, start, end, first + i);
      if (outside !== NONE) this.byHandle.add(outside, family, level, start, end, first + i);
    }
  }

  private wantsParent(chunk: EventChunk, i: number): boolean {
    const flags = chunk.flags[i]!;
    // A call that never returned has no known end, so nobody knows what contains it.
    return chunk.parent[i] === NONE && !(flags & (EVENT_FLAGS.part | NOT_MEASURED)) && chunk.layer[i]! > 0;
  }

  private linkRow(chunk: EventChunk, i: number): void {
    const { families, byFile, byHandle, found } = this;
    const levels = this.levelsAbove[chunk.layer[i]!]!;
    const start = chunk.start[i]!;
    if (levels.length === 0 || Number.isNaN(start)) return;
    const end = chunk.duration[i]! > 0 ? start + chunk.duration[i]! : start;
    const family = this.familyOf(families, chunk.handle[i]!);
    const file = chunk.file[i]!;
    let parent = family === NONE ? NONE : this.search(byHandle, chunk, i, family, levels, start, end);
    let link: number = LINK.handle;
    if (parent === NONE && file !== NONE) {
      parent = this.search(byFile, chunk, i, file, levels, start, end);
      link = LINK.time;
    }
    if (parent === AMBIGUOUS) found.ambiguous++;
    if (parent < 0) return;
    chunk.parent[i] = parent;
    chunk.link[i] = link;
    if (link === LINK.handle) found.handle++;
    else found.time++;
  }

  /** The caller in the row's own stream, or else in the others of its process that lack its layer. */
  private search(
    calls: EnclosingCalls,
    chunk: EventChunk,
    i: number,
    subject: number,
    levels: readonly number[],
    start: number,
    end: number,
  ): number {
    const stream = chunk.stream[i]!;
    for (const level of levels) {
      const row = calls.find(stream, subject, level, start, end);
      if (row !== NONE) return row;
    }
    const others = this.scopes.othersLacking(stream, chunk.layer[i]!);
    if (others.length === 0) return NONE;
    for (const level of levels) {
      let only = NONE;
      for (const scope of others) {
        const row = calls.find(scope, subject, level, start, end);
        if (row !== NONE) only = only === NONE ? row : AMBIGUOUS;
      }
      if (only !== NONE) return only;
    }
    return NONE;
  }

  private familyOf(families: Int32Array | undefined, handle: number): number {
    return families === undefined || handle === NONE ? NONE : families[handle]!;
  }
}

function levelOf(layer: number, isOnlyBegun: boolean): number {
  return layer * 2 + (isOnlyBegun ? 1 : 0);
}
