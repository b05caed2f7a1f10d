import type { FunctionRole } from '../../trace/function-calls.ts';
import type { Trace } from '../../trace/trace.ts';
import { roleShares } from '../layers/shares.ts';
import { areMessagesAlone } from '../layers/times-beside-messages.ts';
import type { UnseenWay } from '../metrics/unseen-ways.ts';
import type { Amount, TimeOfStreams } from '../triggers/insight.ts';
import { say, slot, type Sentence } from '../triggers/message.ts';
import { estimate, NOTHING, scaled, sumOf, type Estimate } from './estimate.ts';
import { quantile } from './sample.ts';
import type { CallKind } from './call-kinds.ts';
import type { CallClass, CallGroup, ObservedCalls } from './observed-calls.ts';
import { waitedShares } from './hidden.ts';
import type { IoOfProcesses } from './io-of-processes.ts';
import type { TracerTime } from './tracer-time.ts';
import type { UntracedCosts } from './untraced-costs.ts';

/** What calls cost in a run without a tracer: time of the run, not a sum over processes. Nanoseconds. */
export interface Cost {
  readonly untracedNs: number;
  /** The cost lies between these with 90 % probability, as far as the model holds. */
  readonly lowNs: number;
  readonly highNs: number;
  /** Share of the run, and of its I/O; 0 to 1. */
  readonly shareOfRun: number;
  readonly shareOfIo: number;
  /** A tracer's part is in the recorded time, and was taken off: the cost is an estimate, and another number. */
  readonly traced: boolean;
}

/** Half of the width of an interval that holds 90 % of a normal distribution, in deviations. */
export const NINETY_PERCENT = 1.645;
/** Of a call whose cost nothing tells half of what is left without the tracer's part is doubtful. */
const DOUBTFUL = 0.5;
/** What one run says of the next, as a share of it. */
export const OTHER_RUN = 0.1;

/** Costs of the calls of a recording without the tracer, and what of them is time of the run. */
export class CallCosts {
  /** All that were observed. */
  readonly groups: readonly CallGroup[];
  /** By the number of the group. */
  private readonly known: (Estimate | undefined)[] = [];
  private readonly waited: ReadonlyMap<number, number>;

  constructor(
    private readonly observed: ObservedCalls,
    private readonly costs: UntracedCosts,
    trace: Trace,
  ) {
    this.groups = [...observed.groups.values()].flat();
    this.waited = waitedShares(trace, observed.lanes, this.groups);
  }

  /** Of all calls of a group, whatever process makes them. */
  of(group: CallGroup): Estimate {
    return (this.known[group.number] ??= this.estimated(group));
  }

  /** Share of what groups cost that is time of the run: what the dearest lane waits for; the others run beside it. */
  laneShare(groups: readonly CallGroup[]): number {
    const { dearest, whole } = this.dearestLane(groups, (group) => this.of(group).value);
    if (whole === 0) return 1;
    if (!this.isHidden(groups)) return dearest / whole;
    const byLane = this.byLane(groups, (group) => this.of(group).value);
    return largest([...byLane].map(([lane, cost]) => cost * this.waitedShare(lane))) / whole;
  }

  /** Share of what a lane takes that the run waits for. */
  waitedShare(lane: number): number {
    return this.waited.get(lane) ?? 1;
  }

  /** The same of what streams spend in calls of libraries. */
  shareOfStreams(times: TimeOfStreams): number {
    const lanes = new Map<number, number>();
    let whole = 0;
    for (const [stream, ns] of times) {
      const lane = this.observed.lanes.of[stream]!;
      lanes.set(lane, (lanes.get(lane) ?? 0) + ns * this.waitedShare(lane));
      whole += ns;
    }
    return whole > 0 ? largest(lanes.values()) / whole : 1;
  }

  /** Whether the run does not wait for all of them. */
  isHidden(groups: readonly CallGroup[]): boolean {
    return groups.some(({ laneTimes }) => [...laneTimes.keys()].some((lane) => this.waited.has(lane)));
  }

  /** Of a sum over groups what the dearest lane has, and all of it. */
  dearestLane(groups: readonly CallGroup[], weight: (group: CallGroup) => number): { dearest: number; whole: number } {
    const whole = groups.reduce((sum, group) => sum + weight(group), 0);
    return { dearest: this.observed.lanes.count <= 1 ? whole : largest(this.byLane(groups, weight).values()), whole };
  }

  /** What the calls of groups cost in each lane that makes some, where there are several lanes. */
  laneTimes(groups: readonly CallGroup[]): ReadonlyMap<number, number> {
    return this.byLane(groups, (group) => this.of(group).value);
  }

  private byLane(groups: readonly CallGroup[], weight: (group: CallGroup) => number): ReadonlyMap<number, number> {
    const lanes = new Map<number, number>();
    for (const group of groups) {
      // Calls that were too short for the clock are no lane's.
      if (group.timeNs <= 0) continue;
      const perNs = weight(group) / group.timeNs;
      for (const [lane, time] of group.laneTimes) lanes.set(lane, (lanes.get(lane) ?? 0) + perNs * time);
    }
    return lanes;
  }

  /**
   * Of some calls of groups by their number and bytes, whatever process makes them: a line may make a few large writes and
   * many small ones.
   */
  ofSome(groups: readonly CallGroup[], { events, bytes, timeNs }: Readonly<Amount>): Estimate {
    const all = { events: 0, bytes: 0 };
    for (const group of groups) {
      all.events += group.events;
      all.bytes += group.bytes;
    }
    const ofEvents = all.events > 0 ? events / all.events : 0;
    const ofBytes = all.bytes > 0 ? bytes / all.bytes : 0;
    let [value, deviation] = [0, 0];
    for (const group of groups) {
      const cost = this.costs.of(group.of);
      const whole = this.of(group);
      const moving = cost === undefined ? NOTHING : scaled(cost.perByte, group.bytes);
      const fixed = cost === undefined ? whole : scaled(cost.fixed, group.events);
      // No more than was recorded of them.
      const most = fixed.value + moving.value > whole.value ? whole.value / (fixed.value + moving.value) : 1;
      for (const part of [scaled(scaled(fixed, most), ofEvents), scaled(scaled(moving, most), ofBytes)]) {
        value += part.value;
        deviation += part.deviation;
      }
    }
    return value > timeNs ? estimate(timeNs, Math.max(deviation, DOUBTFUL * timeNs)) : estimate(value, deviation);
  }

  private estimated(group: CallGroup): Estimate {
    const { fixed, perByte, perNs } = this.priceOf(group);
    return sumOf([scaled(fixed, group.events), scaled(perByte, group.bytes), scaled(perNs, group.timeNs)]);
  }

  /** What each call of a group costs, so that all of them together cost what the group does. */
  priceOf({ of, events, bytes, timeNs }: Omit<CallGroup, 'number'>): Price {
    if (this.costs.isUntraced) return byTime(ownShare(of), OTHER_RUN);
    const cost = this.costs.of(of);
    if (cost === undefined) {
      const left = timeNs > 0 ? Math.max(0, timeNs - this.costs.tracer.value * events) / timeNs : 0;
      return byTime(left, DOUBTFUL * left);
    }
    const whole = sumOf([scaled(cost.fixed, events), scaled(cost.perByte, bytes)]);
    if (timeNs <= 0 || whole.value <= timeNs) return { fixed: cost.fixed, perByte: cost.perByte, perNs: NOTHING };
    // No more than was recorded of them, and how much less nobody knows.
    const part = timeNs / whole.value;
    return {
      fixed: estimate(cost.fixed.value * part, 0),
      perByte: estimate(cost.perByte.value * part, 0),
      perNs: estimate(0, Math.max(whole.deviation / timeNs, DOUBTFUL)),
    };
  }
}

/** What a call costs: for itself, for each byte that it moves, and for each nanosecond that it was recorded to take. */
export interface Price {
  readonly fixed: Estimate;
  readonly perByte: Estimate;
  readonly perNs: Estimate;
}

function byTime(share: number, deviation: number): Price {
  return { fixed: NOTHING, perByte: NOTHING, perNs: estimate(share, deviation) };
}

/** Calls that wait for nothing: what few of them take beyond all others is the time of other programs. */
const QUICK: ReadonlySet<CallKind> = new Set(['seek', 'fstat', 'other']);
/** Of so many calls the longest are left out where the mean is so many times what the others take at most. */
const ENOUGH = 100;
const NEARLY_ALL = 0.98;
const BEYOND = 3;

/** Share of the recorded time of calls that is their own: a processor that is taken away in one of them is none of it. */
export function ownShare({ kind, calls, timeNs, sample }: CallClass): number {
  if (!QUICK.has(kind) || sample.length < ENOUGH) return 1;
  const most = quantile(sample.sorted, NEARLY_ALL);
  return timeNs > BEYOND * most * calls ? (most * calls) / timeNs : 1;
}

function largest(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** What bounds a run. `unknown`: most of it is no I/O, and the recording does not tell what it is. */
export type Bound = 'io' | 'metadata' | 'computing' | 'communication' | 'waiting' | 'unknown';

/** A run as it would be without the tracer; nanoseconds. */
export interface RunCost {
  /** From the first start to the last end of the processes, as recorded; from the first call to the last without `isWhole`. */
  readonly durationNs: number;
  /** The recording knows when the processes began and ended. */
  readonly isWhole: boolean;
  readonly untracedNs: number;
  /** The run without the tracer at most: on a busy machine a tracer cannot be told from short computing. */
  readonly mostNs: number;
  /** In I/O: of the slowest process. */
  readonly ioNs: number;
  /** The same of all processes of a job: on average, and of the quickest. */
  readonly ioOfProcesses?: IoOfProcesses;
  /** Of `ioNs`, what calls on C's streams take for formatting, parsing and copying in buffers. */
  readonly bufferedNs: number;
  /** Of `untracedNs`, 0 to 1. */
  readonly ioShare: number;
  readonly boundBy: Bound;
  /** What all findings together could save, what several of them save counted once; null where no saving is known. */
  readonly savableNs: number | null;
  /** Of `untracedNs`, 0 to 1. */
  readonly savableShare: number | null;
  /** A tracer stopped the program at its calls: its part is taken off what was recorded, so costs are estimates. */
  readonly traced: boolean;
  /** False where the recording ended early, or a part of it could not be read. */
  readonly complete: boolean;
  /** How bytes move besides, of which the recording has no time. */
  readonly unseen: readonly UnseenWay[];
}

/** Nanoseconds of reads, writes and synchronisations, and of all other calls on files. */
export interface IoTime {
  readonly transferNs: number;
  readonly metadataNs: number;
  /** Of the transfers, what only reaches the buffers of streams. */
  readonly bufferedNs: number;
}

/** I/O that is less than this share of the longest run that it may have been is not said to bound it. */
const BOUNDS_AT_LEAST = 0.25;

/** @param tracer what it takes of the recorded duration. */
export function runCost(
  trace: Trace,
  io: IoTime,
  { likelyNs, leastNs, ownNs, mostOwnNs, besidesNs }: TracerTime,
  unseen: RunCost['unseen'],
): Omit<RunCost, 'savableNs' | 'savableShare'> {
  const { durationNs, damage, earlyEnds } = trace;
  const ioNs = io.transferNs + io.metadataNs;
  // Of many processes the tracer's part is known so badly that it may seem longer than the recording.
  const likely = Math.max(durationNs - likelyNs, Math.min(ioNs + ownNs, durationNs), ioNs);
  const untracedNs = Math.min(likely, ioNs + besidesNs);
  const mostNs = Math.max(durationNs - leastNs, Math.min(ioNs + mostOwnNs, durationNs), likely);
  const ioShare = untracedNs > 0 ? ioNs / untracedNs : 0;
  return {
    durationNs,
    isWhole: isWhole(trace),
    untracedNs,
    mostNs,
    ioNs,
    bufferedNs: Math.min(io.bufferedNs, io.transferNs),
    ioShare,
    boundBy: boundOf(trace, io, untracedNs, mostNs),
    traced: trace.form.tracerStopsProgram,
    complete: damage.length === 0 && (earlyEnds ?? []).length === 0,
    unseen,
  };
}

function boundOf(trace: Trace, { transferNs, metadataNs, bufferedNs }: IoTime, runNs: number, mostNs: number): Bound {
  const all = transferNs + metadataNs;
  const ioNs = all - bufferedNs;
  // Formatting is computing, whichever call does it.
  if (ioNs < runNs / 2 && all >= runNs / 2 && bufferedNs >= all / 2) return 'computing';
  if (ioNs < runNs / 2) return boundByFunctions(trace) ?? boundByProcessors(trace, runNs);
  // The run may be so much longer that something else bounds it.
  if (ioNs < mostNs * BOUNDS_AT_LEAST) return 'unknown';
  return metadataNs > transferNs - bufferedNs ? 'metadata' : 'io';
}

/** Whether the recording shows what a process did before its first call on a file, and after its last. */
function isWhole(trace: Trace): boolean {
  const { counters, parts, calls } = trace;
  if (counters !== undefined) return true;
  // Of MPI alone functions say nothing of what is before and behind them.
  if (trace.functions !== undefined && trace.functions.length > 0 && !areMessagesAlone(trace)) return true;
  if (parts.every(({ life }) => life !== undefined)) return true;
  const made = (names: RegExp): boolean => calls.names.some((name) => names.test(name));
  return made(/^execve(at)?$/) && made(/^exit(_group)?$/);
}

/** What the functions spend most time with, where they were recorded. */
function boundByFunctions(trace: Trace): Bound | undefined {
  const times = roleShares(trace)?.total;
  if (times === undefined) return undefined;
  const roles = Object.entries(BOUND_OF_ROLE).map(([role, bound]) => ({ bound, time: times[role as FunctionRole] }));
  return roles.reduce((most, each) => (each.time > most.time ? each : most)).bound;
}

/** Shares of the run: where processors work for so much of it, or so little, they tell what bounds it. */
const WORKS = 0.5;
const IDLES = 0.1;

/** What processors did meanwhile, where the recording knows that of every process. */
function boundByProcessors({ parts, streams }: Trace, runNs: number): Bound {
  const lives = parts.map(({ life }) => life).filter((life) => life !== undefined);
  if (lives.length === 0 || lives.length < parts.length) return 'unknown';
  const all = lives.reduce((sum, { userNs, systemNs }) => sum + userNs + systemNs, 0);
  if (all < IDLES * runNs) return 'waiting';
  // MPI waits for messages by asking again and again: a processor that works may still be one that waits.
  const isParallel = streams.some(({ rank }) => rank !== undefined);
  return !isParallel && lives.some(({ userNs }) => userNs >= WORKS * runNs) ? 'computing' : 'unknown';
}

const BOUND_OF_ROLE: Readonly<Record<FunctionRole, Bound>> = {
  computation: 'computing',
  communication: 'communication',
  synchronisation: 'waiting',
  'I/O': 'io',
  metadata: 'metadata',
};

/** What time of the run is of it. */
export function costOf({ value, deviation }: Estimate, run: Pick<RunCost, 'untracedNs' | 'ioNs' | 'traced'>): Cost {
  const untracedNs = Math.min(value, run.untracedNs);
  const share = (whole: number): number => (whole > 0 ? Math.min(1, untracedNs / whole) : 0);
  return {
    untracedNs,
    lowNs: Math.max(0, Math.min(untracedNs, value - NINETY_PERCENT * deviation)),
    highNs: Math.max(untracedNs, value + NINETY_PERCENT * deviation),
    shareOfRun: share(run.untracedNs),
    shareOfIo: share(run.ioNs),
    traced: run.traced,
  };
}

/** `cost about 2.3 ms, 66 % of the run`; behind their subject. */
export function costWords({ untracedNs, shareOfRun }: Cost, isEstimated: boolean): Sentence {
  return say`cost ${isEstimated ? 'about ' : ''}${slot('cost', untracedNs)}, ${slot('shareOfRun', shareOfRun)} of the run`;
}
