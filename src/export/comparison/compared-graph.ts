import type { GraphEdge, GraphNode, Partition } from '../../analysis/dfg/graph.ts';
import type { GraphDocument } from '../analysis/documents.ts';

/** The numbers of one side, for what both have. */
export interface ComparedSides {
  readonly base: GraphNode | null;
  readonly changed: GraphNode | null;
}

type DocumentNode = GraphDocument['nodes'][number];

/** A node of two graphs laid over each other: the statistics are the new recording's, or the base's where it is gone. */
type ComparedNode = DocumentNode & { readonly compared: ComparedSides };

interface ComparedGraphDocument extends Omit<GraphDocument, 'nodes'> {
  readonly nodes: readonly ComparedNode[];
}

/**
 * Two recordings' graphs as one, coloured as a partition (section IV-C of the DFG paper): green is only in the base, red
 * only in the new one. Activities are the same when their names are. Of an edge `green` is the count in the base, `red`
 * that in the new one, and `count` the larger.
 */
export function comparedGraph(base: GraphDocument, changed: GraphDocument): ComparedGraphDocument {
  const baseNodes = new Map(base.nodes.map((node) => [node.activity, node]));
  const changedNodes = new Map(changed.nodes.map((node) => [node.activity, node]));
  const both = [...changed.nodes, ...base.nodes.filter(({ activity }) => !changedNodes.has(activity))];
  return {
    ...changed,
    cases: base.cases + changed.cases,
    caseNames: [...base.caseNames, ...changed.caseNames],
    events: base.events + changed.events,
    hidden: {
      byPath: base.hidden.byPath + changed.hidden.byPath,
      ofSystem: base.hidden.ofSystem + changed.hidden.ofSystem,
    },
    nodes: both.map((node) => {
      const sides = { base: baseNodes.get(node.activity) ?? null, changed: changedNodes.get(node.activity) ?? null };
      return { ...node, partition: sideOf(sides.base !== null, sides.changed !== null), compared: sides };
    }),
    edges: comparedEdges(base.edges, changed.edges),
    activityLog: [...base.activityLog, ...changed.activityLog],
    warnings: [...new Set([...base.warnings, ...changed.warnings])],
  };
}

function comparedEdges(base: readonly GraphEdge[], changed: readonly GraphEdge[]): GraphEdge[] {
  const key = ({ from, to }: GraphEdge): string => `${from}\n${to}`;
  const counts = new Map(base.map((edge) => [key(edge), edge.count]));
  const known = new Set(changed.map(key));
  const laidOver = (edge: GraphEdge, green: number, red: number): GraphEdge => ({
    ...edge,
    ...{ green, red, count: Math.max(green, red), partition: sideOf(green > 0, red > 0) },
  });
  return [
    ...changed.map((edge) => laidOver(edge, counts.get(key(edge)) ?? 0, edge.count)),
    ...base.filter((edge) => !known.has(key(edge))).map((edge) => laidOver(edge, edge.count, 0)),
  ];
}

function sideOf(inBase: boolean, inChanged: boolean): Partition {
  if (inBase && inChanged) return 'both';
  return inBase ? 'green' : 'red';
}
