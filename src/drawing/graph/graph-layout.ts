import type { ElkExtendedEdge, ElkLabel, ElkNode } from 'elkjs/lib/elk-api.js';
import { boxOfActivity, type FolderBox } from './folder-boxes.ts';

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
  /** What stands on it, where that is not its count. */
  readonly label?: string;
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

/** From this many nodes on the layout is drawn with less care. */
const LARGE = 120;
/** With more edges their counts get no room of their own: each would be laid out like a node. */
const MOST_LABELS = 150;
const LABEL_HEIGHT = 14;
const DIGIT_WIDTH = 7;
/** Room around the activities of a folder; its name stands above them. */
export const BOX_PADDING = 14;
export const BOX_HEADER = 30;

/**
 * @param sizes of the nodes, by activity; the order is that of the first sight.
 * @param boxes around activities of one folder: these are laid out together.
 */
export async function placeGraph<Edge extends CountedEdge>(
  engine: LayoutEngine,
  sizes: ReadonlyMap<string, Size>,
  edges: readonly Edge[],
  boxes: readonly FolderBox[] = [],
): Promise<PlacedGraph<Edge>> {
  const names = [...sizes.keys()];
  const index = new Map(names.map((name, i) => [name, `n${i}`]));
  const isLarge = names.length > LARGE;
  const placed: ElkNode = await engine.layout({
    id: 'root',
    layoutOptions: optionsFor(isLarge, boxes.length > 0),
    children: nested(names, sizes, boxes, optionsFor(isLarge, true)),
    edges: edges.map((edge, i): ElkExtendedEdge => ({
      id: `e${i}`,
      sources: [index.get(edge.from)!],
      targets: [index.get(edge.to)!],
      labels: edges.length > MOST_LABELS ? [] : [label(edge)],
    })),
  });
  const places = new Map(leaves(placed).map((node) => [node.id, rectangle(node)]));
  return {
    width: placed.width ?? 0,
    height: placed.height ?? 0,
    nodes: names.map((activity, i) => ({ activity, ...places.get(`n${i}`)! })),
    edges: (placed.edges ?? []).map((edge, i) => placedEdge(edges[i]!, edge)),
  };
}

/** The nodes within their boxes. */
function nested(
  names: readonly string[],
  sizes: ReadonlyMap<string, Size>,
  boxes: readonly FolderBox[],
  layoutOptions: Record<string, string>,
): ElkNode[] {
  const top: ElkNode[] = [];
  const made = new Map<string, ElkNode & { children: ElkNode[] }>();
  const padding = `[top=${BOX_HEADER + 8},left=${BOX_PADDING},bottom=${BOX_PADDING},right=${BOX_PADDING}]`;
  boxes.forEach(({ folder, parent }, i) => {
    const box = { id: `b${i}`, children: [], layoutOptions: { ...layoutOptions, 'elk.padding': padding } };
    made.set(folder, box);
    (parent === null ? top : made.get(parent)!.children).push(box);
  });
  const boxOf = boxOfActivity(boxes);
  names.forEach((name, i) => {
    const box = boxOf.get(name);
    (box === undefined ? top : made.get(box)!.children).push({ id: `n${i}`, ...sizes.get(name)! });
  });
  return top;
}

function leaves(node: ElkNode): ElkNode[] {
  return (node.children ?? []).flatMap((child) => (child.children === undefined ? [child] : leaves(child)));
}

/** Room for the count of an edge, on the edge itself. */
function label(edge: CountedEdge): ElkLabel {
  const text = edge.label ?? edge.count.toLocaleString('en-US');
  return {
    text,
    width: text.length * DIGIT_WIDTH + 6,
    height: LABEL_HEIGHT,
    layoutOptions: { 'elk.edgeLabels.inline': 'true', 'elk.edgeLabels.placement': 'CENTER' },
  };
}

function optionsFor(isLarge: boolean, isNested: boolean): Record<string, string> {
  return {
    'elk.algorithm': 'layered',
    'elk.direction': 'DOWN',
    'elk.spacing.nodeNode': '36',
    'elk.layered.spacing.nodeNodeBetweenLayers': '20',
    'elk.spacing.edgeNode': '18',
    'elk.layered.spacing.edgeNodeBetweenLayers': '14',
    'elk.layered.thoroughness': isLarge ? '1' : '7',
    ...(isLarge
      ? { 'elk.layered.nodePlacement.strategy': 'SIMPLE', 'elk.layered.spacing.edgeEdgeBetweenLayers': '3' }
      : {}),
    // Places within boxes are told from the corner of the whole drawing.
    ...(isNested
      ? { 'elk.hierarchyHandling': 'INCLUDE_CHILDREN', 'elk.json.edgeCoords': 'ROOT', 'elk.json.shapeCoords': 'ROOT' }
      : {}),
  };
}

function rectangle(node: ElkNode): Size & Point {
  return { x: node.x ?? 0, y: node.y ?? 0, width: node.width ?? 0, height: node.height ?? 0 };
}

function placedEdge<Edge extends CountedEdge>(edge: Edge, placed: ElkExtendedEdge): PlacedEdge<Edge> {
  const section = placed.sections?.[0];
  const points = section === undefined ? [] : [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  const room = placed.labels?.[0];
  if (room?.x === undefined) return { edge, points, label: middleOfLongest(points) };
  return { edge, points, label: { x: room.x + (room.width ?? 0) / 2, y: (room.y ?? 0) + LABEL_HEIGHT / 2 } };
}

/** Where a count stands that got no room of its own. */
export function middleOfLongest(points: readonly Point[]): Point {
  let best = points[0] ?? { x: 0, y: 0 };
  let longest = -1;
  points.slice(1).forEach((point, i) => {
    const before = points[i]!;
    const length = Math.hypot(point.x - before.x, point.y - before.y);
    if (length <= longest) return;
    longest = length;
    best = { x: (point.x + before.x) / 2, y: (point.y + before.y) / 2 };
  });
  return best;
}
