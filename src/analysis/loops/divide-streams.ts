import type { StreamIndex } from '../../trace/indices.ts';
import type { Pattern } from './pattern.ts';
import { mix } from './tuple-table.ts';

/** One stream's outline: line by line what must be the same in streams of one group, and what may differ. */
export interface StreamOutline {
  readonly stream: StreamIndex;
  /** Kernel's identifier of the process or thread. */
  readonly pid: number;
  readonly rank: number | undefined;
  readonly patterns: readonly Pattern[];
  readonly length: number;
  /** Of each line, loops before their bodies. */
  readonly lines: Int32Array;
  /** `VALUES` for each line: number of the file, offset or peer, bytes asked for, and the first of a file's two numbers. */
  readonly values: Float64Array;
}

export const VALUES = 4;

/** A stream of a group with what it is counted by. */
export interface CountedStream {
  readonly outline: StreamOutline;
  /** Its rank, or its place in a group without ranks. */
  readonly number: number;
}

/**
 * Streams with the same lines whose numbers differ otherwise than those of the first: so often another one is taken as
 * the first of a group. The rest stays alone: each try compares all.
 */
const MOST_TRIES = 32;
/** Neighbours of the first stream of a group without ranks whose distance from it may be that of all. */
const MOST_STEPS = 8;

/**
 * Divides outlines of the same lines into groups whose numbers differ by multiples of the streams' ranks. Threads of one
 * rank have its number: they are in one group where they do the very same. Streams without ranks have no number that
 * anybody knows them by: they are counted within their group.
 */
export function divideStreams(outlines: readonly StreamOutline[]): CountedStream[][] {
  if (outlines[0]!.rank === undefined) {
    // Any two are as far from each other as they are: among many that says nothing.
    const fewest = outlines.length === 2 ? 2 : 3;
    const take: TakeGroup = (first, others) => takeProgression(first, others, fewest);
    return divide([...outlines].sort(byValues), take).map(countedByPlace);
  }
  return divide([...outlines].sort(byRank), takeSlope).map((group) =>
    group.sort((a, b) => a.stream - b.stream).map((outline) => ({ outline, number: outline.rank! })),
  );
}

/** Finds the outlines that make up a group with the first one. */
type TakeGroup = (first: StreamOutline, others: readonly StreamOutline[]) => StreamOutline[];

function divide(outlines: readonly StreamOutline[], take: TakeGroup): StreamOutline[][] {
  const groups: StreamOutline[][] = [];
  let rest = outlines;
  for (let attempt = 0; attempt < MOST_TRIES && rest.length > 0; attempt++) {
    const [first, ...others] = rest;
    const taken = take(first!, others);
    groups.push([first!, ...taken]);
    const set = new Set(taken);
    rest = others.filter((other) => !set.has(other));
  }
  return [...groups, ...rest.map((outline) => [outline])];
}

function longest(lists: Iterable<StreamOutline[]>): StreamOutline[] {
  return [...lists].reduce((a, b) => (b.length > a.length ? b : a), []);
}

/** Threads as they were made: the first ones of two ranks stand before the second one of either. */
function byRank(a: StreamOutline, b: StreamOutline): number {
  return a.rank! - b.rank! || a.pid - b.pid || a.stream - b.stream;
}

function takeSlope(first: StreamOutline, others: readonly StreamOutline[]): StreamOutline[] {
  const twins: StreamOutline[] = [];
  const bySlope = new Map<number, StreamOutline[]>();
  for (const other of others) {
    if (other.rank === first.rank) {
      if (hasSameValues(first, other)) twins.push(other);
      continue;
    }
    const slopes = slopesHash(first, other);
    if (slopes === undefined) continue;
    const same = bySlope.get(slopes);
    if (same === undefined) bySlope.set(slopes, [other]);
    else if (hasSameSlopes(first, same[0]!, other)) same.push(other);
  }
  return [...twins, ...longest(bySlope.values())];
}

function hasSameValues(a: StreamOutline, b: StreamOutline): boolean {
  return a.values.every((value, i) => value === b.values[i]);
}

/** By how much a value grows with each rank from one stream to another. */
function slope(first: StreamOutline, other: StreamOutline, value: number): number {
  return (other.values[value]! - first.values[value]!) / (other.rank! - first.rank!);
}

/** undefined where a rank in between would have broken numbers. */
function slopesHash(first: StreamOutline, other: StreamOutline): number | undefined {
  let hash = 0;
  for (let value = 0; value < first.values.length; value++) {
    const grows = slope(first, other, value);
    if (!Number.isSafeInteger(grows)) return undefined;
    hash = mix(hash, grows);
  }
  return hash;
}

function hasSameSlopes(first: StreamOutline, a: StreamOutline, b: StreamOutline): boolean {
  return first.values.every((_, value) => slope(first, a, value) === slope(first, b, value));
}

function byValues(a: StreamOutline, b: StreamOutline): number {
  const at = a.values.findIndex((value, i) => value !== b.values[i]);
  return at < 0 ? a.stream - b.stream : a.values[at]! - b.values[at]!;
}

/** The longest list in which each outline is as far from the last one as the second from the first. */
function takeProgression(first: StreamOutline, others: readonly StreamOutline[], fewest: number): StreamOutline[] {
  let found: StreamOutline[] = [];
  for (const second of others.slice(0, MOST_STEPS)) {
    const list = progression(first, second, others);
    if (list.length > found.length) found = list;
    if (found.length === others.length) break;
  }
  const isGroup = found.length + 1 >= fewest || (found[0] !== undefined && hasSameValues(first, found[0]));
  return isGroup ? found : [];
}

function progression(first: StreamOutline, second: StreamOutline, others: readonly StreamOutline[]): StreamOutline[] {
  const found: StreamOutline[] = [];
  const steps = second.values.map((value, i) => value - first.values[i]!);
  let last = first;
  for (const other of others) {
    const goesOn = steps.every((step, i) => step === other.values[i]! - last.values[i]!);
    if (!goesOn) continue;
    found.push(other);
    last = other;
  }
  return found;
}

function countedByPlace(group: readonly StreamOutline[]): CountedStream[] {
  return group.map((outline, number) => ({ outline, number }));
}
