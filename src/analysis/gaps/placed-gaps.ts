import { getOrCreate } from '../../base/grouping.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { GapPlaces, type GapPlace, type PlacedEnd } from './gap-place.ts';
import { gapsOf, type Gap } from './gaps.ts';

/** All gaps in one place of the program. Nanoseconds, as recorded. */
export interface PlacedGap {
  /** Undefined where no function of the program is on the stacks of both sides: start-up, libraries, no stacks. */
  readonly place: GapPlace | undefined;
  /** What stands on both sides; undefined where the place is unknown, and others are known. */
  readonly ends: { readonly after: PlacedEnd; readonly before: PlacedEnd } | undefined;
  readonly times: number;
  /** Of the process or thread that has most of it; the others pass beside it. */
  readonly timeNs: number;
  /** Of all processes and threads together. */
  readonly allNs: number;
  readonly longestNs: number;
  /** Processes and threads that have some of it. */
  readonly streams: number;
}

interface PlacedGaps {
  /** Longest first; last what has no place, which nobody can change. */
  readonly gaps: readonly PlacedGap[];
  /** In gaps, of the process or thread that has most of them. */
  readonly timeNs: number;
  /** See `gapsOf`. */
  readonly leastNs: number;
}

/** The gaps of a recording by their places in the program. */
export function placedGaps(trace: Trace, resolved: ResolvedStacks): PlacedGaps {
  const { gaps, leastNs } = gapsOf(trace);
  const places = new GapPlaces(trace, resolved);
  const placed = gaps.map((gap) => ({ gap, place: places.between(gap.after, gap.before) }));
  // Where no function of the program is known, for want of stacks or of its binary, the calls tell places apart.
  const hasPlaces = placed.some(({ place }) => place !== undefined);
  const groups = new Map<string, { place: GapPlace | undefined; isNamed: boolean; alike: Gap[] }>();
  for (const { gap, place } of placed) {
    const isNamed = place !== undefined || !hasPlaces;
    const key = JSON.stringify([place && keyOf(place), isNamed && [gap.after.name, gap.before.name]]);
    getOrCreate(groups, key, () => ({ place, isNamed, alike: [] })).alike.push(gap);
  }
  const found = [...groups.values()].map(({ place, isNamed, alike }): PlacedGap => {
    const { after, before } = alike[0]!;
    const ends = isNamed ? { after: places.endOf(after), before: places.endOf(before) } : undefined;
    return { place, ends, ...sumOf(alike) };
  });
  found.sort((a, b) => Number(a.ends === undefined) - Number(b.ends === undefined) || b.timeNs - a.timeNs);
  return { gaps: found, timeNs: sumOf(gaps).timeNs, leastNs };
}

function keyOf({ functionName, file, fromLine, toLine, callers }: GapPlace): unknown[] {
  return [
    functionName,
    file,
    fromLine,
    toLine,
    callers.map((caller) => [caller.functionName, caller.file, caller.line]),
  ];
}

function sumOf(gaps: readonly Gap[]): Omit<PlacedGap, 'place' | 'ends'> {
  const ofStreams = new Map<StreamIndex, number>();
  let [times, longestNs] = [0, 0];
  for (const gap of gaps) {
    for (const [stream, ns] of gap.ofStreams) ofStreams.set(stream, (ofStreams.get(stream) ?? 0) + ns);
    times += gap.times;
    longestNs = Math.max(longestNs, gap.longestNs);
  }
  let [timeNs, allNs] = [0, 0];
  for (const ns of ofStreams.values()) {
    timeNs = Math.max(timeNs, ns);
    allNs += ns;
  }
  return { times, timeNs, allNs, longestNs, streams: ofStreams.size };
}
