import { formatShare } from '../../base/quantities.ts';
import type { Measure } from '../../export/comparison/comparison-document.ts';

/** The words of one number of a comparison where its two sides stand apart. */

/** Where there is no room for ranges. */
export function withoutRange(measure: Measure): Measure {
  return { ...measure, baseRange: [measure.base, measure.base], newRange: [measure.new, measure.new] };
}

/** The two values by themselves, with their ranges. */
export function sides(measure: Measure, format: (of: Measure) => string): [base: string, changed: string] {
  const one = (value: number, range: Measure['baseRange']): string =>
    format({ ...measure, base: value, baseRange: range, newRange: range, difference: 'same' });
  return [one(measure.base, measure.baseRange), one(measure.new, measure.newRange)];
}

/** From here on a number of times says more than per cent. */
const MANY_TIMES = 10;

/** The ranges of both sides have a number in common: of repetitions that is no difference, of estimates none that is known. */
function overlap({ base, new: changed, baseRange, newRange }: Measure): boolean {
  return base !== changed && baseRange[0] <= newRange[1] && newRange[0] <= baseRange[1];
}

/** `−97 %`, `+52 %`, `× 12`; '' where nothing changed, or there was nothing before. `≈ −3 %` where the ranges overlap. */
export function relativeChange(measure: Measure): string {
  const { base, new: changed } = measure;
  if (base === changed || base === 0) return '';
  const about = overlap(measure) ? '≈ ' : '';
  const times = changed / base;
  if (times >= MANY_TIMES) return `${about}× ${Number(times.toPrecision(3))}`;
  return `${about}${times < 1 ? '−' : '+'}${percent(Math.abs(times - 1))}`;
}

/** What is left of almost nothing is not nothing. */
function percent(share: number): string {
  if (share > 0.99 && share < 1) return `${Math.floor(1000 * share) / 10} %`;
  return share < 0.001 ? `${Number((100 * share).toPrecision(1))} %` : formatShare(share);
}

/** `97 % less`, `52 % more`, `12 times as much`; what cannot be told apart is not said to be less or more. */
export function changeSentence(measure: Measure, less: string): string {
  const { base, new: changed } = measure;
  if (base === changed) return 'the same';
  if (overlap(measure))
    return measure.difference === 'within the spread' ? 'within the spread' : 'within the intervals';
  if (base === 0) return '';
  const words = relativeChange(measure);
  return words.startsWith('×')
    ? `${words.slice(2)} times as ${less === 'less' ? 'much' : 'many'}`
    : `${words.slice(1)} ${changed < base ? less : 'more'}`;
}

/** What a difference of times is worth. */
export function doubt({ difference }: Measure): string {
  if (difference === 'within the spread') return 'within the spread: no difference';
  return difference === 'noise unknown' ? 'one run each: no verdict' : '';
}
