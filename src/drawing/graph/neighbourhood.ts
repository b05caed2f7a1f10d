import { routeEdge, type Rectangle } from './edge-routes.ts';
import { around } from './free-place.ts';
import { middleOfLongest, type CountedEdge, type PlacedEdge, type Size } from './graph-layout.ts';
import { END, START } from './graph-shapes.ts';
import type { BoxedGraph } from './stable-layout.ts';

/** More nodes would have to be scrolled through. */
const MOST = 8;
/** Between two nodes of a column: room for the count of an edge. */
const BETWEEN = 44;

/**
 * What stands around an activity, from top to bottom: what leads to it, itself, what follows it; by two steps where one finds
 * little, the most travelled edges first. What both leads there and follows stands where it does so more often.
 */
export function neighbourhood(focus: string, edges: readonly CountedEdge[]): string[] {
  const before: string[] = [];
  const behind: string[] = [];
  const known = new Set([focus]);
  const byCount = edges.filter(({ from, to }) => from !== to).toSorted((a, b) => b.count - a.count);
  const step = (from: ReadonlySet<string>): void => {
    for (const edge of byCount) {
      if (known.size >= MOST) return;
      const isBehind = from.has(edge.from) && !known.has(edge.to);
      const isBefore = from.has(edge.to) && !known.has(edge.from);
      if (isBehind) behind.push(edge.to);
      else if (isBefore) before.unshift(edge.from);
      else continue;
      known.add(isBehind ? edge.to : edge.from);
    }
  };
  step(new Set(known));
  if (known.size < MOST / 2) step(new Set([...known].filter((activity) => activity !== START && activity !== END)));
  const inside = [...before, focus, ...behind].filter((activity) => activity !== START && activity !== END);
  return [...(known.has(START) ? [START] : []), ...inside, ...(known.has(END) ? [END] : [])];
}

/** Nodes below each other, in a column as wide as the widest; edges that are not between neighbours pass beside it. */
export function placeInColumn<Edge extends CountedEdge>(
  nodes: readonly (Size & { readonly activity: string })[],
  edges: readonly Edge[],
): BoxedGraph<Edge> {
  const widest = Math.max(0, ...nodes.map(({ width }) => width));
  const places = new Map<string, Rectangle>();
  let y = 0;
  for (const { activity, width, height } of nodes) {
    places.set(activity, { x: (widest - width) / 2, y, width, height });
    y += height + BETWEEN;
  }
  const lanes = new Map<string, number>();
  const placed = edges.flatMap((edge): PlacedEdge<Edge>[] => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const lane = lanes.get(edge.from) ?? 0;
    lanes.set(edge.from, lane + 1);
    const others = [...places.values()].filter((place) => place !== from && place !== to);
    const points = routeEdge(from, to, others, lane);
    return [{ edge, points, label: middleOfLongest(points) }];
  });
  const whole = places.size === 0 ? { x: 0, y: 0, width: 0, height: 0 } : around([...places.values()]);
  return {
    origin: { x: whole.x, y: whole.y },
    width: whole.width,
    height: whole.height,
    nodes: [...places].map(([activity, place]) => ({ activity, ...place })),
    edges: placed,
    boxes: [],
    isAnew: true,
  };
}
