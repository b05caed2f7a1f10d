/** A function group, and its part of all that was recorded of a step, 0 to 1. */
interface SharePart {
  readonly group: ShareGroup;
  readonly part: number;
}

type ShareGroup = 'computation' | 'communication' | 'io';

export const SHARE_GROUPS: readonly ShareGroup[] = ['computation', 'communication', 'io'];

/** As users read it. */
export const GROUP_NAMES: Readonly<Record<ShareGroup, string>> = {
  computation: 'Computation',
  communication: 'Communication',
  io: 'I/O',
};

/** Parts of a run time in the order of the legend; none where nothing was recorded or nothing took time. */
export function shareParts(share: Readonly<Record<ShareGroup, number>> | null): SharePart[] {
  if (share === null) return [];
  const seconds = SHARE_GROUPS.map((group) => Math.max(0, share[group]));
  const total = seconds.reduce((sum, each) => sum + each, 0);
  return total > 0 ? SHARE_GROUPS.map((group, i) => ({ group, part: seconds[i]! / total })) : [];
}
