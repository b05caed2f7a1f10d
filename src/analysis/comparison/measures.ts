import type { ComparedAmounts, Difference, Measure, Verdict } from './comparison.ts';
import { costOfAmounts } from './costed-amounts.ts';
import type { Amounts, CostedAmounts } from './run-facts.ts';

/** What each repetition of a side has; 0 where it has nothing. */
type Repeated = readonly CostedAmounts[];

/**
 * Compares one number. The spread of a side is its range, from the least to the greatest repetition: no assumption about
 * how times are distributed holds for I/O, and three runs are too few for one (docs/decisions/0072). Sides differ when
 * their ranges do not touch.
 */
export function measure(base: readonly number[], changed: readonly number[], isExact: boolean): Measure {
  const [baseRange, newRange] = [rangeOf(base), rangeOf(changed)];
  const [before, after] = [median(base), median(changed)];
  const isRepeated = base.length > 1 || changed.length > 1;
  return {
    base: before,
    new: after,
    change: after - before,
    baseRange,
    newRange,
    difference: differenceOf(baseRange, newRange, isExact || isRepeated),
  };
}

/** A number that was estimated, with the interval in which it lies. */
export interface Estimated {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The same of estimates. The interval of one tells how far the estimate may be from what this run took, not how far another
 * run is from it: nothing is said without repetitions. Of several their range tells, for what the estimates have in common
 * is wrong in all of them.
 */
export function measureEstimates(base: readonly Estimated[], changed: readonly Estimated[]): Measure {
  const values = (side: readonly Estimated[]): number[] => side.map(({ value }) => value);
  const [before, after] = [median(values(base)), median(values(changed))];
  const [baseRange, newRange] = [rangeOfEstimates(base), rangeOfEstimates(changed)];
  const isRepeated = base.length > 1 || changed.length > 1;
  const isSame = before === after && baseRange[0] === newRange[0] && baseRange[1] === newRange[1];
  const repeated = differenceOf(baseRange, newRange, true);
  const difference = isSame ? 'same' : isRepeated ? repeated : 'noise unknown';
  return { base: before, new: after, change: after - before, baseRange, newRange, difference };
}

function rangeOfEstimates(side: readonly Estimated[]): [number, number] {
  const [only, ...more] = side;
  return more.length === 0 ? [only!.low, only!.high] : rangeOf(side.map(({ value }) => value));
}

function differenceOf(base: Measure['baseRange'], changed: Measure['newRange'], isKnown: boolean): Difference {
  if (base[0] === changed[0] && base[1] === changed[1] && base[0] === base[1]) return 'same';
  if (overlap({ baseRange: base, newRange: changed })) return 'within the spread';
  if (!isKnown) return 'noise unknown';
  return changed[0] > base[1] ? 'more' : 'less';
}

function rangeOf(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Compares something that at least one side has. */
export function compareAmounts(
  base: Repeated | undefined,
  changed: Repeated | undefined,
  repeated: Repetitions,
): ComparedAmounts {
  const { baseRuns, newRuns, hasTimes, hasCosts } = repeated;
  const before = base ?? Array.from({ length: baseRuns }, () => NOTHING);
  const after = changed ?? Array.from({ length: newRuns }, () => NOTHING);
  const of = (name: keyof Amounts): [number[], number[]] => [
    before.map((each) => each[name]),
    after.map((each) => each[name]),
  ];
  const amounts = {
    events: measure(...of('events'), true),
    bytes: measure(...of('bytes'), true),
    timeNs: hasTimes ? measure(...of('timeNs'), false) : null,
    costNs: hasTimes && hasCosts ? measureEstimates(before.map(estimateOf), after.map(estimateOf)) : null,
  };
  const time = amounts.costNs ?? amounts.timeNs;
  const verdicts = verdictsOf(amounts, time, repeated);
  if (base === undefined) return { ...amounts, ...verdicts, verdict: 'new' };
  if (changed === undefined) return { ...amounts, ...verdicts, verdict: 'gone' };
  return { ...amounts, ...verdicts };
}

/** @param time what the time is judged by; null where there is none. */
export function verdictsOf(
  amounts: Pick<ComparedAmounts, 'events' | 'bytes'>,
  time: Measure | null,
  { hasCosts }: Pick<Repetitions, 'hasCosts'>,
): Pick<ComparedAmounts, 'countVerdict' | 'timeVerdict' | 'verdict'> {
  const countVerdict = countVerdictOf(amounts);
  const timeVerdict = time === null ? null : OF_TIME[time.difference];
  // Of costs within each other's intervals even the direction is unknown.
  const change = time === null || (hasCosts && overlap(time)) ? 0 : time.change;
  return { countVerdict, timeVerdict, verdict: verdictOf({ countVerdict, timeVerdict }, change) };
}

/** The ranges of both sides have a number in common. */
export function overlap({ baseRange, newRange }: Pick<Measure, 'baseRange' | 'newRange'>): boolean {
  return baseRange[0] <= newRange[1] && newRange[0] <= baseRange[1];
}

/** Of fewer calls any of their time may be that of other programs, which took the processor meanwhile. */
const FEWEST_CALLS = 8;

function estimateOf(amounts: CostedAmounts): Estimated {
  const { untracedNs, lowNs, highNs } = costOfAmounts(amounts);
  return { value: untracedNs, low: amounts.events < FEWEST_CALLS ? 0 : lowNs, high: highNs };
}

const NOTHING: Amounts = { events: 0, bytes: 0, timeNs: 0 };

/** How often each side was run, and whether times can be compared. */
export interface Repetitions {
  readonly baseRuns: number;
  readonly newRuns: number;
  readonly hasTimes: boolean;
  /** A tracer is in some of the recorded times: costs are compared. */
  readonly hasCosts: boolean;
}

/** Shares of calls and bytes below it decide nothing: of a hundred thousand calls one is neither better nor worse. */
const SLIGHT = 1 / 1000;

/** Calls and bytes are exact: any difference that is not slight is one. */
function countVerdictOf({ events, bytes }: Pick<ComparedAmounts, 'events' | 'bytes'>): Verdict {
  const differences = [events, bytes].map(({ difference, change, base, new: after }) =>
    Math.abs(change) < SLIGHT * Math.max(base, after) ? 'same' : difference,
  );
  if (differences.includes('less') && differences.includes('more')) return 'mixed';
  if (differences.includes('less')) return 'better';
  if (differences.includes('more')) return 'worse';
  return differences.includes('within the spread') ? 'within the spread' : 'unchanged';
}

const OF_TIME: Readonly<Record<Difference, Verdict>> = {
  same: 'unchanged',
  less: 'better',
  more: 'worse',
  'within the spread': 'within the spread',
  'noise unknown': 'noise unknown',
};

/**
 * With repetitions the time decides. Without, calls and bytes do, as the noise of times is unknown; but nothing is called
 * better that took longer, and nothing worse that took less time.
 */
function verdictOf(
  { countVerdict, timeVerdict }: Pick<ComparedAmounts, 'countVerdict' | 'timeVerdict'>,
  timeChange: number,
): Verdict {
  switch (timeVerdict) {
    case null:
    case 'unchanged':
      return countVerdict;
    case 'noise unknown': {
      if (countVerdict === 'unchanged') return 'noise unknown';
      const contradicts = countVerdict === 'better' ? timeChange > 0 : countVerdict === 'worse' && timeChange < 0;
      return contradicts ? 'mixed' : countVerdict;
    }
    default:
      return timeVerdict;
  }
}

/**
 * The chance that the ranges of as many repetitions do not touch although nothing differs: of all orders of the values
 * only two have one side wholly before the other.
 */
export function chanceOfNoise(baseRuns: number, newRuns: number): number {
  let orders = 1;
  for (let i = 1; i <= newRuns; i++) orders *= (baseRuns + i) / i;
  return Math.min(1, 2 / orders);
}
