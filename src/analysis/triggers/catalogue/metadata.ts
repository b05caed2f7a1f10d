import { metadataTime } from './metadata-time.ts';
import { openCloseInLoop } from './reopening.ts';
import { say, slot } from '../message.ts';
import * as snippets from '../snippets.ts';
import type { SourceLanguage } from '../../sites/source-language.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import { amount, calls, NOTHING } from './amounts.ts';

const syncAfterWrite: SiteTrigger = {
  kind: 'site',
  code: 'L01',
  name: 'sync-after-every-write',
  title: 'A synchronisation after every write',
  operations: ['sync'],
  offending: (cell) => amount(cell, 'writeSyncs', null, 'writeSyncTime'),
  local: (group, { writes_per_sync }) => group.get('syncedWrites') <= writes_per_sync * group.get('writeSyncs'),
  // A file that is written and synchronised once is a checkpoint as it should be.
  never: (group) => group.get('firstSyncs') >= group.get('writeSyncs') / 2,
  fewestEvents: 10,
  unless: ['synchronisation-for-each-record'],
  subject: (group) => {
    const writes = group.get('syncedWrites') / group.get('writeSyncs');
    const each =
      writes < 1.5
        ? say`${slot('writesPerSync', writes, 'one')} write`
        : say`${slot('writesPerSync', writes, writes.toFixed(1))} writes`;
    return say`${calls(group, 'synchronisation')}, each after ${each},`;
  },
  recommend: (group) => [
    {
      audience: 'code',
      text: 'Synchronise once, when the data must be safe: before the file is closed, or at a checkpoint. Each call waits for the storage. If somebody relies on each record as soon as it is written, gather several, synchronise them together, and only then announce them.',
      snippet: snippets.syncOnce(group.offence.events),
      alternatives: [snippets.syncOnceInPython(group.offence.events)],
    },
  ],
};

/** @param language undefined where it is not known. */
export function soughtText(language: SourceLanguage | undefined): string {
  const positioned = 'Use pread and pwrite: they take the offset with the call, and threads can share the descriptor.';
  return language === 'cpp'
    ? `Leave out the seek of a stream where a record follows the one before: each seek discards the buffer, and the next read fills it again. Without a stream: ${positioned}`
    : positioned;
}

function goesToEnd(group: GroupView): boolean {
  return group.get('appendSeeks') > group.get('accessSeeks') / 2;
}

const seekBeforeAccess: SiteTrigger = {
  kind: 'site',
  code: 'L03',
  name: 'seek-before-every-access',
  title: 'A seek before every access',
  operations: ['seek'],
  offending: (cell) => amount(cell, 'accessSeeks', null, 'accessSeekTime'),
  local: (group) => group.get('accessSeeks') > group.get('seeks') / 2,
  subject: (group) => {
    const shared = group.get('sharedSeeks');
    const seeks = calls(group, 'seek');
    if (goesToEnd(group)) return say`${seeks}, mostly to the end of the file for the write that follows,`;
    if (shared === 0) return say`${seeks}, each for the one read or write that follows,`;
    return say`${seeks} right before a read or write (${slot('seeksOfSeveral', shared)} of them for several)`;
  },
  recommend: (group) => [
    goesToEnd(group)
      ? {
          audience: 'code',
          text: 'Open the file with O_APPEND: each write then goes to the end, even when another process has written in between.',
          snippet: snippets.appended(),
          alternatives: [snippets.appendedInPython()],
        }
      : {
          audience: 'code',
          text: soughtText(undefined),
          snippet: snippets.positionedAccess(),
          alternatives: [snippets.positionedAccessInPython()],
        },
  ],
};

/** @param language undefined where it is not known. */
export function countedText(language: SourceLanguage | undefined): string {
  const python =
    language === undefined || language === 'python'
      ? " In Python tell() on a text file does far more than that: open the file in binary mode ('rb'), and add up the lengths of the lines."
      : '';
  return `Such a seek only tells the position, or how long the file is: keep track of the position yourself (add up what was read or written), and ask for the length once.${python}`;
}

const idleSeeks: SiteTrigger = {
  kind: 'site',
  code: 'L46',
  name: 'seeks-without-access',
  title: 'Seeks that no read or write follows',
  operations: ['seek'],
  offending: (cell) => amount(cell, 'idleSeeks', null, 'idleSeekTime'),
  local: (group) => group.get('idleSeeks') > group.get('seeks') / 2,
  unless: ['open-close-in-loop', 'files-read-in-turns'],
  subject: (group) => say`${calls(group, 'seek')} that another seek follows, with no read or write in between,`,
  recommend: () => [
    {
      audience: 'code',
      text: countedText(undefined),
      snippet: snippets.keptPosition(),
      alternatives: [snippets.keptPositionInPython()],
    },
  ],
};

const manySmallFiles: SiteTrigger = {
  kind: 'site',
  code: 'L10',
  name: 'many-small-files',
  title: 'Many small files created',
  operations: ['open', 'close'],
  acrossFiles: true,
  offending: (cell, file) => {
    const opens = cell.get('opens') - cell.get('reopens');
    const timeNs = cell.get('openTime') - cell.get('reopenTime');
    // A file that is made anew under the same name, and takes the place of another, is one file in the end.
    return file.isSmallOutput && opens > 0 ? { events: 1, bytes: 0, timeNs: timeNs / opens } : NOTHING;
  },
  local: (group, { small_files }) => group.offence.events > small_files,
  fewestEvents: 'small_files',
  unless: ['open-close-in-loop'],
  subject: (group) => say`${calls(group, 'open')} of a new small file each`,
  recommend: () => [
    {
      audience: 'code',
      text: 'Put the pieces into one file (HDF5, NetCDF, ADIOS, a table, an archive): every small file costs several metadata calls, and the metadata server of a parallel file system is shared by all users.',
      snippet: snippets.oneFileForMany(),
    },
  ],
};

/** So many questions for each missing file on average are no search: somebody waits for it. */
const AGAIN = 32;

function asksForFew({ files, offence }: GroupView): boolean {
  return offence.events >= AGAIN * new Set(files).size;
}

const missingFiles: SiteTrigger = {
  kind: 'site',
  code: 'L11',
  name: 'missing-file-searches',
  title: 'Questions for files that do not exist',
  operations: ['open', 'metadata'],
  offending: (cell) => amount(cell, 'missing', null, 'missingTime'),
  local: () => true,
  fewestEvents: 'metadata_events',
  fewestShare: 'metadata_share',
  unless: ['polling'],
  subject: (group) => say`${calls(group, 'question')} (open, stat, access) for files that do not exist`,
  recommend: (group) => [
    asksForFew(group)
      ? {
          audience: 'code',
          text: 'The same few names are looked up over and over: look less often (every so many steps or seconds) for what somebody may create meanwhile, and once for what nobody will.',
        }
      : {
          audience: 'code',
          text: 'Remember where files are: list the folder once, shorten the search path, or keep a list of what exists.',
          snippet: snippets.fewerMetadataCalls(),
          alternatives: [snippets.fewerMetadataCallsInPython()],
        },
  ],
};

const repeatedQuestions: SiteTrigger = {
  kind: 'site',
  code: 'L12',
  name: 'repeated-questions',
  title: 'The same path asked again and again',
  operations: ['metadata'],
  offending: (cell) => amount(cell, 'repeatedQuestions', null, 'repeatedQuestionTime'),
  local: () => true,
  // What is asked whenever a file is opened anew is not asked of one that stays open (L02).
  never: (group) => group.get('reopens') >= group.get('repeatedQuestions') / 2,
  fewestEvents: 'metadata_events',
  fewestShare: 'metadata_share',
  unless: ['polling'],
  subject: (group) => say`${calls(group, 'question')} (stat, access) that had been answered before`,
  recommend: () => [
    {
      audience: 'code',
      text: 'Ask once and keep the answer; for an open file, fstat needs no path lookup.',
      snippet: snippets.askedOnce(),
      alternatives: [snippets.askedOnceInPython()],
    },
  ],
};

/** Calls that move no bytes. */
export const METADATA: readonly SiteTrigger[] = [
  syncAfterWrite,
  openCloseInLoop,
  seekBeforeAccess,
  idleSeeks,
  manySmallFiles,
  missingFiles,
  repeatedQuestions,
  metadataTime,
];
