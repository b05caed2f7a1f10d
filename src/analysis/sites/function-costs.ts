import { isLibrarySource } from '../../symbols/library-modules.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import type { Cost } from '../gain/cost.ts';
import { NOTHING, sumOf, type Estimate } from '../gain/estimate.ts';
import type { RunCosts } from '../gain/run-costs.ts';
import { chainOf, type CallSites } from './call-sites.ts';

/** What a function of the user's code costs. */
export interface FunctionCost {
  /** Path as in the debug information. */
  readonly file: string;
  readonly functionName: string;
  /** The first line of it that calls came through: at or below the line that it begins on. */
  firstLine: number;
  /** Calls whose call site lies in the function itself, and their nanoseconds. */
  events: number;
  timeNs: number;
  /** Calls that the function or anything that it called made, and their nanoseconds. */
  totalEvents: number;
  totalTimeNs: number;
  /** What these calls cost, and all of them; absent where the recording holds no times. */
  cost?: Cost;
  totalCost?: Cost;
}

/** Time of the run that goes into a function, and into all below it. */
interface Spent {
  own: Estimate;
  total: Estimate;
}

/** All functions of the user's code that counted calls came through, by what all their calls cost. */
export function functionCosts(
  trace: Trace,
  resolved: ResolvedStacks,
  callSites: CallSites,
  metrics: Metrics,
  ofRun: RunCosts,
): FunctionCost[] {
  const costs = new Map<string, FunctionCost>();
  const spent = new Map<FunctionCost, Spent>();
  for (let node = 0; node < trace.stacks.nodes; node++) {
    const events = metrics.eventsOfNode[node]!;
    const timeNs = metrics.timeOfNode[node]!;
    // What a library serves from its memory makes no request, and costs all the same.
    if (events === 0 && timeNs === 0) continue;
    const spentHere = ofRun.spentAt(node, timeNs);
    const site = callSites.sites[callSites.siteOfNode[node]!];
    // A recursive function stands in a chain several times and counts once.
    const seen = new Set<FunctionCost>();
    for (const frame of chainOf(trace, resolved, node)) {
      if (frame.line === 0 || frame.functionName === '' || frame.isLibrary || isLibrarySource(frame.file)) continue;
      const key = `${frame.file}\0${frame.functionName}`;
      let cost = costs.get(key);
      if (cost === undefined) {
        const { file, functionName, line } = frame;
        cost = { file, functionName, firstLine: line, events: 0, timeNs: 0, totalEvents: 0, totalTimeNs: 0 };
        costs.set(key, cost);
        spent.set(cost, { own: NOTHING, total: NOTHING });
      }
      cost.firstLine = Math.min(cost.firstLine, frame.line);
      if (seen.has(cost)) continue;
      seen.add(cost);
      cost.totalEvents += events;
      cost.totalTimeNs += timeNs;
      const sums = spent.get(cost)!;
      sums.total = sumOf([sums.total, spentHere]);
      if (site?.file === frame.file && site.functionName === frame.functionName) {
        cost.events += events;
        cost.timeNs += timeNs;
        sums.own = sumOf([sums.own, spentHere]);
      }
    }
  }
  const found = [...spent].map(([cost, { own, total }]): FunctionCost => {
    const [ofOwn, ofAll] = [ofRun.cost(1, own), ofRun.cost(1, total)];
    return { ...cost, ...(ofOwn && { cost: ofOwn }), ...(ofAll && { totalCost: ofAll }) };
  });
  const weight = ({ totalCost, totalTimeNs }: FunctionCost): number => totalCost?.untracedNs ?? totalTimeNs;
  return found.sort((a, b) => weight(b) - weight(a) || b.totalEvents - a.totalEvents);
}
