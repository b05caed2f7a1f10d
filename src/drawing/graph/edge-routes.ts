import type { Point, Size } from './graph-layout.ts';

export type Rectangle = Size & Point;

/** Between a node and the horizontal part of an edge beside it, and between a vertical part and what it passes. */
const GAP = 12;
/** Distance between edges that leave a node side by side. */
const SIDE_STEP = 9;

/**
 * The way of an edge between two nodes that stay where they are: down or up between the rows, beside what stands in the
 * way. elkjs can only lay out edges together with nodes (docs/decisions/0077).
 *
 * @param obstacles the other nodes.
 * @param lane tells edges of one node apart: 0, 1, 2 …
 */
export function routeEdge(from: Rectangle, to: Rectangle, obstacles: readonly Rectangle[], lane: number): Point[] {
  if (from === to) return loop(from, lane);
  const shift = (((lane + 2) % 5) - 2) * SIDE_STEP;
  const startX = within(from, from.x + from.width / 2 + shift);
  const endX = within(to, to.x + to.width / 2 + shift);
  let best: Point[] = [];
  let leastCost = Infinity;
  for (const [startY, outY, inY, endY] of levels(from, to)) {
    const out = { x: startX, y: outY };
    const back = { x: endX, y: inY };
    for (const x of columns(out, back, obstacles, shift)) {
      const points = straightened([
        { x: startX, y: startY },
        out,
        { x, y: outY },
        { x, y: inY },
        back,
        { x: endX, y: endY },
      ]);
      const cost = costOf(points, obstacles);
      if (cost >= leastCost) continue;
      leastCost = cost;
      best = points;
    }
  }
  return best;
}

/** Where an edge leaves, runs aside, runs aside again, and arrives. */
function levels(from: Rectangle, to: Rectangle): (readonly [number, number, number, number])[] {
  const fromBottom = from.y + from.height;
  const toBottom = to.y + to.height;
  if (to.y >= fromBottom + 2 * GAP) return [[fromBottom, fromBottom + GAP, to.y - GAP, to.y]];
  if (toBottom + 2 * GAP <= from.y) return [[from.y, from.y - GAP, toBottom + GAP, toBottom]];
  // Side by side: below both, or above both.
  const below = Math.max(fromBottom, toBottom) + GAP;
  const above = Math.min(from.y, to.y) - GAP;
  return [
    [fromBottom, below, below, toBottom],
    [from.y, above, above, to.y],
  ];
}

/** Where the long vertical part may run: straight from an end, or beside a node that is in its way. */
function columns(out: Point, back: Point, obstacles: readonly Rectangle[], shift: number): number[] {
  const [top, bottom] = out.y < back.y ? [out.y, back.y] : [back.y, out.y];
  const beside = obstacles
    .filter(({ y, height }) => y < bottom && y + height > top)
    .flatMap(({ x, width }) => [x - GAP - Math.abs(shift) / 2, x + width + GAP + Math.abs(shift) / 2]);
  return [back.x, out.x, ...beside];
}

function within({ x, width }: Rectangle, wanted: number): number {
  return Math.max(x + 6, Math.min(x + width - 6, wanted));
}

function loop({ x, y, width, height }: Rectangle, lane: number): Point[] {
  const right = x + width;
  const far = right + 16 + (lane % 3) * 4;
  const middle = y + height / 2;
  const half = Math.min(12, height / 4);
  return [
    { x: right, y: middle - half },
    { x: far, y: middle - half },
    { x: far, y: middle + half },
    { x: right, y: middle + half },
  ];
}

/** Length, bends, and what lies below it. */
function costOf(points: readonly Point[], obstacles: readonly Rectangle[]): number {
  let cost = points.length * 10;
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1]!;
    const b = points[i]!;
    cost += Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
    for (const node of obstacles) if (crosses(a, b, node)) cost += 10_000;
  }
  return cost;
}

function crosses(a: Point, b: Point, { x, y, width, height }: Rectangle): boolean {
  return (
    Math.min(a.x, b.x) < x + width &&
    Math.max(a.x, b.x) > x &&
    Math.min(a.y, b.y) < y + height &&
    Math.max(a.y, b.y) > y
  );
}

/** Without points that lie on the line between their neighbours. */
function straightened(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    const before = kept.at(-2);
    if (last?.x === point.x && last.y === point.y) continue;
    const inLine =
      last !== undefined &&
      before !== undefined &&
      ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y));
    if (inLine) kept.pop();
    kept.push(point);
  }
  return kept;
}
