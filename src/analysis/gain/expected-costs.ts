import type { CalibratedCall, Calibration, MeasuredCall } from '../../trace/calibration.ts';
import type { CallKind } from './call-kinds.ts';
import { difference, estimate, scaled, sumOf, type Estimate } from './estimate.ts';

/** What a kind of call is expected to cost without a tracer, with its data in the page cache. */
export interface ExpectedCost {
  /** Nanoseconds of a call that moves nothing. */
  readonly fixed: Estimate;
  /** Nanoseconds for each byte. */
  readonly perByte: Estimate;
}

export interface ExpectedCosts {
  /** Whether they were measured on the machine of the recording. */
  readonly measured: boolean;
  /** Undefined where nothing can be expected: how long a synchronisation takes is known to the storage alone. */
  of(kind: CallKind): ExpectedCost | undefined;
  /** Nanoseconds for each byte of reading the same place over and over. */
  readonly perByteReadAgain: Estimate;
  /** Nanoseconds for each byte of writing over what is there. */
  readonly perByteRewritten: Estimate;
}

/** What a figure of another machine is worth: nine of ten usual machines lie between two fifths and one and a half of it. */
const USUAL_DEVIATION = 0.36;
/** What one of this machine is worth, beside the spread while it was measured: caches, the length of paths, its load. */
const MEASURED_DEVIATION = 0.19;
/** The same on another file system of this machine than the measured one. */
const ELSEWHERE = 3;

/** Usual costs on today's machines with a local file system, nanoseconds. */
const USUAL: Readonly<Record<CallKind, readonly [fixed: number, perByte: number] | undefined>> = {
  read: [420, 0.06],
  write: [720, 0.3],
  seek: [150, 0],
  open: [1700, 0],
  'open-to-write': [2400, 0],
  close: [360, 0],
  fstat: [360, 0],
  stat: [1000, 0],
  access: [850, 0],
  'missing-open': [1450, 0],
  'missing-stat': [1050, 0],
  // How long the storage takes it alone knows.
  'stored-read': undefined,
  'stored-write': undefined,
  sync: undefined,
  // A new name in the page cache takes microseconds, one that replaces a file waits for the file's data (ext4).
  name: undefined,
  // And how long others hold a lock they alone know.
  lock: undefined,
  // Only recordings without a tracer show it, with what it takes.
  flush: undefined,
  copy: [1800, 0.3],
  other: [300, 0],
};
/** What a copy inside the kernel costs beyond a read and a write, as a factor: about, for it depends on the file systems. */
const OF_COPY = estimate(1.6, 0.5);
const USUAL_READ_AGAIN = 0.04;
const USUAL_REWRITTEN = 0.07;

function usual(value: number): Estimate {
  return estimate(value, value * USUAL_DEVIATION);
}

/** Costs for recordings without a calibration. */
export const USUAL_COSTS: ExpectedCosts = {
  measured: false,
  of: (kind) => {
    const found = USUAL[kind];
    return found && { fixed: usual(found[0]), perByte: usual(found[1]) };
  },
  perByteReadAgain: usual(USUAL_READ_AGAIN),
  perByteRewritten: usual(USUAL_REWRITTEN),
};

/** Costs that were measured beside the recording; where the calibration lacks one the usual one stands in. */
export function measuredCosts({ calls }: Calibration): ExpectedCosts {
  const ofSize = (call: CalibratedCall): MeasuredCall[] =>
    calls.filter((entry) => entry.call === call).sort((a, b) => a.bytes - b.bytes);
  const one = (call: CalibratedCall): Estimate | undefined => {
    const [found] = ofSize(call);
    return found && asEstimate(found);
  };
  const line = (call: CalibratedCall): ExpectedCost | undefined => lineThrough(ofSize(call));
  const flat = (fixed: Estimate | undefined): ExpectedCost | undefined => fixed && { fixed, perByte: estimate(0, 0) };
  const [pair, writing, copied, bare] = [one('open-close'), one('open-write-close'), one('dup-close'), one('call')];
  const [reading, written] = [line('read'), line('write')];
  // A dup and its close share the cost of two calls about evenly; what is left of opening is the search for the name.
  const close = copied && scaled(copied, 0.5);
  const found: Partial<Record<CallKind, ExpectedCost | undefined>> = {
    read: reading,
    write: written,
    seek: flat(one('seek')),
    open: flat(pair && close && difference(pair, close)),
    'open-to-write': flat(writing && close && written && difference(writing, sumOf([close, written.fixed]))),
    close: flat(close),
    fstat: flat(one('fstat')),
    stat: flat(one('stat')),
    access: flat(one('access')),
    'missing-open': flat(one('missing-open')),
    'missing-stat': flat(one('missing-stat')),
    copy: reading && written && copying(reading, written),
    other: flat(bare && estimate(bare.value * 1.5, bare.value * USUAL_DEVIATION)),
  };
  return {
    measured: true,
    of: (kind) => found[kind] ?? USUAL_COSTS.of(kind),
    perByteReadAgain: slopeOf('reread', 'read', ofSize) ?? USUAL_COSTS.perByteReadAgain,
    perByteRewritten: line('rewrite')?.perByte ?? USUAL_COSTS.perByteRewritten,
  };
}

/** The same for files of a file system that was not measured. */
export function elsewhere(costs: ExpectedCosts): ExpectedCosts {
  const wider = (one: Estimate): Estimate =>
    estimate(one.value, Math.min(one.deviation * ELSEWHERE, one.value * USUAL_DEVIATION));
  return {
    measured: costs.measured,
    of: (kind) => {
      const found = costs.of(kind);
      return found && { fixed: wider(found.fixed), perByte: wider(found.perByte) };
    },
    perByteReadAgain: wider(costs.perByteReadAgain),
    perByteRewritten: wider(costs.perByteRewritten),
  };
}

function asEstimate({ ns, lowNs, highNs }: MeasuredCall): Estimate {
  return estimate(ns, Math.hypot(ns * MEASURED_DEVIATION, (highNs - lowNs) / 2));
}

function copying(reading: ExpectedCost, writing: ExpectedCost): ExpectedCost {
  const both = sumOf([reading.fixed, writing.fixed]);
  const { value, deviation } = scaled(both, OF_COPY.value);
  return { fixed: estimate(value, Math.hypot(deviation, both.value * OF_COPY.deviation)), perByte: writing.perByte };
}

/** A straight line through the smallest and the largest size. */
function lineThrough(sizes: readonly MeasuredCall[]): ExpectedCost | undefined {
  const [small, large] = [sizes[0], sizes.at(-1)];
  if (small === undefined || large === undefined || large.bytes === small.bytes) return undefined;
  const slope = Math.max(0, large.ns - small.ns) / (large.bytes - small.bytes);
  const fixed = Math.max(0, small.ns - slope * small.bytes);
  // Small calls to new pages and large ones differ in more than their bytes: the slope is known less well.
  return {
    fixed: estimate(fixed, asEstimate(small).deviation),
    perByte: estimate(slope, Math.hypot(asEstimate(large).deviation / large.bytes, slope * 2 * MEASURED_DEVIATION)),
  };
}

/** Slope of a call that was measured at one size, with the fixed part of its sister. */
function slopeOf(
  call: CalibratedCall,
  sister: CalibratedCall,
  ofSize: (call: CalibratedCall) => MeasuredCall[],
): Estimate | undefined {
  const [large] = ofSize(call);
  const [small] = ofSize(sister);
  if (large === undefined || small === undefined || large.bytes <= small.bytes) return undefined;
  const slope = Math.max(0, large.ns - small.ns) / (large.bytes - small.bytes);
  return estimate(slope, asEstimate(large).deviation / large.bytes);
}
