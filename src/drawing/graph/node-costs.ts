import type { GraphNode } from '../../analysis/dfg/graph.ts';

type CostedNode = Pick<GraphNode, 'cost' | 'durationNs'>;

/** What nodes are coloured and ordered by: what they cost; where no tracer was, what was recorded. Nanoseconds. */
export function nodeCostNs({ cost, durationNs }: CostedNode): number {
  return cost?.untracedNs ?? durationNs;
}

/** Share of a node in what all of them cost, 0 to 1. */
export function sharesOfCost(nodes: readonly CostedNode[]): (node: CostedNode) => number {
  const all = nodes.reduce((sum, node) => sum + nodeCostNs(node), 0);
  return (node) => (all > 0 ? nodeCostNs(node) / all : 0);
}

/** What the shade of a node goes by. */
export type ShadedBy = 'cost' | 'bytes';

/** How dark a node is, 0 to 1; the one with most is darkest. */
export function darknessOf(
  nodes: readonly (CostedNode & Pick<GraphNode, 'bytes'>)[],
  by: ShadedBy,
): (node: CostedNode & Pick<GraphNode, 'bytes'>) => number {
  const value = by === 'bytes' ? ({ bytes }: Pick<GraphNode, 'bytes'>): number => bytes : nodeCostNs;
  const most = nodes.reduce((highest, node) => Math.max(highest, value(node)), 1e-9);
  return (node) => value(node) / most;
}
