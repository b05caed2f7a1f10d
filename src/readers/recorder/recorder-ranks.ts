import type { DamageLog } from '../../trace/damage.ts';

/** Ranks without a file that are believed in, beside as many as have files: some of them may have been lost. */
const MOST_LOST = 1000;

/**
 * How many ranks are gone through. A directory may have lost files; but a number in it is no reason to look for millions.
 * @param recorded number of ranks as `recorder.mt` says it.
 * @param names of the directory's files.
 */
export function numberOfRanks(recorded: number, names: readonly string[], damage: DamageLog): number {
  const present = new Set<number>();
  let highest = -1;
  for (const name of names) {
    const match = /^(\d{1,8})\.(?:ts|itf|cst|cfg)$/.exec(name);
    if (match === null) continue;
    present.add(Number(match[1]));
    highest = Math.max(highest, Number(match[1]));
  }
  // 3.x may have no file for a rank at all.
  if (present.size === 0) return recorded;
  const believed = 2 * present.size + MOST_LOST;
  const ranks = Math.min(Math.max(recorded, highest + 1), believed);
  if (recorded > ranks) {
    damage.add('file', `ranks ${ranks} to ${recorded - 1}`, 'there are no files of them', 'what they did');
  }
  if (recorded < ranks) {
    const what = `it says that there were ${recorded} ranks, but there are files of rank ${ranks - 1}`;
    damage.add('record', 'recorder.mt', what, 'nothing');
  }
  return ranks;
}
