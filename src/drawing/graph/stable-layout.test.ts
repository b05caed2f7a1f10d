import { beforeAll, describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { directlyFollowsGraph } from '../../analysis/dfg/directly-follows-graph.ts';
import type { GraphEdge, GraphNode } from '../../analysis/dfg/graph.ts';
import { parseMapping } from '../../analysis/dfg/mapping.ts';
import { localLayoutEngine } from '../../export/graph/graph-svg.ts';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { recordingFilesAt } from '../../session/reading/recording-files.ts';
import type { Trace } from '../../trace/trace.ts';
import { routeEdge } from './edge-routes.ts';
import { folderBoxes } from './folder-boxes.ts';
import { overlap } from './free-place.ts';
import { END, START } from './graph-shapes.ts';
import { StableLayout, type BoxedGraph, type WantedNode } from './stable-layout.ts';
import { thinGraph, type Thresholds } from './thin-graph.ts';

const NO_SITES = { sites: [], siteOfNode: new Int32Array(), isStartUp: new Uint8Array() };
const AUTOMATIC: Thresholds = { leastShare: null, leastCount: null };
type Placed = BoxedGraph<GraphEdge>;

function wanted(nodes: readonly GraphNode[]): WantedNode[] {
  const terminal = (activity: string): WantedNode => ({
    activity,
    width: 18,
    height: 18,
    folder: null,
    collapsed: null,
  });
  const inner = nodes.map(({ activity, folder, collapsed }) => ({
    ...{ activity, folder, collapsed: collapsed?.folder ?? null },
    width: 90 + Math.min(190, activity.length * 6),
    height: 84,
  }));
  return [...inner, terminal(START), terminal(END)];
}

/** How far each node that both have has moved, ascending. */
function movements(before: Placed, after: Placed): number[] {
  const places = new Map(before.nodes.map((node) => [node.activity, node]));
  return after.nodes
    .flatMap((node) => {
      const former = places.get(node.activity);
      return former === undefined ? [] : [Math.hypot(node.x - former.x, node.y - former.y)];
    })
    .sort((a, b) => a - b);
}

const median = (values: readonly number[]): number => values[values.length >> 1]!;

function expectSound(placed: Placed): void {
  placed.nodes.forEach((node, i) => {
    for (const other of placed.nodes.slice(i + 1))
      expect(overlap(node, other), `${node.activity} and ${other.activity}`).toBe(false);
  });
  const places = new Map(placed.nodes.map((node) => [node.activity, node]));
  for (const { edge, points } of placed.edges) {
    const at = { width: 0, height: 0 };
    expect(overlap({ ...points[0]!, ...at }, places.get(edge.from)!, 1), `${edge.from} leaves`).toBe(true);
    expect(overlap({ ...points.at(-1)!, ...at }, places.get(edge.to)!, 1), `${edge.to} is reached`).toBe(true);
  }
}

const ior = ['ssf', 'fpp'].map((name) => corpus(`strace/ior/${name}`));
const isHere = ior.every((folder) => folder !== undefined);

describe.skipIf(!isHere)(isHere ? 'the graph of IOR' : absent('strace/ior'), () => {
  let recorded: Trace;
  beforeAll(async () => {
    const files = (await Promise.all(ior.map((folder) => recordingFilesAt(folder!)))).flat();
    recorded = await readStrace(files.filter(({ name }) => name.endsWith('.st')));
  });
  /** The graph as the view shows it: several hundred activities, of which the costliest are drawn. */
  const graphOf = (
    mapping: object,
    thresholds = AUTOMATIC,
  ): { nodes: readonly GraphNode[]; edges: readonly GraphEdge[] } => {
    const options = { siteVariables: [], pathFilter: '', withoutCalls: [], grouping: 'file' } as const;
    const parsed = parseMapping(JSON.stringify(mapping));
    return thinGraph(directlyFollowsGraph(recorded, NO_SITES, { ...options, mapping: parsed }), thresholds);
  };
  const started = async (): Promise<StableLayout<GraphEdge>> => new StableLayout(await localLayoutEngine());
  const BASE = { base: 'call+path:3' };

  const FEWER: Thresholds = { leastShare: 0.005, leastCount: 20 };

  test('nodes stay where they were when thresholds hide others, and come back to where they stood', async () => {
    const layout = await started();
    const full = graphOf(BASE);
    const before = await layout.place(wanted(full.nodes), full.edges);
    expect(before.nodes.length).toBe(82);
    const less = graphOf(BASE, FEWER);
    expect(less.nodes.length).toBeLessThan(50);
    const thinned = await layout.place(wanted(less.nodes), less.edges);
    expect(Math.max(...movements(before, thinned))).toBe(0);
    expectSound(thinned);
    const back = await layout.place(wanted(full.nodes), full.edges);
    expect(Math.max(...movements(before, back))).toBe(0);
    expect(back.edges.map(({ points }) => points)).toEqual(before.edges.map(({ points }) => points));
    expect([thinned.isAnew, back.isAnew]).toEqual([false, false]);
  });

  test('laid out anew, nearly all of them would move', async () => {
    const layout = await started();
    const full = graphOf(BASE);
    const before = await layout.place(wanted(full.nodes), full.edges);
    const less = graphOf(BASE, FEWER);
    const after = await layout.place(wanted(less.nodes), less.edges, true);
    expect(median(movements(before, after))).toBeGreaterThan(100);
    expect(after.isAnew).toBe(true);
  });

  test('a folder collapses to where its box was, and expands to what it was', async () => {
    const layout = await started();
    const graph = graphOf(BASE);
    const before = await layout.place(wanted(graph.nodes), graph.edges);
    const { folder } = before.boxes.find(({ depth }) => depth === 0)!;
    const box = before.boxes.find((each) => each.folder === folder)!;
    const collapsed = graphOf({ ...BASE, collapsed: [folder] });
    const after = await layout.place(wanted(collapsed.nodes), collapsed.edges);
    expect(after.isAnew).toBe(false);
    expect(median(movements(before, after))).toBe(0);
    const node = after.nodes.find(({ activity }) => activity === `${folder}/**`)!;
    expect(overlap(node, box)).toBe(true);
    expect(after.boxes.some((each) => each.folder === folder)).toBe(false);
    expectSound(after);
    const expanded = await layout.place(wanted(graph.nodes), graph.edges);
    expect(Math.max(...movements(before, expanded))).toBe(0);
  });

  test('a filter taken off lets new nodes in without moving those that stand', async () => {
    const layout = await started();
    const graph = graphOf(BASE);
    const names = graph.nodes.map(({ activity }) => activity);
    const held = new Set([START, END, ...names.filter((_, i) => i % 4 !== 3)]);
    const nodes = graph.nodes.filter(({ activity }) => held.has(activity));
    const edges = graph.edges.filter(({ from, to }) => held.has(from) && held.has(to));
    const before = await layout.place(wanted(nodes), edges);
    const after = await layout.place(wanted(graph.nodes), graph.edges);
    expect(after.isAnew).toBe(false);
    expect(after.nodes.length).toBeGreaterThan(before.nodes.length);
    expect(Math.max(...movements(before, after))).toBe(0);
    expectSound(after);
  });

  test('a collapsed folder that was never seen expanded makes room for itself', async () => {
    const layout = await started();
    const graph = graphOf(BASE);
    const inner = folderBoxes(graph.nodes).find(({ activities }) => 3 * activities.length < graph.nodes.length)!;
    const collapsed = graphOf({ ...BASE, collapsed: [inner.folder] });
    const before = await layout.place(wanted(collapsed.nodes), collapsed.edges);
    const after = await layout.place(wanted(graph.nodes), graph.edges);
    expect(after.isAnew).toBe(false);
    expect(Math.max(...movements(before, after))).toBe(0);
    expectSound(after);
  });

  test('activities of another mapping are laid out anew', async () => {
    const layout = await started();
    const graph = graphOf(BASE);
    await layout.place(wanted(graph.nodes), graph.edges);
    const other = graphOf({ base: 'call' });
    expect((await layout.place(wanted(other.nodes), other.edges)).isAnew).toBe(true);
  });

  test('boxes hold their activities, and no others', async () => {
    const layout = await started();
    const graph = graphOf(BASE);
    const placed = await layout.place(wanted(graph.nodes), graph.edges);
    expect(placed.boxes.length).toBeGreaterThan(2);
    for (const box of placed.boxes)
      for (const node of placed.nodes)
        expect(overlap(box, node), `${box.folder} and ${node.activity}`).toBe(box.activities.includes(node.activity));
  });
});

test('folders of two and more activities are boxes; a folder that adds nothing is none', () => {
  const nodes = [
    ['a', '/p/scratch/me/x'],
    ['b', '/p/scratch/me/x'],
    ['c', '/p/scratch/me/y'],
    ['d', '/usr'],
    ['e', null],
  ].map(([activity, folder]) => ({ activity: activity!, folder: folder! }));
  expect(folderBoxes(nodes)).toEqual([
    { folder: '/p/scratch/me', parent: null, activities: ['a', 'b', 'c'] },
    { folder: '/p/scratch/me/x', parent: '/p/scratch/me', activities: ['a', 'b'] },
  ]);
});

test('routes go around what stands in their way', () => {
  const number = randomNumbers(7);
  for (let run = 0; run < 50; run++) {
    const places = Array.from({ length: 20 }, (_, i) => ({
      x: (i % 5) * 200 + number(40),
      y: Math.floor(i / 5) * 160,
      width: 120,
      height: 80,
    }));
    const [from, to] = [places[number(20)]!, places[number(20)]!];
    const obstacles = places.filter((place) => place !== from && place !== to);
    const points = routeEdge(from, to, obstacles, run);
    points.slice(1).forEach((point, i) => {
      const before = points[i]!;
      const part = {
        x: Math.min(point.x, before.x),
        y: Math.min(point.y, before.y),
        width: Math.abs(point.x - before.x),
        height: Math.abs(point.y - before.y),
      };
      for (const node of obstacles) expect(overlap(part, node)).toBe(false);
    });
  }
});
