// What the pairs of a row tell of it.
import { median } from '../programs.mjs';

/** From here on a row is worse. */
export const WORSE = 1.1;
/** How likely the true median may lie below what is called its lowest. */
const DOUBT = 0.05;

/** How many of the smallest of `count` values the median may lie among, with no more than the doubt. */
function skipped(count) {
  let [chance, below, at] = [0.5 ** count, 0.5 ** count, 0];
  while (below <= DOUBT) {
    at++;
    chance *= (count - at + 1) / at;
    below += chance;
  }
  return Math.max(0, at - 1);
}

/** The smallest that the median of all possible pairs may be, by order statistics: nothing is assumed of how they spread. */
export function lowestMedian(ratios) {
  return ratios.toSorted((a, b) => a - b)[skipped(ratios.length)];
}

const percent = (factor) => `${factor >= 1 ? '+' : '−'}${Math.abs((factor - 1) * 100).toFixed(0)} %`;

/** @param kept the ratio of the last release; undefined for a row that it did not have. */
export function verdictOf(pairs, kept) {
  const ratios = pairs.map(({ ratio }) => ratio);
  const [middle, lowest] = [median(ratios), lowestMedian(ratios)];
  const memory = `${(median(pairs.map(({ peak }) => peak)) / 1e6).toFixed(0)} MB`;
  // Slower by this factor, and the lowest median were beyond the bound.
  const sees = percent((WORSE * middle) / lowest);
  if (kept === undefined) return { figures: [middle.toFixed(3), '', '', sees, memory], verdict: 'new', isWorse: false };
  const isWorse = lowest > WORSE * kept;
  const verdict = isWorse ? 'WORSE' : middle > WORSE * kept ? 'in doubt' : '';
  return { figures: [middle.toFixed(3), kept.toFixed(3), percent(middle / kept), sees, memory], verdict, isWorse };
}
