import { getOrCreate } from '../../base/grouping.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import { NONE } from '../../trace/events.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import type { Trace } from '../../trace/trace.ts';
import { lanesOf } from '../gain/lanes.ts';
import type { MetricsOutline } from '../metrics/metrics-outline.ts';
import { GapPlaces, type GapKind, type GapPlace, type PlacedEnd } from './gap-place.ts';
import { gapsOf, type Gap } from './gaps.ts';

/** All gaps in one place of the program. Nanoseconds, as recorded. */
export interface PlacedGap {
  /** `noStack`: the call on either side has none; `noLine`: no function of the program is on both, but libraries' are. */
  readonly kind: GapKind | 'noStack' | 'noLine';
  readonly place: GapPlace | undefined;
  /** What stands on both sides, where the place is not known from both; undefined where places are known and this is none. */
  readonly ends: { readonly after: PlacedEnd; readonly before: PlacedEnd } | undefined;
  readonly times: number;
  /** Of the process or thread that has most of it, and of those before and after it: time of the run. */
  readonly timeNs: number;
  /** Of all processes and threads together. */
  readonly allNs: number;
  readonly longestNs: number;
  /** Processes and threads that have some of it. */
  readonly streams: number;
}

interface PlacedGaps {
  /** Longest first. */
  readonly gaps: readonly PlacedGap[];
  /** In gaps, of the processes one after the other, or of the thread, with most of them in known places. */
  readonly timeNs: number;
  /** See `gapsOf`. */
  readonly leastNs: number;
}

/** A recording whose gaps are looked for. */
export interface GapsRecording {
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  readonly metrics: Pick<MetricsOutline, 'processes' | 'processOfStream'>;
}

/** The gaps of a recording by their places in the program. */
export function placedGaps({ trace, resolved, metrics }: GapsRecording): PlacedGaps {
  const { gaps, leastNs } = gapsOf(trace);
  const places = new GapPlaces(trace, resolved);
  const laneOf = lanesOf(trace, { ...metrics, processes: wholeLives(trace, metrics.processes) }).of;
  const placed = gaps.map((gap) => ({ gap, place: places.between(gap.after, gap.before) }));
  // Where no function of the program is known, for want of stacks or of its binary, the calls tell places apart.
  const hasPlaces = placed.some(({ place }) => place !== undefined);
  const groups = new Map<string, { place: GapPlace | undefined; alike: Gap[] }>();
  for (const { gap, place } of placed)
    getOrCreate(groups, keyOf(gap, place, hasPlaces), () => ({ place, alike: [] })).alike.push(gap);
  const found = [...groups.values()].map(({ place, alike }): PlacedGap => {
    const [gap] = alike;
    const isNamed = !isBySides(place) && (place !== undefined || !hasPlaces);
    const ends = isNamed ? { after: places.endOf(gap!.after), before: places.endOf(gap!.before) } : undefined;
    return { kind: place?.kind ?? unplaced(gap!), place, ends, ...sumOf(alike, laneOf) };
  });
  const known = placed.filter(({ place }) => place !== undefined).map(({ gap }) => gap);
  const lane = longestOf(timesOf(known.length > 0 ? known : gaps, laneOf));
  return {
    gaps: found.sort((a, b) => b.timeNs - a.timeNs || b.allNs - a.allNs),
    timeNs: timesOf(gaps, laneOf).get(lane) ?? 0,
    leastNs,
  };
}

/** Processes live, and compute, before their first call and behind their last. */
function wholeLives({ parts, streams }: Trace, processes: MetricsOutline['processes']): MetricsOutline['processes'] {
  const whole = [...processes].map(([process, life]) => {
    const lived = parts[streams[process]!.part]!.lived;
    const { startNs = life.first, endNs = life.last } = lived ?? {};
    return [process, { ...life, first: Math.min(life.first, startNs), last: Math.max(life.last, endNs) }] as const;
  });
  return new Map(whole);
}

/** Both sides say where. */
function isBySides(place: GapPlace | undefined): boolean {
  return place !== undefined && place.kind !== 'until' && place.kind !== 'since';
}

function unplaced({ after, before }: Gap): 'noStack' | 'noLine' {
  return (after.name !== '' && after.node === NONE) || (before.name !== '' && before.node === NONE)
    ? 'noStack'
    : 'noLine';
}

function keyOf(gap: Gap, place: GapPlace | undefined, hasPlaces: boolean): string {
  const ends = [gap.after.name, gap.before.name];
  if (place === undefined) return JSON.stringify(hasPlaces ? unplaced(gap) : [unplaced(gap), ends]);
  const { kind, functionName, file, fromLine, toLine, callers } = place;
  const called = callers.map((caller) => [caller.functionName, caller.file, caller.line]);
  const unknown = kind === 'until' ? ends[0] : kind === 'since' ? ends[1] : '';
  return JSON.stringify([kind, functionName, file, fromLine, toLine, called, unknown]);
}

function sumOf(gaps: readonly Gap[], laneOf: Int32Array): Omit<PlacedGap, 'kind' | 'place' | 'ends'> {
  const ofLanes = timesOf(gaps, laneOf);
  const streams = new Set<StreamIndex>();
  let [times, longestNs, allNs] = [0, 0, 0];
  for (const gap of gaps) {
    for (const stream of gap.ofStreams.keys()) streams.add(stream);
    times += gap.times;
    longestNs = Math.max(longestNs, gap.longestNs);
  }
  for (const ns of ofLanes.values()) allNs += ns;
  return { times, timeNs: ofLanes.get(longestOf(ofLanes)) ?? 0, allNs, longestNs, streams: streams.size };
}

/** Nanoseconds of each lane. */
function timesOf(gaps: readonly Gap[], laneOf: Int32Array): Map<number, number> {
  const ofLanes = new Map<number, number>();
  for (const { ofStreams } of gaps)
    for (const [stream, ns] of ofStreams) ofLanes.set(laneOf[stream]!, (ofLanes.get(laneOf[stream]!) ?? 0) + ns);
  return ofLanes;
}

function longestOf(times: ReadonlyMap<number, number>): number {
  let longest = NONE;
  for (const [lane, ns] of times) if (longest === NONE || ns > times.get(longest)!) longest = lane;
  return longest;
}
