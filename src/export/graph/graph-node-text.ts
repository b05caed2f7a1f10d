import type { GraphNode } from '../../analysis/dfg/graph.ts';
import { nodeCostNs } from '../../drawing/graph/node-costs.ts';
import type { ComparedSides } from '../comparison/compared-graph.ts';
import { commonFolder } from '../../base/path-names.ts';
import { counted, formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../../base/quantities.ts';

/** What stands in a node, in words (the paper's figure 3a: call, path, load, data rate). */
interface GraphNodeText {
  readonly title: string;
  readonly subtitle: string;
  /** `Cost: 12 ms, 34 % of the run` without the tracer; '' where no tracer was. */
  readonly cost: string;
  /** `Load: 34 % (14.6 KiB)`; where a tracer was, `Recorded load: …`; where no time was recorded, the bytes alone. */
  readonly load: string;
  /** `DR: 2 × 40.9 MB/s`, or '' where nothing is moved; where a tracer was, `Recorded DR: …`. */
  readonly rate: string;
  /** Everything, for hover and screen readers. */
  readonly description: string;
}

/** @param within the folder, with its slash, that all of the graph lies in: it says nothing in a node. */
export function graphNodeText(node: GraphNode, within = ''): GraphNodeText {
  const colon = node.activity.indexOf(':');
  const isCallAndPath = colon > 0 && /^[^/$\s]+$/.test(node.activity.slice(0, colon));
  const { collapsed, cost: ofRun } = node;
  const { cost, load, rate } = measuresText(node);
  const recorded = isTimed(node) ? formatDuration(node.durationNs) : '';
  const time = ofRun === undefined || recorded === '' ? recorded : `recorded: ${recorded}`;
  const inside = collapsed === undefined ? '' : counted(collapsed.activities, 'activity', 'activities');
  const details = [inside, `${formatCount(node.events)} events`, cost, time, load, rate];
  const partition = node.partition === 'green' || node.partition === 'red' ? [`only in ${node.partition} cases`] : [];
  const inFolder = (path: string): string => (path.startsWith(within) ? path.slice(within.length) : path);
  return {
    title:
      isCallAndPath && collapsed === undefined
        ? node.activity.slice(0, colon)
        : inFolder(collapsed?.folder ?? node.activity),
    subtitle: collapsed === undefined ? (isCallAndPath ? inFolder(node.activity.slice(colon + 1)) : '') : inside,
    cost,
    load,
    rate,
    description: [node.activity, ...details, ...partition].filter((part) => part !== '').join(', '),
  };
}

/** The folder, with its slash, that all activities with a path lie in; '' where there is none. */
export function folderOfAll(nodes: readonly Pick<GraphNode, 'folder'>[]): string {
  return commonFolder(nodes.flatMap(({ folder }) => (folder !== null && /^[/$]/.test(folder) ? [folder] : [])));
}

/**
 * The measures of a node, each '' where it is not known. Those of the paper are of the recorded times: where a tracer is in
 * these, they are called so.
 */
export function measuresText(node: GraphNode): Pick<GraphNodeText, 'cost' | 'load' | 'rate'> {
  const { cost, bytes, relativeDuration, processDataRate, maxConcurrency } = node;
  const [loadName, rateName] = cost === undefined ? ['Load', 'DR'] : ['Recorded load', 'Recorded DR'];
  const moved = bytes > 0 ? formatBytes(bytes) : '';
  const share = `${loadName}: ${formatShare(relativeDuration)}`;
  return {
    cost:
      cost === undefined ? '' : `Cost: ${formatDuration(cost.untracedNs)}, ${formatShare(cost.shareOfRun)} of the run`,
    load: isTimed(node) ? `${share}${moved && ` (${moved})`}` : moved,
    rate: processDataRate === null ? '' : `${rateName}: ${maxConcurrency} × ${formatRate(processDataRate)}`,
  };
}

/** Where no time was recorded nothing is known of its share. */
function isTimed({ durationNs }: GraphNode): boolean {
  return durationNs > 0;
}

/** What stands in a node of two graphs: both sides, and what became of the numbers. */
export function comparedNodeText(node: GraphNode, { base, changed }: ComparedSides, within = ''): GraphNodeText {
  const text = graphNodeText({ ...node, partition: null }, within);
  if (base === null || changed === null) {
    const side = base === null ? 'only in the new recording' : 'only in the base';
    return { ...text, description: `${text.description}, ${side}` };
  }
  const becomes = (show: (of: GraphNode) => string): string => {
    const [before, now] = [show(base), show(changed)];
    return before === now ? now : `${before} → ${now}`;
  };
  const events = becomes((of) => formatCount(of.events));
  const recorded = becomes((of) => formatDuration(of.durationNs));
  const isTraced = base.cost !== undefined || changed.cost !== undefined;
  const time = isTraced ? `cost ${becomes((of) => formatDuration(nodeCostNs(of)))}` : recorded;
  const bytes = base.bytes + changed.bytes > 0 ? becomes((of) => formatBytes(of.bytes)) : '';
  const load = `load ${becomes((of) => formatShare(of.relativeDuration))}`;
  const measured = isTraced ? [`recorded ${recorded}`, bytes, `recorded ${load}`] : [bytes, load];
  const details = [`${events} events`, time, ...measured];
  return {
    ...text,
    cost: '',
    load: `${events} events`,
    rate: time,
    description: [node.activity, ...details].filter((part) => part !== '').join(', '),
  };
}
