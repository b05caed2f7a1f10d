import { countOf, say, slot } from '../message.ts';
import type { Recommendation } from '../insight.ts';
import { hdf5AsyncConnector } from '../job-snippets.ts';
import * as languages from '../language-snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import { READS, transfer, WRITES, type MpiDirection } from './mpi-io-counters.ts';
import { measured } from './posix-counters.ts';

function blocking(code: string, name: string, title: string, direction: MpiDirection): CounterTrigger {
  return {
    kind: 'counters',
    code,
    name,
    title,
    severity: 'warn',
    module: 'MPI-IO',
    examine: (view) => {
      const mpi = view.module('MPI-IO');
      if (mpi === undefined || mpi.sum(direction.nonBlocking) > 0) return undefined;
      const calls = [direction.independent, direction.collective, direction.split];
      const count = mpi.sum(calls);
      if (count === 0) {
        const message = say`Nothing is ${direction.verb === 'read' ? 'read' : 'written'} through MPI-IO: there is nothing that could happen in the background.`;
        return { severity: 'info', message, evidence: { count }, files: [] };
      }
      const timeNs = mpi.sum(direction.time) * 1e9;
      const files = mpi.files((record) => transfer(record, direction, measured(record, calls)));
      const alone = view.processes === 1;
      return {
        severity: alone ? 'info' : 'warn',
        message: say`All ${countOf('calls', count, direction.verb)} through MPI-IO block: ${slot('timeOfCalls', timeNs)}, added up over the processes, in which they do nothing else. Where there is something to compute meanwhile, ${direction.verb}s in the background hide it.`,
        evidence: { count, timeNs, files: files.count },
        files: files.files,
        amount: files.amount,
        recommendations: advice(view, direction),
      };
    },
  };
}

function advice(view: CounterView, { verb }: MpiDirection): Recommendation[] {
  const nonBlocking: Recommendation = {
    audience: 'code',
    text: `Begin ${verb}s early and wait for them late: MPI_File_i${verb}_at, or MPI_File_i${verb}_at_all.`,
    snippet: languages.nonBlocking(verb),
    alternatives: languages.nonBlockingIn(verb),
  };
  if (!view.usesHdf5) return [nonBlocking];
  return [
    {
      audience: 'code',
      text: 'With HDF5 use the asynchronous calls of the connector vol-async (github.com/hpc-io/vol-async).',
      snippet: languages.hdf5Async(verb),
    },
    {
      audience: 'job',
      text: 'Load the connector in the job; without changes of the code it makes at least the writes asynchronous.',
      snippet: hdf5AsyncConnector(),
    },
    nonBlocking,
  ];
}

/** M06 and M07. */
export const BLOCKING: readonly CounterTrigger[] = [
  blocking('M06', 'mpi-io-blocking-reads', 'MPI-IO reads that block', READS),
  blocking('M07', 'mpi-io-blocking-writes', 'MPI-IO writes that block', WRITES),
];
