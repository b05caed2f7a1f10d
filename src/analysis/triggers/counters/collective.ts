import { countOf, say, slot } from '../message.ts';
import { share } from '../catalogue/amounts.ts';
import type { Recommendation } from '../insight.ts';
import { aggregatorHints } from '../job-snippets.ts';
import * as languages from '../language-snippets.ts';
import { collectiveHdf5 } from '../library-advice.ts';
import * as parallel from '../parallel-snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import { READS, WRITES, transfer, type MpiDirection } from './mpi-io-counters.ts';
import { known } from './posix-counters.ts';

function independent(code: string, name: string, title: string, direction: MpiDirection): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'high',
    module: 'MPI-IO',
    examine: (view, { collective_operations_absolute }) => {
      const mpi = view.module('MPI-IO');
      if (mpi === undefined) return undefined;
      const count = mpi.sum(direction.independent);
      if (!isIndependent(view, direction, collective_operations_absolute)) return undefined;
      const files = mpi.files((record) => transfer(record, direction, known(record.get(direction.independent))));
      const others = mpi.sum(direction.split);
      const split = others > 0 ? say` (besides ${countOf('splitCalls', others, 'split collective one')})` : [];
      const isAlone = view.processes === 1;
      return {
        ...(isAlone && { severity: 'info' as const }),
        message: say`${countOf('calls', count, direction.verb)} of single processes through MPI-IO, no collective one${split}: ${isAlone ? 'there is one process only.' : 'MPI-IO cannot put together what the processes ask for.'}`,
        evidence: { count, share: 1, timeNs: mpi.sum(direction.time) * 1e9, files: files.count },
        files: files.files,
        amount: files.amount,
        recommendations: isAlone ? [] : advice(view, direction, collective_operations_absolute),
      };
    },
  };
}

/** Many calls of single processes in a direction, and no collective one. */
function isIndependent(view: CounterView, { independent: alone, collective }: MpiDirection, most: number): boolean {
  const mpi = view.module('MPI-IO');
  return mpi?.sum(collective) === 0 && mpi.sum(alone) > most;
}

function advice(view: CounterView, { verb }: MpiDirection, most: number): Recommendation[] {
  // One set of hints for both directions: a second one would overwrite the first.
  const directions = [READS, WRITES].filter((each) => isIndependent(view, each, most)).map((each) => each.verb);
  return [
    view.usesHdf5
      ? collectiveHdf5(verb)
      : {
          audience: 'code',
          text: `Use collective calls: MPI_File_${verb}_all or MPI_File_${verb}_at_all.`,
          snippet: verb === 'read' ? parallel.collectiveRead() : parallel.collectiveWrite(),
          alternatives: languages.collectiveIn(verb),
        },
    {
      audience: 'job',
      text: 'Once the calls are collective, let one process of each compute node do the I/O for the others.',
      snippet: aggregatorHints(view.nodes, directions),
    },
  ];
}

function used(code: string, name: string, title: string, direction: MpiDirection): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'ok',
    module: 'MPI-IO',
    examine: (view) => {
      const mpi = view.module('MPI-IO');
      const count = mpi?.sum(direction.collective) ?? 0;
      if (mpi === undefined || count === 0) return undefined;
      const all = count + mpi.sum(direction.independent);
      const part = share(count, all);
      const message = say`${slot('collectiveCalls', count)} of ${countOf('mpiIoCalls', all, `${direction.verb} through MPI-IO`, `${direction.verb}s through MPI-IO`)} (${slot('shareCollective', part)}) are collective.`;
      return { message, evidence: { count, share: part }, files: [] };
    },
  };
}

/** M02 to M05, as Drishti evaluates them: reads first. */
export const COLLECTIVES: readonly CounterTrigger[] = [
  independent('M02', 'mpi-io-independent-reads', 'MPI-IO reads that are not collective', READS),
  used('M04', 'mpi-io-collective-reads', 'Collective MPI-IO reads', READS),
  independent('M03', 'mpi-io-independent-writes', 'MPI-IO writes that are not collective', WRITES),
  used('M05', 'mpi-io-collective-writes', 'Collective MPI-IO writes', WRITES),
];
