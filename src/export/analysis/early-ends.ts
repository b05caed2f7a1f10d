import { formatCount } from '../../base/quantities.ts';

/** Processes that are named one by one; the rest is counted. */
const MOST_ENDS = 3;

/** What ended, or stopped being recorded, before its end, in words. */
export function namedEnds(ends: readonly string[]): string {
  const more = ends.length > MOST_ENDS ? `; and ${formatCount(ends.length - MOST_ENDS)} more` : '';
  return `${ends.slice(0, MOST_ENDS).join('; ')}${more}`;
}
