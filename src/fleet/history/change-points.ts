import { quantile, rankSums, tailOfNormal } from './ranks.ts';

/** Values on each side of a change: fewer prove nothing. */
export const LEAST_ON_A_SIDE = 6;
/** Changes within a stretch that another change ends, and so on: what happened three times is told. */
const MOST_SPLITS = 3;
/** In longer series stretches begin and end at so many places only, evenly spread. */
const MOST_ENDS = 400;
/** Autocorrelations of so many standard deviations are no chance. */
const SURE = 1.64;

/** A stretch of a series whose values lie elsewhere than those of the rest. */
interface Stretch {
  /** Number of its first value. */
  readonly from: number;
  /** Number of the first value behind it: that of all values when it lasts to their end. */
  readonly to: number;
  /**
   * How likely a stretch would lie apart like that, or further, anywhere in the series if nothing had changed; at most, for it
   * is a bound (docs/decisions/0171).
   */
  readonly pValue: number;
}

/** A place in a series from which on its values lie elsewhere. */
export interface ChangePoint {
  /** Number of the first value behind it. */
  readonly at: number;
  /** What lies before it and behind it: from here, up to but without there. */
  readonly from: number;
  readonly to: number;
  readonly pValue: number;
}

/**
 * The stretch that differs most from the rest of a series by the rank-sum test of Mann and Whitney: its end, or one in its
 * middle. Only ranks count: no outlier weighs more than another value, whatever the distribution.
 * @returns undefined when the series is too short.
 */
export function strongestStretch(values: readonly number[]): Stretch | undefined {
  const count = values.length;
  if (count < 2 * LEAST_ON_A_SIDE) return undefined;
  const ranked = rankSums(values);
  const kinds = [endOf(ranked.sums, count), middleOf(ranked.sums, count)].filter(({ places }) => places > 0);
  const found = kinds.map(({ from, to, z, places }) => {
    const pValue = 2 * tailOfNormal(z / Math.sqrt(dependence(ranked.ranks, from, to)));
    // Each place is a test of its own, and so are both kinds of stretches; the best of all is what is told.
    return { from, to, pValue: Math.min(1, pValue * places * kinds.length) };
  });
  return found.reduce((best, other) => (other.pValue < best.pValue ? other : best));
}

/** All changes of a series whose probability by chance stays below a bound, in their order. */
export function changePoints(values: readonly number[], mostPValue: number): ChangePoint[] {
  const places = splits(values, 0, { mostPValue, splitsLeft: MOST_SPLITS });
  return places.map(({ at, pValue }, i) => ({
    at,
    from: places[i - 1]?.at ?? 0,
    to: places[i + 1]?.at ?? values.length,
    pValue,
  }));
}

function splits(
  values: readonly number[],
  offset: number,
  { mostPValue, splitsLeft }: { readonly mostPValue: number; readonly splitsLeft: number },
): { readonly at: number; readonly pValue: number }[] {
  const found = splitsLeft === 0 ? undefined : strongestStretch(values);
  if (found === undefined || found.pValue > mostPValue) return [];
  const { from, to, pValue } = found;
  const ends = [from, to]
    .filter((end) => end > 0 && end < values.length)
    .map((end) => placed(values, end, end === from ? [0, to] : [from, values.length]));
  // Several pieces are looked at instead of one.
  const within = { mostPValue: mostPValue / (ends.length + 1), splitsLeft: splitsLeft - 1 };
  return [0, ...ends].flatMap((begin, i) => [
    ...(i === 0 ? [] : [{ at: offset + begin, pValue }]),
    ...splits(values.slice(begin, ends[i] ?? values.length), offset + begin, within),
  ]);
}

/**
 * The end of a stretch to the value. The rank-sum test likes to reckon a high value of the low side to the high one: among its
 * neighbours that place is taken at which fewest values lie nearer to the median of the other side.
 */
function placed(values: readonly number[], end: number, [first, last]: readonly [number, number]): number {
  const before = quantile(values.slice(first, end), 0.5)!;
  const after = quantile(values.slice(end, last), 0.5)!;
  const isLate = (value: number): boolean => Math.abs(value - after) < Math.abs(value - before);
  let [best, least, wrong] = [end, 0, 0];
  for (let at = end; at > first + LEAST_ON_A_SIDE; at--) {
    wrong += isLate(values[at - 1]!) ? -1 : 1;
    if (wrong < least) [best, least] = [at - 1, wrong];
  }
  wrong = 0;
  for (let at = end; at < last - LEAST_ON_A_SIDE; at++) {
    wrong += isLate(values[at]!) ? 1 : -1;
    if (wrong < least) [best, least] = [at + 1, wrong];
  }
  return best;
}

interface Scored {
  readonly from: number;
  readonly to: number;
  readonly z: number;
  /** Stretches that were looked at. */
  readonly places: number;
}

/** Of the stretches that last to the end of the series the one that stands off most. */
function endOf(sums: Float64Array, count: number): Scored {
  let best = { from: LEAST_ON_A_SIDE, z: -Infinity };
  for (let from = LEAST_ON_A_SIDE; from <= count - LEAST_ON_A_SIDE; from++) {
    const z = score(sums[from]!, from, count);
    if (z > best.z) best = { from, z };
  }
  return { ...best, to: count, places: count - 2 * LEAST_ON_A_SIDE + 1 };
}

/** The same of those that end before; what lies before and behind them is the rest. */
function middleOf(sums: Float64Array, count: number): Scored {
  const step = Math.ceil(count / MOST_ENDS);
  let best = { from: 0, to: count, z: -Infinity };
  let places = 0;
  for (let from = LEAST_ON_A_SIDE; from < count; from += step)
    for (let to = from + LEAST_ON_A_SIDE; to <= count - LEAST_ON_A_SIDE; to += step) {
      places++;
      const z = score(sums[to]! - sums[from]!, to - from, count);
      if (z > best.z) best = { from, to, z };
    }
  return { ...best, places };
}

/**
 * By how many standard deviations the ranks of some of the values lie off their mean. The deviation is that without ties: with
 * them it is smaller, so that the score is rather too low.
 */
function score(sum: number, some: number, count: number): number {
  const off = Math.abs(sum - (some * (count + 1)) / 2) - 0.5;
  return off / Math.sqrt((some * (count - some) * (count + 1)) / 12);
}

/**
 * How much larger the variance is because neighbours resemble each other (a file system is slow for days, not for one job):
 * 1 + 2 × the autocorrelations of the ranks off the mean of their side, as far as they stand off from chance.
 */
function dependence(ranks: Float64Array, from: number, to: number): number {
  const count = ranks.length;
  const isIn = (i: number): boolean => i >= from && i < to;
  const meanOf = (wanted: boolean): number => {
    const own = ranks.filter((_, i) => isIn(i) === wanted);
    return own.reduce((sum, rank) => sum + rank, 0) / own.length;
  };
  const [inside, outside] = [meanOf(true), meanOf(false)];
  const off = ranks.map((rank, i) => rank - (isIn(i) ? inside : outside));
  const variance = off.reduce((sum, value) => sum + value * value, 0);
  if (variance === 0) return 1;
  let inflation = 1;
  for (let lag = 1; lag < count / 3; lag++) {
    let sum = 0;
    for (let i = lag; i < count; i++) sum += off[i]! * off[i - lag]!;
    if (sum / variance < SURE / Math.sqrt(count)) break;
    inflation += (2 * sum) / variance;
  }
  return inflation;
}
