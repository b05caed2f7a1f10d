import { NONE } from '../../trace/events.ts';
import type { Archive } from './archive.ts';
import type { Region } from './regions.ts';

/** Frames deeper than this stand directly below the last one that is kept: nobody walks deeper stacks. */
const MOST_NODES = 512;
const UNKNOWN = -2;

/** What the row of an I/O function stands for so far. */
export const CLAIM = { none: 0, metadata: 1, operation: 2 } as const;

/** The functions that a location is in, outermost first, as columns. */
export class RegionStack {
  depth = 0;
  readonly region: number[] = [];
  /** Nanoseconds. */
  readonly start: number[] = [];
  /** Row of the call in `Trace.functions`. */
  readonly call: number[] = [];
  /** Row of an I/O function in the event table, or NONE. */
  readonly row: number[] = [];
  /** Layer of that row. */
  readonly layer: number[] = [];
  /** One of CLAIM: which record the row stands for. */
  readonly claim: number[] = [];
  /** Depth of the innermost I/O function at or outside of this one, or NONE. */
  readonly innermostIo: number[] = [];
  private readonly node: number[] = [];

  constructor(private readonly archive: Archive) {}

  get top(): number {
    return this.depth - 1;
  }

  regionAt(depth: number): Region {
    return this.archive.regions[this.region[depth]!]!;
  }

  /** @param node of the call stack when it was recorded, else undefined. */
  push(region: number, isIo: boolean, start: number, call: number, node: number | undefined): void {
    const at = this.depth++;
    this.region[at] = region;
    this.start[at] = start;
    this.call[at] = call;
    this.row[at] = NONE;
    this.layer[at] = 0;
    this.claim[at] = CLAIM.none;
    this.innermostIo[at] = isIo ? at : at === 0 ? NONE : this.innermostIo[at - 1]!;
    this.node[at] = node ?? UNKNOWN;
  }

  /** The call stack at this depth. */
  nodeAt(depth: number): number {
    if (depth < 0) return NONE;
    if (this.node[depth] !== UNKNOWN) return this.node[depth]!;
    let from = depth;
    while (from > 0 && this.node[from - 1] === UNKNOWN) from--;
    for (let at = from; at <= depth; at++) {
      const caller = at === 0 ? NONE : this.node[Math.min(at - 1, MOST_NODES)]!;
      this.node[at] = this.archive.stacks.internNode(caller, this.regionAt(at).frame);
    }
    return this.node[depth];
  }

  /** The innermost row of a layer above, that is still under way; NONE when there is none. */
  rowAbove(layer: number, from = this.top): number {
    for (let at = from < 0 ? NONE : this.innermostIo[from]!; at !== NONE;) {
      if (this.row[at] !== NONE && this.layer[at]! < layer) return this.row[at]!;
      at = at === 0 ? NONE : this.innermostIo[at - 1]!;
    }
    return NONE;
  }
}
