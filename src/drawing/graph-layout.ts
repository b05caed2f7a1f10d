import type { ElkExtendedEdge, ElkLabel, ElkNode } from 'elkjs/lib/elk-api.js';

/** Places of a Directly-Follows-Graph's nodes and edges, for the webview and for the SVG export alike. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the layout has to know of an edge. */
export interface CountedEdge {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

export interface PlacedNode extends Size, Point {
  readonly activity: string;
}

export interface PlacedEdge<Edge extends CountedEdge> {
  readonly edge: Edge;
  /** Start, bends, end. */
  readonly points: readonly Point[];
  readonly label: Point;
}

export interface PlacedGraph<Edge extends CountedEdge> extends Size {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge<Edge>[];
}

/** elkjs, wherever it runs: in a web worker, or in this thread. */
export interface LayoutEngine {
  layout(graph: ElkNode): Promise<ElkNode>;
}

/** From this many nodes on the layout is drawn with less care: it must not take longer than a second or two. */
const LARGE = 120;
const LABEL_HEIGHT = 14;
const DIGIT_WIDTH = 7;

/** @param sizes of the nodes, by activity; the order is that of the first sight. */
export async function placeGraph<Edge extends CountedEdge>(
  engine: LayoutEngine,
  sizes: ReadonlyMap<string, Size>,
  edges: readonly Edge[],
): Promise<PlacedGraph<Edge>> {
  const names = [...sizes.keys()];
  const index = new Map(names.map((name, i) => [name, `n${i}`]));
  const placed: ElkNode = await engine.layout({
    id: 'root',
    layoutOptions: optionsFor(names.length),
    children: names.map((name, i): ElkNode => ({ id: `n${i}`, ...sizes.get(name)! })),
    edges: edges.map((edge, i): ElkExtendedEdge => ({
      id: `e${i}`,
      sources: [index.get(edge.from)!],
      targets: [index.get(edge.to)!],
      labels: [label(edge)],
    })),
  });
  return {
    width: placed.width ?? 0,
    height: placed.height ?? 0,
    nodes: (placed.children ?? []).map((node, i) => ({ activity: names[i]!, ...rectangle(node) })),
    edges: (placed.edges ?? []).map((edge, i) => placedEdge(edges[i]!, edge)),
  };
}

/** Room for the count of an edge, on the edge itself. */
function label({ count }: CountedEdge): ElkLabel {
  const text = count.toLocaleString('en-US');
  return {
    text,
    width: text.length * DIGIT_WIDTH + 6,
    height: LABEL_HEIGHT,
    layoutOptions: { 'elk.edgeLabels.inline': 'true', 'elk.edgeLabels.placement': 'CENTER' },
  };
}

function optionsFor(nodes: number): Record<string, string> {
  return {
    'elk.algorithm': 'layered',
    'elk.direction': 'DOWN',
    'elk.spacing.nodeNode': '36',
    'elk.layered.spacing.nodeNodeBetweenLayers': '20',
    'elk.spacing.edgeNode': '18',
    'elk.layered.spacing.edgeNodeBetweenLayers': '14',
    'elk.layered.thoroughness': nodes > LARGE ? '1' : '7',
    ...(nodes > LARGE ? { 'elk.layered.nodePlacement.strategy': 'SIMPLE' } : {}),
  };
}

function rectangle(node: ElkNode): Size & Point {
  return { x: node.x ?? 0, y: node.y ?? 0, width: node.width ?? 0, height: node.height ?? 0 };
}

function placedEdge<Edge extends CountedEdge>(edge: Edge, placed: ElkExtendedEdge): PlacedEdge<Edge> {
  const section = placed.sections?.[0];
  const points = section === undefined ? [] : [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  const room = placed.labels?.[0];
  const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
  const centre = { x: (room?.x ?? 0) + (room?.width ?? 0) / 2, y: (room?.y ?? 0) + LABEL_HEIGHT / 2 };
  return { edge, points, label: room?.x === undefined ? middle : centre };
}
