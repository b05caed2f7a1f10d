import type { Amount } from './insight.ts';

/** How many calls move so many bytes. */
export type CallSize = readonly [bytes: number, calls: number];

/** A place's sizes are those of what offends where all of its calls do, or have one size; none where that is not so. */
export function sizesOfOffence(sizes: readonly CallSize[], { events, bytes }: Readonly<Amount>): readonly CallSize[] {
  const [first] = sizes;
  if (sizes.length === 1 && first![0] * events === bytes) return [[first![0], events]];
  const calls = sizes.reduce((sum, [, count]) => sum + count, 0);
  const moved = sizes.reduce((sum, [size, count]) => sum + size * count, 0);
  return calls === events && moved === bytes ? sizes : [];
}

/** The sizes of all places, the smallest first; none where those of one are not known. */
export function sizesOfAll(places: readonly (readonly CallSize[])[]): readonly CallSize[] {
  if (places.some((sizes) => sizes.length === 0)) return [];
  const counts = new Map<number, number>();
  for (const [size, calls] of places.flat()) counts.set(size, (counts.get(size) ?? 0) + calls);
  return [...counts].sort(([a], [b]) => a - b);
}
