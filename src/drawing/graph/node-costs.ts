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
