import { addToGroup } from '../../base/grouping.ts';
import type { GraphEdge, GraphNode } from '../../analysis/dfg/graph.ts';
import { END, START } from './graph-shapes.ts';
import { nodeCostNs, sharesOfCost } from './node-costs.ts';

/** An edge as it is drawn. */
export interface DrawnEdge extends GraphEdge {
  /** Hidden activities that it leads through; 0 for an edge of the graph. */
  readonly through: number;
  /** The edge in the other direction, where both are one line. */
  readonly back: GraphEdge | null;
}

export interface Thresholds {
  /** Activities with a smaller share of the cost (0 to 1) are hidden; null lets their number decide. */
  readonly leastShare: number | null;
  /** Edges that were seen less often are hidden; null lets their number decide. */
  readonly leastCount: number | null;
}

export interface ThinnedGraph<Node extends GraphNode> {
  readonly nodes: readonly Node[];
  readonly edges: readonly DrawnEdge[];
  readonly hiddenActivities: number;
  /** Share of the cost (of the events, where there are no times) of the hidden activities. */
  readonly hiddenShare: number;
  /** Edges between shown activities, and those of hidden ones. */
  readonly hiddenEdges: number;
  /** Shown edges that lead through hidden activities. */
  readonly bridges: number;
}

/** More than these are hidden unless the user wants them. */
const AUTOMATIC_NODES = 80;
const AUTOMATIC_EDGES = 200;
/** More than these are never shown at once: their layout takes minutes, and nobody can read it. */
const MOST_NODES = 400;
const MOST_EDGES = 1500;

/**
 * Leaves out what costs or happens least. What is left stays connected: for each activity the most travelled way from the
 * start and to the end is kept, however rare its edges are, and where that way leads through hidden activities one edge
 * stands for it, with the smallest count on the way.
 */
export function thinGraph<Node extends GraphNode>(
  graph: { readonly nodes: readonly Node[]; readonly edges: readonly GraphEdge[] },
  thresholds: Thresholds,
): ThinnedGraph<Node> {
  const weight = weightOf(graph.nodes);
  const nodes = keptNodes(graph.nodes, weight, thresholds.leastShare);
  const shown = new Set([START, END, ...nodes.map(({ activity }) => activity)]);
  const between = graph.edges.filter(({ from, to }) => shown.has(from) && shown.has(to));
  const isHiding = nodes.length < graph.nodes.length;
  const often = new Set(keptEdges(between, thresholds.leastCount));
  const ways = isHiding || often.size < between.length ? keptWays(graph.edges, shown) : { direct: [], bridges: [] };
  for (const edge of ways.direct) often.add(edge);
  const kept = between.filter((edge) => often.has(edge));
  const known = new Set(kept.map(keyOf));
  const bridges = ways.bridges.filter((bridge) => !known.has(keyOf(bridge)));
  const hidden = graph.nodes.filter(({ activity }) => !shown.has(activity));
  return {
    nodes,
    edges: [...kept.map((edge) => ({ ...edge, through: 0, back: null })), ...bridges],
    hiddenActivities: hidden.length,
    hiddenShare: hidden.reduce((sum, node) => sum + weight(node), 0),
    hiddenEdges: graph.edges.length - kept.length,
    bridges: bridges.length,
  };
}

/** Edges that go back and forth between two activities are one line with two heads: half the lines, no number less. */
export function joinBackAndForth(edges: readonly DrawnEdge[]): DrawnEdge[] {
  const byKey = new Map(edges.filter(({ through }) => through === 0).map((edge) => [keyOf(edge), edge]));
  const joined: DrawnEdge[] = [];
  for (const edge of edges) {
    const back = edge.from === edge.to ? undefined : byKey.get(keyOf({ from: edge.to, to: edge.from }));
    if (back === undefined || edge.through > 0) joined.push(edge);
    // The commoner direction carries the other; of equal ones the first.
    else if (edge.count > back.count || (edge.count === back.count && edge.from < edge.to))
      joined.push({ ...edge, back });
  }
  return joined;
}

function keyOf({ from, to }: Pick<GraphEdge, 'from' | 'to'>): string {
  return `${from}\n${to}`;
}

function weightOf(nodes: readonly GraphNode[]): (node: GraphNode) => number {
  if (nodes.some((node) => nodeCostNs(node) > 0)) return sharesOfCost(nodes);
  const events = nodes.reduce((sum, node) => sum + node.events, 0);
  return (node) => (events === 0 ? 0 : node.events / events);
}

function keptNodes<Node extends GraphNode>(
  nodes: readonly Node[],
  weight: (node: GraphNode) => number,
  leastShare: number | null,
): readonly Node[] {
  const heavy = leastShare === null ? nodes : nodes.filter((node) => weight(node) >= leastShare);
  const most = leastShare === null ? AUTOMATIC_NODES : MOST_NODES;
  if (heavy.length <= most) return heavy;
  const kept = new Set([...heavy].sort((a, b) => weight(b) - weight(a) || b.events - a.events).slice(0, most));
  return heavy.filter((node) => kept.has(node));
}

function keptEdges(edges: readonly GraphEdge[], leastCount: number | null): readonly GraphEdge[] {
  const often = leastCount === null ? edges : edges.filter(({ count }) => count >= leastCount);
  const most = leastCount === null ? AUTOMATIC_EDGES : MOST_EDGES;
  return often.length <= most ? often : [...often].sort((a, b) => b.count - a.count).slice(0, most);
}

/** The edges of the widest ways from the start to each shown activity and from it to the end. */
function keptWays(
  edges: readonly GraphEdge[],
  shown: ReadonlySet<string>,
): { direct: GraphEdge[]; bridges: DrawnEdge[] } {
  const direct = new Set<GraphEdge>();
  const bridges = new Map<string, DrawnEdge>();
  for (const forwards of [true, false]) {
    const ways = widestWays(edges, forwards);
    for (const activity of shown) {
      const way = wayToShown(activity, ways, shown, forwards);
      const [edge] = way;
      if (edge === undefined) continue;
      if (way.length === 1) direct.add(edge);
      else {
        const bridge = bridgeOver(forwards ? way.reverse() : way);
        if (bridge.from !== bridge.to && !bridges.has(keyOf(bridge))) bridges.set(keyOf(bridge), bridge);
      }
    }
  }
  return { direct: [...direct], bridges: [...bridges.values()] };
}

/** The edges from an activity along its widest way until one is shown. */
function wayToShown(
  activity: string,
  ways: ReadonlyMap<string, GraphEdge>,
  shown: ReadonlySet<string>,
  forwards: boolean,
): GraphEdge[] {
  const way: GraphEdge[] = [];
  for (let at = activity; ;) {
    const edge = ways.get(at);
    if (edge === undefined) return [];
    way.push(edge);
    at = forwards ? edge.from : edge.to;
    if (shown.has(at)) return way;
  }
}

function bridgeOver(way: readonly GraphEdge[]): DrawnEdge {
  const narrowest = way.reduce((least, edge) => (edge.count < least.count ? edge : least));
  return { ...narrowest, from: way[0]!.from, to: way.at(-1)!.to, through: way.length - 1, back: null };
}

/**
 * For each activity the edge by which the widest way from the start (backwards: to the end) reaches it: the way whose
 * rarest edge is commonest. Dijkstra's algorithm with the smallest count in place of the sum.
 */
function widestWays(edges: readonly GraphEdge[], forwards: boolean): Map<string, GraphEdge> {
  const leaving = new Map<string, GraphEdge[]>();
  for (const edge of edges) {
    const activity = forwards ? edge.from : edge.to;
    addToGroup(leaving, activity, edge);
  }
  const ways = new Map<string, GraphEdge>();
  const root = forwards ? START : END;
  const reached = new Set<string>([root]);
  const widths = new WidestFirst();
  const leave = (activity: string, width: number): void => {
    for (const edge of leaving.get(activity) ?? []) widths.push(Math.min(width, edge.count), edge);
  };
  leave(root, Infinity);
  for (let next = widths.pop(); next !== undefined; next = widths.pop()) {
    const activity = forwards ? next.edge.to : next.edge.from;
    if (reached.has(activity)) continue;
    reached.add(activity);
    ways.set(activity, next.edge);
    leave(activity, next.width);
  }
  return ways;
}

/** Edges by the width of the way that ends with them: few different widths, so a list for each. */
class WidestFirst {
  private readonly byWidth = new Map<number, GraphEdge[]>();
  private widths: number[] = [];

  push(width: number, edge: GraphEdge): void {
    const same = this.byWidth.get(width);
    if (same !== undefined) same.push(edge);
    else {
      this.byWidth.set(width, [edge]);
      // Ascending, so that the widest is taken from the end.
      let at = this.widths.length;
      while (at > 0 && this.widths[at - 1]! > width) at--;
      this.widths.splice(at, 0, width);
    }
  }

  pop(): { width: number; edge: GraphEdge } | undefined {
    const width = this.widths.at(-1);
    if (width === undefined) return undefined;
    const edges = this.byWidth.get(width)!;
    const edge = edges.pop()!;
    if (edges.length === 0) {
      this.byWidth.delete(width);
      this.widths.pop();
    }
    return { width, edge };
  }
}
