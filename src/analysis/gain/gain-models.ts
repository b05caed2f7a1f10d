import { balance, filesOfTheirOwn, heldUp, sharedOut } from './models/balance.ts';
import { chunksInCache, hdf5Writes, smallLibraryCalls } from './models/libraries.ts';
import {
  answeredQuestions,
  filesBecomeOne,
  idleSeeks,
  missingQuestions,
  repeatedOpens,
  repeatedQuestions,
  repeatedSynchronisations,
  seeks,
  synchronisations,
} from './models/metadata.ts';
import type { GainModel } from './models/model.ts';
import { readAtOnce, repeatedTransfers, stridedWrites } from './models/places.ts';
import { REASONS } from './models/reasons.ts';
import {
  bufferedWrites,
  collectiveRequests,
  flushes,
  pipedBytes,
  sharedRequests,
  smallRequests,
  streamBlocks,
} from './models/requests.ts';
import { copies, directTransfers, synchronousWrites } from './models/storage.ts';

/** Models by the names of their triggers. A trigger without one gets bounds alone. */
export const GAIN_MODELS: Readonly<Record<string, GainModel>> = {
  ...Object.fromEntries(Object.entries(REASONS).map(([trigger, why]) => [trigger, () => why])),
  'posix-small-reads': smallRequests('read'),
  'posix-small-writes': smallRequests('write'),
  'posix-small-reads-shared': sharedRequests('read'),
  'posix-small-writes-shared': sharedRequests('write'),
  'mpi-io-independent-reads': collectiveRequests('read'),
  'mpi-io-independent-writes': collectiveRequests('write'),
  'posix-redundant-reads': repeatedTransfers('read'),
  'posix-redundant-writes': repeatedTransfers('write'),
  'posix-random-reads': readAtOnce('sorting'),
  'backward-reads': readAtOnce('reading forwards'),
  'strided-small-reads': readAtOnce('storing them side by side'),
  'posix-random-writes': bufferedWrites('randomWrites', 'randomWrittenBytes'),
  'strided-small-writes': stridedWrites,
  'hdf5-small-writes': hdf5Writes,
  'stdio-high-usage': streamBlocks,
  'flush-after-every-record': flushes,
  'byte-by-byte-pipe': pipedBytes,
  'small-library-calls': smallLibraryCalls,
  'chunks-read-again': chunksInCache,
  'sync-after-every-write': synchronisations,
  'frequent-synchronisation': repeatedSynchronisations,
  'synchronous-writes': synchronousWrites,
  'small-direct-transfers': directTransfers,
  'small-copies': copies,
  'open-close-in-loop': repeatedOpens,
  'many-small-files': filesBecomeOne,
  'seek-before-every-access': seeks,
  'seeks-without-access': idleSeeks,
  'posix-metadata-time': repeatedQuestions,
  'repeated-questions': answeredQuestions,
  'missing-file-searches': missingQuestions,
  'posix-data-imbalance': balance,
  'posix-time-imbalance': balance,
  'posix-write-imbalance-individual': balance,
  'posix-read-imbalance-individual': balance,
  'slow-process': heldUp,
  'one-process-does-all': sharedOut,
  'file-per-process': filesOfTheirOwn,
};
