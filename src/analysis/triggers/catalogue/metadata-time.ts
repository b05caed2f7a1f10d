import type { Recommendation } from '../insight.ts';
import { say } from '../message.ts';
import * as snippets from '../snippets.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import { amount, calls, plus } from './amounts.ts';

/** Up to so many files none are too many to be opened, asked about and closed once each. */
const FEW_FILES = 1000;

/** A file whose length is changed so often grows by little steps. */
const OFTEN = 16;

/** Calls of which each file, folder or name needs one. */
function neededCalls(group: GroupView): { readonly all: number; readonly ofFiles: number; readonly questions: number } {
  const opens = Math.max(0, group.get('opens') - group.get('reopens') - group.get('missing'));
  const closes = Math.max(0, group.get('closes') - group.get('recloses') - group.get('duplicateCloses'));
  const questions = group.get('firstQuestions');
  const names = group.get('nameChanges');
  return {
    all: opens + closes + questions + names + group.get('listings'),
    ofFiles: Math.max(opens - group.get('folderOpens'), closes - group.get('folderCloses'), names),
    questions,
  };
}

/** Mostly it asks once about each of any number of files, as whoever counts or copies them has to. */
function asksOnce(group: GroupView): boolean {
  const { all, ofFiles } = neededCalls(group);
  return all >= group.offence.events / 2 && ofFiles <= FEW_FILES;
}

/** Files are few, or the place goes through folders: what is in these it may have to ask one by one. */
function isNeeded(group: GroupView): boolean {
  return asksOnce(group) && (neededCalls(group).questions <= FEW_FILES || group.get('listings') > 0);
}

/** Languages ask of a file how long it is, once for each open, before they read it. */
function asksWithOpens(group: GroupView): boolean {
  const questions = group.get('handleQuestions');
  return questions >= group.offence.events / 2 && questions <= group.get('initialReads') + group.get('opens');
}

function adviceFor(group: GroupView): Recommendation {
  const half = group.offence.events / 2;
  const changes = group.get('truncations');
  if (changes >= half && changes >= OFTEN * new Set(group.files).size) {
    return {
      audience: 'code',
      text: 'Grow the file in large steps (by a fraction of its length, or to its final size at once), not a little each time, and cut it to its length when everything is written: the file system records each change, and a mapped file has to be mapped again.',
    };
  }
  if (asksOnce(group)) {
    const listed =
      group.get('listings') > 0
        ? ' The listing itself says what kind of file each name is (d_type, os.scandir, directory_entry).'
        : '';
    return {
      audience: 'code',
      text: `Most of these calls are the first on their file, or the first after it was changed, and may be needed.${listed}`,
    };
  }
  if (group.get('duplicateCloses') >= half) {
    return {
      audience: 'code',
      text: 'Each of these calls closes one more descriptor (dup) of a file that stays open: it tells whether writing has failed, and on NFS it waits until what was written has been sent. If that can wait, do it after many records, or once after the last.',
    };
  }
  if (group.get('handleQuestions') >= half) {
    return {
      audience: 'code',
      text: 'There is no need to ask about an open file each time: keep the answer, and where the program itself extends the file, add up what it writes.',
      snippet: snippets.countedLength(),
      alternatives: [snippets.countedLengthInPython()],
    };
  }
  if (group.get('metadataCalls') < half) {
    return {
      audience: 'code',
      text: 'Make fewer of them: keep open what is used again, and put many small files into one.',
      snippet: snippets.oneFileForMany(),
    };
  }
  return {
    audience: 'code',
    text: 'Make fewer of them: remember the answers, list a folder once instead of asking about each name in it, and put many small files into one.',
    snippet: snippets.fewerMetadataCalls(),
    alternatives: [snippets.fewerMetadataCallsInPython()],
  };
}

export const metadataTime: SiteTrigger = {
  kind: 'site',
  code: 'P17',
  name: 'posix-metadata-time',
  title: 'Long time in metadata calls',
  operations: ['open', 'close', 'metadata'],
  acrossFiles: true,
  offending: (cell) =>
    plus(
      amount(cell, 'metadataCalls', null, 'metadataTime'),
      plus(amount(cell, 'opens', null, 'openTime'), amount(cell, 'closes', null, 'closeTime')),
    ),
  drishti: (run, { metadata_time_rank }) => run.longestMetadataTime > metadata_time_rank * 1e9,
  // Of files that are opened once each there is nothing to be saved, unless they are so many that one should take their place.
  local: (group) =>
    !isNeeded(group) && !asksWithOpens(group) && group.get('libraryQuestions') < group.offence.events / 2,
  atMost: (group) => (asksOnce(group) ? 'info' : undefined),
  fewestEvents: 'metadata_events',
  fewestShare: 'metadata_share',
  unless: ['open-close-in-loop'],
  explainedBy: ['missing-file-searches', 'repeated-questions', 'many-small-files', 'files-read-in-turns', 'polling'],
  subject: (group) => say`${calls(group, 'metadata call')} (open, close, stat and the like)`,
  recommend: (group) => [adviceFor(group)],
};
