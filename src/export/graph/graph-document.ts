import type { LoggedTrace } from '../../analysis/dfg/activity-log.ts';
import type { ActivitySite } from '../../analysis/dfg/activity-sites.ts';
import type { DirectlyFollowsGraph } from '../../analysis/dfg/graph.ts';
import type { CallSites } from '../../analysis/sites/call-sites.ts';
import type { GraphDocument, NodeSite } from '../analysis/documents.ts';
import type { LocateSource } from '../analysis/site-documents.ts';

/** Cases named with each trace of the activity log. */
const MOST_CASES = 1000;
/** Call sites named with each node. */
const MOST_SITES = 10;

/** What was made of the events by one mapping. */
interface MinedGraph {
  readonly graph: DirectlyFollowsGraph;
  readonly log: readonly LoggedTrace[];
  /** Where the events of each activity come from. */
  readonly sites: ReadonlyMap<string, readonly ActivitySite[]>;
}

export function graphDocument(
  { graph, log, sites }: MinedGraph,
  callSites: CallSites,
  layers: readonly string[],
  locate: LocateSource,
): GraphDocument {
  const describe = ({ site, ...amounts }: ActivitySite): NodeSite => {
    const { file, line, functionName } = callSites.sites[site]!;
    return { file: locate(file).file, line, function: functionName, ...amounts };
  };
  return {
    schema: 'iolens/dfg@1',
    ...graph,
    nodes: graph.nodes.map((node) => ({
      ...node,
      sites: (sites.get(node.activity) ?? []).slice(0, MOST_SITES).map(describe),
    })),
    activityLog: log.map(({ cases, events, runs, cut }) => ({
      multiplicity: cases.length,
      cases: cases.slice(0, MOST_CASES),
      events,
      trace: runs,
      cut,
    })),
    layers,
  };
}
