import { NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { RunCosts } from '../gain/run-costs.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { groupCases, type CaseGrouping, type Cases } from './cases.ts';
import { EdgeCounts } from './edge-counts.ts';
import { forEachByStart } from './event-order.ts';
import { collapsedFolder, folderOf } from './folders.ts';
import { END, partitionOf, START, type DirectlyFollowsGraph, type GraphEdge, type GraphNode } from './graph.ts';
import { ActivityMapper, type MappingOptions } from './mapping.ts';
import { ActivityStatistics } from './activity-statistics.ts';

/** A green and a red set of cases (equation 18); cases in neither are drawn without a colour. */
interface CasePartition {
  green(caseName: string): boolean;
  red(caseName: string): boolean;
}

export interface GraphOptions extends MappingOptions {
  readonly grouping: CaseGrouping;
  readonly partition?: CasePartition;
}

const NEITHER = 0;
const GREEN = 1;
const RED = 2;

/**
 * The Directly-Follows-Graph of a trace, by sections III and IV of "Inspection of I/O Operations from System Call Traces
 * using Directly-Follows-Graph" (Sankaran et al.). Calls that the kernel repeats (ERESTARTSYS) and calls that never
 * returned are left out; within a case events follow each other by their start, ties in the order of the recording.
 *
 * @param costs tells what calls cost where a tracer is in the recorded times.
 */
export function directlyFollowsGraph(
  trace: Trace,
  callSites: CallSites,
  options: GraphOptions,
  costs?: RunCosts,
): DirectlyFollowsGraph {
  const cases = groupCases(trace, options.grouping);
  const mapper = new ActivityMapper(trace, callSites, options);
  const groups = cases.names.map((name) => groupOf(name, options.partition));
  const statistics = new ActivityStatistics(trace.calls, costs);
  const edges = new EdgeCounts();
  const last = new Int32Array(cases.names.length).fill(NONE);
  forEachMapped(trace, mapper, cases, (activity, kase, chunk, i) => {
    const group = groups[kase]!;
    // Activity 0 of the edge table is the start and the end.
    edges.add(last[kase]! + 1, activity + 1, group);
    last[kase] = activity;
    statistics.add(activity, group, chunk, i);
  });
  let used = 0;
  last.forEach((activity, kase) => {
    if (activity === NONE) return;
    used++;
    edges.add(activity + 1, 0, groups[kase]!);
  });
  const partitioned = options.partition !== undefined;
  const nodes = mapper.activities.names.map((name, activity) =>
    withFolder(statistics.node(activity, name, partitioned), mapper),
  );
  const caseNames = cases.names.filter((_, kase) => last[kase] !== NONE);
  return {
    cases: used,
    caseNames,
    events: nodes.reduce((sum, node) => sum + node.events, 0),
    hidden: mapper.hidden,
    nodes,
    edges: namedEdges(edges, mapper.activities.names, partitioned),
    warnings: [...warningsFor(trace), ...partitionWarnings(cases.names, caseNames, options.partition)],
  };
}

/** Calls `visit` for every event that the mapping maps (place `i` of `chunk`, row `row` of the table), in the order of starts. */
export function forEachMapped(
  trace: Trace,
  mapper: ActivityMapper,
  cases: Cases,
  visit: (activity: number, kase: number, chunk: EventChunk, i: number, row: number) => void,
): void {
  forEachByStart(trace.events, (chunk, from, to, first) => {
    for (let i = from; i < to; i++) {
      if (!mapper.counts(chunk, i)) continue;
      const activity = mapper.activity(chunk, i);
      if (activity !== NONE) visit(activity, cases.caseOfStream[chunk.stream[i]!]!, chunk, i, first + i - from);
    }
  });
}

function withFolder(node: Omit<GraphNode, 'folder'>, { collapsed }: ActivityMapper): GraphNode {
  const held = collapsed.get(node.activity)?.size;
  const folder = folderOf(node.activity);
  if (held === undefined) return { ...node, folder };
  return { ...node, folder, collapsed: { folder: collapsedFolder(node.activity), activities: held } };
}

function groupOf(name: string, partition: CasePartition | undefined): number {
  if (partition?.green(name) === true) return GREEN;
  return partition?.red(name) === true ? RED : NEITHER;
}

function namedEdges(edges: EdgeCounts, names: readonly string[], partitioned: boolean): GraphEdge[] {
  return edges.list().map(({ from, to, count, green, red }) => ({
    from: from === 0 ? START : names[from - 1]!,
    to: to === 0 ? END : names[to - 1]!,
    count,
    green,
    red,
    partition: partitioned ? partitionOf(green, red) : null,
  }));
}

/** Parts of a partition are to exclude each other (section IV-C), and to hold something, also of what is mapped. */
function partitionWarnings(
  names: readonly string[],
  mapped: readonly string[],
  partition: CasePartition | undefined,
): string[] {
  if (partition === undefined) return [];
  const green = names.filter((name) => partition.green(name));
  const red = names.filter((name) => partition.red(name));
  const both = green.filter((name) => partition.red(name));
  const known = `the cases are ${some(names)}`;
  // A partial mapping, or a filter, may take nothing of a part: all that is left has the colour of the other one then.
  const left = new Set(mapped);
  const isUnmapped = (held: readonly string[]): boolean => held.length > 0 && !held.some((name) => left.has(name));
  const unmapped = (part: string, held: readonly string[]): string[] =>
    isUnmapped(held) ? [`Mapping and filters leave no event of the ${part} part: ${some(held)}.`] : [];
  return [
    ...unmapped('green', green),
    ...unmapped('red', red),
    ...(green.length === 0 ? [`No case is in the green part: ${known}.`] : []),
    ...(red.length === 0 ? [`No case is in the red part: ${known}.`] : []),
    ...(both.length > 0
      ? [`${some(both)} would be in both parts, and ${both.length === 1 ? 'counts' : 'count'} as green.`]
      : []),
  ];
}

/** The first few of some names. */
function some(names: readonly string[]): string {
  const [first, left] = [names.slice(0, 3).join(', '), names.length - 3];
  return left > 0 ? `${first} and ${left} more` : first;
}

function warningsFor(trace: Trace): string[] {
  const warnings: string[] = [];
  const hosts = new Set(trace.streams.map((stream) => stream.host));
  if (hosts.size > 1) {
    warnings.push(
      `The ${hosts.size} hosts' clocks are not known to agree: max-concurrency across hosts may be wrong (the graph and the other numbers are not concerned).`,
    );
  }
  if (!trace.capabilities.duration) {
    const { durationsOption } = trace.form;
    const option = durationsOption === '' ? '' : ` (${durationsOption})`;
    warnings.push(`The recording has no durations${option}: relative duration, data rate and concurrency are unknown.`);
  }
  if (!trace.capabilities.time)
    warnings.push('The recording has no times (strace -ttt): calls are ordered by their lines.');
  return warnings;
}
