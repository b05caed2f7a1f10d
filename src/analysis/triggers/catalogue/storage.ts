import type { Recommendation } from '../insight.ts';
import { advising, countOf, listed, say, slot, type Sentence } from '../message.ts';
import * as snippets from '../storage-snippets.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import { amount, calls } from './amounts.ts';

/** Calls that move next to nothing each count from here on: every one waits for the storage. */
const FEWEST_WAITS = 10;

/** ` of 4 KiB`, or ` of 4 KiB on average` where sizes differ. */
function ofMeanSize({ offence }: GroupView): Sentence {
  const mean = offence.bytes / offence.events;
  const size = slot('meanSize', Math.round(mean));
  return Number.isInteger(mean) ? say` of ${size}` : say` of ${size} on average`;
}

/** One call for each file: there is nothing to join it with. */
function isOneForEachFile({ files, offence }: GroupView): boolean {
  return files.length >= offence.events / 2;
}

const synchronousWrites: SiteTrigger = {
  kind: 'site',
  code: 'L33',
  name: 'synchronous-writes',
  title: 'Every write waits for the storage',
  operations: ['write'],
  offending: (cell) => amount(cell, 'synchronousWrites', 'synchronousWrittenBytes', 'synchronousWriteTime'),
  local: () => true,
  never: isOneForEachFile,
  fewestEvents: FEWEST_WAITS,
  subject: (group) => say`${calls(group, 'write')}${ofMeanSize(group)} to a file opened with O_SYNC or O_DSYNC`,
  recommend: (group) => [
    {
      audience: 'code',
      text: 'Open the file without O_SYNC and O_DSYNC, and call fdatasync at the points at which the data must be safe.',
      snippet: snippets.syncWhereNeeded(group.offence.events),
    },
    {
      audience: 'code',
      text: 'Where each record must be safe before it is acknowledged, make several safe together (group commit): gather what waits, write it with one call, acknowledge all of it.',
      snippet: snippets.groupCommit(group.offence.events),
    },
  ],
};

const smallDirectTransfers: SiteTrigger = {
  kind: 'site',
  code: 'L34',
  name: 'small-direct-transfers',
  title: 'Small pieces past the page cache',
  operations: ['read', 'write'],
  offending: (cell) => amount(cell, 'directTransfers', 'directBytes', 'directTime'),
  local: () => true,
  explainedBy: ['synchronous-writes'],
  subject: (group) => say`${transfersOf(group)}${ofMeanSize(group)} with O_DIRECT, one behind the other in the file,`,
  recommend: () => [
    {
      audience: 'code',
      ...advising(
        say`With O_DIRECT every call goes to the device and waits: move ${slot('advisedSize', 1 << 20)} or more with each, or keep several under way (io_uring, aio).`,
      ),
      snippet: snippets.largeDirectPieces(),
    },
    {
      audience: 'code',
      text: 'Without O_DIRECT the page cache gathers small pieces by itself.',
    },
  ],
};

function transfersOf(group: GroupView): Sentence {
  if (group.get('reads') === 0) return calls(group, 'write');
  return group.get('writes') === 0 ? calls(group, 'read') : calls(group, 'read or write', 'reads and writes');
}

const smallCopies: SiteTrigger = {
  kind: 'site',
  code: 'L35',
  name: 'small-copies',
  title: 'Files copied in small pieces',
  operations: ['copy', 'read', 'write'],
  offending: (cell) => amount(cell, 'tinyCopies', 'tinyCopiedBytes', 'tinyCopyTime'),
  local: () => true,
  never: isOneForEachFile,
  subject: (group) =>
    say`${calls(group, 'copy', 'copies')}${ofMeanSize(group)} inside the kernel (sendfile, copy_file_range, splice)`,
  recommend: () => [
    {
      audience: 'code',
      ...advising(
        say`Ask for all that is left with each call: the kernel copies as much as it can (a splice as much as the pipe holds, ${slot('advisedSize', 65_536)} by default).`,
      ),
      snippet: snippets.largeCopies(),
    },
  ],
};

const frequentSynchronisation: SiteTrigger = {
  kind: 'site',
  code: 'L36',
  name: 'frequent-synchronisation',
  title: 'Synchronised again and again',
  operations: ['sync'],
  offending: (cell) => amount(cell, 'repeatedSyncs', null, 'repeatedSyncTime'),
  local: () => true,
  fewestEvents: FEWEST_WAITS,
  unless: ['sync-after-every-write', 'synchronisation-for-each-record'],
  subject: (group) =>
    say`${calls(group, 'synchronisation')} of files that had been synchronised before${writesBetween(group)}`,
  recommend: (group) => [
    ...transactions(group),
    {
      audience: 'code',
      text: 'Synchronise when the data must be safe (before the file is closed, at a checkpoint, before something is acknowledged) and not after a fixed number of writes: each call waits for the storage. fdatasync leaves out what only describes the file.',
      snippet: snippets.groupCommit(group.offence.events),
    },
  ],
};

/** Who uses a database neither writes nor synchronises; names alone do not prove that it is one. */
function transactions({ files }: GroupView): Recommendation[] {
  if (!files.some(({ isOfDatabase }) => isOfDatabase)) return [];
  return [
    {
      audience: 'code',
      text: 'If this is a database of SQLite, which names its files so, each transaction is made safe by itself: make many changes in one (BEGIN … COMMIT; in Python commit() after many). Where each has to stand alone, a write-ahead log needs fewer synchronisations (PRAGMA journal_mode = WAL), and with PRAGMA synchronous = NORMAL nearly none: if the machine fails, the last transactions may then be missing, and the database is whole.',
    },
  ];
}

function writesBetween(group: GroupView): Sentence {
  const synchronised = group.get('writeSyncs');
  if (synchronised === 0) return [];
  const writes = Math.round(group.get('syncedWrites') / synchronised);
  return say`, each after ${countOf('writesPerSync', writes, 'write')} on average,`;
}

function waitersOf(group: GroupView): Sentence {
  const told = group.get('acknowledgedSyncs');
  const ordered = group.get('orderedSyncs');
  const parts = [
    ...(told > 0
      ? [say`behind ${slot('acknowledged', told)} of them a pipe, a socket, a terminal or standard output is told`]
      : []),
    ...(ordered > 0 ? [say`behind ${slot('ordered', ordered)} of them another file is written and synchronised`] : []),
  ];
  return listed(parts, ', ');
}

/** There is never more than one record to be made safe. */
function isOneAtATime(group: GroupView): boolean {
  return group.get('awaitedSyncs') >= group.get('writeSyncs') / 2;
}

/** To synchronise once at the end would acknowledge what is not safe yet, or let data overtake their journal. */
const synchronisedRecords: SiteTrigger = {
  kind: 'site',
  code: 'L39',
  name: 'synchronisation-for-each-record',
  title: 'Each record made safe before the next step',
  operations: ['sync'],
  offending: (cell) => amount(cell, 'writeSyncs', null, 'writeSyncTime'),
  local: (group, { writes_per_sync }) => {
    const all = group.get('writeSyncs');
    // A checkpoint of much data is no record, whoever is told of it.
    const areRecords = group.get('syncedWrites') <= writes_per_sync * all || group.get('repeatedSyncs') >= all / 2;
    return areRecords && group.get('acknowledgedSyncs') + group.get('orderedSyncs') >= all / 2;
  },
  never: (group) => group.get('firstSyncs') >= group.get('writeSyncs') / 2,
  fewestEvents: FEWEST_WAITS,
  atMost: (group) => (isOneAtATime(group) ? 'info' : undefined),
  subject: (group) => say`${calls(group, 'synchronisation')} (${waitersOf(group)})`,
  evidence: (group) => ({ acknowledged: group.get('acknowledgedSyncs'), ordered: group.get('orderedSyncs') }),
  recommend: (group) => [
    ...(isOneAtATime(group) ? [] : transactions(group)),
    isOneAtATime(group)
      ? {
          audience: 'code',
          text: 'Whoever waits for the answer asks again only then, so there is one record at a time to make safe and nothing to be saved here. With several requests in flight, their records could be made safe together (group commit).',
        }
      : {
          audience: 'code',
          text: 'If each record must be safe before it is acknowledged, or before what follows it is written, keep the order and make several safe together (group commit): gather what waits, write it with one call, synchronise once, then acknowledge all of it. Where that is done already, only faster storage helps. Synchronise less often only where nothing depends on it.',
          snippet: snippets.groupCommit(group.offence.events),
        },
    {
      audience: 'job',
      text: 'Put the file on storage that makes small writes safe quickly (NVMe, a disk with a protected cache).',
    },
  ],
};

/** Calls that wait for the storage by the way the file was opened, and copies inside the kernel. */
export const STORAGE: readonly SiteTrigger[] = [
  synchronisedRecords,
  synchronousWrites,
  smallDirectTransfers,
  smallCopies,
];
export const SYNCHRONISATION: readonly SiteTrigger[] = [frequentSynchronisation];
