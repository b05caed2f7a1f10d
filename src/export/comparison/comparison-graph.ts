import type { GraphEdge, Partition } from '../../analysis/dfg/graph.ts';
import { formatCount } from '../../base/quantities.ts';
import type { ComparedGraph, Occurrence } from './comparison-document.ts';
import type { GraphDocument } from '../analysis/documents.ts';

const PARTITION: Readonly<Record<Occurrence, Partition>> = { base: 'green', new: 'red', both: 'both' };

/**
 * The compared graphs as one graph with a partition: green is what only the base does, red what only the new side does.
 * Amounts are those of both sides together.
 */
export function partitionedGraph({ nodes, edges }: ComparedGraph): GraphDocument {
  const all = nodes.reduce((sum, { timeNs }) => sum + (timeNs?.base ?? 0) + (timeNs?.new ?? 0), 0);
  return {
    schema: 'iolens/dfg@1',
    cases: 2,
    caseNames: ['base', 'new'],
    hidden: { byPath: 0, ofSystem: 0 },
    events: nodes.reduce((sum, { events }) => sum + events.base + events.new, 0),
    nodes: nodes.map(({ activity, occurrence, events, bytes, timeNs }) => {
      const durationNs = (timeNs?.base ?? 0) + (timeNs?.new ?? 0);
      return {
        activity,
        // The comparison knows activities by their names alone.
        folder: null,
        events: events.base + events.new,
        durationNs,
        relativeDuration: all === 0 ? 0 : durationNs / all,
        bytes: bytes.base + bytes.new,
        processDataRate: null,
        maxConcurrency: 0,
        firstStartNs: null,
        lastEndNs: null,
        partition: PARTITION[occurrence],
        sites: [],
      };
    }),
    edges: edges.map(({ from, to, occurrence, base, new: after }) => ({
      from,
      to,
      count: base + after,
      green: base,
      red: after,
      partition: PARTITION[occurrence],
    })),
    warnings: [],
    activityLog: [],
    layers: [],
  };
}

/** `256 → 1`: how often one activity follows another on both sides. */
export function edgeChange({ green, red }: GraphEdge): string {
  return green === red ? formatCount(green) : `${formatCount(green)} → ${formatCount(red)}`;
}
