import { getOrCreate } from '../../base/grouping.ts';
import type { ComparedEdge, ComparedGraph, ComparedNode, Occurrence } from './comparison.ts';
import { compareAmounts, median, type Repetitions } from './measures.ts';
import type { CostedAmounts, GraphFacts } from './run-facts.ts';

/** Lays the graphs of both sides over each other; activities are the same when their names are. */
export function compareGraphs(
  base: readonly GraphFacts[],
  changed: readonly GraphFacts[],
  repeated: Repetitions,
): ComparedGraph {
  return {
    mapping: base[0]?.mapping ?? changed[0]?.mapping ?? '',
    nodes: compareNodes(base, changed, repeated),
    edges: compareEdges(base, changed),
  };
}

function compareNodes(
  base: readonly GraphFacts[],
  changed: readonly GraphFacts[],
  repeated: Repetitions,
): ComparedNode[] {
  const nodesOf = (graphs: readonly GraphFacts[]): Map<string, CostedAmounts[]> => {
    const nodes = new Map<string, CostedAmounts[]>();
    graphs.forEach((graph, number) => {
      for (const node of graph.nodes) {
        const values = getOrCreate(nodes, node.activity, () => graphs.map(() => ({ events: 0, bytes: 0, timeNs: 0 })));
        values[number] = node;
      }
    });
    return nodes;
  };
  const [before, after] = [nodesOf(base), nodesOf(changed)];
  return [...new Set([...before.keys(), ...after.keys()])].map((activity) => ({
    activity,
    occurrence: occurrenceOf(before.has(activity), after.has(activity)),
    ...compareAmounts(before.get(activity), after.get(activity), repeated),
  }));
}

function compareEdges(base: readonly GraphFacts[], changed: readonly GraphFacts[]): ComparedEdge[] {
  const edges = new Map<string, { from: string; to: string; base: number[]; new: number[] }>();
  const add = (graphs: readonly GraphFacts[], side: 'base' | 'new'): void =>
    graphs.forEach((graph, number) => {
      for (const { from, to, count } of graph.edges) {
        const key = `${from}\0${to}`;
        const edge = getOrCreate(edges, key, () => ({ from, to, base: base.map(() => 0), new: changed.map(() => 0) }));
        edge[side][number] = count;
      }
    });
  add(base, 'base');
  add(changed, 'new');
  return [...edges.values()].map(({ from, to, base: before, new: after }) => ({
    from,
    to,
    occurrence: occurrenceOf(
      before.some((count) => count > 0),
      after.some((count) => count > 0),
    ),
    base: median(before),
    new: median(after),
    difference: median(after) - median(before),
  }));
}

function occurrenceOf(inBase: boolean, inNew: boolean): Occurrence {
  if (inBase && inNew) return 'both';
  return inBase ? 'base' : 'new';
}
