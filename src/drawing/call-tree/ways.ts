import { groupBy } from '../../base/grouping.ts';
import type { CallMeasure, CallTree } from '../../analysis/call-tree/call-tree.ts';

/** A place of a call tree with the way that leads to it: one that was called from others, or one that calls others. */
export interface Way {
  /** Index into the tree's places. */
  readonly place: number;
  /** The node that most of it goes through: it leads to a line. */
  readonly node: number;
  /** With all that it calls; for callers: as much of what is looked at came from here. */
  readonly total: number;
  /** Without what it calls; of callers nothing. */
  readonly self: number;
  /** All of it goes through one line. */
  readonly isOneLine: boolean;
  /** What it calls, or what calls it; the most first. */
  readonly next: readonly Way[];
}

/** A place wherever it stands. */
export interface FunctionAmount {
  readonly place: number;
  readonly node: number;
  /** With all that it calls; where it calls itself, once. */
  readonly total: number;
  readonly self: number;
}

/** How a tree is looked at. */
export interface CallLook {
  readonly measure: CallMeasure;
  /** The lines of a function stand apart. */
  readonly byLine: boolean;
}

/** A tree weighed by one measure, seen from its roots, from its ends, or from one place in both directions. */
export class Ways {
  /** With all that is called, by node. */
  private readonly whole: Float64Array;
  private readonly own: ArrayLike<number>;
  private readonly callees: number[][];

  constructor(
    readonly tree: CallTree,
    private readonly look: CallLook,
  ) {
    const { parent } = tree;
    this.own = tree[look.measure];
    this.whole = Float64Array.from(this.own);
    this.callees = parent.map(() => []);
    for (let node = parent.length - 1; node > 0; node--) this.whole[parent[node]!]! += this.whole[node]!;
    for (let node = 1; node < parent.length; node++) this.callees[parent[node]!]!.push(node);
  }

  get total(): number {
    return this.whole[0]!;
  }

  /** Everything, from the outermost functions inwards. */
  get root(): Way {
    return this.downward([0]);
  }

  /** The calls at the ends, with what led to them. */
  get inverted(): Way {
    const { tree, total } = this;
    const ends = [...tree.parent.keys()].filter((node) => node > 0 && this.own[node]! > 0);
    return new LazyWay({ place: tree.place[0]!, node: 0, total, self: 0, isOneLine: true }, () =>
      this.upward(
        ends.map((node) => [node, this.own[node]!]),
        true,
      ),
    );
  }

  /** A place, wherever it stands, with what it calls. @param node any that stands for it. */
  calleesOf(node: number): Way {
    return this.downward(this.outermost(node));
  }

  /** The same with what calls it. */
  callersOf(node: number): Way {
    const [way] = this.upward(this.outermost(node).map((at) => [at, this.whole[at]!]));
    return way ?? { place: this.tree.place[node]!, node, total: 0, self: 0, isOneLine: true, next: [] };
  }

  /** All places, the most first. */
  get functions(): FunctionAmount[] {
    const found = new Map<number, { place: number; node: number; total: number; self: number }>();
    for (let node = 1; node < this.tree.parent.length; node++) {
      const key = this.keyOf(node);
      let sum = found.get(key);
      if (sum === undefined) found.set(key, (sum = { place: this.tree.place[node]!, node, total: 0, self: 0 }));
      if (this.whole[node]! > this.whole[sum.node]!) sum.node = node;
      sum.self += this.own[node]!;
      if (!this.callsItself(node)) sum.total += this.whole[node]!;
    }
    return [...found.values()]
      .filter(({ total, place }) => total > 0 && this.tree.places[place]!.kind !== 'rest')
      .sort((a, b) => b.total - a.total || b.self - a.self);
  }

  /** Places are told apart by their lines only where that is asked. */
  private keyOf(node: number): number {
    const { place, line } = this.tree;
    return this.look.byLine ? place[node]! * 16_777_216 + line[node]! : place[node]!;
  }

  private callsItself(node: number): boolean {
    const key = this.keyOf(node);
    for (let at = this.tree.parent[node]!; at > 0; at = this.tree.parent[at]!) if (this.keyOf(at) === key) return true;
    return false;
  }

  private outermost(node: number): number[] {
    const key = this.keyOf(node);
    return [...this.tree.parent.keys()].filter((at) => at > 0 && this.keyOf(at) === key && !this.callsItself(at));
  }

  private isOneLine(nodes: readonly number[]): boolean {
    const { line } = this.tree;
    return nodes.every((node) => line[node] === line[nodes[0]!]);
  }

  /** @param nodes of one key, none below another. */
  private downward(nodes: readonly number[]): Way {
    const node = nodes.reduce((most, at) => (this.whole[at]! > this.whole[most]! ? at : most), nodes[0]!);
    const total = nodes.reduce((sum, at) => sum + this.whole[at]!, 0);
    const self = nodes.reduce((sum, at) => sum + this.own[at]!, 0);
    return new LazyWay({ place: this.tree.place[node]!, node, total, self, isOneLine: this.isOneLine(nodes) }, () =>
      inGroups(
        nodes.flatMap((at) => this.callees[at]!),
        (at) => this.keyOf(at),
      )
        .map((group) => this.downward(group))
        .filter((way) => way.total > 0)
        .sort((one, other) => other.total - one.total),
    );
  }

  /** @param entries nodes with how much of what is looked at comes through each. */
  private upward(entries: readonly (readonly [node: number, amount: number])[], isEnd = false): Way[] {
    const inTree = entries.filter(([node, amount]) => node > 0 && amount > 0);
    return inGroups(inTree, ([node]) => this.keyOf(node))
      .map((group): Way => {
        const [node] = group.reduce((most, entry) => (entry[1] > most[1] ? entry : most));
        const total = group.reduce((sum, [, amount]) => sum + amount, 0);
        const above = group.map(([at, amount]) => [this.tree.parent[at]!, amount] as const);
        const isOneLine = this.isOneLine(group.map(([at]) => at));
        const about = { place: this.tree.place[node]!, node, total, self: isEnd ? total : 0, isOneLine };
        return new LazyWay(about, () => this.upward(above));
      })
      .sort((a, b) => b.total - a.total);
  }
}

/** What nobody unfolds is not worked out. */
class LazyWay implements Way {
  readonly place: number;
  readonly node: number;
  readonly total: number;
  readonly self: number;
  readonly isOneLine: boolean;
  private made: readonly Way[] | undefined;

  constructor(
    { place, node, total, self, isOneLine }: Omit<Way, 'next'>,
    private readonly make: () => readonly Way[],
  ) {
    this.place = place;
    this.node = node;
    this.total = total;
    this.self = self;
    this.isOneLine = isOneLine;
  }

  get next(): readonly Way[] {
    return (this.made ??= this.make());
  }
}

function inGroups<Item>(items: readonly Item[], keyOf: (item: Item) => number): Item[][] {
  return [...groupBy(items, keyOf).values()];
}
