import { nodeCostNs, sharesOfCost } from '../../src/drawing/graph/node-costs.ts';
import type { ViewGraph, ViewNode } from '../../src/features/graph/protocol.ts';

/** How statistics and partitions become strokes and fills. Colours are the editor's; no colour says anything alone. */

export type ColourBy = 'time' | 'bytes' | 'partition';

/** Share of the theme's blue in a node's fill, in percent: light to dark as in the paper, readable under the text. */
export function shade(node: ViewNode, graph: ViewGraph, by: ColourBy): number {
  const value = (of: ViewNode): number => (by === 'bytes' ? of.bytes : nodeCostNs(of));
  const most = graph.nodes.map(value).reduce((highest, of) => Math.max(highest, of), 0);
  return most === 0 ? 0 : Math.round(5 + 45 * Math.sqrt(value(node) / most));
}

/** Widths of the nodes' borders: the other channel of their share of the cost. */
export function borderWidths({ nodes }: ViewGraph): (node: ViewNode) => number {
  const shareOf = sharesOfCost(nodes);
  return (node) => 1 + 3 * shareOf(node);
}

/** A tracer was there, and was taken off: nodes have costs beside the recorded times. */
export function hasCosts(graph: ViewGraph): boolean {
  return graph.nodes.some(({ cost }) => cost !== undefined);
}

export function isPartitioned(graph: ViewGraph): boolean {
  return graph.nodes.some(({ partition }) => partition !== null);
}
