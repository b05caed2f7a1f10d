import type { LoggedTrace } from '../analysis/dfg/activity-log.ts';
import type { DirectlyFollowsGraph } from '../analysis/dfg/graph.ts';
import type { GraphDocument } from './documents.ts';

/** Cases named with each trace of the activity log. */
const MOST_CASES = 1000;

export function graphDocument(graph: DirectlyFollowsGraph, log: readonly LoggedTrace[]): GraphDocument {
  return {
    schema: 'iolens/dfg@1',
    ...graph,
    activityLog: log.map(({ cases, events, runs, cut }) => ({
      multiplicity: cases.length,
      cases: cases.slice(0, MOST_CASES),
      events,
      trace: runs,
      cut,
    })),
  };
}
