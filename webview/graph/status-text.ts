import { counted, formatCount, formatShare } from '../../src/base/quantities.ts';
import type { ThinnedGraph } from '../../src/drawing/graph/thin-graph.ts';
import { hasCosts } from './appearance.ts';
import type { ViewGraph, ViewNode } from '../../src/features/graph/protocol.ts';

/** What is shown. */
export function statusText(graph: ViewGraph, { bridges }: ThinnedGraph<ViewNode>): string {
  if (graph.nodes.length === 0) return nothingText(graph);
  const versus = graph.base === null ? '' : ` compared with ${graph.base}`;
  const events = `${formatCount(graph.events)} events of ${formatCount(graph.cases)} ${graph.cases === 1 ? 'case' : 'cases'}`;
  const where = graph.within === '' ? '' : `; paths are below ${graph.within}`;
  const ways = bridges === 0 ? '' : `; ${formatCount(bridges)} dotted edges lead by way of hidden activities`;
  return `${graph.recording}${versus}: ${events}${where}${ways}`;
}

function nothingText({ recording, hidden }: ViewGraph): string {
  return hidden.byPath + hidden.ofSystem > 0
    ? `${recording}: the filter hides everything.`
    : `${recording}: no event is left. Choose another mapping, or calls of other layers.`;
}

export type HiddenBy = 'system' | 'path' | 'thresholds' | 'place' | 'choice';

/** What is not shown, why, and the words for showing it. */
export function hiddenParts(
  graph: ViewGraph,
  { hiddenActivities, hiddenShare, hiddenEdges }: ThinnedGraph<ViewNode>,
  pathFilter: string,
  { isNarrow, shown }: { readonly isNarrow: boolean; readonly shown: number | undefined },
): { readonly by: HiddenBy; readonly text: string; readonly show: string }[] {
  const { byPath, ofSystem } = graph.hidden;
  const parts: { by: HiddenBy; text: string; show: string }[] = [];
  if (shown !== undefined) {
    const text = `Around what is chosen, or costs most: ${formatCount(shown)} of ${formatCount(graph.nodes.length + 2)} nodes.`;
    parts.push({ by: 'place', text, show: 'Show the whole graph' });
  } else if (isNarrow) parts.push({ by: 'choice', text: 'There is little room.', show: 'Show the neighbourhood' });
  if (byPath > 0) {
    const text = `Hidden: ${counted(byPath, 'event')} whose path does not contain “${pathFilter}”.`;
    parts.push({ by: 'path', text, show: 'Show all paths' });
  }
  // What nobody asked to be hidden is said of the whole.
  if (shown !== undefined) return parts;
  if (ofSystem > 0) {
    const text = `Hidden: ${counted(ofSystem, 'event')} on files of the system, libraries or the loader, or on none.`;
    parts.push({ by: 'system', text, show: 'Show system files' });
  }
  const of: string[] = [];
  if (hiddenActivities > 0)
    of.push(
      `${formatCount(hiddenActivities)} of ${formatCount(graph.nodes.length)} activities (${formatShare(hiddenShare)} of the ${hasCosts(graph) ? 'cost' : 'time'})`,
    );
  if (hiddenEdges > 0) of.push(`${formatCount(hiddenEdges)} of ${formatCount(graph.edges.length)} edges`);
  if (of.length > 0) parts.push({ by: 'thresholds', text: `Hidden: ${of.join(' and ')}.`, show: 'Show all' });
  return parts;
}
