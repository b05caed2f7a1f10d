import { HOW_TO_SEE_LINES, HOW_TO_SEE_UNTRACED_LINES } from '../lacks/counter-lacks.ts';
import type { CallSite } from '../sites/call-sites.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Insight, Recommendation } from './insight.ts';
import { advising, naming, say, type Sentence } from './message.ts';

/** Codes of findings on calls that no segment shows: metadata calls and stdio. */
const NEVER_TRACED: ReadonlySet<string> = new Set(['P17', 'S01', 'L04']);
const HAS_LINES: ReadonlySet<string> = new Set(CATALOGUE.filter(({ kind }) => kind === 'site').map(({ code }) => code));

/** A finding of which nobody knows the lines says how to get them. */
export function withWayToLines(insight: Insight): Insight {
  const { code, severity, recommendations } = insight;
  if (!HAS_LINES.has(code) || (severity !== 'high' && severity !== 'warn')) return insight;
  const text = NEVER_TRACED.has(code) ? HOW_TO_SEE_UNTRACED_LINES : HOW_TO_SEE_LINES;
  return { ...insight, recommendations: [...recommendations, { audience: 'job', text }] };
}

/** A function of HDF5 stands for a line of Python: say why there is no line. */
export function noteOnStandIns(places: readonly (CallSite | undefined)[]): Sentence {
  const standIns = places.filter((place) => place?.standsForPython === true);
  if (standIns.length === 0) return [];
  const names = [...new Set(standIns.map((place) => place!.functionName))].join(', ');
  return say` Python's own lines are not in a stack that strace records: what is named is the library's function that they call (${naming('functions', names)}).`;
}

/** Share of a finding's time from which on a place has advice of its own, where it is another. */
const TOLD_APART = 0.05;

interface AdvisedPlace {
  /** Undefined where stacks lead nowhere. */
  readonly place: CallSite | undefined;
  /** Nanoseconds of the offending calls there. */
  readonly timeNs: number;
  readonly advice: () => readonly Recommendation[];
}

/**
 * What is told of the dearest place, and of others what has to be told otherwise.
 * @param places the dearest first.
 * @param timeNs nanoseconds of the finding as a whole.
 */
export function adviceForPlaces(places: readonly AdvisedPlace[], timeNs: number): readonly Recommendation[] {
  const [first, ...others] = places;
  const told = [...(first?.advice() ?? [])];
  const texts = new Set(told.map(({ text }) => text));
  for (const { place, timeNs: own, advice } of others) {
    if (place === undefined || own < TOLD_APART * timeNs) continue;
    const { file, line, functionName } = place;
    const name = file === '' ? functionName : `${file.slice(file.lastIndexOf('/') + 1)}:${line}`;
    for (const each of advice()) {
      if (each.slots !== undefined || texts.has(each.text)) continue;
      texts.add(each.text);
      told.push({ ...each, ...advising(say`At ${naming('place', name)}: ${each.text}`) });
    }
  }
  return told;
}
