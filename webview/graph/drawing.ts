import type { ViewGraph, ViewNode } from '../../src/messages/graph-messages.ts';
import {
  edgeWidth,
  LINE_HEIGHT,
  PADDING,
  pathThrough,
  shortened,
  sizeOfLines,
  START,
} from '../../src/drawing/graph-shapes.ts';
import { borderWidth, isPartitioned, shade, type ColourBy } from './appearance.ts';
import type { PlacedEdge, PlacedGraph, PlacedNode, Size } from './layout.ts';

export { END, START } from '../../src/drawing/graph-shapes.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** The lines of text in a node. */
function linesOf(node: ViewNode): string[] {
  return [node.text.title, node.text.subtitle, node.text.load, node.text.rate].filter((line) => line !== '');
}

/** The size that a node's text needs. */
export function sizeOf(node: ViewNode, widthOf: (text: string) => number): Size {
  return sizeOfLines(linesOf(node), widthOf);
}

/** Makes an SVG element; text only ever gets in as text. */
function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  return made;
}

/** Draws a laid out graph. The result holds one group for each node, with the activity in `data-activity`. */
export function draw(graph: ViewGraph, placed: PlacedGraph, by: ColourBy): SVGElement {
  const nodes = new Map(graph.nodes.map((node) => [node.activity, node]));
  const root = element('g', { class: isPartitioned(graph) && by === 'partition' ? 'partitioned' : 'plain' });
  for (const edge of placed.edges) root.append(drawEdge(edge));
  for (const place of placed.nodes) {
    const node = nodes.get(place.activity);
    root.append(node === undefined ? drawTerminal(place) : drawNode(node, place, shade(node, graph, by)));
  }
  return root;
}

function drawTerminal(place: PlacedNode): SVGElement {
  const group = element('g', {
    class: 'terminal',
    role: 'img',
    'aria-label': place.activity === START ? 'start' : 'end',
  });
  const shape =
    place.activity === START
      ? element('circle', { cx: place.x + place.width / 2, cy: place.y + place.height / 2, r: place.width / 2 })
      : element('rect', { x: place.x, y: place.y, width: place.width, height: place.height });
  group.append(shape);
  return group;
}

function drawNode(node: ViewNode, place: PlacedNode, percent: number): SVGElement {
  const group = element('g', {
    class: `node ${node.partition ?? ''} ${node.places.length > 0 ? 'has-source' : ''}`,
    tabindex: -1,
    role: 'button',
    'aria-label': node.text.description,
    'data-activity': node.activity,
    transform: `translate(${place.x} ${place.y})`,
  });
  const box = element('rect', { width: place.width, height: place.height, rx: 6, class: 'box' });
  box.style.setProperty('--shade', `${percent}%`);
  box.style.setProperty('stroke-width', `${borderWidth(node).toFixed(1)}px`);
  group.append(box);
  linesOf(node).forEach((line, i) => {
    const text = element('text', {
      x: place.width / 2,
      y: PADDING + LINE_HEIGHT * (i + 0.75),
      class: i === 0 ? 'title' : line === node.text.subtitle ? 'subtitle' : 'number',
    });
    text.textContent = shortened(line, place.width);
    group.append(text);
  });
  const hint = element('title', {});
  hint.textContent = node.text.description;
  group.append(hint);
  return group;
}

function drawEdge({ edge, points, label }: PlacedEdge): SVGElement {
  const group = element('g', { class: `edge ${edge.partition ?? ''}`, 'data-from': edge.from, 'data-to': edge.to });
  // A line of a pixel cannot be hit.
  group.append(element('path', { d: pathThrough(points), class: 'hit' }));
  group.append(
    element('path', {
      d: pathThrough(points),
      'stroke-width': edgeWidth(edge.count).toFixed(2),
      'marker-end': 'url(#arrow)',
    }),
  );
  const text = element('text', { x: label.x, y: label.y + 4 });
  text.textContent = edge.count.toLocaleString('en-US');
  const hint = element('title', {});
  hint.textContent = `${edge.from} → ${edge.to}: ${edge.count.toLocaleString('en-US')}${sides(edge.green, edge.red, edge.partition !== null)}`;
  group.append(text, hint);
  return group;
}

function sides(green: number, red: number, partitioned: boolean): string {
  return partitioned ? ` (green ${green.toLocaleString('en-US')}, red ${red.toLocaleString('en-US')})` : '';
}
