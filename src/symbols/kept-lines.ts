import { LineShift, type Hunk } from './line-shift.ts';

/** Shorter texts, such as a bracket, stand everywhere: they tell no place. */
const TELLING = 3;

/**
 * How lines moved of which only some are known as they were: found again by their texts (lines that are there once, in the
 * same order on both sides, and what stands beside them).
 *
 * @param kept lines as they were, by their numbers counted from 1.
 * @param now the file as it is.
 * @returns undefined when no line is found again.
 */
export function shiftOfKeptLines(kept: ReadonlyMap<number, string>, now: readonly string[]): LineShift | undefined {
  const numbers = [...kept.keys()].sort((a, b) => a - b);
  const anchors = inOrder(linesFoundOnce(kept, now));
  if (anchors.length === 0) return undefined;
  const moved = new Map(anchors);
  const isSame = (before: number, after: number): boolean => kept.has(before) && kept.get(before) === now[after - 1];
  for (const step of [1, -1]) {
    for (const [before, after] of anchors)
      for (let at = step; !moved.has(before + at) && isSame(before + at, after + at); at += step)
        moved.set(before + at, after + at);
  }
  return LineShift.fromHunks(hunksOf(numbers, inOrder([...moved])));
}

/** Pairs of line numbers, then and now, of texts that either side has once. */
function linesFoundOnce(kept: ReadonlyMap<number, string>, now: readonly string[]): [number, number][] {
  const there = placesOf(now.map((text, i) => [i + 1, text] as const));
  const pairs: [number, number][] = [];
  for (const [text, before] of placesOf(kept)) {
    const after = there.get(text);
    if (text.trim().length >= TELLING && before > 0 && after !== undefined && after > 0) pairs.push([before, after]);
  }
  return pairs;
}

/** The line of each text; 0 for one that stands on several. */
function placesOf(lines: Iterable<readonly [number, string]>): Map<string, number> {
  const places = new Map<string, number>();
  for (const [line, text] of lines) places.set(text, places.has(text) ? 0 : line);
  return places;
}

/** The longest run of pairs that rise on both sides. */
function inOrder(pairs: readonly [number, number][]): [number, number][] {
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  const before = new Int32Array(sorted.length).fill(-1);
  /** By length: which pair ends a run of it with the smallest line now. */
  const ends: number[] = [];
  sorted.forEach(([, after], i) => {
    let length = ends.length;
    while (length > 0 && sorted[ends[length - 1]!]![1] >= after) length--;
    before[i] = length > 0 ? ends[length - 1]! : -1;
    ends[length] = i;
  });
  const run: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) run.unshift(sorted[at]!);
  return run;
}

/** What lies between pairs as a difference tells it. Lines that nobody kept count as unchanged. */
function hunksOf(numbers: readonly number[], pairs: readonly [number, number][]): Hunk[] {
  const hunks: Hunk[] = [];
  const [first] = pairs;
  const last = pairs.at(-1)!;
  const [top, shift] = [numbers[0]!, first![1] - first![0]];
  if (shift > 0) hunks.push({ oldStart: top - 1, oldCount: 0, newStart: top, newCount: shift });
  if (shift < 0) hunks.push({ oldStart: top + shift, oldCount: -shift, newStart: top + shift, newCount: 0 });
  if (first![0] > top) hunks.push(changed(top, top + shift, first![0] - top));
  for (const [i, [before, after]] of pairs.entries()) {
    const next = pairs[i + 1];
    if (next === undefined) break;
    const [oldCount, newCount] = [next[0] - before - 1, next[1] - after - 1];
    const isLost = numbers.some((line) => line > before && line < next[0]);
    if (oldCount === newCount && !isLost) continue;
    hunks.push({ oldStart: oldCount === 0 ? before : before + 1, oldCount, newStart: after + 1, newCount });
  }
  const behind = numbers.at(-1)! - last[0];
  if (behind > 0) hunks.push(changed(last[0] + 1, last[1] + 1, behind));
  return hunks;
}

function changed(oldStart: number, newStart: number, count: number): Hunk {
  return { oldStart, oldCount: count, newStart: Math.max(1, newStart), newCount: count };
}
