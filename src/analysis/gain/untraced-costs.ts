import { isCalibrated, type Calibration } from '../../trace/calibration.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { NINETY_PERCENT, ownShare } from './cost.ts';
import { combined, estimate, type Estimate } from './estimate.ts';
import { elsewhere, measuredCosts, USUAL_COSTS, type ExpectedCost, type ExpectedCosts } from './expected-costs.ts';
import type { CallClass, ObservedCalls } from './observed-calls.ts';
import type { LanguageWork } from './work/language-work.ts';
import { quantile, type Sample } from './sample.ts';
import { fitSizes, type SizeClass, type SizeFit } from './size-fit.ts';

/** Where a cost comes from: this recording, a measurement on its machine, or machines in general. */
export type Basis = 'recording' | 'measured' | 'usual';

/** What calls of one kind to one file take without a tracer. */
export interface UntracedCost {
  /** Nanoseconds of a call, whatever it moves. */
  readonly fixed: Estimate;
  /** Nanoseconds for each byte. */
  readonly perByte: Estimate;
  readonly basis: Basis;
}

/** strace prints whole microseconds by default: a duration is known to about a third of one. */
const RESOLUTION_NS = 300;
/** Fewest calls of a kind that show the tracer's part. */
const FEWEST_CALLS = 8;
/** Calls of a size of which fewer may each be slow for another reason, by so many nanoseconds. */
const FEWEST_OF_SIZE = 3;
const FIRST_NS = 50_000;
/**
 * How much later, in nanoseconds, a tracer is woken that runs on another processor. A recording may change between one
 * and the other at any time, so calls that take less beyond the tracer's part cannot be told from undisturbed ones; those
 * of which even the shortest take more wait for something: a disk, a network.
 */
const WAKING_NS = 50_000;
/** No busy processor delays a tenth of the calls for so long: these wait, whatever the others of their kind do. */
const LONG_WAIT_NS = 50e6;
const OFTEN = 0.9;
/** Of processes and threads side by side one waits while the tracer looks at another's stack: so many times as long. */
const FOR_OTHERS = 4;
const MOST_LANES = 4;
/** What a duration says about another run of the same program, as a share of it: so far repaired programs lie from it. */
const OTHER_RUN = 0.18;
/** The same of calls that wait for the storage, which is fast and slow by the minute. */
const OTHER_STORAGE = 0.35;
/** Up to how many times their measured cost calls are those to the page cache that were measured. */
const AS_MEASURED = 3;
/** No storage and no network answers faster: calls that take less do their own work, such as a close that flushes. */
const SHORTEST_WAIT_NS = 10_000;
/** The longest of such calls that count: on a busy machine more than a few lose the processor in the midst of them. */
const LONGEST_HERE = 0.9;
/** What the library's own look at the clock, and what it displaces from the caches, adds to such a call. */
const CLOCK_NS = 60;
/** What of the time of calls that take far longer than the others counts as doubt. */
const DISTURBED = 0.1;
/** Quantiles of durations: that of an undisturbed call, the shortest that are no accident, the longest that count. */
const TYPICAL = 0.1;
const SHORTEST = 0.05;
const LONGEST = 0.98;

/**
 * Estimates what the calls of a recording take in a run without strace.
 *
 * The durations of a recording hold the tracer's part, which for calls to the page cache is ten times the call itself, and
 * noise that is larger still. So a call's cost is estimated twice: from the recording (what is left without the tracer's
 * part) and from what such a call costs on this machine (a calibration) or on usual ones. Both are weighted by how well
 * they are known; where the recording contradicts the expectation (a disk or a network was waited for) it alone counts.
 */
export class UntracedCosts {
  /** Nanoseconds that the tracer adds to the duration of an undisturbed call. */
  readonly tracer: Estimate;
  /** Nanoseconds that disturbances (the scheduler, the tracer's own work) add to the mean. */
  private readonly disturbance: number;
  /** Processes or threads side by side, as far as they count. */
  private readonly lanes: number;
  private readonly here: ExpectedCosts;
  private readonly other: ExpectedCosts;
  private readonly known = new Map<CallClass, UntracedCost | undefined>();

  constructor(
    private readonly trace: Trace,
    observed: ObservedCalls,
    private readonly calibration: Calibration | undefined,
    /** What languages do besides. */
    readonly work: LanguageWork,
  ) {
    this.here = calibration === undefined ? USUAL_COSTS : measuredCosts(calibration);
    this.other = calibration === undefined ? USUAL_COSTS : elsewhere(this.here);
    this.lanes = Math.min(MOST_LANES, observed.lanes.count);
    ({ part: this.tracer, disturbance: this.disturbance } = tracerPart(trace, observed, this.here));
  }

  /** No tracer is in the durations of the recording. */
  get isUntraced(): boolean {
    return !this.trace.form.tracerStopsProgram;
  }

  /** Undefined when neither the recording nor experience tells: a synchronisation without a duration. */
  of(calls: CallClass): UntracedCost | undefined {
    if (!this.known.has(calls)) this.known.set(calls, this.estimated(calls));
    return this.known.get(calls);
  }

  /** What is expected of calls to a file, data in the page cache. */
  expectedAt(file: FileIndex): ExpectedCosts {
    if (this.calibration === undefined) return this.here;
    if (file === NONE) return this.other;
    return isCalibrated(this.calibration, this.trace.files.at(file).path) ? this.here : this.other;
  }

  private estimated(calls: CallClass): UntracedCost | undefined {
    const { kind, file, sample } = calls;
    const costs = this.expectedAt(file);
    const expected = costs.of(kind);
    // What was measured on another file system tells little of the waits of this one.
    const isHere = costs.measured && costs === this.here;
    const waking = this.isUntraced ? 0 : WAKING_NS * (isHere ? 1 + FOR_OTHERS * (this.lanes - 1) : 1);
    const sizes = this.sizeClasses(sample, expected === undefined, waking);
    const observed = fitSizes(sizes, expected?.perByte ?? estimate(0, 0));
    if (this.isUntraced) {
      if (calls.calls === 0) return undefined;
      const slope = slopeOf(observed, expected);
      const own = { ...calls, timeNs: calls.timeNs * ownShare(calls) };
      if (this.calibration === undefined || sample.length === 0) return measured(own, sizes, slope);
      if (kind === 'sync') return waited(calls);
      return costs.measured && expected !== undefined
        ? undisturbed(calls, measured(own, sizes, slope), expected, slope)
        : measured(own, sizes, slope);
    }
    if (observed === undefined) return expected && { ...expected, basis: costs.measured ? 'measured' : 'usual' };
    if (expected === undefined) {
      const perByte = observed.perByte ?? estimate(0, 0);
      return { fixed: ofStorage(atLeastNothing(observed.fixed)), perByte, basis: 'recording' };
    }
    const isMeasured = isHere && this.lanes === 1;
    const fixed = combined(expected.fixed, observed.fixed, waking, isMeasured);
    // Calls of one size may have been disturbed and those of the other not.
    const perByte =
      observed.perByte === undefined
        ? expected.perByte
        : combined(expected.perByte, observed.perByte, waking / observed.span, isMeasured).estimate;
    const basis = fixed.own ? 'recording' : costs.measured ? 'measured' : 'usual';
    return { fixed: fixed.own ? ofStorage(fixed.estimate) : fixed.estimate, perByte, basis };
  }

  /** @param isOfStorage of which nothing can be expected: the storage is waited for, however soon it answers. */
  private sizeClasses(sample: Sample, isOfStorage: boolean, waking: number): SizeClass[] {
    const all = sample.sorted;
    if (all.length === 0) return [];
    const shortest = quantile(all, SHORTEST) - this.tracer.value;
    const waits = isOfStorage || this.isUntraced || shortest > waking || quantile(all, OFTEN) > LONG_WAIT_NS;
    return sample.bySize().map(({ bytes, sorted }) => ({
      bytes,
      calls: sorted.length,
      duration: waits ? this.mean(sorted) : this.typical(sorted),
    }));
  }

  /** Calls that wait for something: their mean counts, tail and all; on a busy machine, where it is others' tail, the median. */
  private mean(sorted: Float64Array): Estimate {
    const { mean, standardError } = cappedMean(sorted);
    const tracer = this.tracer.value + this.disturbance;
    const deviation = Math.hypot(standardError, this.tracer.deviation, this.disturbance / 2, OTHER_RUN * mean);
    return estimate(Math.max(mean - tracer, quantile(sorted, 0.5) - this.tracer.value), deviation);
  }

  /** Calls to the page cache: the tail is the tracer's and the scheduler's, the undisturbed ones tell. */
  private typical(sorted: Float64Array): Estimate {
    const few = sorted.length < FEWEST_CALLS ? this.tracer.value / 2 : 0;
    const deviation = Math.hypot(this.tracer.deviation, RESOLUTION_NS, few);
    return estimate(quantile(sorted, TYPICAL) - this.tracer.value, deviation);
  }
}

interface TracerPart {
  readonly part: Estimate;
  readonly disturbance: number;
}

/** Nanoseconds that two stops of a tracer take at most, also where all processors are busy. */
const LONGEST_STOPS = 1e6;
/** Two stops of a tracer on usual machines, where a recording is too short to show them. */
const UNKNOWN_TRACER: TracerPart = { part: estimate(7000, 5000), disturbance: 0 };

/**
 * What strace itself adds to a duration: it stops the process at the call's beginning and end. Of every kind of call the
 * undisturbed ones less what they cost without a tracer bound it from above; the least of these bounds is it.
 */
function tracerPart(trace: Trace, observed: ObservedCalls, costs: ExpectedCosts): TracerPart {
  if (!trace.form.tracerStopsProgram) return { part: estimate(0, 0), disturbance: 0 };
  let least: TracerPart | undefined;
  for (const [kind, sample] of observed.ofKind) {
    const cost = costs.of(kind);
    if (sample.length < FEWEST_CALLS || cost === undefined) continue;
    const bound = upperBound(sample, cost.fixed.value, cost.perByte.value);
    // No tracer stops a program for so long: these calls wait for something, and show nothing of it.
    if (bound.part.value > LONGEST_STOPS) continue;
    if (least === undefined || bound.part.value < least.part.value) least = bound;
  }
  return least ?? UNKNOWN_TRACER;
}

function upperBound(sample: Sample, fixed: number, perByte: number): TracerPart {
  // Of the sizes the smallest: there the call itself matters least.
  const [smallest] = sample.bySize().sort((a, b) => a.bytes - b.bytes);
  const { bytes, sorted } = smallest!;
  const typical = quantile(sorted, TYPICAL);
  const spread = Math.min(quantile(sorted, 0.25) - typical, typical / 2);
  const value = Math.max(0, typical - fixed - perByte * bytes);
  const part = estimate(value, Math.hypot(RESOLUTION_NS, 0.08 * value, spread / 2));
  // What is longer on average is no disturbance: some of these calls wait.
  return { part, disturbance: Math.min(LONGEST_STOPS, Math.max(0, cappedMean(sorted).mean - typical)) };
}

/**
 * Nanoseconds for each byte where no tracer is in the durations. Calls that differ by a few bytes may differ in time for any
 * reason (the first ones find cold caches): what is less than half a call is no sign of a slope beyond the expected one.
 */
function slopeOf(observed: SizeFit | undefined, expected: ExpectedCost | undefined): Estimate {
  if (observed?.perByte === undefined) return expected?.perByte ?? estimate(0, 0);
  if (expected === undefined) return observed.perByte;
  // A header of other size, that is written first, is slow for it is the first, and not for its bytes.
  const isRare = observed.support < FEWEST_OF_SIZE;
  if (isRare && (observed.perByte.value - expected.perByte.value) * observed.span < FIRST_NS) return expected.perByte;
  return combined(expected.perByte, observed.perByte, observed.typical / 2 / observed.span).estimate;
}

/** The mean, with the longest (a fiftieth, if nothing is said) no longer than the rest. */
function cappedMean(sorted: Float64Array, longest = LONGEST): { mean: number; standardError: number } {
  const cap = quantile(sorted, longest);
  let sum = 0;
  let squares = 0;
  for (const duration of sorted) {
    const capped = Math.min(duration, cap);
    sum += capped;
    squares += capped * capped;
  }
  const mean = sum / sorted.length;
  const variance = Math.max(0, squares / sorted.length - mean * mean);
  return { mean, standardError: Math.sqrt(variance / sorted.length) };
}

/**
 * No tracer is in these durations: all calls together take what was measured. Where most of the bytes are those of a few
 * large calls, a line through the sizes of the others says nothing of these: there the calls of the commonest size keep
 * what they took, and what is left goes with the further bytes. Otherwise what does not go with the bytes is each call's
 * own.
 */
function measured({ calls, bytes, timeNs }: CallClass, sizes: readonly SizeClass[], slope: Estimate): UntracedCost {
  const commonest = sizes.toSorted((a, b) => b.calls - a.calls || a.bytes - b.bytes)[0]!;
  const further = bytes - commonest.bytes * calls;
  if (further > commonest.bytes * calls) {
    const own = Math.min(commonest.duration.value, timeNs / calls);
    const perByte = (timeNs - own * calls) / further;
    const fixed = Math.max(0, own - perByte * commonest.bytes);
    return {
      fixed: estimate(fixed, commonest.duration.deviation),
      perByte: estimate(perByte, Math.max(OTHER_RUN * perByte, (commonest.duration.deviation * calls) / further)),
      basis: 'recording',
    };
  }
  const moving = Math.min(slope.value * bytes, timeNs);
  const perByte = bytes > 0 ? moving / bytes : 0;
  const fixed = (timeNs - moving) / calls;
  return {
    fixed: estimate(fixed, Math.max(OTHER_RUN * fixed, (slope.deviation * bytes) / calls)),
    perByte: estimate(perByte, OTHER_RUN * perByte),
    basis: 'recording',
  };
}

/**
 * Calls to the page cache, by a recording on this machine: most of them take what was measured beside it, or too little to
 * wait for anything. The few that take far longer lost the processor to another program, which the next run may not.
 */
function undisturbed(
  { calls, bytes, timeNs, sample }: CallClass,
  asRecorded: UntracedCost,
  expected: ExpectedCost,
  slope: Estimate,
): UntracedCost {
  const usual = expected.fixed.value + (expected.perByte.value * bytes) / calls;
  if (quantile(sample.sorted, 0.5) > Math.max(AS_MEASURED * usual, SHORTEST_WAIT_NS)) return asRecorded;
  const most = sample
    .bySize()
    .reduce((sum, { sorted }) => sum + cappedMean(sorted, LONGEST_HERE).mean * sorted.length, 0);
  const each = Math.min(most / sample.length, timeNs / calls);
  const moving = Math.min((slope.value * bytes) / calls, each);
  const own = Math.max(0, each - moving - CLOCK_NS);
  const deviation = Math.hypot(OTHER_RUN * own, (slope.deviation * bytes) / calls, CLOCK_NS / 2);
  const observed = estimate(own, deviation);
  // What bytes take depends on where they are: of calls that mostly move them the measurement knows no better.
  const belief = moving > each / 4 ? observed : combined(expected.fixed, observed).estimate;
  const doubt = Math.min(DISTURBED * (timeNs / calls - each), belief.value / 2);
  const perByte = bytes > 0 ? (moving * calls) / bytes : 0;
  return {
    fixed: estimate(belief.value, Math.hypot(belief.deviation, OTHER_RUN * belief.value, doubt)),
    perByte: estimate(perByte, OTHER_RUN * perByte),
    basis: 'recording',
  };
}

/**
 * Synchronisations wait for the storage, and on a busy machine then for the processor, which takes many times as long: what
 * most of them take counts, and how far the shorter ones are from it says how much of that may be others' work.
 */
function waited({ sample }: CallClass): UntracedCost {
  const { sorted } = sample;
  const middle = sorted.subarray(Math.floor(sorted.length / 4), Math.max(1, Math.ceil((sorted.length * 3) / 4)));
  const usual = middle.reduce((sum, duration) => sum + duration, 0) / middle.length;
  const mean = sorted.reduce((sum, duration) => sum + duration, 0) / sorted.length;
  // Times with a long tail: how much of that is the storage's, and how much the scheduler's, nothing tells.
  const value = Math.sqrt(usual * Math.max(usual, mean));
  const busy = Math.max(value - quantile(sorted, SHORTEST), mean - value) / NINETY_PERCENT;
  return {
    fixed: ofStorage(estimate(value, busy)),
    perByte: estimate(0, 0),
    basis: 'recording',
  };
}

/** What waits for the storage takes otherwise in another run. */
function ofStorage({ value, deviation }: Estimate): Estimate {
  return estimate(value, Math.hypot(deviation, OTHER_STORAGE * value));
}

function atLeastNothing(one: Estimate): Estimate {
  return one.value >= 0 ? one : estimate(0, one.deviation);
}
