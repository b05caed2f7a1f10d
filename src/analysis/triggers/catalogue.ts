import { counted, formatBytes } from '../quantities.ts';
import type { Metric } from '../metrics/metric-table.ts';
import type { Amount } from './insight.ts';
import * as snippets from './snippets.ts';
import type { GroupView, MetricView, Trigger } from './trigger.ts';

const NOTHING: Amount = { events: 0, bytes: 0, timeNs: 0 };

function amount(view: MetricView, events: Metric, bytes: Metric | null, time: Metric): Amount {
  return { events: view.get(events), bytes: bytes === null ? 0 : view.get(bytes), timeNs: view.get(time) };
}

function plus(a: Amount, b: Amount): Amount {
  return { events: a.events + b.events, bytes: a.bytes + b.bytes, timeNs: a.timeNs + b.timeNs };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function ofSize(group: GroupView): string {
  return Number.isNaN(group.medianBytes) ? '' : ` of ${formatBytes(group.medianBytes)}`;
}

const smallReads: Trigger = {
  code: 'P05',
  name: 'posix-small-reads',
  title: 'Many small reads',
  sizes: 'read',
  sizesBelow: 'tiny_bytes',
  offending: (cell, file, drishti) =>
    drishti && file.shared
      ? amount(cell, 'smallReads', 'smallReadBytes', 'smallReadTime')
      : amount(cell, 'tinyReads', 'tinyReadBytes', 'tinyReadTime'),
  drishti: ({ sharedFiles }, { small_requests, small_requests_absolute }) =>
    share(sharedFiles.get('smallReads'), sharedFiles.get('reads')) > small_requests &&
    sharedFiles.get('smallReads') > small_requests_absolute,
  // Reads all over the file, and reads of the same place, have triggers (and remedies) of their own.
  local: (group) =>
    group.get('randomReads') < group.get('reads') / 2 && group.get('redundantReads') < group.get('reads') / 2,
  subject: (group) => `${counted(group.offence.events, 'read')}${ofSize(group)}`,
  recommend: (group) => [
    {
      text: 'Read larger pieces: through a buffer (stdio, a std::ifstream with its own buffer) or with one call for many records.',
      snippet: snippets.bufferedRead(group.offence.events, group.medianBytes),
    },
  ],
};

const smallWrites: Trigger = {
  code: 'P06',
  name: 'posix-small-writes',
  title: 'Many small writes',
  sizes: 'write',
  sizesBelow: 'tiny_bytes',
  offending: (cell, file, drishti) =>
    drishti && file.shared
      ? amount(cell, 'smallWrites', 'smallWrittenBytes', 'smallWriteTime')
      : amount(cell, 'tinyWrites', 'tinyWrittenBytes', 'tinyWriteTime'),
  drishti: ({ sharedFiles }, { small_requests, small_requests_absolute }) =>
    share(sharedFiles.get('smallWrites'), sharedFiles.get('writes')) > small_requests &&
    sharedFiles.get('smallWrites') > small_requests_absolute,
  local: (group) => group.get('randomWrites') < group.get('writes') / 2,
  subject: (group) => `${counted(group.offence.events, 'write')}${ofSize(group)}`,
  recommend: (group) => [
    {
      text: 'Collect the records in a buffer and write it when it is full; do not flush after each record (std::endl flushes).',
      snippet: snippets.bufferedWrite(group.offence.events, group.medianBytes),
    },
    ...(group.sharedByWriters
      ? [
          {
            text: 'Several processes write this file: write together, collective MPI-IO gathers the pieces.',
            snippet: snippets.collectiveWrite(),
          },
        ]
      : []),
  ],
};

const randomReads: Trigger = {
  code: 'P11',
  name: 'posix-random-reads',
  title: 'Random reads',
  sizes: 'read',
  offending: (cell) => amount(cell, 'randomReads', 'randomReadBytes', 'randomReadTime'),
  drishti: (run, { random_operations, random_operations_absolute }) =>
    share(run.get('randomReads'), run.get('reads')) > random_operations &&
    run.get('randomReads') > random_operations_absolute,
  local: (group, { random_operations }) => share(group.get('randomReads'), group.get('reads')) > random_operations,
  subject: (group) =>
    group.get('backwardReads') > 0.95 * group.get('randomReads')
      ? `${counted(group.offence.events, 'read')}${ofSize(group)} that go backwards through the file`
      : `${counted(group.offence.events, 'read')}${ofSize(group)} at places all over the file`,
  recommend: (group) => [
    {
      text: 'Read in the order of the file: sort the requests by offset, or turn the loop round.',
      snippet: snippets.sortedReads(group.offence.events),
    },
    { text: 'A table that fits into memory is read (or mapped) once.', snippet: snippets.mappedReads() },
  ],
};

const randomWrites: Trigger = {
  code: 'P13',
  name: 'posix-random-writes',
  title: 'Random writes',
  sizes: 'write',
  offending: (cell) => amount(cell, 'randomWrites', 'randomWrittenBytes', 'randomWriteTime'),
  drishti: (run, { random_operations, random_operations_absolute }) =>
    share(run.get('randomWrites'), run.get('writes')) > random_operations &&
    run.get('randomWrites') > random_operations_absolute,
  local: (group, { random_operations }) => share(group.get('randomWrites'), group.get('writes')) > random_operations,
  subject: (group) =>
    group.get('backwardWrites') > 0.95 * group.get('randomWrites')
      ? `${counted(group.offence.events, 'write')}${ofSize(group)} that go backwards through the file`
      : `${counted(group.offence.events, 'write')}${ofSize(group)} at places all over the file`,
  recommend: () => [
    { text: 'Gather the data in the order of the file and write them in one go, or change the layout of the file.' },
  ],
};

const misaligned: Trigger = {
  code: 'P08',
  name: 'posix-misaligned-writes',
  title: 'Misaligned writes to a shared file',
  sizes: 'write',
  // Alone in a file, the page cache mends the edges; between processes a shared block means locks and rereading.
  offending: (cell, file) =>
    file.sharedByWriters ? amount(cell, 'misalignedWrites', 'misalignedWrittenBytes', 'misalignedWriteTime') : NOTHING,
  local: (group, { misaligned_requests }) => share(group.offence.events, group.get('writes')) > misaligned_requests,
  subject: (group) =>
    `${counted(group.offence.events, 'misaligned write')}${ofSize(group)} to a file that several processes write`,
  recommend: (_group, { alignment }) => [
    {
      text: `Let every process begin at a multiple of the file system's block (${formatBytes(alignment)}; on Lustre the stripe size), or write collectively.`,
      snippet: snippets.alignedWrites(alignment),
    },
    { text: 'With HDF5 set the alignment of objects: H5Pset_alignment.' },
  ],
};

const redundantReads: Trigger = {
  code: 'P09',
  name: 'posix-redundant-reads',
  title: 'The same bytes read again',
  sizes: 'read',
  offending: (cell) => amount(cell, 'redundantReads', 'redundantReadBytes', 'redundantReadTime'),
  local: (group, { redundant_share }) => group.get('redundantReadBytes') > redundant_share * group.get('readBytes'),
  subject: (group) =>
    `${counted(group.offence.events, 'read')}${ofSize(group)} of bytes that this process had read before`,
  recommend: (group) => [
    {
      text: 'Keep what was read: read it once, before the loop, and use the copy in memory.',
      snippet: snippets.keptInMemory(group.medianBytes),
    },
  ],
};

const redundantWrites: Trigger = {
  code: 'P10',
  name: 'posix-redundant-writes',
  title: 'The same bytes written again',
  sizes: 'write',
  offending: (cell) => amount(cell, 'redundantWrites', 'redundantWrittenBytes', 'redundantWriteTime'),
  local: (group, { redundant_share }) =>
    group.get('redundantWrittenBytes') > redundant_share * group.get('writtenBytes'),
  subject: (group) =>
    `${counted(group.offence.events, 'write')}${ofSize(group)} over bytes that this process had written before`,
  recommend: () => [{ text: 'Keep the data in memory until they are final, and write them once.' }],
};

const metadataTime: Trigger = {
  code: 'P17',
  name: 'posix-metadata-time',
  title: 'Long time in metadata calls',
  offending: (cell) =>
    plus(
      amount(cell, 'metadataCalls', null, 'metadataTime'),
      plus(amount(cell, 'opens', null, 'openTime'), amount(cell, 'closes', null, 'closeTime')),
    ),
  drishti: (run, { metadata_time_rank }) => run.longestMetadataTime > metadata_time_rank * 1e9,
  local: () => true,
  fewestEvents: 100,
  fewestShare: 'metadata_share',
  unless: ['open-close-in-loop'],
  subject: (group) =>
    group.get('missing') > 0.9 * group.offence.events
      ? `${counted(group.offence.events, 'question')} (open, stat, access) for files that do not exist`
      : `${counted(group.offence.events, 'metadata call')} (open, close, stat and the like)`,
  recommend: () => [
    {
      text: 'Make fewer of them: keep files open, remember what was asked, list a folder once, put many small files into one.',
      snippet: snippets.fewerMetadataCalls(),
    },
  ],
};

const syncAfterWrite: Trigger = {
  code: 'L01',
  name: 'sync-after-every-write',
  title: 'A synchronisation after every write',
  offending: (cell) => amount(cell, 'writeSyncs', null, 'writeSyncTime'),
  local: (group, { writes_per_sync }) => group.get('syncedWrites') <= writes_per_sync * group.get('writeSyncs'),
  fewestEvents: 10,
  subject: (group) => {
    const writes = group.get('syncedWrites') / group.get('writeSyncs');
    const each = writes < 1.5 ? 'one write' : `${writes.toFixed(1)} writes`;
    return `${counted(group.offence.events, 'synchronisation')}, each after ${each},`;
  },
  recommend: (group) => [
    {
      text: 'Synchronise once, when the data must be safe: before the file is closed, or at a checkpoint. Each call waits for the storage.',
      snippet: snippets.syncOnce(group.offence.events),
    },
  ],
};

const openCloseInLoop: Trigger = {
  code: 'L02',
  name: 'open-close-in-loop',
  title: 'The same file opened and closed in a loop',
  offending: (cell) => plus(amount(cell, 'reopens', null, 'reopenTime'), amount(cell, 'recloses', null, 'recloseTime')),
  local: () => true,
  subject: (group) => {
    const opens = group.get('reopens');
    const closes = group.get('recloses');
    if (opens > 0 && closes > 0)
      return `${counted(opens, 'repeated open')} and ${counted(closes, 'close')} of the same file`;
    return opens > 0
      ? `${counted(opens, 'repeated open')} of the same file`
      : `${counted(closes, 'close')} of a file that is opened again`;
  },
  recommend: (group) => [
    {
      text: 'Open the file once before the loop and close it behind it.',
      snippet: snippets.openOnce(Math.max(group.get('reopens'), group.get('recloses')) + 1),
    },
  ],
};

const seekBeforeAccess: Trigger = {
  code: 'L03',
  name: 'seek-before-every-access',
  title: 'A seek before every access',
  offending: (cell) => amount(cell, 'accessSeeks', null, 'accessSeekTime'),
  local: (group) => group.get('accessSeeks') > group.get('seeks') / 2,
  subject: (group) => `${counted(group.offence.events, 'seek')}, each for the one read or write that follows,`,
  recommend: () => [
    {
      text: 'Use pread and pwrite: they take the offset with the call, and threads can share the descriptor.',
      snippet: snippets.positionedAccess(),
    },
  ],
};

/** All triggers, in the order in which they are evaluated and listed. */
export const CATALOGUE: readonly Trigger[] = [
  smallReads,
  smallWrites,
  misaligned,
  redundantReads,
  redundantWrites,
  randomReads,
  randomWrites,
  syncAfterWrite,
  openCloseInLoop,
  seekBeforeAccess,
  metadataTime,
];
