/** How many names two paths have in common from their ends: `/build/src/a.c` and `/home/me/src/a.c` two. */
export function commonEnding(one: string, other: string): number {
  const [left, right] = [one.split('/').reverse(), other.split('/').reverse()];
  let same = 0;
  while (same < left.length && same < right.length && left[same] === right[same] && left[same] !== '') same++;
  return same;
}
