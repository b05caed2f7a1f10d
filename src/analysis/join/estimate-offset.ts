import { OPERATION } from '../../trace/calls.ts';
import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import type { RecordingSource, Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import type { StreamMatches } from './match-streams.ts';
import { offsetByContainment } from './offset-by-containment.ts';

/** Nanoseconds to add to the times of an added recording, where that is from, and how wrong it may be. */
export type ClockOffset = Pick<RecordingSource, 'offsetNs' | 'offsetFrom' | 'uncertaintyNs'>;

/** Calls of one kind that are compared; more make the median no better. */
const MOST_PAIRS = 20_000;
/** Nanoseconds by which clocks of two hosts are believed to differ at most. */
const MOST_SKEW = 60e9;
/** Nanoseconds that a tracer may take to begin after the date that it writes down. */
const MOST_DELAY = 1e9;
/** Steps of clocks, nanoseconds. */
const CLOCK_STEPS = [1e9, 1e6, 1e3];
/** From this step on times show nothing of how clocks differ. */
const COARSE_STEP = 1e6;
/** Fewest calls that two recordings must have in common before their clocks are set by them. */
const FEWEST_PAIRS = 3;

/**
 * Finds out by how much the times of an added recording differ from those of the base, both counted from their own origins:
 * 1. by their dates, where both know them. A Darshan log's date is that of the job's beginning in whole seconds, and the
 *    tracers of other layers write absolute times (Ather et al., section IV.B), so this alone is a second wide;
 * 2. within that and what clocks of two hosts may differ by, by calls that both recorded: the same operation on the same
 *    file by the same process, in order;
 * 3. where they recorded different layers, by the calls of one that must lie within calls of the other;
 * 4. without any of these by their beginnings, which is a guess and said to be one.
 * Times in whole seconds show nothing of the kind of 2 and 3: there only the dates count, and are so much less exact.
 */
export function estimateOffset(base: Trace, added: Trace, matches: StreamMatches): ClockOffset {
  const byDates = offsetByDates(base, added);
  const beginnings = firstStart(base) - firstStart(added);
  const guess: ClockOffset = { offsetNs: beginnings, offsetFrom: 'beginnings', uncertaintyNs: NaN };
  const stepNs = clockStep(base) + clockStep(added);
  if (stepNs >= COARSE_STEP) return byDates ?? guess;
  const byCalls = offsetByCalls(base, added, matches, byDates);
  if (byCalls !== undefined) return byCalls;
  const within = byDates ? Math.max(byDates.uncertaintyNs, MOST_DELAY) : Math.max(base.durationNs, added.durationNs);
  const contained = offsetByContainment(base, added, matches, byDates?.offsetNs ?? beginnings, within);
  const knownNs = byDates?.uncertaintyNs ?? Infinity;
  // Dates that are more exact than what the calls show are given up for a better fit only.
  if (contained !== undefined && (contained.isBetter || contained.uncertaintyNs < knownNs)) {
    const { offsetNs } = contained;
    // An end that was cut to whole microseconds can lie before that of the call below.
    const uncertaintyNs = contained.uncertaintyNs + stepNs;
    return { offsetNs, uncertaintyNs, offsetFrom: 'calls within calls of the other layer' };
  }
  return byDates ?? guess;
}

function offsetByDates(base: Trace, added: Trace): ClockOffset | undefined {
  if (base.startTime === null || added.startTime === null) return undefined;
  const offsetNs = Math.round((added.startTime - base.startTime) * 1e9);
  return {
    offsetNs,
    offsetFrom: 'dates of both recordings',
    uncertaintyNs: precision(base) + precision(added) + clockStep(base) + clockStep(added),
  };
}

/**
 * Nanoseconds between the times that a recording's clock can show: strace writes microseconds, `strace -t` and a build of
 * Drishti's connector whole seconds. 0 for finer clocks, and for too few calls to tell.
 */
export function clockStep({ events }: Trace): number {
  let step = CLOCK_STEPS[0]!;
  let times = 0;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows && step > 0; i++) {
      const start = chunk.start[i]!;
      const end = start + (chunk.duration[i]! > 0 ? chunk.duration[i]! : 0);
      if (!(end > 0)) continue;
      times++;
      while (step > 0 && (start % step !== 0 || end % step !== 0))
        step = CLOCK_STEPS[CLOCK_STEPS.indexOf(step) + 1] ?? 0;
    }
  });
  return times < FEWEST_PAIRS ? 0 : step;
}

/** How exactly a recording knows its date, in nanoseconds: whole seconds, or what a double holds of a date of our days. */
function precision({ startTime }: Trace): number {
  return Number.isInteger(startTime) ? 1e9 : 1e3;
}

/** The k-th call of a kind by a process on a file in one recording is the k-th in the other, when there are as many. */
function offsetByCalls(
  base: Trace,
  added: Trace,
  matches: StreamMatches,
  within?: ClockOffset,
): ClockOffset | undefined {
  const ofBase = startsByKind(base, (stream) => stream, new Set(matches));
  const streamOf = (stream: StreamIndex): number => matches[stream]!;
  const ofAdded = startsByKind(added, streamOf, new Set(matches));
  const differences: number[] = [];
  for (const [kind, starts] of ofAdded) {
    const others = ofBase.get(kind);
    if (others?.length !== starts.length) continue;
    for (let i = 0; i < starts.length && differences.length < MOST_PAIRS; i++)
      differences.push(others[i]! - starts[i]!);
  }
  const near = within === undefined ? differences : differences.filter((difference) => isNear(difference, within));
  if (near.length < FEWEST_PAIRS) return undefined;
  near.sort((a, b) => a - b);
  const at = (share: number): number => near[Math.floor((near.length - 1) * share)]!;
  // An upper layer begins a little earlier, by what it does before it calls: half of the calls lie this close together.
  return {
    offsetNs: Math.round(at(0.5)),
    offsetFrom: 'calls that both recorded',
    uncertaintyNs: (at(0.75) - at(0.25)) / 2,
  };
}

function isNear(difference: number, { offsetNs, uncertaintyNs }: ClockOffset): boolean {
  return Math.abs(difference - offsetNs) <= Math.max(uncertaintyNs, MOST_SKEW);
}

/** Starts of opens, closes and transfers by process, operation and path, in order; the layers are kept apart. */
function startsByKind(
  trace: Trace,
  streamOf: (stream: StreamIndex) => number,
  wanted: ReadonlySet<number>,
): Map<string, number[]> {
  const starts = new Map<string, number[]>();
  const kinds = new Set([OPERATION.open, OPERATION.close, OPERATION.read, OPERATION.write]);
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const operation = trace.calls.operation[chunk.call[i]!]!;
      const stream = streamOf(chunk.stream[i]!);
      const isWanted = chunk.file[i] !== NONE && kinds.has(operation) && wanted.has(stream) && stream !== NONE;
      if (!isWanted || Number.isNaN(chunk.start[i]!) || (chunk.flags[i]! & NOT_COUNTED) !== 0) continue;
      const key = `${stream} ${operation} ${chunk.bytes[i]!} ${trace.files.at(chunk.file[i]!).path}`;
      const list = starts.get(key);
      if (list === undefined) starts.set(key, [chunk.start[i]!]);
      else if (list.length <= MOST_PAIRS) list.push(chunk.start[i]!);
    }
  });
  for (const list of starts.values()) list.sort((a, b) => a - b);
  return starts;
}

/** 0 for a recording without a time. */
export function firstStart({ events }: Trace): number {
  let first = Infinity;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) if (chunk.start[i]! < first) first = chunk.start[i]!;
  });
  return first === Infinity ? 0 : first;
}
