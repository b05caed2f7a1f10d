import type { Point } from '../graph/graph-layout.ts';

/** The least that an arrow goes straight away from a box, and the most. */
const LEAST = 24;
const MOST = 120;

/** The path data of an arrow: it leaves and reaches each point horizontally. */
export function arrowPath([first, ...rest]: readonly Point[]): string {
  if (first === undefined) return '';
  let path = `M${round(first.x)} ${round(first.y)}`;
  let at = first;
  for (const point of rest) {
    const way = point.x - at.x;
    // Back to the left it turns round in a loop.
    const bend = way >= 0 ? Math.min(MOST, way / 2) : Math.min(MOST, LEAST + Math.abs(way) / 4);
    path +=
      point.y === at.y && way >= 0
        ? ` L${round(point.x)} ${round(point.y)}`
        : ` C${round(at.x + bend)} ${round(at.y)} ${round(point.x - bend)} ${round(point.y)} ${round(point.x)} ${round(point.y)}`;
    at = point;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
