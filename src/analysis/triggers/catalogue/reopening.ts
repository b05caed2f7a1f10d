import type { Recommendation } from '../insight.ts';
import { countOf, say, type Sentence } from '../message.ts';
import * as parallel from '../parallel-snippets.ts';
import * as snippets from '../reopening-snippets.ts';
import type { FileSituation, GroupView, SiteTrigger } from '../trigger.ts';
import { amount, filesOf, plus } from './amounts.ts';

/** It was complete before it was read. */
function isFinal({ use }: FileSituation): boolean {
  const all = [...(use?.byProcess.values() ?? [])];
  const firstRead = all.reduce((first, { reading }) => Math.min(first, reading.first), Infinity);
  return all.every(({ writing }) => writing.last <= firstRead);
}

function adviceFor(group: GroupView): Recommendation {
  // There may be more closes than opens: those of descriptors that a library made of an open one.
  const times = (group.get('reopens') || group.get('recloses')) + 1;
  if (group.get('mpiReopenings') > 0) {
    return {
      audience: 'code',
      text: 'Open the file once before the loop and close it after the loop: MPI_File_open and MPI_File_close make all processes wait for each other and for the metadata server. Call MPI_File_sync for what others must find in it meanwhile, or what a crash must not lose.',
      snippet: parallel.openOnceTogether(times),
    };
  }
  if (isOfStreams(group)) {
    return {
      audience: 'code',
      text: 'Create the stream once, before the loop: each of these calls creates one for a descriptor that is already open, and closes it again. Where a library does it for you (tofile and fromfile of numpy), hand it the whole array in one call.',
    };
  }
  if (group.get('folderReopens') > (group.get('reopens') + group.get('recloses')) / 3) {
    return {
      audience: 'code',
      text: 'List the folder once and keep the names. If others may appear meanwhile, check its modification time (stat) before listing it again.',
    };
  }
  const isOnlyRead =
    group.get('writeOpens') === 0 &&
    group.files.every(({ use }) => use !== undefined && use.readings > 0 && use.reopenedWrites === 0);
  if (isOnlyRead && group.files.every((file) => file.isReadWhole && isFinal(file))) {
    return {
      audience: 'code',
      text: `Read ${filesOf(group) > 1 ? 'each file' : 'the file'} once and keep its contents; if they may change meanwhile, check the modification time (stat) before reading again.`,
      snippet: snippets.readOnce(times),
      alternatives: snippets.readOnceIn(times),
    };
  }
  const handing = handingOver(group);
  const ofEach = Math.round(times / filesOf(group));
  if (filesOfProcess(group) > 1) {
    return {
      audience: 'code',
      text: `Keep the files that are used again and again open, as many as the limit of descriptors allows: a table from path to descriptor that closes the least recently used one when it is full.${handing}`,
      snippet: snippets.keptOpen(),
      alternatives: [snippets.keptOpenInPython()],
    };
  }
  if (group.get('emptyingOpens') > group.get('opens') / 2) {
    return {
      audience: 'code',
      text: 'Each open empties the file, and all of it is written again. Write it when its contents are final, or less often: every so many steps or seconds. If every state is needed, keep the file open, go back to its beginning (seek) before each one, and cut off what is left of the state before (ftruncate).',
    };
  }
  return {
    audience: 'code',
    text: `Open the file once before the loop and close it after the loop.${handing}`,
    snippet: snippets.openOnce(ofEach, isOnlyRead),
    alternatives: snippets.openOnceIn(ofEach, isOnlyRead),
  };
}

/** The most files that one process uses here: what others open is theirs to keep open. */
function filesOfProcess(group: GroupView): number {
  const files = new Map<number, number>();
  for (const { use } of group.files)
    for (const process of use?.byProcess.keys() ?? []) files.set(process, (files.get(process) ?? 0) + 1);
  return files.size === 0 ? filesOf(group) : Math.max(...files.values());
}

/** What a close did for others and for a crash, and what has to be done in its place. */
function handingOver({ files }: GroupView): string {
  if (files.some(({ use }) => use !== undefined && use.locks > 0))
    return ' Then do yourself what each close did: flush what was written, and unlock it (LOCK_UN).';
  const written = files.filter(({ use, isOfDatabase }) => use !== undefined && use.reopenedWrites > 0 && !isOfDatabase);
  if (written.length === 0) return '';
  const buffers = 'the language buffers (FILE, ofstream, Python, Fortran)';
  return written.some(({ isHandedOver }) => isHandedOver)
    ? ` Another process reads what is written: where ${buffers}, flush each record that it has to see.`
    : ` Where ${buffers} and a crash must not lose the last records, flush them.`;
}

/**
 * Many files that are written and then opened once more to be read are in no loop; nor are those that a library opens some
 * times for one call, as `np.load(file, mmap_mode='r')` does three times.
 */
function isRepeated(group: GroupView): boolean {
  const files = filesOf(group);
  return Math.max(group.get('reopens'), group.get('recloses')) >= (files > 1 ? 3 : 2) * files;
}

/** Most of it is about streams that are made of open descriptors, again and again. */
function isOfStreams(group: GroupView): boolean {
  return group.get('rewraps') > (group.get('reopens') + group.get('recloses')) / 2;
}

function wrapped(group: GroupView): Sentence {
  const number = filesOf(group);
  const files = number > 1 ? say`${countOf('files', number, 'file')} that are open` : 'a file that is open';
  const closes = countOf('reclosings', group.get('recloses'), 'close');
  if (group.get('reopens') === 0) return say`${closes} of streams that were made anew of ${files}`;
  const streams = say`${countOf('reopenings', group.get('reopens'), 'stream')} made anew of ${files}`;
  return group.get('recloses') > 0 ? say`${streams}, and ${closes},` : streams;
}

export const openCloseInLoop: SiteTrigger = {
  kind: 'site',
  code: 'L02',
  name: 'open-close-in-loop',
  title: 'Files opened and closed again and again',
  operations: ['open', 'close'],
  saysFiles: true,
  offending: (cell) => plus(amount(cell, 'reopens', null, 'reopenTime'), amount(cell, 'recloses', null, 'recloseTime')),
  local: isRepeated,
  // Thousands of files in turns cannot all be kept open, and who polls wants to know what is new.
  unless: ['files-read-in-turns', 'polling'],
  subject: (group) => {
    if (isOfStreams(group)) return wrapped(group);
    const opens = countOf('reopenings', group.get('reopens'), 'repeated open');
    const closes = countOf('reclosings', group.get('recloses'), 'close');
    const number = filesOf(group);
    const files = countOf('files', number, 'file');
    const ofFiles = number > 1 ? say`of ${files} that had been open before` : 'of the same file';
    if (group.get('reopens') > 0)
      return group.get('recloses') > 0 ? say`${opens} and ${closes} ${ofFiles}` : say`${opens} ${ofFiles}`;
    return number > 1
      ? say`${closes} of ${files} that are opened again`
      : say`${closes} of a file that is opened again`;
  },
  recommend: (group) => [adviceFor(group)],
};
