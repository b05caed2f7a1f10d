import { GROUP_NAMES, SHARE_GROUPS, shareParts } from '../../src/drawing/workflow/share-parts.ts';
import type { RuntimeShare } from '../../src/features/workflow/protocol.ts';
import type { BarChart } from '../kit/charts.ts';

/** More bars are no chart. */
const MOST_BARS = 30;

/** Something that took time: a job or a step. */
interface Timed {
  readonly label: string;
  readonly elapsed: number | null;
  readonly share: RuntimeShare | null;
}

/** Run times, those of many the longest; each is divided as what was recorded of it. */
export function runTimeChart(title: string, of: string, all: readonly Timed[]): BarChart | null {
  const known = all.filter(({ elapsed }) => elapsed !== null && elapsed > 0);
  if (known.length === 0) return null;
  const longest = [...known].sort((a, b) => b.elapsed! - a.elapsed!).slice(0, MOST_BARS);
  // The order of the list says which came first.
  const shown = known.filter((each) => longest.includes(each));
  const parts = shown.map(({ share, elapsed }) => ({ parts: shareParts(share), elapsed: elapsed! }));
  const isKnown = parts.some((each) => each.parts.length > 0);
  const groups = SHARE_GROUPS.map((group, i) => ({
    name: GROUP_NAMES[group],
    values: parts.map((each) => (each.parts[i]?.part ?? 0) * each.elapsed),
  }));
  const rest = {
    name: isKnown ? 'Nothing recorded' : 'Run time',
    values: parts.map((each) => (each.parts.length === 0 ? each.elapsed : 0)),
  };
  return {
    title,
    of,
    labels: shown.map(({ label }) => label),
    ...(known.length > MOST_BARS && { note: `the ${MOST_BARS} longest of ${known.length}` }),
    // The fourth colour is that of the rest, wherever it stands.
    series: isKnown ? [...groups, rest] : [rest],
    isStacked: true,
    isHorizontal: true,
    unit: 'seconds',
  };
}

/** Seconds by function group, and by paradigm within it; summed over processes. */
export function paradigmChart(share: RuntimeShare | null): BarChart | null {
  if (share === null || shareParts(share).length === 0) return null;
  const rows = SHARE_GROUPS.flatMap((group, series) => {
    const own = share.byParadigm.filter((each) => each.group === group && each.seconds > 0);
    const known = own.reduce((sum, { seconds }) => sum + seconds, 0);
    const rest = share[group] - known;
    // What is told by no paradigm; not the rounding of a sum.
    const unnamed =
      rest > share[group] * 1e-6 ? [{ paradigm: own.length === 0 ? GROUP_NAMES[group] : 'other', seconds: rest }] : [];
    return [...own, ...unnamed].map(({ paradigm, seconds }) => ({ series, paradigm, seconds }));
  });
  return {
    title: 'Time by function group',
    note: 'summed over processes',
    of: 'Paradigm',
    labels: rows.map(({ paradigm }) => paradigm),
    series: SHARE_GROUPS.map((group, series) => ({
      name: GROUP_NAMES[group],
      values: rows.map((row) => (row.series === series ? row.seconds : 0)),
    })),
    isStacked: true,
    isHorizontal: true,
    unit: 'seconds',
  };
}
