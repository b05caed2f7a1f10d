import type { CallKind } from './call-kinds.ts';
import type { CallCosts } from './cost.ts';
import type { ObservedCalls } from './observed-calls.ts';
import { quantile } from './sample.ts';
import type { TracerStops } from './tracer-stops.ts';

/** By how much a tracer makes the run longer; nanoseconds. */
export interface TracerTime {
  readonly likelyNs: number;
  /** Without what may be the tracer's because processors were busy, or the program's. */
  readonly leastNs: number;
}

/**
 * Between two calls strace stops the program as long as within one, up to this many times as long where it is woken late;
 * what the program does there for longer is its own.
 */
const BETWEEN = 2.5;
/** Where it looks at stacks, the shorter times between calls are that, up to what it takes elsewhere; and vary so much. */
const SHORTEST = 0.25;
const UNWINDING_VARIES = 1.5;
/** How long a stop within a call is: of all calls the typical one, which waits for nothing else. */
const TYPICAL = 0.4;
const LONGEST_STOP = 100_000;
/**
 * On a busy machine the program and its tracer wait for a processor when they wake each other: how long shows in calls
 * that wait for nothing else, where they do that once. Looking at a stack they do it so often.
 */
const WAKINGS = 3;
const LONGEST_DELAY = 1e6;
/** Kinds of calls that wait for the storage. */
const WAITING: ReadonlySet<CallKind> = new Set(['sync', 'flush', 'stored-read', 'stored-write']);

/** What a tracer takes in the lane where it stops most (docs/decisions/0155-severity-by-the-run.md). */
export function tracerTime(observed: ObservedCalls, calls: CallCosts, hasStacks: boolean): TracerTime {
  const { stops } = observed;
  if (stops === undefined) return { likelyNs: 0, leastNs: 0 };
  const beyondCost = calls.dearestLane(calls.groups, (group) => Math.max(0, group.timeNs - calls.of(group).value));
  const { likelyNs, leastNs } = betweenCalls(stops, stopOf(observed, calls), hasStacks);
  const within = beyondCost.dearest;
  return { likelyNs: within + stops.mostCalls * likelyNs, leastNs: within + stops.mostCalls * leastNs };
}

function betweenCalls(stops: TracerStops, { typical, delay }: Stop, hasStacks: boolean): TracerTime {
  const { gaps, unwinding } = stops;
  const looking = hasStacks ? UNWINDING_VARIES * Math.min(gaps.quantile(SHORTEST), unwinding.typicalNs) : 0;
  const most = BETWEEN * Math.min(typical, LONGEST_STOP) + looking;
  const calls = Math.max(1, stops.calls);
  const mean = gaps.total / calls;
  const left = gaps.beyond(most) / calls;
  const delays = (hasStacks ? WAKINGS : 1) * delay;
  // What the program does each time shows also in short gaps; what it does now and then only where processors were not busy.
  const likely = Math.max(stops.always(most), left <= 2 * delays ? 0 : left - delays);
  return { likelyNs: mean - Math.min(left, likely), leastNs: mean - left };
}

/** How long the tracer stops the program in a call that waits for nothing, and what busy processors add on average. */
interface Stop {
  readonly typical: number;
  readonly delay: number;
}

function stopOf({ ofKind }: ObservedCalls, calls: CallCosts): Stop {
  const sorted = [...ofKind].flatMap(([kind, sample]) => (WAITING.has(kind) ? [] : [...sample.sorted]));
  if (sorted.length === 0) return { typical: 0, delay: 0 };
  sorted.sort((a, b) => a - b);
  const groups = calls.groups.filter(({ of }) => !WAITING.has(of.kind));
  const count = groups.reduce((all, { events }) => all + events, 0);
  const mean = groups.reduce((all, { timeNs }) => all + timeNs, 0) / Math.max(1, count);
  return {
    typical: quantile(sorted, TYPICAL),
    delay: Math.min(LONGEST_DELAY, Math.max(0, mean - quantile(sorted, 0.5))),
  };
}
