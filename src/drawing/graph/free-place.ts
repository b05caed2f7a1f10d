import type { Rectangle } from './edge-routes.ts';
import type { Point, Size } from './graph-layout.ts';

/** Room between a node that is fitted in and those that stand already. */
const MARGIN = 26;
const STEP = 30;
/** How far from where it would like to stand a place is looked for, in steps. */
const FARTHEST = 70;

/**
 * The free place that is nearest to a point.
 * @param suits what else a place has to be; where no such place is near, it is given up.
 * @param centre where the middle of the node would best be.
 */
export function freePlace(
  size: Size,
  centre: Point,
  standing: readonly Rectangle[],
  suits: (place: Rectangle) => boolean,
): Rectangle {
  const origin = { x: centre.x - size.width / 2, y: centre.y - size.height / 2 };
  const isFree = (place: Rectangle): boolean => !standing.some((other) => overlap(place, other, MARGIN));
  return (
    nearest(size, origin, (place) => isFree(place) && suits(place)) ??
    nearest(size, origin, isFree) ?? { ...size, x: origin.x, y: Math.max(0, ...standing.map(bottomOf)) + MARGIN }
  );
}

/** Looks in rings around a point. */
function nearest(size: Size, origin: Point, isGood: (place: Rectangle) => boolean): Rectangle | undefined {
  for (let ring = 0; ring <= FARTHEST; ring++) {
    for (let along = -ring; along <= ring; along++) {
      for (const [right, down] of ringAt(ring, along)) {
        const place = { ...size, x: origin.x + right * STEP, y: origin.y + down * STEP };
        if (isGood(place)) return place;
      }
    }
  }
  return undefined;
}

function ringAt(ring: number, along: number): (readonly [number, number])[] {
  if (ring === 0) return [[0, 0]];
  return [
    [along, ring],
    [ring, along],
    [-ring, along],
    [along, -ring],
  ];
}

export function overlap(a: Rectangle, b: Rectangle, margin = 0): boolean {
  return (
    a.x < b.x + b.width + margin &&
    b.x < a.x + a.width + margin &&
    a.y < b.y + b.height + margin &&
    b.y < a.y + a.height + margin
  );
}

/** The smallest rectangle around others. */
export function around(rectangles: readonly Rectangle[]): Rectangle {
  const x = Math.min(...rectangles.map((each) => each.x));
  const y = Math.min(...rectangles.map((each) => each.y));
  return {
    x,
    y,
    width: Math.max(...rectangles.map((each) => each.x + each.width)) - x,
    height: Math.max(...rectangles.map(bottomOf)) - y,
  };
}

function bottomOf({ y, height }: Rectangle): number {
  return y + height;
}
