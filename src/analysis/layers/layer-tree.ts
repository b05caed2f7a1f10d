import { getOrCreate } from '../../base/grouping.ts';
import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { CHUNK_ROWS, EVENT_FLAGS, LINKS, NONE, NOT_MEASURED, type EventTable, type Link } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { hasSeveralLayers } from './layers-present.ts';

/** What calls of one layer amount to. */
export interface LayerAmount {
  /** Index into LAYERS. */
  readonly layer: number;
  readonly calls: number;
  /** How many of them no other recorded call made; 0 where that is not asked. */
  readonly own: number;
  /** Bytes that they read or wrote. */
  readonly bytes: number;
  /** Nanoseconds in them: one call's time beside another's, and that of a call's own lower calls with it. */
  readonly timeNs: number;
}

const known = new WeakMap<EventTable, LayerTree>();
const NO_ROWS = new Int32Array(0);

/**
 * Which calls became which: from a call of an upper layer to those of lower layers that it made, and back (docs/layers.md).
 * Rows of the event table stand for calls. Parts of calls (EVENT_FLAGS.part) are no lower calls and not in it. Built from
 * the links at the first question, in two passes and 12 bytes for each event; recordings of one layer build nothing.
 */
export class LayerTree {
  /** Row of the call that made each, or NONE. Empty where nothing is linked, as are the others. */
  private readonly parents: Int32Array;
  /** Calls that row `r` made are those at `first[r]` to before `first[r + 1]`. */
  private readonly first: Int32Array;
  private readonly children: Int32Array;
  private readonly movesBytes: Uint8Array;

  private constructor(private readonly trace: Trace) {
    const { events, calls } = trace;
    const isLinked = hasSeveralLayers(trace);
    this.parents = isLinked ? parentsOf(events) : NO_ROWS;
    [this.first, this.children] = childrenOf(this.parents);
    this.movesBytes = Uint8Array.from(calls.operation, (operation) => (MOVING.has(operation) ? 1 : 0));
  }

  /** The tree of a recording, whose links must no longer change. */
  static of(trace: Trace): LayerTree {
    const tree = getOrCreate(known, trace.events, () => new LayerTree(trace));
    return tree;
  }

  /** Whether any call is linked with one of another layer. */
  get hasLinks(): boolean {
    return this.children.length > 0;
  }

  /** The call of an upper layer that made this one, or NONE. */
  parentOf(row: number): number {
    return this.parents[row] ?? NONE;
  }

  /** How it is known what made a call. */
  linkOf(row: number): Link {
    return LINKS[this.trace.events.value('link', row)]!;
  }

  /** The calls that this one made, in the order of their rows: by start, as far as they are of one stream. */
  childrenOf(row: number): Int32Array {
    return this.first.length === 0 ? NO_ROWS : this.children.subarray(this.first[row], this.first[row + 1]);
  }

  /** From the call that made this one to the program's own. */
  ancestorsOf(row: number): number[] {
    const chain: number[] = [];
    // No recording has more layers than a few: one that leads round in a circle is damaged.
    for (let at = this.parentOf(row); at !== NONE && chain.length < MOST_ANCESTORS; at = this.parentOf(at))
      chain.push(at);
    return chain;
  }

  /** The program's own call above this one: this one itself where nothing made it. */
  outermostOf(row: number): number {
    return this.ancestorsOf(row).at(-1) ?? row;
  }

  /** Calls visit for each call below this one, those that a call made directly behind it. */
  forEachBelow(row: number, visit: (row: number) => void): void {
    // Each call is below one other at most: only rows that lead round in a circle come twice.
    const open = [...this.childrenOf(row)].reverse();
    for (let left = this.children.length; open.length > 0 && left > 0; left--) {
      const next = open.pop()!;
      visit(next);
      const inner = this.childrenOf(next);
      for (let at = inner.length - 1; at >= 0; at--) open.push(inner[at]!);
    }
  }

  /** What a call became: the calls below it by layer, the highest layer first. */
  amountsBelow(row: number): LayerAmount[] {
    const sums = new LayerSums();
    this.forEachBelow(row, (below) => this.addTo(sums, below));
    return sums.amounts();
  }

  private addTo(sums: LayerSums, row: number): void {
    const { events } = this.trace;
    if (events.value('flags', row) & NOT_MEASURED) return;
    const moves = this.movesBytes[events.value('call', row)] === 1;
    const bytes = moves ? events.value('bytes', row) : 0;
    sums.add(events.value('layer', row), bytes, events.value('duration', row));
  }
}

const MOST_ANCESTORS = 64;
const MOVING: ReadonlySet<number> = new Set([OPERATION.read, OPERATION.write, OPERATION.copy]);

/** Sums by layer. */
export class LayerSums {
  private readonly calls = new Float64Array(LAYERS.length);
  private readonly own = new Float64Array(LAYERS.length);
  private readonly bytes = new Float64Array(LAYERS.length);
  private readonly time = new Float64Array(LAYERS.length);

  /** @param durationNs NaN when unknown. */
  add(layer: number, bytes: number, durationNs: number, isOwn = false): void {
    this.calls[layer]!++;
    if (isOwn) this.own[layer]!++;
    this.bytes[layer]! += bytes;
    if (durationNs > 0) this.time[layer]! += durationNs;
  }

  /** Of the layers that anything was added to, the highest first. */
  amounts(): LayerAmount[] {
    return [...LAYERS.keys()]
      .filter((layer) => this.calls[layer]! > 0)
      .map((layer) => ({
        layer,
        calls: this.calls[layer]!,
        own: this.own[layer]!,
        bytes: this.bytes[layer]!,
        timeNs: this.time[layer]!,
      }));
  }
}

function parentsOf(events: EventTable): Int32Array {
  const parents = new Int32Array(events.length).fill(NONE);
  let linked = 0;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const parent = chunk.parent[i]!;
      if (parent < 0 || parent >= parents.length || chunk.flags[i]! & EVENT_FLAGS.part) continue;
      parents[number * CHUNK_ROWS + i] = parent;
      linked++;
    }
  });
  return linked > 0 ? parents : NO_ROWS;
}

function childrenOf(parents: Int32Array): [first: Int32Array, children: Int32Array] {
  if (parents.length === 0) return [NO_ROWS, NO_ROWS];
  const first = new Int32Array(parents.length + 1);
  for (const parent of parents) if (parent !== NONE) first[parent + 1]!++;
  for (let row = 0; row < parents.length; row++) first[row + 1]! += first[row]!;
  const children = new Int32Array(first[parents.length]!);
  const next = first.slice();
  parents.forEach((parent, row) => {
    if (parent !== NONE) children[next[parent]!++] = row;
  });
  return [first, children];
}
