import type { Point, Size } from './graph-layout.ts';

/** Shapes and texts of a drawn graph, for the webview and for the SVG export alike. */

export const LINE_HEIGHT = 16;
export const PADDING = 10;
const WIDEST = 280;
/** Names of the activities that begin and end every trace. */
export const START = '●';
export const END = '■';
/** Start and end are drawn as a dot and a square of this size. */
export const TERMINAL: Size = { width: 18, height: 18 };

/** The size that lines of text need in a node. */
export function sizeOfLines(lines: readonly string[], widthOf: (text: string) => number): Size {
  const width = Math.min(WIDEST, Math.max(90, ...lines.map(widthOf)) + 2 * PADDING);
  return { width: Math.ceil(width), height: lines.length * LINE_HEIGHT + 2 * PADDING };
}

/** A text that fits a node's width: its middle gives way, for the ends of a path say most. */
export function shortened(text: string, width: number): string {
  const most = Math.floor((width - 2 * PADDING) / 6);
  return text.length > most ? `${text.slice(0, Math.ceil(most / 2) - 1)}…${text.slice(-Math.floor(most / 2))}` : text;
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
