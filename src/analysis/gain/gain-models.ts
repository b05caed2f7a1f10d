import { smallLibraryCalls } from './models/libraries.ts';
import { repeatedOpens, repeatedQuestions, seeks, synchronisations } from './models/metadata.ts';
import type { GainModel } from './models/model.ts';
import { randomReads, repeatedTransfers } from './models/places.ts';
import { bufferedWrites, flushes, smallRequests } from './models/requests.ts';

/** Models by the names of their triggers. A trigger without one gets bounds alone. */
export const GAIN_MODELS: Readonly<Record<string, GainModel>> = {
  'posix-small-reads': smallRequests('read'),
  'posix-small-writes': smallRequests('write'),
  'posix-redundant-reads': repeatedTransfers('read'),
  'posix-redundant-writes': repeatedTransfers('write'),
  'posix-random-reads': randomReads,
  'posix-random-writes': bufferedWrites('randomWrites', 'randomWrittenBytes'),
  'posix-misaligned-writes': () =>
    'alignment saves locks and rereading between processes, and how much depends on the file system',
  'sync-after-every-write': synchronisations('writeSyncs'),
  'frequent-synchronisation': synchronisations('syncs'),
  'small-copies': () => 'what a copy inside the kernel costs depends on the file systems, and was not measured',
  'synchronous-writes': () =>
    'how many of the records may become safe together only their author knows; each wait that goes saves its time',
  'small-direct-transfers': () => 'what larger pieces save depends on the device, which one run does not show',
  'open-close-in-loop': repeatedOpens,
  'seek-before-every-access': seeks,
  'posix-metadata-time': repeatedQuestions,
  'repeated-questions': repeatedQuestions,
  'missing-file-searches': repeatedQuestions,
  'backward-reads': randomReads,
  'small-library-calls': smallLibraryCalls,
  'flush-after-every-record': flushes,
};
