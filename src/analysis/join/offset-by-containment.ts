import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import type { StreamMatches } from './match-streams.ts';

/** Calls of each side that are compared: their pairs are gone through. */
const MOST_CALLS = 1_000;
/** Fewest calls that must lie within others before clocks are set by them. */
const FEWEST = 3;
/** By how much more calls must lie within others than by the dates alone to be a better fit. */
const WORTH_IT = 1.1;

/** Calls of one side, by process: starts and ends in nanoseconds. */
interface Spans {
  readonly stream: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/**
 * How far the times of an added recording have to be moved so that as many calls as possible lie within calls of the layer
 * above in the other recording. A Darshan log's origin differs from the job's start by what Darshan needs to begin (Ather et
 * al., section IV.B: milliseconds), which no date tells.
 *
 * @param near nanoseconds: the offset by the dates; of equally good ones the nearest is taken.
 * @param within nanoseconds by which it may differ.
 * @returns undefined when the recordings hold no two layers that can be compared; otherwise also whether moving makes it
 * clearly better.
 */
export function offsetByContainment(
  base: Trace,
  added: Trace,
  matches: StreamMatches,
  near: number,
  within: number,
): { offsetNs: number; uncertaintyNs: number; isBetter: boolean } | undefined {
  const [layerOfBase, layerOfAdded] = [dominantLayer(base), dominantLayer(added)];
  if (layerOfBase === NONE || layerOfAdded === NONE || layerOfBase === layerOfAdded) return undefined;
  const ofBase = spansOf(base, layerOfBase, (stream) => stream);
  const ofAdded = spansOf(added, layerOfAdded, (stream) => matches[stream]!);
  const isAbove = layerOfAdded < layerOfBase;
  const [upper, lower] = isAbove ? [ofAdded, ofBase] : [ofBase, ofAdded];
  // Moves of the lower side are moves of the upper one the other way round.
  const sign = isAbove ? -1 : 1;
  const best = bestShift(upper, lower, sign * near, within);
  if (best === undefined || best.count < FEWEST) return undefined;
  const isBetter = best.count >= best.countNear * WORTH_IT;
  return { offsetNs: Math.round(sign * best.shift) + 0, uncertaintyNs: best.halfWidth, isBetter };
}

/** The layer with most calls of known duration; NONE without any. */
function dominantLayer({ events }: Trace): number {
  const counts: number[] = [];
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++)
      if (chunk.duration[i]! > 0) counts[chunk.layer[i]!] = (counts[chunk.layer[i]!] ?? 0) + 1;
  });
  let most = NONE;
  counts.forEach((count, layer) => {
    if (most === NONE || count > counts[most]!) most = layer;
  });
  return most;
}

/** Calls of a layer in matched streams, evenly picked where there are many. */
function spansOf({ events }: Trace, layer: number, streamOf: (stream: StreamIndex) => number): Spans {
  const stream: StreamIndex[] = [];
  const start: number[] = [];
  const end: number[] = [];
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const match = streamOf(chunk.stream[i]!);
      const isUsable = chunk.layer[i] === layer && match !== NONE && (chunk.flags[i]! & NOT_COUNTED) === 0;
      if (!isUsable || !(chunk.duration[i]! > 0)) continue;
      stream.push(match);
      start.push(chunk.start[i]!);
      end.push(chunk.start[i]! + chunk.duration[i]!);
    }
  });
  const step = Math.max(1, Math.ceil(stream.length / MOST_CALLS));
  const picked = <Item>(values: readonly Item[]): Item[] => values.filter((_, at) => at % step === 0);
  return {
    stream: Int32Array.from(picked(stream)),
    start: Float64Array.from(picked(start)),
    end: Float64Array.from(picked(end)),
  };
}

/** The move of the lower calls by which most of them lie within an upper call: a sweep over the moves that each pair allows. */
function bestShift(
  upper: Spans,
  lower: Spans,
  near: number,
  within: number,
): { shift: number; count: number; countNear: number; halfWidth: number } | undefined {
  const from: number[] = [];
  const to: number[] = [];
  for (let l = 0; l < lower.start.length; l++)
    for (let u = 0; u < upper.start.length; u++) {
      if (upper.stream[u] !== lower.stream[l]) continue;
      const first = Math.max(upper.start[u]! - lower.start[l]!, near - within);
      const last = Math.min(upper.end[u]! - lower.end[l]!, near + within);
      if (first > last) continue;
      from.push(first);
      to.push(last);
    }
  if (from.length === 0) return undefined;
  const [begins, ends] = [Float64Array.from(from).sort(), Float64Array.from(to).sort()];
  let countNear = 0;
  let best = { shift: near, count: 0, halfWidth: 0 };
  for (let b = 0, e = 0; b < begins.length; b++) {
    while (ends[e]! < begins[b]!) e++;
    const count = b + 1 - e;
    if (begins[b]! <= near) countNear = b + 1 - endedBefore(ends, near);
    if (count < best.count) continue;
    const shift = (begins[b]! + ends[e]!) / 2;
    const isNearer = Math.abs(shift - near) < Math.abs(best.shift - near);
    if (count > best.count || isNearer) best = { shift, count, halfWidth: (ends[e]! - begins[b]!) / 2 };
  }
  return { ...best, countNear };
}

/** How many of the sorted values are below a bound. */
function endedBefore(sorted: Float64Array, bound: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
