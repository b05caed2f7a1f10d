import { stripedOutput } from '../job-snippets.ts';
import { countOf, naming, say, slot, type Sentence } from '../message.ts';
import * as parallel from '../parallel-snippets.ts';
import type { Recommendation } from '../insight.ts';
import type { Thresholds } from '../thresholds.ts';
import type { FileSituation, GroupView, LoneProcess, MetricView, RunView, SiteTrigger } from '../trigger.ts';
import { amount, calls, filesOf, NOTHING, ofSize, transfers } from './amounts.ts';

/** The largest value of a property over the files of a group. */
function worst(group: GroupView, of: (file: FileSituation) => number): number {
  return group.files.reduce((most, file) => Math.max(most, of(file)), 0);
}

function balance({ isMpi }: RunView): Recommendation[] {
  return [
    {
      audience: 'code',
      text: `Divide the data evenly over the processes${isMpi ? ', or let collective MPI-IO do it' : ''}.`,
      snippet: parallel.evenParts(),
    },
    {
      audience: 'job',
      text: 'On Lustre, spread the file over more storage targets.',
      snippet: stripedOutput(),
    },
  ];
}

/** An aggregator of collective calls moves the bytes of others, and takes the time for it: that is as it should be. */
function isCollective(cell: MetricView): boolean {
  return cell.get('collectiveWrites') + cell.get('collectiveReads') > 0;
}

/** Of data that are divided evenly already no other division takes less. */
function balanceOfTime(group: GroupView, { imbalance_stragglers }: Thresholds, run: RunView): Recommendation[] {
  if (worst(group, (file) => file.dataImbalance) > imbalance_stragglers) return balance(run);
  const [, striping] = balance(run);
  const remedy = run.isMpi
    ? 'Collective MPI-IO makes fewer requests for all of them, so that none waits long for the others at the file.'
    : 'Fewer and larger requests wait less for each other at the file.';
  const text = `All processes move much the same amount, so no other division helps. ${remedy}`;
  return [{ audience: 'code', text }, striping!];
}

const dataImbalance: SiteTrigger = {
  kind: 'site',
  code: 'P18',
  name: 'posix-data-imbalance',
  title: 'Processes move unequal amounts of a shared file',
  operations: ['read', 'write'],
  severity: 'high',
  fewestEvents: 1,
  offending: (cell, file, { imbalance_stragglers }) =>
    file.dataImbalance > imbalance_stragglers && !isCollective(cell) ? transfers(cell) : NOTHING,
  local: () => true,
  unless: ['one-process-does-all'],
  subject: (group, { noun }) =>
    say`${calls(group, 'access', 'accesses')} to a shared file, of whose bytes the slowest and the fastest ${noun.one} move shares that differ by ${slot(
      'imbalance',
      worst(group, (file) => file.dataImbalance),
    )},`,
  evidence: (group) => ({ imbalance: worst(group, (file) => file.dataImbalance) }),
  recommend: (_group, _thresholds, run) => balance(run),
};

function timeSubject(group: GroupView, { noun }: RunView): Sentence {
  const difference = slot(
    'timeDifference',
    worst(group, (file) => file.timeDifference),
  );
  return say`${calls(group, 'access', 'accesses')} to a shared file, on which the slowest ${noun.one} spends ${difference} more than the fastest,`;
}

const timeImbalance: SiteTrigger = {
  kind: 'site',
  code: 'P19',
  name: 'posix-time-imbalance',
  title: 'Processes spend unequal times on a shared file',
  operations: ['read', 'write'],
  severity: 'high',
  offending: (cell, file, { imbalance_stragglers }) =>
    file.timeImbalance > imbalance_stragglers && !isCollective(cell) ? transfers(cell) : NOTHING,
  local: () => true,
  unless: ['one-process-does-all'],
  explainedBy: ['posix-data-imbalance'],
  byDrishti: {
    offending: (cell, file, { imbalance_stragglers }) =>
      file.timeShare > imbalance_stragglers ? transfers(cell) : NOTHING,
    subject: timeSubject,
  },
  subject: timeSubject,
  evidence: (group) => ({
    imbalance: worst(group, (file) => file.timeShare),
    timeDifferenceNs: worst(group, (file) => file.timeDifference),
  }),
  recommend: balanceOfTime,
};

const writeImbalance: SiteTrigger = {
  kind: 'site',
  code: 'P21',
  name: 'posix-write-imbalance-individual',
  title: 'Processes write unequal amounts to files of their own',
  operations: ['write'],
  acrossFiles: true,
  severity: 'high',
  fewestEvents: 1,
  // An aggregator of collective calls moves the bytes of others: who is none moves nothing, as it should be.
  offending: (cell, { shared }) =>
    shared || cell.get('collectiveWrites') > 0 ? NOTHING : amount(cell, 'writes', 'writtenBytes', 'writeTime'),
  // Darshan compares the processes that share a file, where not all do.
  byDrishti: {
    offending: (cell, { shared }) => (shared ? amount(cell, 'writes', 'writtenBytes', 'writeTime') : NOTHING),
    subject: (group, { noun }) => say`${calls(group, 'write')} to files that some ${noun.many} share`,
  },
  local: (group, { imbalance_size }) => group.imbalance('write') > imbalance_size,
  unless: ['one-process-does-all'],
  subject: (group, { noun }) =>
    say`${calls(group, 'write')} to files of single ${noun.many}, of which one writes ${slot('imbalance', group.imbalance('write'))} less than another,`,
  evidence: (group) => ({ imbalance: group.imbalance('write') }),
  recommend: (group, _thresholds, run) => [
    ...balance(run),
    ...(group.get('hdf5TinyWrites') > 0
      ? [
          {
            audience: 'code' as const,
            text: 'Do not let HDF5 fill data sets before they are written.',
            snippet: parallel.hdf5NoFill(),
          },
        ]
      : []),
  ],
};

const readImbalance: SiteTrigger = {
  kind: 'site',
  code: 'P22',
  name: 'posix-read-imbalance-individual',
  title: 'Processes read unequal amounts of files of their own',
  operations: ['read'],
  acrossFiles: true,
  severity: 'high',
  fewestEvents: 1,
  offending: (cell, { shared }) =>
    shared || cell.get('collectiveReads') > 0 ? NOTHING : amount(cell, 'reads', 'readBytes', 'readTime'),
  byDrishti: {
    offending: (cell, { shared }) => (shared ? amount(cell, 'reads', 'readBytes', 'readTime') : NOTHING),
    subject: (group, { noun }) => say`${calls(group, 'read')} of files that some ${noun.many} share`,
  },
  local: (group, { imbalance_size }) => group.imbalance('read') > imbalance_size,
  unless: ['one-process-does-all'],
  subject: (group, { noun }) =>
    say`${calls(group, 'read')} of files of single ${noun.many}, of which one reads ${slot('imbalance', group.imbalance('read'))} less than another,`,
  evidence: (group) => ({ imbalance: group.imbalance('read') }),
  recommend: (_group, _thresholds, run) => balance(run),
};

function meanwhile({ waiting }: LoneProcess): Sentence {
  return waiting === undefined
    ? say`; what the others do meanwhile is not recorded`
    : say`, while the others spend ${slot('waitingShare', waiting)} of that time waiting for messages`;
}

/** Others may move a little. */
function loneWords(lone: LoneProcess): Sentence {
  const processes = slot('processes', lone.processes);
  const part = say`${slot('shareOfBytes', lone.shareOfBytes)} of the bytes`;
  return lone.shareOfBytes === 1
    ? say`the only one of ${processes} that does I/O (${part}`
    : say`which does nearly all the I/O of ${processes} (${part}`;
}

const oneProcessDoesAll: SiteTrigger = {
  kind: 'site',
  code: 'L09',
  name: 'one-process-does-all',
  title: 'One process does all the I/O, or nearly all',
  fewestEvents: 1,
  when: (run) => run.loneProcess !== undefined,
  offending: (cell) => transfers(cell),
  local: () => true,
  subject: (group, { loneProcess }) =>
    say`${calls(group, 'access', 'accesses')} by ${naming('process', loneProcess!.name)}, ${loneWords(loneProcess!)}${meanwhile(loneProcess!)}),`,
  evidence: (_group, { loneProcess }) => ({
    processes: loneProcess!.processes,
    shareOfBytes: loneProcess!.shareOfBytes,
    ...(loneProcess!.waiting !== undefined && { waiting: loneProcess!.waiting }),
  }),
  recommend: (_group, _thresholds, { isMpi }) => [
    {
      audience: 'code',
      text: `Let every process write (or read) its own part of the file${isMpi ? ', together by collective MPI-IO' : ''}: what one process does for all is limited by its memory and its link. Where one has to do it, let it write in the background while the others go on.`,
      ...(isMpi && { snippet: parallel.everyRankItsPart() }),
    },
  ],
};

const readByAll: SiteTrigger = {
  kind: 'site',
  code: 'L08',
  name: 'same-file-read-by-all',
  title: 'Every process reads the same whole file',
  sizes: 'read',
  offending: (cell, file, { common_readers }) =>
    file.wholeReaders >= common_readers ? amount(cell, 'reads', 'readBytes', 'readTime') : NOTHING,
  // Small files are not worth a broadcast until thousands read them.
  local: (group, { small_bytes }) => group.offence.bytes > small_bytes,
  fewestEvents: 'common_readers',
  subject: (group, { noun }) =>
    say`${calls(group, 'read')}${ofSize(group)} of a file that ${countOf(
      'processes',
      worst(group, (file) => file.wholeReaders),
      noun.one,
      noun.many,
    )} read as a whole (${slot('bytes', group.offence.bytes)} in all)`,
  evidence: (group) => ({ processes: worst(group, (file) => file.wholeReaders) }),
  recommend: (_group, _thresholds, { isMpi }) => [
    {
      audience: 'code',
      text: 'Read it in one process and broadcast it.',
      ...(isMpi && { snippet: parallel.readAndBroadcast(), alternatives: [parallel.readAndBroadcastPython()] }),
    },
  ],
};

/** Processes that write these files, each at least one that no other process uses. */
function ownersOf(files: readonly FileSituation[]): number {
  return new Set(files.flatMap(({ use }) => [...(use?.writers ?? [])])).size;
}

/** BT-IO's mode `epio` (Tschüter, section 5.3): fast, but what belongs together lies in as many files as there are ranks. */
const filePerProcess: SiteTrigger = {
  kind: 'site',
  code: 'L31',
  name: 'file-per-process',
  title: 'Every process writes a file of its own',
  operations: ['write'],
  severity: 'info',
  offending: (cell, file) =>
    file.use?.writers.size === 1 && !file.shared ? amount(cell, 'writes', 'writtenBytes', 'writeTime') : NOTHING,
  when: (run, { common_readers }) => run.ranks >= common_readers,
  local: (group, { common_readers, small_file_bytes }) =>
    ownersOf(group.files) >= common_readers && group.offence.bytes >= small_file_bytes * filesOf(group),
  fewestEvents: 'common_readers',
  subject: (group, { noun }) =>
    say`${calls(group, 'write')}${ofSize(group)} of ${countOf('processes', ownersOf(group.files), noun.one, noun.many)} to ${countOf('files', filesOf(group), 'file')} (${slot('bytes', group.offence.bytes)} in all), each of one ${noun.one} alone,`,
  evidence: (group) => ({ files: filesOf(group), processes: ownersOf(group.files) }),
  recommend: (_group, _thresholds, { isMpi }) => [
    {
      audience: 'code',
      text: 'It is fast as long as the processes are few, since none waits for another; but somebody has to put the files together afterwards, a run with another number of processes cannot read them, and thousands of files created at once burden the metadata server. One file with collective writes avoids all three.',
      ...(isMpi && { snippet: parallel.everyRankItsPart() }),
    },
  ],
};

/** How the work is divided between processes. */
export const BALANCES: readonly SiteTrigger[] = [
  oneProcessDoesAll,
  dataImbalance,
  timeImbalance,
  writeImbalance,
  readImbalance,
  readByAll,
  filePerProcess,
];
