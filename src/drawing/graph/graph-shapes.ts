import { fittedText } from '../../base/path-names.ts';
import type { Point, Size } from './graph-layout.ts';

/** Shapes and texts of a drawn graph, for the webview and for the SVG export alike. */

export const LINE_HEIGHT = 16;
export const PADDING = 10;
const WIDEST = 280;
const NARROWEST = 110;
/** Names of the activities that begin and end every trace. */
export const START = '●';
export const END = '■';
/** Start and end are drawn as a dot and a square of this size. */
export const TERMINAL: Size = { width: 18, height: 18 };

/** A line of text in a node; what is measured is shown whole, however wide the node becomes. */
interface NodeLine {
  readonly kind: 'title' | 'subtitle' | 'number';
  readonly text: string;
}

/** Pixels that a text takes in the font of its kind. */
export type Measure = (text: string, kind: NodeLine['kind']) => number;

/** What stands in a node, from top to bottom. */
export function nodeLines(text: {
  readonly title: string;
  readonly subtitle: string;
  readonly cost: string;
  readonly load: string;
  readonly rate: string;
}): NodeLine[] {
  const lines: NodeLine[] = [
    { kind: 'title', text: text.title },
    { kind: 'subtitle', text: text.subtitle },
    ...[text.cost, text.load, text.rate].map((number): NodeLine => ({ kind: 'number', text: number })),
  ];
  return lines.filter((line) => line.text !== '');
}

/** The size that a node's lines need: names give way where they are very long, numbers do not. */
export function sizeOfLines(lines: readonly NodeLine[], widthOf: Measure): Size {
  const widths = lines.map(({ kind, text }) => {
    const width = Math.ceil(widthOf(text, kind)) + 2 * PADDING;
    return kind === 'number' ? width : Math.min(WIDEST, width);
  });
  return { width: Math.max(NARROWEST, ...widths), height: lines.length * LINE_HEIGHT + 2 * PADDING };
}

/** A text that fits a width with its padding: its middle gives way, for the ends of a path say most. */
export function shortened(text: string, width: number, widthOf: (text: string) => number = guessedWidth): string {
  return fittedText(text, (part) => widthOf(part) <= width - 2 * PADDING);
}

/** Where nothing can measure it. */
function guessedWidth(text: string): number {
  return text.length * 6;
}

/** Width of an edge's stroke by how often it was seen: ten times as often is one step wider. */
export function edgeWidth(count: number): number {
  return 1 + Math.min(4, Math.log10(Math.max(1, count)));
}

/** The path data of a line with rounded corners at its bends. */
export function pathThrough(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let path = `M${first.x} ${first.y}`;
  rest.forEach((point, i) => {
    const next = rest[i + 1];
    if (next === undefined) path += ` L${point.x} ${point.y}`;
    else {
      const before = i === 0 ? first : rest[i - 1]!;
      const into = towards(point, before, 8);
      const out = towards(point, next, 8);
      path += ` L${into.x} ${into.y} Q${point.x} ${point.y} ${out.x} ${out.y}`;
    }
  });
  return path;
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : Math.min(distance, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
