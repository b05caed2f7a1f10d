import type { GraphNode } from '../../analysis/dfg/graph.ts';
import type { ComparedSides } from '../comparison/compared-graph.ts';
import { counted, formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../../base/quantities.ts';

/** What stands in a node, in words (the paper's figure 3a: call, path, load, data rate). */
interface GraphNodeText {
  readonly title: string;
  readonly subtitle: string;
  /** `Load: 34 % (14.6 KiB)` */
  readonly load: string;
  /** `DR: 2 × 40.9 MB/s`, or '' where nothing is moved. */
  readonly rate: string;
  /** Everything, for hover and screen readers. */
  readonly description: string;
}

export function graphNodeText(node: GraphNode): GraphNodeText {
  const colon = node.activity.indexOf(':');
  const isCallAndPath = colon > 0 && /^[^/$\s]+$/.test(node.activity.slice(0, colon));
  const load = `Load: ${formatShare(node.relativeDuration)}${node.bytes > 0 ? ` (${formatBytes(node.bytes)})` : ''}`;
  const rate = node.processDataRate === null ? '' : `DR: ${node.maxConcurrency} × ${formatRate(node.processDataRate)}`;
  const { collapsed } = node;
  const inside = collapsed === undefined ? '' : counted(collapsed.activities, 'activity', 'activities');
  const details = [inside, `${formatCount(node.events)} events`, formatDuration(node.durationNs), load, rate];
  const partition = node.partition === 'green' || node.partition === 'red' ? [`only in ${node.partition} cases`] : [];
  return {
    title: collapsed === undefined ? (isCallAndPath ? node.activity.slice(0, colon) : node.activity) : collapsed.folder,
    subtitle: collapsed === undefined ? (isCallAndPath ? node.activity.slice(colon + 1) : '') : inside,
    load,
    rate,
    description: [node.activity, ...details, ...partition].filter((part) => part !== '').join(', '),
  };
}

/** What stands in a node of two graphs: both sides, and what became of the numbers. */
export function comparedNodeText(node: GraphNode, { base, changed }: ComparedSides): GraphNodeText {
  const text = graphNodeText({ ...node, partition: null });
  if (base === null || changed === null) {
    const side = base === null ? 'only in the new recording' : 'only in the base';
    return { ...text, description: `${text.description}, ${side}` };
  }
  const becomes = (show: (of: GraphNode) => string): string => {
    const [before, now] = [show(base), show(changed)];
    return before === now ? now : `${before} → ${now}`;
  };
  const events = becomes((of) => formatCount(of.events));
  const time = becomes((of) => formatDuration(of.durationNs));
  const bytes = base.bytes + changed.bytes > 0 ? becomes((of) => formatBytes(of.bytes)) : '';
  const details = [`${events} events`, time, bytes, `load ${becomes((of) => formatShare(of.relativeDuration))}`];
  return {
    ...text,
    load: `${events} events`,
    rate: time,
    description: [node.activity, ...details].filter((part) => part !== '').join(', '),
  };
}
