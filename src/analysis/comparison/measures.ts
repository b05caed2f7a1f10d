import type { ComparedAmounts, Difference, Measure, Verdict } from './comparison.ts';
import type { Amounts } from './run-facts.ts';

/** What each repetition of a side has; 0 where it has nothing. */
type Repeated = readonly Amounts[];

/**
 * Compares one number. The spread of a side is its range, from the least to the greatest repetition: no assumption about
 * how times are distributed holds for I/O, and three runs are too few for one (docs/decisions/0072). Sides differ when
 * their ranges do not touch.
 */
function measure(base: readonly number[], changed: readonly number[], isExact: boolean): Measure {
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

function differenceOf(base: Measure['baseRange'], changed: Measure['newRange'], isKnown: boolean): Difference {
  if (base[0] === changed[0] && base[1] === changed[1] && base[0] === base[1]) return 'same';
  if (base[0] <= changed[1] && changed[0] <= base[1]) return 'within the spread';
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
  { baseRuns, newRuns, hasTimes }: Repetitions,
): ComparedAmounts {
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
  };
  const verdicts = { countVerdict: countVerdictOf(amounts), timeVerdict: timeVerdictOf(amounts) };
  if (base === undefined) return { ...amounts, ...verdicts, verdict: 'new' };
  if (changed === undefined) return { ...amounts, ...verdicts, verdict: 'gone' };
  return { ...amounts, ...verdicts, verdict: verdictOf(verdicts, amounts.timeNs?.change ?? 0) };
}

const NOTHING: Amounts = { events: 0, bytes: 0, timeNs: 0 };

/** How often each side was run, and whether times can be compared. */
export interface Repetitions {
  readonly baseRuns: number;
  readonly newRuns: number;
  readonly hasTimes: boolean;
}

/** Calls and bytes are exact: any difference is one. */
function countVerdictOf({ events, bytes }: Pick<ComparedAmounts, 'events' | 'bytes'>): Verdict {
  const differences = [events.difference, bytes.difference];
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

function timeVerdictOf({ timeNs }: Pick<ComparedAmounts, 'timeNs'>): Verdict | null {
  return timeNs === null ? null : OF_TIME[timeNs.difference];
}

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
