import { formatCount, formatShare } from '../../src/base/quantities.ts';
import type { ThinnedGraph } from '../../src/drawing/graph/thin-graph.ts';
import { hasCosts } from './appearance.ts';
import type { ViewGraph, ViewNode } from '../../src/features/graph/protocol.ts';

/** What is shown, and what is not. */
export function statusText(graph: ViewGraph, thinned: ThinnedGraph<ViewNode>): string {
  if (graph.nodes.length === 0) return 'No event is left: change the filter or the mapping.';
  const versus = graph.base === null ? '' : ` compared with ${graph.base}`;
  const events = `${formatCount(graph.events)} events of ${formatCount(graph.cases)} ${graph.cases === 1 ? 'case' : 'cases'}`;
  const { hiddenActivities, hiddenShare, hiddenEdges, bridges } = thinned;
  const hidden: string[] = [];
  if (hiddenActivities > 0)
    hidden.push(
      `${formatCount(hiddenActivities)} of ${formatCount(graph.nodes.length)} activities (${formatShare(hiddenShare)} of the ${hasCosts(graph) ? 'cost' : 'time'})`,
    );
  if (hiddenEdges > 0) hidden.push(`${formatCount(hiddenEdges)} of ${formatCount(graph.edges.length)} edges`);
  const what = hidden.length === 0 ? '' : `. Hidden: ${hidden.join(' and ')}`;
  const ways = bridges === 0 ? '' : `; ${formatCount(bridges)} dotted edges lead by way of hidden activities`;
  return `${graph.recording}${versus}: ${events}${what}${ways}`;
}
