import type { ProcessUse } from '../../metrics/access-metrics.ts';
import { say } from '../message.ts';
import * as snippets from '../snippets.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import { amount, calls, NOTHING, ofSize, share } from './amounts.ts';

/** Nearly all of the random reads go back: a loop that runs from the end. */
function goesBackwards(group: GroupView): boolean {
  return group.get('backwardReads') > 0.95 * group.get('randomReads');
}

/** Most go forwards, if by ever other distances: they are in the order of the file, and sorted as well as can be. */
function goesForwards(group: GroupView, direction: 'read' | 'write'): boolean {
  return direction === 'read'
    ? group.get('backwardReads') < group.get('randomReads') / 10
    : group.get('backwardWrites') < group.get('randomWrites') / 10;
}

/** Bytes that a buffer is filled with, at least. */
const REFILL = 4096;

/** Bytes of the file for each read, from which on it takes the page cache longer to hand them over than to answer the call. */
const WIDE = 16 << 10;

/** Bytes from the first read of each process to its last. */
function readRange(processes: readonly Readonly<ProcessUse>[]): number {
  return processes.reduce((sum, { nearestRead, furthestRead }) => sum + Math.max(0, furthestRead - nearestRead), 0);
}

function usersOf({ files }: GroupView): Readonly<ProcessUse>[] {
  return [...new Set(files)].flatMap(({ use }) => [...(use?.byProcess.values() ?? [])]);
}

function isSparse(group: GroupView): boolean {
  const processes = usersOf(group);
  const reads = processes.reduce((sum, process) => sum + process.reads, 0);
  return reads > 0 && readRange(processes) > WIDE * reads;
}

/** From so many times the bytes that are read on it takes longer to read all of the range than what is wanted of it. */
const MOSTLY_UNREAD = 4;

function isMostlyUnread(group: GroupView): boolean {
  const processes = usersOf(group);
  const bytes = processes.reduce((sum, { readBytes }) => sum + readBytes, 0);
  return bytes > 0 && readRange(processes) > MOSTLY_UNREAD * bytes;
}

const backwardReads: SiteTrigger = {
  kind: 'site',
  code: 'L05',
  name: 'backward-reads',
  title: 'A file read backwards',
  sizes: 'read',
  offending: (cell, { isLocked }) =>
    isLocked ? NOTHING : amount(cell, 'backwardReads', 'backwardReadBytes', 'backwardReadTime'),
  local: (group, { random_operations }) =>
    goesBackwards(group) && share(group.get('backwardReads'), group.get('reads')) > random_operations,
  subject: (group) => say`${calls(group, 'read')}${ofSize(group)} that go backwards through the file`,
  recommend: () => [
    {
      audience: 'code',
      text: 'Read forwards, or read a large piece that ends where you are and walk back in memory: the read-ahead of the kernel and of parallel file systems works forwards only.',
      snippet: snippets.backwardInPieces(),
    },
  ],
};

const randomReads: SiteTrigger = {
  kind: 'site',
  code: 'P11',
  name: 'posix-random-reads',
  title: 'Random reads',
  sizes: 'read',
  offending: (cell, { isLocked }) =>
    isLocked ? NOTHING : amount(cell, 'randomReads', 'randomReadBytes', 'randomReadTime'),
  drishti: (run, { random_operations, random_operations_absolute }) =>
    share(run.get('randomReads'), run.get('reads')) > random_operations &&
    run.get('randomReads') > random_operations_absolute,
  local: (group, { random_operations }) => share(group.get('randomReads'), group.get('reads')) > random_operations,
  never: goesBackwards,
  explainedBy: ['backward-reads'],
  subject: (group) =>
    goesForwards(group, 'read')
      ? say`${calls(group, 'read')}${ofSize(group)} that leave gaps of all sizes`
      : say`${calls(group, 'read')}${ofSize(group)} at places all over the file`,
  recommend: (group) => [
    goesForwards(group, 'read')
      ? {
          audience: 'code',
          text: 'Where the gaps are small, read large pieces with them and pick the wanted parts in memory; or store side by side what is read together.',
        }
      : {
          audience: 'code',
          text: 'Read in the order of the file: sort the requests by offset, or swap the loops.',
          snippet: snippets.sortedReads(group.offence.events),
          alternatives: [snippets.sortedReadsInPython(group.offence.events)],
        },
    {
      audience: 'code',
      text: isMostlyUnread(group)
        ? 'Or map the file (mmap), which needs no call for what is in the page cache. Reading all of it once may take longer: little of it is needed.'
        : 'A table that fits into memory is read (or mapped) once.',
      snippet: snippets.mappedReads(),
      alternatives: [snippets.mappedReadsInPython()],
    },
  ],
};

const randomWrites: SiteTrigger = {
  kind: 'site',
  code: 'P13',
  name: 'posix-random-writes',
  title: 'Random writes',
  sizes: 'write',
  offending: (cell, { isLocked }) =>
    isLocked ? NOTHING : amount(cell, 'randomWrites', 'randomWrittenBytes', 'randomWriteTime'),
  drishti: (run, { random_operations, random_operations_absolute }) =>
    share(run.get('randomWrites'), run.get('writes')) > random_operations &&
    run.get('randomWrites') > random_operations_absolute,
  local: (group, { random_operations }) => share(group.get('randomWrites'), group.get('writes')) > random_operations,
  // The holes that they leave need not be written.
  never: (group) => goesForwards(group, 'write'),
  // A flush of HDF5 writes its metadata wherever they lie in the file.
  explainedBy: ['flush-after-every-record', 'hdf5-small-writes'],
  subject: (group) =>
    group.get('backwardWrites') > 0.95 * group.get('randomWrites')
      ? say`${calls(group, 'write')}${ofSize(group)} that go backwards through the file`
      : say`${calls(group, 'write')}${ofSize(group)} at places all over the file`,
  recommend: () => [
    {
      audience: 'code',
      text: 'Gather the data in the order of the file and write them in one go, or change the layout of the file.',
    },
  ],
};

const redundantReads: SiteTrigger = {
  kind: 'site',
  code: 'P09',
  name: 'posix-redundant-reads',
  title: 'The same bytes read again',
  sizes: 'read',
  offending: (cell, { isHandedOver }) =>
    isHandedOver ? NOTHING : amount(cell, 'redundantReads', 'redundantReadBytes', 'redundantReadTime'),
  local: (group, { redundant_share }) => group.get('redundantReadBytes') > redundant_share * group.get('readBytes'),
  // A buffer that is filled anew for each step back holds nearly the same as before.
  never: (group) =>
    Math.min(group.get('backwardReads'), group.get('redundantReads')) >= 0.9 * group.get('reads') &&
    group.get('readBytes') >= REFILL * group.get('reads'),
  explainedBy: ['files-read-in-turns', 'polling'],
  subject: (group, { noun }) =>
    say`${calls(group, 'read')}${ofSize(group, 'meanAgain')} of bytes that this ${noun.one} had read before`,
  recommend: (group) => [
    isMostlyUnread(group)
      ? {
          audience: 'code',
          text: 'Keep what was read, by its place in the file, or map the file (mmap), which needs no call for what is in the page cache. Reading all of it beforehand may take longer than these reads: little of it is needed.',
          snippet: snippets.mappedReads(),
          alternatives: [snippets.mappedReadsInPython()],
        }
      : {
          audience: 'code',
          text: 'Keep what was read: read it once, before the loop, and use the copy in memory. If it is parsed, keep the result: parsing it again often takes longer than reading it.',
          snippet: snippets.keptInMemory(group.medianBytes),
          alternatives: [snippets.keptInMemoryInPython()],
        },
  ],
};

const redundantWrites: SiteTrigger = {
  kind: 'site',
  code: 'P10',
  name: 'posix-redundant-writes',
  title: 'The same bytes written again',
  sizes: 'write',
  offending: (cell, { isHandedOver }) =>
    isHandedOver ? NOTHING : amount(cell, 'redundantWrites', 'redundantWrittenBytes', 'redundantWriteTime'),
  local: (group, { redundant_share }) =>
    group.get('redundantWrittenBytes') > redundant_share * group.get('writtenBytes'),
  explainedBy: ['flush-after-every-record', 'hdf5-small-writes'],
  subject: (group, { noun }) =>
    say`${calls(group, 'write')}${ofSize(group)} over bytes that this ${noun.one} had written before`,
  recommend: () => [{ audience: 'code', text: 'Keep the data in memory until it is final, and write it once.' }],
};

const stridedReads: SiteTrigger = {
  kind: 'site',
  code: 'L07',
  name: 'strided-small-reads',
  title: 'Small reads with gaps of equal size',
  sizes: 'read',
  offending: (cell, { isLocked }) =>
    isLocked ? NOTHING : amount(cell, 'stridedReads', 'stridedReadBytes', 'stridedReadTime'),
  local: (group, { tiny_bytes }) =>
    group.get('stridedReads') > group.get('reads') / 2 && group.medianBytes < tiny_bytes,
  unless: ['mpi-io-independent-reads'],
  subject: (group) => say`${calls(group, 'read')}${ofSize(group)} at equal distances`,
  recommend: (group, _thresholds, { isMpi }) => [
    isSparse(group)
      ? {
          audience: 'code',
          text: 'Store what is read together side by side: so little of the file is read that reading the gaps as well pays only where a request waits long (a disk, a parallel file system).',
        }
      : {
          audience: 'code',
          text: `Read the range with its gaps in one piece and pick the wanted parts in memory (data sieving), or store what is read together side by side.${isMpi ? ' Across processes a collective MPI-IO read with a file view does it.' : ''}`,
          snippet: snippets.sievedRead(),
        },
  ],
};

const stridedWrites: SiteTrigger = {
  kind: 'site',
  code: 'L06',
  name: 'strided-small-writes',
  title: 'Small writes with gaps of equal size',
  sizes: 'write',
  // Where several processes write, the gaps are the others' parts.
  offending: (cell, file) =>
    file.sharedByWriters || file.isLocked
      ? NOTHING
      : amount(cell, 'stridedWrites', 'stridedWrittenBytes', 'stridedWriteTime'),
  local: (group, { tiny_bytes }) =>
    group.get('stridedWrites') > group.get('writes') / 2 && group.medianBytes < tiny_bytes,
  unless: ['mpi-io-independent-writes'],
  subject: (group) => say`${calls(group, 'write')}${ofSize(group)} at equal distances`,
  recommend: () => [
    {
      audience: 'code',
      text: 'A buffer cannot join writes that leave gaps: assemble a whole block in memory (swap the loops, or transpose) and write it in one piece.',
      snippet: snippets.transposedWrite(),
    },
  ],
};

/** Where in the file the accesses lie, and whether they were there before. */
export const STRIDES: readonly SiteTrigger[] = [stridedReads, stridedWrites];
export const PLACES: readonly SiteTrigger[] = [
  redundantReads,
  redundantWrites,
  backwardReads,
  randomReads,
  randomWrites,
];
