import type { GraphEdge, GraphNode } from '../../analysis/dfg/graph.ts';
import { darknessOf, sharesOfCost, type ShadedBy } from '../../drawing/graph/node-costs.ts';
import { counted, formatCount } from '../../base/quantities.ts';
import {
  placeGraph,
  type LayoutEngine,
  type PlacedEdge,
  type PlacedGraph,
  type Size,
} from '../../drawing/graph/graph-layout.ts';
import {
  edgeWidth,
  END,
  LINE_HEIGHT,
  nodeLines,
  PADDING,
  pathThrough,
  shortened,
  sizeOfLines,
  START,
  TERMINAL,
} from '../../drawing/graph/graph-shapes.ts';
import type { GraphDocument } from '../analysis/documents.ts';
import { folderOfAll, graphNodeText } from './graph-node-text.ts';
import { element, escapeMarkup } from '../../base/markup.ts';
import type { ReportMaterial } from '../report/report-material.ts';

/** Shades of blue by share of the cost, light to dark as in the paper (section IV-C); the text stays readable. */
const SHADES = 6;
/** A layout of more nodes takes minutes, and nobody can read it. */
const MOST_DRAWN_NODES = 400;

/**
 * Style of the drawing. It stands in the file of `dfg --format svg`, and in the page's own style sheet where the drawing is
 * part of a page (whose content security policy allows no second one).
 */
export const GRAPH_STYLE = `
.dfg { --ink: #1f2328; --paper: #ffffff; --line: #6e7781; background: var(--paper); font: 12px system-ui, "DejaVu Sans", sans-serif; }
.dfg text { text-anchor: middle; fill: #1f2328; fill: var(--ink); }
.dfg .title { font-weight: 600; }
.dfg .box { stroke: #57606a; fill: #ffffff; fill: var(--paper); }
.dfg .shade1 { fill: #eaf3fb; } .dfg .shade2 { fill: #d3e6f5; } .dfg .shade3 { fill: #b9d8ef; }
.dfg .shade4 { fill: #9cc8e8; } .dfg .shade5 { fill: #7fb6de; }
.dfg .green .box { fill: #b7e1b9; } .dfg .red .box { fill: #fbb9a9; }
.dfg .edge path { fill: none; stroke: #6e7781; stroke: var(--line); }
.dfg .edge text { stroke: #ffffff; stroke: var(--paper); stroke-width: 3px; paint-order: stroke; }
.dfg .edge.green path { stroke: #2c8a44; } .dfg .edge.red path { stroke: #cf4a2d; stroke-dasharray: 6 3; }
.dfg .terminal, .dfg marker path { fill: #6e7781; fill: var(--line); stroke: none; }
@media screen and (prefers-color-scheme: dark) {
  .dfg { --ink: #e6edf3; --paper: #0d1117; --line: #8b949e; }
  .dfg .box { stroke: #8b949e; }
  .dfg .shade1 { fill: #12263a; } .dfg .shade2 { fill: #153350; } .dfg .shade3 { fill: #184066; }
  .dfg .shade4 { fill: #1b4e7d; } .dfg .shade5 { fill: #1f5c94; }
  .dfg .green .box { fill: #1f4d2b; } .dfg .red .box { fill: #6b2a1d; }
}
`;

/** elkjs in this thread. It is loaded only when a graph is drawn: it is as large as the rest of the command. */
export async function localLayoutEngine(): Promise<LayoutEngine> {
  const { default: ELK } = await import('elkjs/lib/elk.bundled.js');
  return new ELK();
}

/**
 * The graph of each recording for a page; '' where there is none that can be drawn.
 * @param start makes the engine; called only when something is drawn.
 */
export async function drawnGraphs(
  { recordings }: ReportMaterial,
  start: () => Promise<LayoutEngine>,
): Promise<string[]> {
  let engine: LayoutEngine | undefined;
  const drawn: string[] = [];
  for (const { graph } of recordings) {
    const isDrawable = graph.nodes.length > 0 && graph.nodes.length <= MOST_DRAWN_NODES;
    drawn.push(isDrawable ? await drawGraph(graph, (engine ??= await start())) : '');
  }
  return drawn;
}

/**
 * The graph as an SVG file for itself: light and dark by the viewer's preference.
 * @throws RangeError when the graph has too many nodes to be drawn.
 */
export async function graphSvg(
  graph: GraphDocument,
  engine: LayoutEngine,
  edgeLabel = countOf,
  shadedBy: ShadedBy = 'cost',
): Promise<string> {
  const look = { style: `<style>${GRAPH_STYLE}</style>`, edgeLabel, shadedBy };
  const drawn = await drawGraph(graph, engine, look);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${drawn}\n`;
}

interface GraphLook {
  /** A `style` element that is put into it, or ''. */
  readonly style?: string;
  readonly edgeLabel?: typeof countOf;
  /** What the shade of nodes goes by. */
  readonly shadedBy?: ShadedBy;
}

/** The `svg` element alone. */
async function drawGraph(
  graph: GraphDocument,
  engine: LayoutEngine,
  { style = '', edgeLabel = countOf, shadedBy = 'cost' }: GraphLook = {},
): Promise<string> {
  if (graph.nodes.length > MOST_DRAWN_NODES) {
    throw new RangeError(
      `a graph of ${formatCount(graph.nodes.length)} nodes cannot be drawn (at most ${MOST_DRAWN_NODES}): choose a coarser --mapping or a --filter`,
    );
  }
  const nodes = new Map(graph.nodes.map((node) => [node.activity, node]));
  const within = folderOfAll(graph.nodes);
  const placed = await placeGraph(engine, sizesOf(graph, within), graph.edges);
  const shareOf = sharesOfCost(graph.nodes);
  const darkness = darknessOf(graph.nodes, shadedBy);
  const isPartitioned = graph.nodes.some(({ partition }) => partition !== null);
  const boxes = placed.nodes.map((place) => {
    const node = nodes.get(place.activity);
    if (node === undefined) return drawTerminal(place);
    const shade = isPartitioned ? 0 : Math.min(SHADES - 1, Math.floor(darkness(node) * SHADES));
    return drawNode(node, place, { shade, share: shareOf(node), within });
  });
  return frame(
    placed,
    [style, ARROW, ...placed.edges.map((edge) => drawEdge(edge, edgeLabel(edge.edge))), ...boxes],
    describe(graph),
  );
}

const ARROW = `<defs><marker id="dfg-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8Z"/></marker></defs>`;

function frame(placed: PlacedGraph<GraphEdge>, content: readonly string[], description: string): string {
  const width = Math.ceil(placed.width);
  const height = Math.ceil(placed.height);
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'dfg',
    role: 'img',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  };
  return element('svg', attributes, element('title', {}, escapeMarkup(description)), ...content);
}

function describe(graph: GraphDocument): string {
  return `Directly-Follows-Graph of ${counted(graph.events, 'event')} in ${counted(graph.cases, 'case')}: ${counted(graph.nodes.length, 'activity', 'activities')}`;
}

function sizesOf(graph: GraphDocument, within: string): Map<string, Size> {
  const sizes = new Map<string, Size>(
    graph.nodes.map((node) => [node.activity, sizeOfLines(nodeLines(graphNodeText(node, within)), widthOf)]),
  );
  for (const { from, to } of graph.edges) {
    if (from === START) sizes.set(START, TERMINAL);
    if (to === END) sizes.set(END, TERMINAL);
  }
  return sizes;
}

/** Estimated width of a text in the drawing's font, pixels: nothing here can measure it. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character.codePointAt(0)! > 0x2e80 ? 12 : 6.6;
  return width;
}

function drawTerminal(place: PlacedGraph<GraphEdge>['nodes'][number]): string {
  const { x, y, width, height } = place;
  return place.activity === START
    ? element('circle', { class: 'terminal', cx: x + width / 2, cy: y + height / 2, r: width / 2 })
    : element('rect', { class: 'terminal', x, y, width, height });
}

function drawNode(
  node: GraphNode,
  place: PlacedGraph<GraphEdge>['nodes'][number],
  { shade, share, within }: { readonly shade: number; readonly share: number; readonly within: string },
): string {
  const text = graphNodeText(node, within);
  const box = element('rect', {
    class: `box shade${shade}`,
    width: place.width,
    height: place.height,
    rx: 6,
    'stroke-width': (1 + 3 * share).toFixed(1),
  });
  const texts = nodeLines(text).map(({ kind, text: line }, i) =>
    element(
      'text',
      { x: place.width / 2, y: PADDING + LINE_HEIGHT * (i + 0.75), class: kind === 'title' ? kind : undefined },
      escapeMarkup(kind === 'number' ? line : shortened(line, place.width, widthOf)),
    ),
  );
  const hint = element('title', {}, escapeMarkup(text.description));
  const attributes = { class: `node ${node.partition ?? ''}`.trim(), transform: `translate(${place.x} ${place.y})` };
  return element('g', attributes, hint, box, ...texts);
}

function countOf({ count }: GraphEdge): string {
  return formatCount(count);
}

function drawEdge({ edge, points, label }: PlacedEdge<GraphEdge>, count: string): string {
  const line = element('path', {
    d: pathThrough(points),
    'stroke-width': edgeWidth(edge.count).toFixed(2),
    'marker-end': 'url(#dfg-arrow)',
  });
  const hint = element('title', {}, escapeMarkup(`${edge.from} → ${edge.to}: ${count}`));
  const attributes = { class: `edge ${edge.partition ?? ''}`.trim() };
  return element('g', attributes, hint, line, element('text', { x: label.x, y: label.y + 4 }, count));
}
