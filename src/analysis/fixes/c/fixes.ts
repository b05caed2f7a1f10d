import { appendOnce } from './append-once.ts';
import { askOnce } from './ask-once.ts';
import { syncData } from './data-sync.ts';
import type { Fixer } from './descriptors.ts';
import { letInputBuffer } from './input-buffers.ts';
import { writeRowsAt } from './mpi-rows.ts';
import { putValuesAtOnce } from './netcdf-rows.ts';
import { openOnce } from './open-once.ts';
import { usePositionedAccess } from './positioned-access.ts';
import { dropEndl, dropFlush, letStdioBuffer, letStreamCollect } from './stream-fixes.ts';
import { collectWrites, readAhead } from './stream-writes.ts';
import { writeLast } from './write-last.ts';
import { moveRow, moveSynchronousRow } from './whole-rows.ts';

/** What can be tried for each trigger in C and C++, best first. */
export const FIXERS: Readonly<Record<string, readonly Fixer[]>> = {
  'posix-small-writes': [moveRow, writeRowsAt, dropFlush, dropEndl, letStreamCollect, collectWrites],
  'flush-after-every-record': [dropFlush, dropEndl],
  'posix-small-reads': [moveRow, letStdioBuffer, letInputBuffer, readAhead],
  'seek-before-every-access': [usePositionedAccess],
  'open-close-in-loop': [openOnce, appendOnce],
  'sync-after-every-write': [syncData],
  'synchronous-writes': [moveSynchronousRow],
  'posix-small-writes-shared': [moveRow, writeRowsAt],
  'small-library-calls': [putValuesAtOnce, writeRowsAt],
  'hdf5-small-writes': [putValuesAtOnce],
  'posix-redundant-writes': [writeLast],
  'repeated-questions': [askOnce],
  'posix-redundant-reads': [askOnce],
};
