import type { PlacedAccesses } from './access-axis.ts';

/** What lies at a point of the plane. */
interface NearestAccess {
  /** Index among the accesses. */
  readonly access: number;
  /** Accesses that lie there, or as near. */
  readonly others: number;
}

/**
 * The access at a point, or the nearest one, no farther than a distance in both directions. Of several the one that began
 * last: it lies on top.
 *
 * @param reach distance along the axis, and along the file in bytes.
 */
export function nearestAccess(
  placed: PlacedAccesses,
  position: number,
  byte: number,
  reach: { readonly position: number; readonly bytes: number },
): NearestAccess | undefined {
  const { accesses, from, to, isShown } = placed;
  let [best, least, others] = [-1, 1, 0];
  for (let i = 0; i < accesses.length; i++) {
    if (!isShown(i)) continue;
    const along = distance(position, from(i), to(i));
    const across = distance(byte, accesses.offset[i]!, accesses.offset[i]! + accesses.bytes[i]! - 1);
    if (along > reach.position || across > reach.bytes) continue;
    // In parts of the reach: the one is nanoseconds, the other bytes.
    const far = Math.max(share(along, reach.position), share(across, reach.bytes));
    if (far > least) continue;
    others = far === least && best >= 0 ? others + 1 : 0;
    [best, least] = [i, far];
  }
  return best < 0 ? undefined : { access: best, others };
}

function distance(at: number, from: number, to: number): number {
  return at < from ? from - at : Math.max(0, at - to);
}

function share(part: number, whole: number): number {
  return part === 0 ? 0 : part / whole;
}
