import { START, type GraphNode } from '../../analysis/dfg/graph.ts';
import { andDuration, counted, formatCount } from '../../base/quantities.ts';
import { nodeCostNs } from '../../drawing/graph/node-costs.ts';
import type { GraphDocument } from '../analysis/documents.ts';
import { printable } from '../report/report-text.ts';
import { measuresText } from './graph-node-text.ts';

/** Sites of an activity that are listed. */
const MOST_SITES = 3;

/** The graph for a terminal: its activities, dearest first, each with what follows it, commonest first. */
export function graphText(graph: GraphDocument): string {
  const { nodes, edges, cases, events, activityLog } = printable(graph);
  const head = `${counted(cases, 'case')}, ${counted(events, 'event')}, ${counted(nodes.length, 'activity', 'activities')}, ${counted(activityLog.length, 'different trace')}\n`;
  const following = (activity: string): string[] =>
    edges
      .filter(({ from }) => from === activity)
      .sort((a, b) => b.count - a.count)
      .map(({ to, count, partition }) => `    ${formatCount(count).padStart(8)} → ${to}${part(partition)}`);
  const start = edges.some(({ from }) => from === START) ? [`${START}\n${following(START).join('\n')}\n`] : [];
  const dearest = [...nodes].sort((a, b) => nodeCostNs(b) - nodeCostNs(a) || b.events - a.events);
  const parts = dearest.map((node) => [...nodeLines(node), ...following(node.activity), ''].join('\n'));
  return [head, ...start, ...parts].join('\n');
}

type DocumentNode = GraphDocument['nodes'][number];

function nodeLines(node: DocumentNode): string[] {
  const { activity, partition, events, sites } = node;
  const { cost, load, rate } = measuresText(node);
  const facts = [counted(events, 'event'), cost, load, rate].filter((fact) => fact !== '');
  const places = sites
    .filter(({ line }) => line > 0)
    .slice(0, MOST_SITES)
    .map(({ file, line, function: name, events: calls, timeNs }) => {
      const inside = name === '' ? '' : ` in ${name}`;
      return `    at ${file}:${line}${inside}: ${counted(calls, 'event')}${andDuration(timeNs)}`;
    });
  return [`${activity}${part(partition)}`, `    ${facts.join('; ')}`, ...places];
}

function part(partition: GraphNode['partition']): string {
  return partition === 'green' || partition === 'red' ? `  (${partition} cases only)` : '';
}
