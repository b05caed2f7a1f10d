import { NONE } from '../../trace/events.ts';
import type { SelectionPart } from '../selection/selection.ts';

/** What is said of a row besides its place in the tree. */
export interface RowName {
  /** Tells it from its siblings; the same in every reading of the same recording. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly selects?: SelectionPart;
  /** All that stands below it is of one layer: nothing can be counted twice. */
  readonly oneLayer?: boolean;
  /** Place among its siblings where they stand as recorded; without it, that in which they were seen. */
  readonly place?: number;
  /** No order changes the place: recordings, layers, depths of a call stack. */
  readonly isFixed?: boolean;
}

/** A row of the whole tree, before order, filter and exemplars decide which of them are listed. */
export interface RowNode extends RowName {
  /** Index of the node above, or NONE. */
  readonly parent: number;
  readonly depth: number;
  readonly children: number[];
  /** Number of its own spans' row, or NONE where it only sums up what stands below. */
  leaf: number;
}

/** Rows as a tree; those with spans of their own are numbered in the order in which they were made ("leaves"). */
export class RowTree {
  readonly nodes: RowNode[] = [];
  readonly roots: number[] = [];
  /** Node of each leaf. */
  readonly nodeOfLeaf: number[] = [];
  private readonly indices = new Map<string, number>();

  /** The node of a name below a parent (NONE: at the top); made when it is not there yet. */
  node(parent: number, name: RowName): number {
    const above = parent === NONE ? undefined : this.nodes[parent]!;
    const key = above === undefined ? name.key : `${above.key}\n${name.key}`;
    let index = this.indices.get(key);
    if (index === undefined) {
      const oneLayer = name.oneLayer === true || above?.oneLayer === true;
      const depth = above === undefined ? 0 : above.depth + 1;
      index = this.nodes.push({ ...name, oneLayer, key, parent, depth, children: [], leaf: NONE }) - 1;
      (above?.children ?? this.roots).push(index);
      this.indices.set(key, index);
    }
    return index;
  }

  /** Number of a node's row of spans; given when it is first asked for. */
  leaf(node: number): number {
    const at = this.nodes[node]!;
    if (at.leaf === NONE) at.leaf = this.nodeOfLeaf.push(node) - 1;
    return at.leaf;
  }

  /** By node: the leaves of which it is the sum, its own where it has spans, else those below it. */
  leavesOfAll(): number[][] {
    const { nodes } = this;
    const leaves: number[][] = nodes.map(({ leaf }) => (leaf === NONE ? [] : [leaf]));
    // A node stands behind the one above it: from the last on, all below is known.
    for (let node = nodes.length - 1; node >= 0; node--) {
      const { parent } = nodes[node]!;
      if (parent === NONE || nodes[parent]!.leaf !== NONE) continue;
      for (const leaf of leaves[node]!) leaves[parent]!.push(leaf);
    }
    return leaves;
  }
}
