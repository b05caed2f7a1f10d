import type { Recommendation } from '../insight.ts';
import type { SourceLanguage } from '../../sites/source-language.ts';
import { aggregatorHints } from '../job-snippets.ts';
import { bufferedReadIn, bufferedWriteIn, collectiveIn } from '../language-snippets.ts';
import { advising, countOf, say, slot, type Sentence } from '../message.ts';
import * as parallel from '../parallel-snippets.ts';
import * as snippets from '../snippets.ts';
import type { GroupView, RunView, SiteTrigger } from '../trigger.ts';
import { amount, calls, NOTHING, ofSize, plus, share } from './amounts.ts';

/** What a buffer would make of the tiny calls, in words; nothing when it would hardly help. */
function buffered(group: GroupView, metric: 'coalescedReads' | 'coalescedWrites', bufferBytes: number): Sentence {
  const left = group.get(metric);
  return left < group.offence.events / 2
    ? say` A buffer of ${slot('bufferSize', bufferBytes)} makes ${countOf('callsWithBuffer', left, 'call')} of these ${slot('calls', group.offence.events)}.`
    : [];
}

/** A buffer would leave few of the tiny reads. */
function joins(group: GroupView): boolean {
  return group.get('coalescedReads') < group.offence.events / 10;
}

const COLLECTED = 'Collect the records in a buffer and write it when it is full, not after each record.';

/** @param language undefined where it is not known. */
export function collectedText(language: SourceLanguage | undefined): string {
  const python =
    language === 'python'
      ? ' An open file of Python does so by itself, unless it was opened without a buffer, or is flushed after each record, as the handlers of logging do, also behind a MemoryHandler: a subclass whose flush() does nothing gathers them.'
      : '';
  return COLLECTED + python;
}

const smallReads: SiteTrigger = {
  kind: 'site',
  code: 'P05',
  name: 'posix-small-reads',
  title: 'Many small reads',
  sizes: 'read',
  sizesBelow: 'tiny_bytes',
  offending: (cell) => amount(cell, 'tinyReads', 'tinyReadBytes', 'tinyReadTime'),
  byDrishti: {
    offending: (cell) => amount(cell, 'smallReads', 'smallReadBytes', 'smallReadTime'),
    subject: (group) => say`${calls(group, 'read')}${ofSize(group)}`,
  },
  drishti: (run, { small_requests, small_requests_absolute }) =>
    share(run.get('smallReads'), run.get('reads')) > small_requests && run.get('smallReads') > small_requests_absolute,
  local: () => true,
  // Reads all over the file, and reads of the same place, have triggers (and remedies) of their own, unless they are pieces
  // of larger ones that a buffer would join; one in each open has none to be joined with.
  never: (group) =>
    share(group.get('randomReads') + group.get('repeatedReads'), group.get('reads')) >= 0.5 ||
    (share(group.get('redundantReads'), group.get('reads')) >= 0.5 && !joins(group)) ||
    group.get('openingReads') >= group.offence.events / 2,
  explainedBy: ['posix-small-reads-shared', 'mpi-io-independent-reads', 'strided-small-reads', 'files-read-in-turns'],
  subject: (group) => say`${calls(group, 'read')}${ofSize(group)}`,
  evidence: (group) => ({ coalescedCalls: group.get('coalescedReads') }),
  recommend: (group, { buffer_bytes }) => [
    {
      audience: 'code',
      ...advising(
        say`Read larger pieces: through a buffer or with one call for many records.${buffered(group, 'coalescedReads', buffer_bytes)}`,
      ),
      snippet: snippets.bufferedRead(group.offence.events, group.medianBytes, group.offence.bytes),
      alternatives: bufferedReadIn(group.offence.events, snippets.bufferSize(group.medianBytes)),
    },
  ],
};

const smallWrites: SiteTrigger = {
  kind: 'site',
  code: 'P06',
  name: 'posix-small-writes',
  title: 'Many small writes',
  sizes: 'write',
  sizesBelow: 'tiny_bytes',
  offending: (cell) => amount(cell, 'tinyWrites', 'tinyWrittenBytes', 'tinyWriteTime'),
  byDrishti: {
    offending: (cell) => amount(cell, 'smallWrites', 'smallWrittenBytes', 'smallWriteTime'),
    subject: (group) => say`${calls(group, 'write')}${ofSize(group)}`,
  },
  drishti: (run, { small_requests, small_requests_absolute }) =>
    share(run.get('smallWrites'), run.get('writes')) > small_requests &&
    run.get('smallWrites') > small_requests_absolute,
  local: () => true,
  // Nor do they help where the same bytes are written again, or where every file gets one write.
  never: (group) =>
    share(group.get('randomWrites'), group.get('writes')) >= 0.5 ||
    share(group.get('redundantWrites'), group.get('writes')) >= 0.5 ||
    group.get('firstTinyWrites') >= group.offence.events / 2,
  explainedBy: [
    'flush-after-every-record',
    'hdf5-small-writes',
    'posix-small-writes-shared',
    'mpi-io-independent-writes',
    'strided-small-writes',
    'synchronous-writes',
  ],
  subject: (group) => say`${calls(group, 'write')}${ofSize(group)}`,
  evidence: (group) => ({ coalescedCalls: group.get('coalescedWrites') }),
  recommend: (group, { buffer_bytes }, run) => [
    isSynchronised(group)
      ? {
          audience: 'code',
          ...advising(
            say`Collect the records in a buffer, and write it out before each synchronisation: what is in a buffer is not safe.${buffered(group, 'coalescedWrites', buffer_bytes)}`,
          ),
          snippet: snippets.bufferedUntilSync(),
          alternatives: [snippets.bufferedUntilSyncInPython()],
        }
      : {
          audience: 'code',
          ...advising(say`${COLLECTED}${buffered(group, 'coalescedWrites', buffer_bytes)}`),
          snippet: snippets.bufferedWrite(group.offence.events, group.medianBytes, group.offence.bytes),
          alternatives: bufferedWriteIn(group.offence.events, snippets.bufferSize(group.medianBytes)),
        },
    ...(group.sharedByWriters && run.isMpi ? together(group, 'write', run) : []),
  ],
};

const smallReadsShared: SiteTrigger = {
  kind: 'site',
  code: 'P15',
  name: 'posix-small-reads-shared',
  title: 'Many small reads of shared files',
  sizes: 'read',
  // What one process reads of what another writes is theirs to hand over, not to read together.
  offending: (cell, file) =>
    file.readSideBySide ? amount(cell, 'smallReads', 'smallReadBytes', 'smallReadTime') : NOTHING,
  drishti: ({ sharedFiles }, { small_requests, small_requests_absolute }) =>
    share(sharedFiles.get('smallReads'), sharedFiles.get('reads')) > small_requests &&
    sharedFiles.get('smallReads') > small_requests_absolute,
  never: (group) => isPassedOn(group, 'read'),
  explainedBy: ['files-read-in-turns', 'mpi-io-independent-reads'],
  subject: (group, { noun }) => say`${calls(group, 'read')}${ofSize(group)} of files that several ${noun.many} read`,
  evidence: processesOfFiles,
  recommend: (group, _thresholds, run) => together(group, 'read', run),
};

const smallWritesShared: SiteTrigger = {
  kind: 'site',
  code: 'P16',
  name: 'posix-small-writes-shared',
  title: 'Many small writes to shared files',
  sizes: 'write',
  offending: (cell, file) =>
    file.writtenSideBySide ? amount(cell, 'smallWrites', 'smallWrittenBytes', 'smallWriteTime') : NOTHING,
  drishti: ({ sharedFiles }, { small_requests, small_requests_absolute }) =>
    share(sharedFiles.get('smallWrites'), sharedFiles.get('writes')) > small_requests &&
    sharedFiles.get('smallWrites') > small_requests_absolute,
  never: (group) => isPassedOn(group, 'write'),
  explainedBy: ['mpi-io-independent-writes'],
  subject: (group, { noun }) => say`${calls(group, 'write')}${ofSize(group)} to files that several ${noun.many} write`,
  evidence: processesOfFiles,
  recommend: (group, _thresholds, run) => together(group, 'write', run),
};

/** The program makes one of the files safe: a buffer in front of it must not hold back what is synchronised. */
function isSynchronised(group: GroupView): boolean {
  return group.files.some(({ use }) => use !== undefined && use.synchronisations > 0);
}

/** Processes pass on what stands at one place, as a counter: each request is of what the last one left there. */
function isPassedOn(group: GroupView, direction: 'read' | 'write'): boolean {
  const [at, opening, all] =
    direction === 'read'
      ? (['repeatedReads', 'openingReads', 'reads'] as const)
      : (['repeatedWrites', 'openingWrites', 'writes'] as const);
  const isAtOnePlace = share(group.get(at) + group.get(opening), group.get(all)) >= 0.5;
  return isAtOnePlace && group.files.every(({ isHandedOver }) => isHandedOver);
}

/** What makes small requests of several processes fewer: collective calls, where MPI is and they are not collective yet. */
function together(group: GroupView, direction: 'read' | 'write', { isMpi }: RunView): Recommendation[] {
  const reads = direction === 'read';
  const collective = group.get(reads ? 'collectiveReads' : 'collectiveWrites');
  const independent = group.get(reads ? 'independentReads' : 'independentWrites');
  if (!isMpi) {
    return [
      {
        audience: 'code',
        text: `${reads ? 'Read' : 'Write'} larger pieces: let each process ${reads ? 'take' : 'collect'} its part of the file ${reads ? 'with few large calls' : 'in memory and write it in one go'}.`,
      },
    ];
  }
  if (collective > 0 && independent === 0) {
    return [
      {
        audience: 'job',
        text: 'The calls are collective already. If their requests are small all the same, collective buffering is off: turn it on, so that one process of each node makes large requests for the others.',
        snippet: aggregatorHints(undefined, [direction]),
      },
    ];
  }
  return [
    {
      audience: 'code',
      text: `${reads ? 'Read' : 'Write'} together: a collective MPI-IO ${direction} makes few large requests of the small ones of all processes.`,
      snippet: reads ? parallel.collectiveRead() : parallel.collectiveWrite(),
      alternatives: collectiveIn(direction),
    },
  ];
}

/** Most processes that use one of the files. */
function processesOfFiles(group: GroupView): { processes: number } {
  return { processes: group.files.reduce((most, { use }) => Math.max(most, use?.byProcess.size ?? 0), 0) };
}

const misaligned: SiteTrigger = {
  kind: 'site',
  code: 'P08',
  name: 'posix-misaligned-writes',
  title: 'Misaligned writes to a shared file',
  sizes: 'write',
  // Alone in a file, the page cache mends the edges; between processes a shared block means locks and rereading.
  offending: (cell, file) =>
    file.sharedByWriters ? amount(cell, 'misalignedWrites', 'misalignedWrittenBytes', 'misalignedWriteTime') : NOTHING,
  byDrishti: {
    offending: (cell) =>
      plus(
        amount(cell, 'misalignedReads', 'misalignedReadBytes', 'misalignedReadTime'),
        amount(cell, 'misalignedWrites', 'misalignedWrittenBytes', 'misalignedWriteTime'),
      ),
    subject: (group) => calls(group, 'misaligned read or write', 'misaligned reads and writes'),
  },
  local: (group, { misaligned_requests }) => share(group.offence.events, group.get('writes')) > misaligned_requests,
  // What is joined to large requests is misaligned at their ends alone.
  explainedBy: ['mpi-io-independent-writes', 'hdf5-small-writes'],
  subject: (group, { noun }) =>
    say`${calls(group, 'misaligned write')}${ofSize(group)} to a file that several ${noun.many} write`,
  recommend: (_group, { alignment }, { isMpi }) => [
    {
      audience: 'code',
      ...advising(
        say`Let every process begin at a multiple of the file system's block (${slot('block', alignment)}; on Lustre the stripe size)${isMpi ? ', or write collectively' : ''}.`,
      ),
      snippet: snippets.alignedWrites(alignment),
    },
  ],
};

/** Requests that are too small, or lie badly in a file that others use too. */
export const SHARED_REQUESTS: readonly SiteTrigger[] = [smallReadsShared, smallWritesShared, misaligned];
export const SMALL_REQUESTS: readonly SiteTrigger[] = [smallReads, smallWrites];
