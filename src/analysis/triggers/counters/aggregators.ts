import { counted } from '../../../base/quantities.ts';
import { aggregatorHints } from '../job-snippets.ts';
import * as languages from '../language-snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';

/** Aggregators of collective MPI-IO as the hint says; undefined without it. */
function aggregatorsOf({ hints }: CounterView): number | undefined {
  const text = hints.get('cb_nodes');
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/**
 * The hints are those with which Darshan writes its log unless a site tells it others (`--with-log-hints`,
 * DARSHAN_LOGHINTS): they say nothing of the program (`darshan_log_record_hints_and_ver` in darshan-core.c).
 */
function areDarshansOwn({ hints }: CounterView): boolean {
  return hints.size === 2 && hints.get('romio_no_indep_rw') === 'true' && hints.get('cb_nodes') === '4';
}

/** Nodes to compare with; undefined when the comparison makes no sense. Who gives the number asks for it. */
function comparedNodes(view: CounterView): number | undefined {
  return view.nodesAreGiven || !areDarshansOwn(view) ? view.nodes : undefined;
}

const OWN_HINTS =
  ' These are the hints with which Darshan wrote the log; those of the program are not recorded (ROMIO_PRINT_HINTS=1 shows them).';

interface Kind {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  readonly severity: 'high' | 'ok';
  readonly holds: (aggregators: number, nodes: number) => boolean;
  readonly words: string;
}

function aggregators({ holds, words, ...named }: Kind): CounterTrigger {
  return {
    kind: 'counters',
    ...named,
    module: 'MPI-IO',
    examine: (view) => {
      const count = aggregatorsOf(view);
      const nodes = comparedNodes(view);
      if (count === undefined || nodes === undefined || !holds(count, nodes)) return undefined;
      const message = `${counted(count, 'aggregator')} (cb_nodes) for ${counted(nodes, 'compute node')}: ${words}${areDarshansOwn(view) ? OWN_HINTS : ''}`;
      const finding = { message, evidence: { aggregators: count, nodes }, files: [] };
      if (named.severity === 'ok') return finding;
      return {
        ...finding,
        severity: areDarshansOwn(view) ? 'info' : named.severity,
        files: view.module('MPI-IO')?.files(everyRecord).files ?? [],
        recommendations: [
          {
            audience: 'job',
            text: `Set one aggregator for each compute node: cb_nodes=${nodes}.`,
            snippet: aggregatorHints(nodes, []),
          },
          {
            audience: 'code',
            text: 'Or set the hint where the file is opened, if the program sets it there now.',
            snippet: languages.aggregatorHintsInCode(nodes),
            alternatives: languages.aggregatorHintsIn(nodes),
          },
        ],
      };
    },
  };
}

function everyRecord(record: { get(counter: string): number }): { events: number; bytes: number; timeNs: number } {
  const sum = (counters: readonly string[]): number =>
    counters.reduce((total, counter) => total + Math.max(0, record.get(counter) || 0), 0);
  return {
    events: sum(['MPIIO_COLL_READS', 'MPIIO_COLL_WRITES']),
    bytes: sum(['MPIIO_BYTES_READ', 'MPIIO_BYTES_WRITTEN']),
    timeNs: sum(['MPIIO_F_READ_TIME', 'MPIIO_F_WRITE_TIME']) * 1e9,
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
    words: 'several of them share a node and its network link.',
  },
  {
    code: 'M08',
    name: 'mpi-io-intra-node-aggregators',
    title: 'Fewer aggregators than compute nodes',
    severity: 'ok' as const,
    holds: (count: number, nodes: number) => count < nodes,
    words: 'each has a node to itself.',
  },
  {
    code: 'M10',
    name: 'mpi-io-aggregators-ok',
    title: 'One aggregator on each compute node',
    severity: 'ok' as const,
    holds: (count: number, nodes: number) => count === nodes,
    words: 'one each.',
  },
].map(aggregators);

/** Why the triggers on aggregators are not evaluated; undefined when they are, or there is nothing to evaluate. */
export function aggregatorNote(view: CounterView): string | undefined {
  const count = aggregatorsOf(view);
  const collective = view.module('MPI-IO')?.sum(['MPIIO_COLL_READS', 'MPIIO_COLL_WRITES']) ?? 0;
  if (count === undefined || collective === 0 || comparedNodes(view) !== undefined) return undefined;
  const why = areDarshansOwn(view)
    ? 'the only hints in the log (cb_nodes=4) are those with which Darshan wrote the log itself.'
    : `the log sets ${counted(count, 'aggregator')} (cb_nodes) and does not say on how many compute nodes the job ran.`;
  return `M08 to M10 are not evaluated: ${why} With the number of nodes as "nodes" (--nodes N, or a threshold of that name) they are.`;
}
