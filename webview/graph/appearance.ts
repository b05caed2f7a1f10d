import type { ViewGraph, ViewNode } from '../../src/features/graph/protocol.ts';

/** How statistics and partitions become strokes and fills. Colours are the editor's; no colour says anything alone. */

export type ColourBy = 'time' | 'bytes' | 'partition';

/** Share of the theme's blue in a node's fill, in percent: light to dark as in the paper, readable under the text. */
export function shade(node: ViewNode, graph: ViewGraph, by: ColourBy): number {
  const value = (of: ViewNode): number => (by === 'bytes' ? of.bytes : of.relativeDuration);
  const most = graph.nodes.map(value).reduce((highest, of) => Math.max(highest, of), 0);
  return most === 0 ? 0 : Math.round(5 + 45 * Math.sqrt(value(node) / most));
}

/** Width of a node's border: the other channel of its share of the time. */
export function borderWidth(node: ViewNode): number {
  return 1 + 3 * node.relativeDuration;
}

export function isPartitioned(graph: ViewGraph): boolean {
  return graph.nodes.some(({ partition }) => partition !== null);
}
