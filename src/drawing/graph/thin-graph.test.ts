import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GraphEdge, GraphNode } from '../../analysis/dfg/graph.ts';
import { END, START } from './graph-shapes.ts';
import { joinBackAndForth, thinGraph, type DrawnEdge } from './thin-graph.ts';
import { rounds } from '../../../test/support/rounds.ts';

const node = (activity: string, share: number, events = 1): GraphNode => ({
  ...{ activity, events, relativeDuration: share, durationNs: share * 1e9, bytes: 0, processDataRate: null },
  ...{ maxConcurrency: 1, firstStartNs: 0, lastEndNs: 1, partition: null, folder: null },
});
const edge = (from: string, to: string, count: number): GraphEdge => ({
  from,
  to,
  count,
  green: 0,
  red: 0,
  partition: null,
});
const drawn = (edges: readonly DrawnEdge[]): string[] =>
  edges.map(({ from, to, count, through }) => `${from} ${to} ${count}${through > 0 ? ` through ${through}` : ''}`);

const CHAIN = {
  nodes: [node('a', 0.6), node('b', 0.05), node('c', 0.05), node('d', 0.3)],
  edges: [
    edge(START, 'a', 9),
    edge('a', 'b', 7),
    edge('b', 'c', 5),
    edge('c', 'd', 6),
    edge('d', END, 9),
    edge('a', 'd', 2),
  ],
};

describe('thresholds', () => {
  test('hide what takes little time, and lead over it', () => {
    const thinned = thinGraph(CHAIN, { leastShare: 0.1, leastCount: 3 });
    expect(thinned.nodes.map(({ activity }) => activity)).toEqual(['a', 'd']);
    expect(drawn(thinned.edges)).toEqual([`${START} a 9`, `d ${END} 9`, 'a d 5 through 2']);
    expect(thinned).toMatchObject({ hiddenActivities: 2, hiddenEdges: 4, bridges: 1 });
    expect(thinned.hiddenShare).toBeCloseTo(0.1, 12);
  });

  test('a rare edge stays where it is the only way', () => {
    const graph = {
      nodes: [node('a', 0.5), node('b', 0.5)],
      edges: [edge(START, 'a', 5), edge('a', 'b', 1), edge('b', END, 5)],
    };
    expect(drawn(thinGraph(graph, { leastShare: null, leastCount: 5 }).edges)).toEqual([
      `${START} a 5`,
      'a b 1',
      `b ${END} 5`,
    ]);
  });

  test('hide nothing of a graph that can be read', () => {
    const thinned = thinGraph(CHAIN, { leastShare: null, leastCount: null });
    expect(thinned).toMatchObject({ hiddenActivities: 0, hiddenEdges: 0, bridges: 0, hiddenShare: 0 });
    expect(thinned.edges.length).toBe(CHAIN.edges.length);
  });

  test('keep the costliest 80 and the commonest 200 of themselves, by events where there are no times', () => {
    const names = Array.from({ length: 300 }, (_, i) => `n${i}`);
    const nodes = names.map((name, i) => node(name, 0, i));
    const edges = names.flatMap((name, i) => [
      edge(name, names[(i + 1) % 300]!, 1),
      edge(names[(i * 7) % 300]!, name, 1),
    ]);
    const thinned = thinGraph(
      { nodes, edges: [edge(START, 'n0', 1), ...edges, edge('n299', END, 1)] },
      { leastShare: null, leastCount: null },
    );
    expect(thinned.nodes.map(({ activity }) => activity)).toEqual(names.slice(220));
    expect(thinned.hiddenActivities).toBe(220);
    expect(
      thinGraph(
        { nodes: [...nodes, ...names.map((name) => node(`m${name}`, 0))], edges },
        { leastShare: 0, leastCount: 0 },
      ).nodes.length,
    ).toBe(400);
  });

  test('leave every shown activity on a way from the start to the end, whatever the graph', () => {
    const graphs = fc.record({
      shares: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 }),
      edges: fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.integer({ min: 1, max: 9 })), { maxLength: 40 }),
      leastShare: fc.constantFrom(0, 0.05, 0.1, 0.2),
      leastCount: fc.integer({ min: 0, max: 10 }),
    });
    fc.assert(
      fc.property(graphs, ({ shares, edges, leastShare, leastCount }) => {
        const total = shares.reduce((sum, share) => sum + share, 0) || 1;
        const nodes = shares.map((share, i) => node(`n${i}`, share / total));
        const counts = new Map<string, GraphEdge>();
        const add = (from: string, to: string, count: number): unknown =>
          counts.set(`${from} ${to}`, edge(from, to, count));
        // Every trace begins and ends, as in a real log.
        nodes.forEach(({ activity }, i) => {
          add(i === 0 ? START : `n${i - 1}`, activity, 1);
        });
        add(nodes.at(-1)!.activity, END, 1);
        for (const [from, to, count] of edges)
          if (from < nodes.length && to < nodes.length) add(`n${from}`, `n${to}`, count);
        const thinned = thinGraph({ nodes, edges: [...counts.values()] }, { leastShare, leastCount });
        const reach = (root: string, forwards: boolean): Set<string> => {
          const seen = new Set([root]);
          for (const at of seen)
            for (const { from, to } of thinned.edges) if ((forwards ? from : to) === at) seen.add(forwards ? to : from);
          return seen;
        };
        const begun = reach(START, true);
        const ended = reach(END, false);
        for (const { activity } of thinned.nodes)
          expect([activity, begun.has(activity), ended.has(activity)]).toEqual([activity, true, true]);
      }),
      { numRuns: rounds(500) },
    );
  });
});

test('edges back and forth are one line that keeps both counts', () => {
  const edges = [edge('a', 'b', 3), edge('b', 'a', 4), edge('a', 'a', 2), edge('b', 'c', 1)].map((each) => ({
    ...each,
    through: 0,
    back: null,
  }));
  const joined = joinBackAndForth(edges);
  expect(drawn(joined)).toEqual(['b a 4', 'a a 2', 'b c 1']);
  expect(joined[0]!.back).toMatchObject({ from: 'a', to: 'b', count: 3 });
});
