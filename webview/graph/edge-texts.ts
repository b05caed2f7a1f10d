import type { DrawnEdge } from '../../src/drawing/graph/thin-graph.ts';
import type { GraphEdge } from '../../src/features/graph/protocol.ts';

const count = (value: number): string => value.toLocaleString('en-US');

/** What stands on an edge; `isDownwards` tells which of two directions is which. */
export function edgeLabel(edge: DrawnEdge, isCompared: boolean, isDownwards = true): string {
  if (isCompared && edge.green !== edge.red) return `${count(edge.green)} → ${count(edge.red)}`;
  if (edge.through > 0) return `${count(edge.count)} …`;
  if (edge.back === null) return count(edge.count);
  const [down, up] = isDownwards ? [edge.count, edge.back.count] : [edge.back.count, edge.count];
  return `${count(down)}↓ ${count(up)}↑`;
}

/** All about an edge, for hover. */
export function edgeDescription(edge: DrawnEdge, isCompared: boolean): string {
  const { back, through } = edge;
  const hidden =
    through === 0 ? '' : `, by way of ${through === 1 ? 'a hidden activity' : `${through} hidden activities`}`;
  const other = back === null ? '' : `; ${oneWay(back, isCompared)}`;
  return `${oneWay(edge, isCompared)}${other}${hidden}`;
}

function oneWay({ from, to, count: times, green, red, partition }: GraphEdge, isCompared: boolean): string {
  const way = `${from} → ${to}`;
  if (isCompared) return `${way}: base ${count(green)}, new ${count(red)} (${difference(green, red)})`;
  const sides = partition === null ? '' : ` (green ${count(green)}, red ${count(red)})`;
  return `${way}: ${count(times)}${sides}`;
}

export function difference(green: number, red: number): string {
  return red === green ? '±0' : red > green ? `+${count(red - green)}` : `−${count(green - red)}`;
}
