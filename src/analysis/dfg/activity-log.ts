import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { groupCases } from './cases.ts';
import { forEachMapped, type GraphOptions } from './directly-follows-graph.ts';
import { ActivityMapper } from './mapping.ts';

/** One trace of the activity log: a sequence of activities and the cases that share it. */
export interface LoggedTrace {
  /** Cases with this very trace. */
  readonly cases: readonly string[];
  readonly events: number;
  /** Runs of equal activities: `⟨a, a, b⟩` is `[['a', 2], ['b', 1]]`. */
  readonly runs: readonly (readonly [activity: string, times: number])[];
  /** There are more runs than were asked for. */
  readonly cut: boolean;
}

/** The runs of one case, as pairs of activity and length. */
interface Runs {
  values: Int32Array;
  length: number;
  events: number;
}

/**
 * The activity log L_f(C): a multiset of traces (section IV of the paper). Cases with equal sequences are put together,
 * so that "all ranks do the same, but rank 3" can be read off. Commonest trace first.
 *
 * @param mostRuns runs to list of each trace; equality is decided on the whole.
 */
export function activityLog(trace: Trace, callSites: CallSites, options: GraphOptions, mostRuns = 1000): LoggedTrace[] {
  const cases = groupCases(trace, options.grouping);
  const mapper = new ActivityMapper(trace, callSites, options);
  const runs: Runs[] = cases.names.map(() => ({ values: new Int32Array(16), length: 0, events: 0 }));
  forEachMapped(trace, mapper, cases, (activity, kase) => append(runs[kase]!, activity));
  const variants = new Map<string, { runs: Runs; cases: string[] }[]>();
  runs.forEach((of, kase) => {
    if (of.events === 0) return;
    const key = `${of.events} ${of.length} ${hash(of)}`;
    const candidates = variants.get(key) ?? [];
    const same = candidates.find((candidate) => equal(candidate.runs, of));
    if (same !== undefined) same.cases.push(cases.names[kase]!);
    else candidates.push({ runs: of, cases: [cases.names[kase]!] });
    variants.set(key, candidates);
  });
  const { names } = mapper.activities;
  return [...variants.values()]
    .flat()
    .map((variant) => ({
      cases: variant.cases,
      events: variant.runs.events,
      runs: Array.from({ length: Math.min(mostRuns, variant.runs.length / 2) }, (_, i): [string, number] => [
        names[variant.runs.values[2 * i]!]!,
        variant.runs.values[2 * i + 1]!,
      ]),
      cut: variant.runs.length / 2 > mostRuns,
    }))
    .sort((a, b) => b.cases.length - a.cases.length || b.events - a.events);
}

function append(runs: Runs, activity: number): void {
  runs.events++;
  if (runs.length > 0 && runs.values[runs.length - 2] === activity) {
    runs.values[runs.length - 1]!++;
    return;
  }
  if (runs.length === runs.values.length) {
    const wider = new Int32Array(runs.values.length * 2);
    wider.set(runs.values);
    runs.values = wider;
  }
  runs.values[runs.length++] = activity;
  runs.values[runs.length++] = 1;
}

function hash({ values, length }: Runs): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < length; i++) sum = Math.imul(sum ^ values[i]!, 0x01000193);
  return sum;
}

function equal(a: Runs, b: Runs): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a.values[i] !== b.values[i]) return false;
  return true;
}
