import { NONE } from '../../trace/events.ts';
import type { RowTotals } from './row-totals.ts';
import type { RowNode, RowTree } from './row-tree.ts';
import type { RowsRequest, TimelineRow } from './timeline.ts';

/** Rows as they are listed, each with the rows of spans that it draws. */
export interface RowList {
  readonly rows: readonly TimelineRow[];
  readonly leaves: readonly (readonly number[])[];
  /** Node of the tree that each row shows. */
  readonly nodes: readonly number[];
}

type ListOptions = Pick<RowsRequest, 'order' | 'exemplars' | 'rowFilter'>;

interface Sums {
  events: number;
  timeNs: number;
  bytes: number;
}

/** Rows are alike when each of their sums is within this share of the other's. */
const ALIKE = 0.1;

/** Lists a tree of rows in an order, without what the filter leaves out, alike ones as one. */
export function listRows(tree: RowTree, totals: RowTotals, options: ListOptions): RowList {
  return new Lister(tree, totals, options).list();
}

class Lister {
  private readonly rows: TimelineRow[] = [];
  private readonly leaves: (readonly number[])[] = [];
  private readonly nodes: number[] = [];
  private readonly leavesOf: readonly (readonly number[])[];
  private readonly sums: Sums[];
  private readonly matches: Uint8Array;
  private readonly scores: Float64Array;

  constructor(
    private readonly tree: RowTree,
    private readonly totals: RowTotals,
    private readonly options: ListOptions,
  ) {
    this.leavesOf = tree.leavesOfAll();
    const { nodes } = tree;
    this.sums = nodes.map((node, i) => this.sumOf(node, this.leavesOf[i]!));
    this.matches = this.findMatches();
    this.scores = options.order === 'outliers' ? this.outlierScores() : new Float64Array(0);
  }

  list(): RowList {
    this.listChildren(this.tree.roots, NONE);
    return { rows: this.rows, leaves: this.leaves, nodes: this.nodes };
  }

  private listChildren(children: readonly number[], parent: number): void {
    const shown = this.ordered(children.filter((child) => this.matches[child] === 1));
    const counts = this.options.exemplars ? this.exemplars(shown) : undefined;
    for (const child of shown) {
      const standsFor = counts === undefined ? 1 : (counts.get(child) ?? 0);
      if (standsFor > 0) this.listNode(child, parent, standsFor);
    }
  }

  private listNode(node: number, parent: number, standsFor: number): void {
    const { key, depth, label, description, children, selects } = this.tree.nodes[node]!;
    const more = standsFor > 1 ? `; stands for ${standsFor} rows that are alike` : '';
    const row = this.rows.push({
      key,
      parent,
      depth,
      label,
      description: `${description}${more}`,
      isGroup: children.length > 0,
      standsFor,
      ...this.sums[node]!,
      ...(selects && { selects }),
    });
    this.leaves.push(this.leavesOf[node]!);
    this.nodes.push(node);
    this.listChildren(children, row - 1);
  }

  /** Of leaves in one layer all of it counts; where layers mix, no transfer counts twice. */
  private sumOf({ oneLayer }: RowNode, leaves: readonly number[]): Sums {
    const amounts = oneLayer === true ? this.totals.own : this.totals.once;
    const sums = { events: 0, timeNs: 0, bytes: 0 };
    for (const leaf of leaves) {
      sums.events += amounts.events[leaf]!;
      sums.timeNs += amounts.timeNs[leaf]!;
      sums.bytes += amounts.bytes[leaf]!;
    }
    return sums;
  }

  /** 1 for nodes that hold the text or stand above or below one that does. */
  private findMatches(): Uint8Array {
    const { nodes } = this.tree;
    const text = this.options.rowFilter.trim().toLowerCase();
    if (text === '') return new Uint8Array(nodes.length).fill(1);
    const matches = new Uint8Array(nodes.length);
    nodes.forEach(({ label, description, parent }, i) => {
      const holds = label.toLowerCase().includes(text) || description.toLowerCase().includes(text);
      if (holds || (parent !== NONE && matches[parent] === 1)) matches[i] = 1;
    });
    for (let i = nodes.length - 1; i >= 0; i--) {
      const { parent } = nodes[i]!;
      if (matches[i] === 1 && parent !== NONE) matches[parent] = 1;
    }
    return matches;
  }

  private ordered(children: readonly number[]): readonly number[] {
    const { nodes } = this.tree;
    const place = (node: number): number => nodes[node]!.place ?? node;
    const { order } = this.options;
    const weight = (node: number): number => {
      if (order === 'recorded' || nodes[node]!.isFixed === true) return 0;
      if (order === 'outliers') return this.scores[node]!;
      return this.sums[node]![order === 'time' ? 'timeNs' : order];
    };
    return children.toSorted((a, b) => weight(b) - weight(a) || place(a) - place(b) || a - b);
  }

  /**
   * How far each row is from the others of its group: the greatest distance of its time, events and bytes from the group's
   * median, in median absolute deviations (those of a group that hardly differs are taken as 5 % of the median). A group
   * has the score of the row below it that stands out most, where that is more.
   */
  private outlierScores(): Float64Array {
    const { nodes, roots } = this.tree;
    const scores = new Float64Array(nodes.length);
    for (const siblings of [roots, ...nodes.map(({ children }) => children)]) {
      for (const measure of ['timeNs', 'events', 'bytes'] as const) {
        const values = siblings.map((node) => this.sums[node]![measure]);
        const middle = median(values);
        const deviation = Math.max(median(values.map((value) => Math.abs(value - middle))), middle * 0.05, 1);
        siblings.forEach((node, i) => {
          scores[node] = Math.max(scores[node]!, Math.abs(values[i]! - middle) / deviation);
        });
      }
    }
    for (let i = nodes.length - 1; i >= 0; i--) {
      const { parent } = nodes[i]!;
      if (parent !== NONE) scores[parent] = Math.max(scores[parent]!, scores[i]!);
    }
    return scores;
  }

  /**
   * Rows without others below them that hold the same sorts of calls, and whose events, time and bytes differ by at most a
   * tenth from those of one of them, stand as that one: it is the first by time.
   *
   * @returns for how many each row stands that is listed; groups, and rows with a fixed place (depths of a stack), stand for
   *   themselves.
   */
  private exemplars(siblings: readonly number[]): Map<number, number> {
    const { nodes } = this.tree;
    const counts = new Map<number, number>();
    const leaders = new Map<number, number[]>();
    const byTime = siblings.toSorted((a, b) => this.sums[b]!.timeNs - this.sums[a]!.timeNs);
    for (const node of byTime) {
      const { children, leaf, isFixed } = nodes[node]!;
      const isItself = children.length > 0 || isFixed === true;
      const kinds = leaf === NONE ? 0 : this.totals.kinds[leaf]!;
      const earlier = leaders.get(kinds) ?? [];
      // Rows come by time: those in front that took too long are alike to none that follows.
      while (earlier.length > 0 && !isClose(this.sums[earlier[0]!]!.timeNs, this.sums[node]!.timeNs)) earlier.shift();
      const leader = isItself ? undefined : earlier.find((other) => this.areAlike(other, node));
      if (leader !== undefined) counts.set(leader, counts.get(leader)! + 1);
      else {
        counts.set(node, 1);
        if (!isItself) leaders.set(kinds, [...earlier, node]);
      }
    }
    return counts;
  }

  private areAlike(a: number, b: number): boolean {
    const one = this.sums[a]!;
    const other = this.sums[b]!;
    const { events, timeNs, bytes } = one;
    return isClose(events, other.events) && isClose(timeNs, other.timeNs) && isClose(bytes, other.bytes);
  }
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= ALIKE * Math.max(a, b);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const { length } = sorted;
  return length === 0 ? 0 : (sorted[(length - 1) >> 1]! + sorted[length >> 1]!) / 2;
}
