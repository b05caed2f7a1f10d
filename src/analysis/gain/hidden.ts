import type { Trace } from '../../trace/trace.ts';
import type { Lanes } from './lanes.ts';
import type { CallGroup } from './observed-calls.ts';

/**
 * Share of what the calls of a lane take that the run waits for: what other threads than the first do in files costs no
 * more than the first one waits, for while it runs or is ready to run it computes.
 *
 * @returns shares below 1 by lane; a lane that is not named is waited for as a whole.
 */
export function waitedShares(
  { streams, parts }: Trace,
  lanes: Lanes,
  groups: readonly CallGroup[],
): ReadonlyMap<number, number> {
  const partOfLane = new Map<number, number>();
  const withFirstThread = new Set<number>();
  streams.forEach(({ pid, processId, part }, stream) => {
    const lane = lanes.of[stream]!;
    if (pid === processId) withFirstThread.add(lane);
    else partOfLane.set(lane, part);
  });
  const beside = [...partOfLane].filter(([lane]) => !withFirstThread.has(lane));
  const took = new Map<number, number>();
  for (const { laneTimes } of groups)
    for (const [lane, time] of laneTimes) took.set(lane, (took.get(lane) ?? 0) + time);
  const shares = new Map<number, number>();
  for (const [lane, part] of beside) {
    const { life } = parts[part]!;
    if (life?.firstThreadNs === undefined) continue;
    const waited = Math.max(0, life.lastedNs - life.firstThreadNs);
    const all = beside.reduce((sum, [other, of]) => sum + (of === part ? (took.get(other) ?? 0) : 0), 0);
    if (waited < all) shares.set(lane, waited / all);
  }
  return shares;
}
