import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Cost } from '../gain/cost.ts';
import type { RunCosts } from '../gain/run-costs.ts';
import type { CallSites, SiteIndex } from '../sites/call-sites.ts';
import { groupCases } from './cases.ts';
import { forEachMapped, type GraphOptions } from './directly-follows-graph.ts';
import { ActivityMapper } from './mapping.ts';

/** A call site that takes part in an activity. */
export interface ActivitySite {
  /** Index into `CallSites.sites`. */
  readonly site: SiteIndex;
  readonly events: number;
  /** Nanoseconds as recorded. */
  readonly timeNs: number;
  /** What these calls cost of the run without the tracer; absent where no tracer was. */
  readonly cost?: Cost;
}

interface SiteSum {
  /** Place in the sums of costs. */
  readonly row: number;
  events: number;
  timeNs: number;
}

/**
 * For each activity the call sites whose calls it is made of, the dearest first; this leads from a node to the source and
 * back.
 *
 * @param costs tells what calls cost where a tracer is in the recorded times.
 */
export function activitySites(
  trace: Trace,
  callSites: CallSites,
  options: GraphOptions,
  costs?: RunCosts,
): Map<string, ActivitySite[]> {
  const cases = groupCases(trace, options.grouping);
  const mapper = new ActivityMapper(trace, callSites, options);
  const sums: Map<SiteIndex, SiteSum>[] = [];
  const spent = costs?.sums();
  let rows = 0;
  forEachMapped(trace, mapper, cases, (activity, _case, chunk, i) => {
    const stack = chunk.stack[i]!;
    const site = stack === NONE ? NONE : callSites.siteOfNode[stack]!;
    if (site === NONE) return;
    const ofActivity = (sums[activity] ??= new Map<SiteIndex, SiteSum>());
    let sum = ofActivity.get(site);
    if (sum === undefined) ofActivity.set(site, (sum = { row: rows++, events: 0, timeNs: 0 }));
    const duration = chunk.duration[i]!;
    sum.events++;
    sum.timeNs += duration > 0 ? duration : 0;
    spent?.add(sum.row, chunk, i);
  });
  const found = new Map<string, ActivitySite[]>();
  sums.forEach((ofActivity, activity) => {
    const sites = [...ofActivity].map(([site, { row, events, timeNs }]): ActivitySite => {
      const cost = spent && costs?.cost(1, spent.spent(row));
      return { site, events, timeNs, ...(cost && { cost }) };
    });
    const weight = ({ cost, timeNs }: ActivitySite): number => cost?.untracedNs ?? timeNs;
    sites.sort((a, b) => weight(b) - weight(a) || b.events - a.events);
    found.set(mapper.activities.at(activity), sites);
  });
  return found;
}
