import ELK, { type ElkExtendedEdge, type ElkLabel, type ElkNode } from 'elkjs/lib/elk-api.js';
import type { ViewEdge } from '../../src/messages/graph-messages.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode extends Size, Point {
  readonly activity: string;
}

export interface PlacedEdge {
  readonly edge: ViewEdge;
  /** Start, bends, end. */
  readonly points: readonly Point[];
  readonly label: Point;
}

export interface PlacedGraph extends Size {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** From this many nodes on the layout is drawn with less care: it must not take longer than a second or two. */
const LARGE = 120;
const LABEL_HEIGHT = 14;
const DIGIT_WIDTH = 7;

/**
 * Lays graphs out in a web worker. The worker's text is fetched and started from a blob: a webview may not start a worker
 * from another origin.
 */
export class GraphLayout {
  private engine: Promise<InstanceType<typeof ELK>> | undefined;

  constructor(private readonly workerUrl: string) {}

  async place(sizes: ReadonlyMap<string, Size>, edges: readonly ViewEdge[]): Promise<PlacedGraph> {
    this.engine ??= startEngine(this.workerUrl);
    const engine = await this.engine;
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
}

/** Room for the count of an edge, on the edge itself. */
function label({ count }: ViewEdge): ElkLabel {
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

async function startEngine(workerUrl: string): Promise<InstanceType<typeof ELK>> {
  const response = await fetch(workerUrl);
  const url = URL.createObjectURL(new Blob([await response.text()], { type: 'text/javascript' }));
  return new ELK({ workerFactory: () => new Worker(url) });
}

function rectangle(node: ElkNode): Size & Point {
  return { x: node.x ?? 0, y: node.y ?? 0, width: node.width ?? 0, height: node.height ?? 0 };
}

function placedEdge(edge: ViewEdge, placed: ElkExtendedEdge): PlacedEdge {
  const section = placed.sections?.[0];
  const points = section === undefined ? [] : [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
  const room = placed.labels?.[0];
  const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
  const centre = { x: (room?.x ?? 0) + (room?.width ?? 0) / 2, y: (room?.y ?? 0) + LABEL_HEIGHT / 2 };
  return { edge, points, label: room?.x === undefined ? middle : centre };
}
