import type { GraphNode } from '../analysis/dfg/graph.ts';
import { formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../analysis/quantities.ts';

/** What stands in a node, in words (the paper's figure 3a: call, path, load, data rate). */
export interface GraphNodeText {
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
  const isCallAndPath = colon > 0 && /^\w+$/.test(node.activity.slice(0, colon));
  const load = `Load: ${formatShare(node.relativeDuration)}${node.bytes > 0 ? ` (${formatBytes(node.bytes)})` : ''}`;
  const rate = node.processDataRate === null ? '' : `DR: ${node.maxConcurrency} × ${formatRate(node.processDataRate)}`;
  const details = [`${formatCount(node.events)} events`, formatDuration(node.durationNs), load, rate];
  const partition = node.partition === 'green' || node.partition === 'red' ? [`only in ${node.partition} cases`] : [];
  return {
    title: isCallAndPath ? node.activity.slice(0, colon) : node.activity,
    subtitle: isCallAndPath ? node.activity.slice(colon + 1) : '',
    load,
    rate,
    description: [node.activity, ...details, ...partition].filter((part) => part !== '').join(', '),
  };
}
