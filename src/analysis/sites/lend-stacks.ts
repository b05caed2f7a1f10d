import { getOrCreate } from '../../base/grouping.ts';
import { IntegerColumn } from '../../trace/columns.ts';
import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, StackNode, StreamIndex } from '../../trace/indices.ts';

/** How many events got a stack from where. */
export interface LentStacks {
  /** Events that had none. */
  readonly wanting: number;
  /** Got the stack of the call that stands at the same place among the calls of this name on this file. */
  readonly byOrder: number;
  /** Got stacks in the proportion that the sample shows for such calls. */
  readonly byShare: number;
}

/**
 * Gives events that were recorded without stacks those of a sample: another run of the same program, or other ranks of
 * the same run, recorded with stacks (docs/decisions/0025). Where both hold a call on a file equally often, they are taken
 * for the same calls in the same order. Otherwise the stacks are shared out as the sample has them for that call, file and
 * size; where the file is not in the sample, for files whose names differ by digits only (ranks, steps).
 *
 * @param sample can be `trace` itself.
 * @param wants whether the events of a stream are to get stacks; the others of `trace` stay as they are.
 * @param lends whether a stream of the sample is the same program's.
 */
export function lendStacks(
  trace: Trace,
  sample: Trace,
  wants: (stream: StreamIndex) => boolean,
  lends: (stream: StreamIndex) => boolean = () => true,
): LentStacks {
  const lenders = lendersOf(sample, nodesInto(trace, sample), lends);
  const wanted = countWanted(trace, wants);
  const found = new Map<number, Finder>();
  const sums = { wanting: 0, byOrder: 0, byShare: 0 };
  trace.events.update((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (!isWanting(chunk.stack[i]!, chunk.flags[i]!) || !wants(chunk.stream[i]!)) continue;
      sums.wanting++;
      const key = keyOf(chunk.call[i]!, chunk.file[i]!);
      const finder = getOrCreate(found, key, () =>
        finderFor(trace, lenders, chunk.call[i]!, chunk.file[i]!, wanted.get(key)!),
      );
      const node = finder.inOrder?.at(finder.next++) ?? share(finder.shares, chunk.requested[i]!);
      if (node === NONE) continue;
      chunk.stack[i] = node;
      if (finder.inOrder === undefined) sums.byShare++;
      else sums.byOrder++;
    }
  });
  return sums;
}

function isWanting(stack: number, flags: number): boolean {
  return stack === NONE && (flags & NOT_COUNTED) === 0;
}

/** Calls and files of one trace in one number; the files begin at −1. */
function keyOf(call: number, file: FileIndex): number {
  return call * 0x1_0000_0000 + file + 1;
}

function pathOf(trace: Trace, file: FileIndex): string {
  return file === NONE ? '' : trace.files.at(file).path;
}

function general(path: string): string {
  return path.replace(/\d+/g, '#');
}

/** Stacks of calls that have something in common, to be shared out in their proportion. */
class Tally {
  private readonly nodes: number[] = [];
  private readonly places = new Map<number, number>();
  private readonly counts: number[] = [];
  private readonly given: number[] = [];
  private total = 0;
  private handed = 0;

  add(node: StackNode): void {
    let at = this.places.get(node);
    if (at === undefined) {
      at = this.nodes.push(node) - 1;
      this.places.set(node, at);
      this.counts.push(0);
      this.given.push(0);
    }
    this.counts[at]!++;
    this.total++;
  }

  /** The node that is furthest behind its share. */
  next(): number {
    this.handed++;
    let best = 0;
    let behind = -Infinity;
    for (let at = 0; at < this.nodes.length; at++) {
      const owed = (this.counts[at]! / this.total) * this.handed - this.given[at]!;
      if (owed > behind) {
        behind = owed;
        best = at;
      }
    }
    this.given[best]!++;
    return this.nodes[best]!;
  }
}

class Lender {
  readonly all = new Tally();
  readonly bySize = new Map<number, Tally>();

  add(node: StackNode, requested: number): void {
    this.all.add(node);
    const tally = getOrCreate(this.bySize, requested, () => new Tally());
    tally.add(node);
  }
}

interface Lenders {
  /** Nodes of the calls in their order, by call and path. */
  readonly orders: ReadonlyMap<string, IntegerColumn>;
  readonly byPath: ReadonlyMap<string, Lender>;
  readonly byGeneralPath: ReadonlyMap<string, Lender>;
}

/** What one call on one file is given. */
interface Finder {
  readonly inOrder: IntegerColumn | undefined;
  next: number;
  readonly shares: readonly Lender[];
}

function lendersOf(sample: Trace, nodes: Int32Array, lends: (stream: StreamIndex) => boolean): Lenders {
  const orders = new Map<string, IntegerColumn>();
  const byPath = new Map<string, Lender>();
  const byGeneralPath = new Map<string, Lender>();
  const known = new Map<number, { order: IntegerColumn; lenders: Lender[] }>();
  const { events } = sample;
  const lenderIn = (map: Map<string, Lender>, key: string): Lender => {
    const lender = map.get(key) ?? new Lender();
    map.set(key, lender);
    return lender;
  };
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const node = chunk.stack[i]!;
      if (node === NONE || chunk.flags[i]! & NOT_COUNTED || !lends(chunk.stream[i]!)) continue;
      const key = keyOf(chunk.call[i]!, chunk.file[i]!);
      let of = known.get(key);
      if (of === undefined) {
        const call = sample.calls.names[chunk.call[i]!]!;
        const path = pathOf(sample, chunk.file[i]!);
        // Two hosts can have files of one path.
        const order = orders.get(`${call} ${path}`) ?? new IntegerColumn();
        orders.set(`${call} ${path}`, order);
        const lenders = [lenderIn(byPath, `${call} ${path}`), lenderIn(byGeneralPath, `${call} ${general(path)}`)];
        of = { order, lenders };
        known.set(key, of);
      }
      of.order.push(nodes[node]!);
      for (const lender of of.lenders) lender.add(nodes[node]!, chunk.requested[i]!);
    }
  });
  return { orders, byPath, byGeneralPath };
}

function countWanted(trace: Trace, wants: (stream: StreamIndex) => boolean): Map<number, number> {
  const counts = new Map<number, number>();
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (!isWanting(chunk.stack[i]!, chunk.flags[i]!) || !wants(chunk.stream[i]!)) continue;
      const key = keyOf(chunk.call[i]!, chunk.file[i]!);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  });
  return counts;
}

function finderFor(trace: Trace, lenders: Lenders, call: number, file: FileIndex, wanted: number): Finder {
  const name = trace.calls.names[call]!;
  const path = pathOf(trace, file);
  const order = lenders.orders.get(`${name} ${path}`);
  const shares = [lenders.byPath.get(`${name} ${path}`), lenders.byGeneralPath.get(`${name} ${general(path)}`)];
  return {
    inOrder: order?.length === wanted ? order : undefined,
    next: 0,
    shares: shares.filter((lender) => lender !== undefined),
  };
}

function share(lenders: readonly Lender[], requested: number): number {
  const [first] = lenders;
  if (first === undefined) return NONE;
  return (first.bySize.get(requested) ?? first.all).next();
}

/** For each node of the sample's stacks the same in the trace's. */
function nodesInto(trace: Trace, sample: Trace): Int32Array {
  const { stacks } = sample;
  const nodes = new Int32Array(stacks.nodes);
  if (sample === trace) return nodes.map((_, node) => node);
  for (let node = 0; node < nodes.length; node++) {
    const caller = stacks.nodeParent.at(node);
    // A caller's node stands in front of those it calls.
    const into = caller === NONE ? NONE : nodes[caller]!;
    nodes[node] = trace.stacks.internNode(into, trace.stacks.internFrame(stacks.frame(stacks.nodeFrame.at(node))));
  }
  return nodes;
}
