import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites, SiteIndex } from '../sites/call-sites.ts';
import { groupCases } from './cases.ts';
import { forEachMapped, type GraphOptions } from './directly-follows-graph.ts';
import { ActivityMapper } from './mapping.ts';

/** A call site that takes part in an activity. */
export interface ActivitySite {
  /** Index into `CallSites.sites`. */
  readonly site: SiteIndex;
  readonly events: number;
  /** Nanoseconds. */
  readonly timeNs: number;
}

/** For each activity the call sites whose calls it is made of, by time; this leads from a node to the source and back. */
export function activitySites(trace: Trace, callSites: CallSites, options: GraphOptions): Map<string, ActivitySite[]> {
  const cases = groupCases(trace, options.grouping);
  const mapper = new ActivityMapper(trace, callSites, options);
  const sums: Map<number, { events: number; timeNs: number }>[] = [];
  forEachMapped(trace, mapper, cases, (activity, _case, chunk, i) => {
    const stack = chunk.stack[i]!;
    const site = stack === NONE ? NONE : callSites.siteOfNode[stack]!;
    if (site === NONE) return;
    const of = (sums[activity] ??= new Map<number, { events: number; timeNs: number }>());
    const sum = of.get(site);
    const duration = chunk.duration[i]!;
    const timeNs = duration > 0 ? duration : 0;
    if (sum === undefined) of.set(site, { events: 1, timeNs });
    else {
      sum.events++;
      sum.timeNs += timeNs;
    }
  });
  const found = new Map<string, ActivitySite[]>();
  sums.forEach((of, activity) => {
    const sites = [...of].map(([site, sum]) => ({ site, ...sum }));
    sites.sort((a, b) => b.timeNs - a.timeNs || b.events - a.events);
    found.set(mapper.activities.at(activity), sites);
  });
  return found;
}
