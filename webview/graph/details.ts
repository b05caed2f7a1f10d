import { nodeCostNs } from '../../src/drawing/graph/node-costs.ts';
import { formatDuration, formatShare } from '../../src/base/quantities.ts';
import type { ViewGraph, ViewNode } from '../../src/features/graph/protocol.ts';
import { button, make, table } from '../kit/dom.ts';
import { hasCosts } from './appearance.ts';
import { difference } from './edge-texts.ts';

/** What stands below the graph: the selected node with its source lines, the activity log, nodes and edges as tables. */
interface SelectionEvents {
  readonly open: (activity: string, place: number) => void;
  readonly toggle: (folder: string) => void;
}

export function fillSelection(parent: HTMLElement, node: ViewNode | undefined, events: SelectionEvents): void {
  parent.replaceChildren();
  if (node === undefined) return;
  const line = make('p', { 'aria-live': 'polite' }, `${node.text.description} `);
  node.places.forEach(({ label }, place) =>
    line.append(button(label, { class: 'link' }, () => events.open(node.activity, place))),
  );
  if (node.places.length === 0) line.append('no source line ');
  const { collapsed, folder } = node;
  const toggled = collapsed?.folder ?? folder;
  if (toggled !== null) {
    const text = collapsed === undefined ? `Collapse ${toggled}` : `Expand ${toggled}`;
    line.append(button(text, { class: 'link' }, () => events.toggle(toggled)));
  }
  parent.append(line);
}

const MOST_RUNS = 12;
/** Rows that a table shows; a graph can have thousands of edges. */
const MOST_ROWS = 500;

export function fillActivityLog(parent: HTMLElement, graph: ViewGraph): void {
  const rows = graph.activityLog.map(({ multiplicity, cases, events, trace, cut }) => {
    const runs = trace
      .slice(0, MOST_RUNS)
      .map(([activity, times]) => (times === 1 ? activity : `${activity} ×${times}`));
    const more = cut || trace.length > MOST_RUNS ? ', …' : '';
    return [
      multiplicity.toLocaleString('en-US'),
      cases.join(', '),
      events.toLocaleString('en-US'),
      `⟨${runs.join(', ')}${more}⟩`,
    ];
  });
  parent.replaceChildren(table(columns('cases that share it', 'which', 'events', 'trace'), rows));
}

/** All nodes and edges, also those that are hidden. */
export function fillTables(parent: HTMLElement, graph: ViewGraph): void {
  const isCompared = graph.base !== null;
  const isTraced = hasCosts(graph);
  const nodes = [...graph.nodes].sort((a, b) => nodeCostNs(b) - nodeCostNs(a));
  const costs = ({ cost }: ViewNode): string[] => {
    if (!isTraced) return [];
    return cost === undefined ? ['', ''] : [formatDuration(cost.untracedNs), formatShare(cost.shareOfRun)];
  };
  const side = ({ partition }: ViewNode): string[] => (isCompared ? [sideName(partition)] : []);
  const nodeRows = nodes.map((node) => [
    node.activity,
    node.events.toLocaleString('en-US'),
    ...costs(node),
    formatShare(node.relativeDuration),
    node.text.load,
    node.text.rate,
    ...side(node),
    node.places.map(({ label }) => label).join(', '),
  ]);
  const edges = [...graph.edges].sort((a, b) => (isCompared ? change(b) - change(a) : b.count - a.count));
  const edgeRows = edges.map(({ from, to, count, green, red }) => [
    `${from} → ${to}`,
    ...(isCompared ? [green, red] : [count]).map((value) => value.toLocaleString('en-US')),
    ...(isCompared ? [difference(green, red)] : []),
  ]);
  const second = isCompared ? ['in the base', 'in the new one', 'difference'] : ['count'];
  const times = isTraced ? ['cost', 'of the run', 'recorded time'] : ['time'];
  const heads = ['activity', 'events', ...times, 'load', 'data rate', ...(isCompared ? ['in'] : []), 'source'];
  parent.replaceChildren(
    table(columns(...heads), nodeRows.slice(0, MOST_ROWS), caption('Activities', nodeRows.length)),
    table(columns('edge', ...second), edgeRows.slice(0, MOST_ROWS), caption('Edges', edgeRows.length)),
  );
}

function caption(what: string, rows: number): string {
  return rows > MOST_ROWS ? `${what}: the first ${MOST_ROWS} of ${rows.toLocaleString('en-US')}` : what;
}

function change({ green, red }: { green: number; red: number }): number {
  return Math.abs(red - green);
}

function sideName(partition: ViewNode['partition']): string {
  return partition === 'green' ? 'the base' : partition === 'red' ? 'the new one' : 'both';
}

function columns(...titles: string[]): { title: string }[] {
  return titles.map((title) => ({ title }));
}
