import type { Insight } from '../../triggers/insight.ts';

const OVERLAP =
  'a transfer can hide behind other work at most as long as it takes, and how much work there is beside it depends on the program';
const REQUESTS_BELOW =
  'how far the library joins its requests depends on the layout of the file and on the settings, and one run shows only these';
const MORE_BYTES =
  'the bytes in between cost a part of these requests, and what smaller or more requests cost instead depends on the storage';
const SIEVED =
  'the gaps cost a part of these requests, and whether they can go, and what smaller or more requests cost instead, depends on the layout of the file and on MPI-IO';
const AGGREGATORS = 'another process would move the same bytes: what a shorter way saves depends on the network';

/** Triggers of whose advice one run does not show what it saves, beyond what the calls cost; and why. */
export const REASONS: Readonly<Record<string, string>> = {
  'posix-misaligned-writes':
    'alignment saves locks and rereading between processes, and how much depends on the file system',
  'posix-misaligned-memory':
    'bytes that lie badly in memory are copied more slowly, or once more, at 2 GB/s at least; whether they are depends on the file system and on how the file was opened',
  'same-file-read-by-all': 'one process still reads the file, and how long its broadcast takes depends on the network',
  'files-read-in-turns':
    'one file in place of many, or memory that keeps them, changes other calls too: how many depends on which is chosen',
  'names-changed-again': 'only their author knows how many of these steps need it; each one dropped saves its time',
  polling: 'nearly all of the time between is spent waiting or computing, which fewer questions do not shorten',
  'synchronisation-for-each-record':
    'only their author knows how many of the records may become safe together; each wait dropped saves its time',
  'mpi-io-not-used':
    'a recording without MPI-IO does not show what it joins or spreads better than the program does by itself',
  'mpi-io-blocking-reads': OVERLAP,
  'mpi-io-blocking-writes': OVERLAP,
  'non-blocking-without-overlap': OVERLAP,
  'mpi-io-inter-node-aggregators': AGGREGATORS,
  'mpi-io-intra-node-aggregators': AGGREGATORS,
  'collective-buffering': AGGREGATORS,
  'call-split-below': REQUESTS_BELOW,
  'metadata-below-one-call': REQUESTS_BELOW,
  'many-library-objects':
    'fewer, larger objects take the library some of the same work: how much depends on what they hold',
  'library-flushes': 'what the program writes has to be written once all the same',
  'objects-opened-in-loop': 'what has to be written when a data set is closed has to be written once all the same',
  'more-bytes-below': MORE_BYTES,
  'data-sieving': SIEVED,
  'collective-not-joined':
    'the processes hand each other the bytes and wait for each other instead: what that takes depends on the network',
  'independent-metadata':
    'one process makes the requests for all, which wait for it: one run does not show how much faster the storage serves one than all',
  'collective-waiting':
    'those who wait gain at most what the last one gains: how much earlier that one can come depends on what it does until then',
  'lock-waiting': 'whoever holds the lock needs it for a time: how much of the wait can go depends on its work',
  'metadata-storm': 'how long each has to wait depends on what the server of the metadata does for others',
};

/** Bytes a second at which the slowest memory is copied, wherever the bytes begin. */
const COPIED = 2e9;

/** Share of what the calls of a finding cost that its advice saves at most. */
export function mostShare({ trigger, files }: Pick<Insight, 'trigger' | 'files'>): number {
  const timeNs = files.reduce((sum, file) => sum + file.timeNs, 0);
  if (trigger !== 'posix-misaligned-memory' || timeNs === 0) return 1;
  const copyNs = (files.reduce((sum, { bytes }) => sum + bytes, 0) / COPIED) * 1e9;
  return Math.min(1, copyNs / timeNs);
}

/** Of them those whose advice makes other calls on the same files fewer, too: their bound is all I/O on these. */
export const OF_WHOLE_FILES: ReadonlySet<string> = new Set([
  'files-read-in-turns',
  'synchronisation-for-each-record',
  'many-library-objects',
  'objects-opened-in-loop',
  'names-changed-again',
]);
