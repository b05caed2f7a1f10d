import type { Trace } from '../../trace/trace.ts';
import type { CallKind } from './call-kinds.ts';
import type { CallCosts } from './cost.ts';
import type { Lanes } from './lanes.ts';
import type { ObservedCalls } from './observed-calls.ts';
import { quantile } from './sample.ts';
import type { TracerStops } from './tracer-stops.ts';

/** By how much a tracer makes the run longer; nanoseconds. */
export interface TracerTime {
  readonly likelyNs: number;
  /** Without what may be the tracer's because processors were busy, or the program's. */
  readonly leastNs: number;
  /** With all of that. */
  readonly mostNs: number;
  /** What the program likely does between its calls, and at most: of processes side by side each does its part. */
  readonly ownNs: number;
  readonly mostOwnNs: number;
  /**
   * What the run takes besides I/O at most, by what processors worked for the program and the pauses in which no process of
   * it made a call: a process that waits for another one, which the tracer stops, waits for the tracer. Infinity where that
   * is not known.
   */
  readonly besidesNs: number;
}

/**
 * Between two calls strace stops the program as long as within one, up to this many times as long where it is woken late;
 * what the program does there for longer is its own.
 */
const BETWEEN = 2.5;
/** How long a stop within a call is: of all calls the typical one, which waits for nothing else. */
const TYPICAL = 0.4;
const LONGEST_STOP = 100_000;
/**
 * On a busy machine the program and its tracer wait for a processor, and the tracer loses it while it works: how long shows
 * in calls that wait for nothing else. Looking at a stack it works for longer, and they wake each other at least so often.
 */
const WAKINGS = 3;
const LONGEST_DELAY = 1e6;
/**
 * No processor is so busy that calls lie so much further apart, unless calls themselves take a part of it: of many calls
 * some show it.
 */
const LONG = 50e6;
const LONG_OF_MANY = 5e6;
const MANY = 1000;
const LONGER = 6;
/** What is counted in ticks may be longer by one, and a few are no measure. */
const TICK = 1e7;
const FEW_TICKS = 2;
/** Kinds of calls that wait for the storage. */
const WAITING: ReadonlySet<CallKind> = new Set(['sync', 'flush', 'stored-read', 'stored-write']);

const NO_TRACER: TracerTime = { likelyNs: 0, leastNs: 0, mostNs: 0, ownNs: 0, mostOwnNs: 0, besidesNs: Infinity };

/** What the recorder library took of the first threads of processes that run one after the other, where it took most. */
function recorderTime({ streams, parts }: Trace, { of }: Lanes): TracerTime {
  const lanes = new Map<number, number>();
  const seen = new Set<number>();
  streams.forEach(({ part }, stream) => {
    const { recorderNs = 0 } = parts[part]?.life ?? {};
    if (recorderNs === 0 || seen.has(part)) return;
    seen.add(part);
    lanes.set(of[stream]!, (lanes.get(of[stream]!) ?? 0) + recorderNs);
  });
  const most = Math.max(0, ...lanes.values());
  return { ...NO_TRACER, likelyNs: most, leastNs: most, mostNs: most };
}

/** What a tracer takes in the lane where it stops most (docs/decisions/0155-severity-by-the-run.md). */
export function tracerTime(observed: ObservedCalls, calls: CallCosts, trace: Trace): TracerTime {
  const { stops } = observed;
  if (stops === undefined) return recorderTime(trace, observed.lanes);
  const beyondCost = calls.dearestLane(calls.groups, (group) => Math.max(0, group.timeNs - calls.of(group).value));
  const { meanNs, leftNs, likelyNs, alwaysNs } = betweenCalls(
    stops,
    stopOf(observed, calls),
    trace.capabilities.stacks,
  );
  const all = beyondCost.dearest + stops.mostCalls * meanNs;
  const left = stops.mostCalls * leftNs;
  const likely = stops.mostCalls * likelyNs;
  const [only, ...more] = trace.parts;
  const worked = more.length === 0 ? only?.life : undefined;
  const busy = worked === undefined ? 0 : worked.userNs + worked.systemNs + TICK;
  const isOfSeveral = worked !== undefined && trace.streams.length > 1;
  const besidesNs = isOfSeveral ? busy + stops.pausedNs : Infinity;
  // What lies between the calls each time, and no processor worked for, the program slept or waited, unless that shows.
  const hasThreads = trace.streams.some(({ pid, processId }) => pid !== processId);
  const mayWait = worked?.waitsAreCalls !== true || hasThreads;
  if (worked === undefined || (mayWait && stops.mostCalls * alwaysNs > busy))
    return { likelyNs: all - likely, leastNs: all - left, mostNs: all, ownNs: likely, mostOwnNs: left, besidesNs };
  // The processors know how long they worked for the program, to the tick.
  const sure = worked.userNs - FEW_TICKS * TICK;
  const own = Math.min(left, Math.max(sure, Math.min(likely, worked.userNs + TICK)));
  // Where it did not work, it may have slept.
  const mostOwnNs = likely > busy ? left : Math.min(left, busy);
  const { count } = observed.lanes;
  const ownNs = Math.max(0, own / count);
  return { likelyNs: all - own, leastNs: all - mostOwnNs, mostNs: all, ownNs, mostOwnNs, besidesNs };
}

/** Mean nanoseconds between two calls. */
interface BetweenCalls {
  readonly meanNs: number;
  /** What the tracer does not surely take of it, and what of that is likely the program's. */
  readonly leftNs: number;
  readonly likelyNs: number;
  /** What lies between the calls each time, beyond what the tracer takes. */
  readonly alwaysNs: number;
}

function betweenCalls(stops: TracerStops, { typical, delay }: Stop, hasStacks: boolean): BetweenCalls {
  const calls = Math.max(1, stops.calls);
  // What is longer is the program's: it computes or sleeps.
  const slack = Math.max(stops.calls < MANY ? LONG : LONG_OF_MANY, stops.longestNs * LONGER);
  const { total, all, always } = stops.beyond(BETWEEN * Math.min(typical, LONGEST_STOP), slack);
  const mean = total / calls;
  const left = all / calls;
  const delays = (hasStacks ? Math.max(WAKINGS, (mean - left) / Math.max(1, typical)) : 1) * delay;
  // What the program does now and then shows only where processors were not busy.
  const likely = Math.max(always / calls, left <= 2 * delays ? 0 : left - delays);
  return { meanNs: mean, leftNs: left, likelyNs: Math.min(left, likely), alwaysNs: always / calls };
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
