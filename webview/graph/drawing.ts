import {
  edgeWidth,
  LINE_HEIGHT,
  nodeLines,
  PADDING,
  pathThrough,
  shortened,
  sizeOfLines,
  START,
  type Measure,
} from '../../src/drawing/graph/graph-shapes.ts';
import type { ViewGraph, ViewNode } from '../../src/features/graph/protocol.ts';
import { visibleText } from '../kit/dom.ts';
import { svgElement } from '../kit/svg.ts';
import { borderWidths, isPartitioned, shade, type ColourBy } from './appearance.ts';
import { nameIn } from './short-names.ts';
import { edgeDescription, edgeLabel } from './edge-texts.ts';
import type { PlacedBox, PlacedEdge, PlacedGraph, PlacedNode, Size } from './layout.ts';

export { END, START } from '../../src/drawing/graph/graph-shapes.ts';

/** The handle that collapses or expands a folder. */
const TOGGLE = 18;

/** The size that a node's text needs; the handle of a collapsed folder stands beside its name. */
export function sizeOf(node: ViewNode, widthOf: Measure): Size {
  const isCollapsed = node.collapsed !== undefined;
  return sizeOfLines(nodeLines(node.text), (text, kind) =>
    isCollapsed && kind === 'title' ? widthOf(text, kind) + 2 * TOGGLE : widthOf(text, kind),
  );
}

/**
 * Draws a laid out graph. The result holds one group for each node, with the activity in `data-activity`, and one for each
 * handle of a folder, with the folder in `data-folder`.
 */
export function draw(graph: ViewGraph, placed: PlacedGraph, by: ColourBy, widthOf: Measure): SVGElement {
  const nodes = new Map(graph.nodes.map((node) => [node.activity, node]));
  const isColoured = isPartitioned(graph) && by === 'partition';
  const borderOf = borderWidths(graph);
  const root = svgElement('g', { class: isColoured ? 'partitioned' : 'plain' });
  for (const box of placed.boxes) root.append(drawBox(box));
  for (const edge of placed.edges) root.append(drawEdge(edge, graph.base !== null));
  for (const box of placed.boxes) root.append(...drawHandle(box, nameOfBox(box, placed.boxes, graph.within), widthOf));
  for (const place of placed.nodes) {
    const node = nodes.get(place.activity);
    if (node === undefined) root.append(drawTerminal(place));
    else {
      const look = { percent: shade(node, graph, by), border: borderOf(node) };
      root.append(drawNode(node, place, look), drawText(node, place, widthOf));
      if (node.collapsed !== undefined) root.append(drawExpander(node, place));
    }
  }
  return root;
}

function drawBox({ x, y, width, height, depth }: PlacedBox): SVGElement {
  return svgElement('rect', { x, y, width, height, rx: 8, class: `folder depth${depth % 2}` });
}

/** What is said above a box: its folder, without that of the box around it. */
function nameOfBox({ folder, depth }: PlacedBox, boxes: readonly PlacedBox[], within: string): string {
  const around = boxes.find((box) => box.depth === depth - 1 && folder.startsWith(`${box.folder}/`));
  if (around !== undefined) return nameIn(folder, around.folder);
  return folder.startsWith(within) ? folder.slice(within.length) : folder;
}

/** The name of a folder, above its activities; it collapses the folder. */
function drawHandle({ x, y, width, folder, activities }: PlacedBox, name: string, widthOf: Measure): SVGElement[] {
  const text = shortened(name, width, (part) => widthOf(part, 'subtitle') + TOGGLE);
  const group = svgElement('g', {
    class: 'toggle',
    role: 'button',
    tabindex: -1,
    'aria-expanded': 'true',
    'aria-label': `Folder ${visibleText(folder)}, ${activities.length} activities`,
    'data-folder': folder,
    transform: `translate(${x + 4} ${y + 3})`,
  });
  group.append(
    svgElement('rect', {
      width: Math.min(width - 8, TOGGLE + 8 + widthOf(text, 'subtitle')),
      height: TOGGLE,
      rx: 4,
      class: 'hit',
      'data-hit': '',
    }),
    svgElement('path', { d: 'M5 7 L13 7 L9 12 z', class: 'glyph' }),
    svgElement('title', {}, `Folder ${folder}, ${activities.length} activities`),
  );
  return [
    group,
    svgElement('text', { x: x + TOGGLE + 6, y: y + 16, class: 'folder-name', 'aria-hidden': 'true' }, text),
  ];
}

function drawExpander({ collapsed }: ViewNode, place: PlacedNode): SVGElement {
  const { folder, activities } = collapsed!;
  const group = svgElement('g', {
    class: 'toggle',
    role: 'button',
    tabindex: -1,
    'aria-expanded': 'false',
    'aria-label': `Folder ${visibleText(folder)}, ${activities} activities`,
    'data-folder': folder,
    transform: `translate(${place.x + 2} ${place.y + 2})`,
  });
  group.append(
    svgElement('rect', { width: TOGGLE, height: TOGGLE, rx: 4, class: 'hit', 'data-hit': '' }),
    svgElement('path', { d: 'M7 5 L7 13 L12 9 z', class: 'glyph' }),
    svgElement('title', {}, `Folder ${folder}, ${activities} activities`),
  );
  return group;
}

function drawTerminal(place: PlacedNode): SVGElement {
  const group = svgElement('g', {
    class: 'terminal',
    role: 'img',
    'aria-label': place.activity === START ? 'start' : 'end',
  });
  const shape =
    place.activity === START
      ? svgElement('circle', { cx: place.x + place.width / 2, cy: place.y + place.height / 2, r: place.width / 2 })
      : svgElement('rect', { x: place.x, y: place.y, width: place.width, height: place.height });
  group.append(shape);
  return group;
}

function drawNode(
  node: ViewNode,
  place: PlacedNode,
  { percent, border }: { readonly percent: number; readonly border: number },
): SVGElement {
  const isCollapsed = node.collapsed !== undefined;
  const group = svgElement('g', {
    class: `node ${node.partition ?? ''} ${node.places.length > 0 ? 'has-source' : ''} ${isCollapsed ? 'collapsed' : ''}`,
    tabindex: -1,
    role: 'button',
    'aria-label': visibleText(node.text.description),
    'data-activity': node.activity,
    transform: `translate(${place.x} ${place.y})`,
  });
  const { width, height } = place;
  // A collapsed folder looks like a pile of sheets.
  if (isCollapsed) group.append(svgElement('rect', { x: 4, y: 4, width, height, rx: 6, class: 'behind' }));
  const box = svgElement('rect', { width, height, rx: 6, class: 'box' });
  box.style.setProperty('--shade', `${percent}%`);
  box.style.setProperty('stroke-width', `${border.toFixed(1)}px`);
  group.append(box);
  group.append(svgElement('title', {}, node.text.description));
  return group;
}

/** The text of a node stands beside it in the tree: what a screen reader says of the node is more than fits into it. */
function drawText(node: ViewNode, { x, y, width }: PlacedNode, widthOf: Measure): SVGElement {
  const group = svgElement('g', { class: 'node-text', 'aria-hidden': 'true', transform: `translate(${x} ${y})` });
  nodeLines(node.text).forEach(({ kind, text }, i) => {
    const at = { x: width / 2, y: PADDING + LINE_HEIGHT * (i + 0.75), class: kind };
    const room = width - (node.collapsed !== undefined && kind === 'title' ? 2 * TOGGLE : 0);
    const shown = kind === 'number' ? text : shortened(text, room, (part) => widthOf(part, kind));
    group.append(svgElement('text', at, shown));
  });
  return group;
}

function drawEdge({ edge, points, label }: PlacedEdge, isCompared: boolean): SVGElement {
  const group = svgElement('g', {
    class: `edge ${edge.partition ?? ''} ${edge.through > 0 ? 'bridge' : ''}`,
    'data-from': edge.from,
    'data-to': edge.to,
  });
  const isDownwards = (points[0]?.y ?? 0) <= (points.at(-1)?.y ?? 0);
  group.append(
    // A line of a pixel cannot be hit.
    svgElement('path', { d: pathThrough(points), class: 'hit', 'data-hit': '' }),
    svgElement('path', {
      d: pathThrough(points),
      'stroke-width': edgeWidth(edge.count).toFixed(2),
      'marker-end': 'url(#arrow)',
      ...(edge.back !== null && { 'marker-start': 'url(#arrow)' }),
    }),
    svgElement('text', { x: label.x, y: label.y + 4 }, edgeLabel(edge, isCompared, isDownwards)),
    svgElement('title', {}, edgeDescription(edge, isCompared)),
  );
  return group;
}
