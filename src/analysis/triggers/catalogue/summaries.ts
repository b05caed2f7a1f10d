import type { Metric } from '../../metrics/metric-table.ts';
import { say, slot } from '../message.ts';
import type { RunTrigger, RunView } from '../trigger.ts';
import { share } from './amounts.ts';

/** The run makes enough reads and writes for its character to matter. */
function isWorthIt(run: RunView, fewest: number): boolean {
  return run.get('reads') + run.get('writes') > fewest;
}

/** Drishti's P01 to P04: one kind exceeds the other by more than a share of both. */
function more(
  code: string,
  name: string,
  title: string,
  [most, least]: readonly [Metric, Metric],
  unit: 'Calls' | 'Bytes',
): RunTrigger {
  return {
    kind: 'run',
    code,
    name,
    title,
    examine: (run, { imbalance_operations, summary_operations }) => {
      const a = run.get(most);
      const b = run.get(least);
      if (!isWorthIt(run, summary_operations) || a <= b || share(a - b, a + b) <= imbalance_operations)
        return undefined;
      const part = share(a, a + b);
      const message = say`${title}: ${slot(`more${unit}`, a)} against ${slot(`less${unit}`, b)} (${slot('shareOfBoth', part)}).`;
      return { severity: 'info', message, evidence: { most: a, least: b, share: part }, files: [] };
    },
    recommendations: [],
  };
}

/** Drishti's P12 and P14: there are accesses, and they are not mostly random. */
function inOrder(code: string, name: string, title: string, all: Metric, random: Metric): RunTrigger {
  return {
    kind: 'run',
    code,
    name,
    title,
    examine: (run, { random_operations, summary_operations }) => {
      const accesses = run.get(all);
      const jumps = share(run.get(random), accesses);
      // Drishti praises a few hundred calls all at random too, as long as they are no thousand.
      if (!isWorthIt(run, summary_operations) || accesses === 0 || jumps > random_operations) return undefined;
      const part = 1 - jumps;
      const message = say`${title}: ${slot('shareInOrder', part)} of ${slot('accesses', accesses)}.`;
      return { severity: 'ok', message, evidence: { count: accesses, share: part }, files: [] };
    },
    recommendations: [],
  };
}

/** Drishti's M04 and M05, where calls of MPI-IO were recorded by themselves: some of them are collective. */
function collective(
  code: string,
  name: string,
  title: string,
  [together, alone]: readonly [Metric, Metric],
): RunTrigger {
  return {
    kind: 'run',
    code,
    name,
    title,
    examine: (run, { summary_operations }) => {
      const count = run.get(together);
      const all = count + run.get(alone);
      if (run.background === undefined || !isWorthIt(run, summary_operations) || count === 0) return undefined;
      const part = share(count, all);
      const message = say`${title}: ${slot('collectiveCalls', count)} of ${slot('mpiIoCalls', all)} (${slot('shareCollective', part)}).`;
      return { severity: 'ok', message, evidence: { count, share: part }, files: [] };
    },
    recommendations: [],
  };
}

/** Drishti's M06 and M07, likewise: nothing goes on in the background. Most programs do so, and it is no mark on a line. */
function blocking(
  code: string,
  name: string,
  title: string,
  direction: 'reads' | 'writes',
  [together, alone]: readonly [Metric, Metric],
): RunTrigger {
  return {
    kind: 'run',
    code,
    name,
    title,
    examine: (run, { summary_operations }) => {
      const count = run.get(together) + run.get(alone);
      const isSeen = run.background !== undefined && !run.background[direction];
      if (!isSeen || !isWorthIt(run, summary_operations) || count === 0) return undefined;
      return {
        severity: 'info',
        message: say`${title}: all ${slot('mpiIoCalls', count)}.`,
        evidence: { count },
        files: [],
      };
    },
    recommendations: [],
  };
}

/** What kind of I/O the run does: no findings, but worth a line each. */
export const SUMMARIES: readonly RunTrigger[] = [
  more('P01', 'posix-write-count-intensive', 'Mostly write calls', ['writes', 'reads'], 'Calls'),
  more('P02', 'posix-read-count-intensive', 'Mostly read calls', ['reads', 'writes'], 'Calls'),
  more('P03', 'posix-write-size-intensive', 'Mostly bytes written', ['writtenBytes', 'readBytes'], 'Bytes'),
  more('P04', 'posix-read-size-intensive', 'Mostly bytes read', ['readBytes', 'writtenBytes'], 'Bytes'),
  inOrder('P12', 'posix-sequential-reads', 'Reads mostly in the order of the file', 'reads', 'randomReads'),
  inOrder('P14', 'posix-sequential-writes', 'Writes mostly in the order of the file', 'writes', 'randomWrites'),
  collective('M04', 'mpi-io-collective-reads', 'Collective MPI-IO reads', ['collectiveReads', 'independentReads']),
  collective('M05', 'mpi-io-collective-writes', 'Collective MPI-IO writes', ['collectiveWrites', 'independentWrites']),
  blocking('M06', 'mpi-io-blocking-reads', 'MPI-IO reads that block', 'reads', ['collectiveReads', 'independentReads']),
  blocking('M07', 'mpi-io-blocking-writes', 'MPI-IO writes that block', 'writes', [
    'collectiveWrites',
    'independentWrites',
  ]),
];
