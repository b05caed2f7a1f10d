import { countOf, naming, say } from '../message.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';

/** Aggregators of collective MPI-IO as the hint says; undefined without it. */
function aggregatorsOf({ hints }: CounterView): number | undefined {
  const text = hints.get('cb_nodes');
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/**
 * The hints in a log are those with which Darshan writes the log itself, its own or those that a site or a user tells it
 * (`--with-log-hints`, DARSHAN_LOGHINTS): they say nothing of the program (`darshan_log_record_hints_and_ver` in
 * darshan-core.c). They are compared only for who gives the number of nodes, as Drishti's user does, and praise nothing.
 */
const OWN_HINTS = say`These are the hints with which Darshan wrote the log; those of the program are not recorded (${naming('advisedSetting', 'ROMIO_PRINT_HINTS=1')} shows them).`;

interface Kind {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  readonly severity: 'high' | 'ok';
  readonly holds: (aggregators: number, nodes: number) => boolean;
}

function aggregators({ holds, ...named }: Kind): CounterTrigger {
  return {
    kind: 'counters',
    ...named,
    module: 'MPI-IO',
    examine: (view) => {
      const count = aggregatorsOf(view);
      const { nodes } = view;
      if (count === undefined || nodes === undefined || !view.nodesAreGiven || !holds(count, nodes)) return undefined;
      const message = say`${countOf('aggregators', count, 'aggregator')} (cb_nodes) for ${countOf('nodes', nodes, 'compute node')}. ${OWN_HINTS}`;
      return { severity: 'info', message, evidence: { aggregators: count, nodes }, files: [] };
    },
  };
}

/** M08 to M10, compared as numbers. */
export const AGGREGATORS: readonly CounterTrigger[] = [
  {
    code: 'M09',
    name: 'mpi-io-inter-node-aggregators',
    title: 'More aggregators than compute nodes',
    severity: 'high' as const,
    holds: (count: number, nodes: number) => count > nodes,
  },
  {
    code: 'M08',
    name: 'mpi-io-intra-node-aggregators',
    title: 'Fewer aggregators than compute nodes',
    severity: 'ok' as const,
    holds: (count: number, nodes: number) => count < nodes,
  },
  {
    code: 'M10',
    name: 'mpi-io-aggregators-ok',
    title: 'One aggregator on each compute node',
    severity: 'ok' as const,
    holds: (count: number, nodes: number) => count === nodes,
  },
].map(aggregators);

/** Why the triggers on aggregators are not evaluated; undefined when they are, or there is nothing to evaluate. */
export function aggregatorNote(view: CounterView): string | undefined {
  const count = aggregatorsOf(view);
  const collective = view.module('MPI-IO')?.sum(['MPIIO_COLL_READS', 'MPIIO_COLL_WRITES']) ?? 0;
  if (count === undefined || collective === 0 || view.nodesAreGiven) return undefined;
  return `M08 to M10 are not evaluated: the hints in the log (cb_nodes=${count}) are those with which Darshan wrote the log itself. With the number of nodes as "nodes" (--nodes N, or a threshold of that name) they are compared with it as Drishti does.`;
}
