import { bufferWrites } from './c-buffered-writes.ts';
import type { Fixer } from './c-descriptors.ts';
import { openOnce } from './c-open-once.ts';
import { usePositionedAccess } from './c-positioned-access.ts';
import { dropEndl, dropFlush, letStdioBuffer } from './c-stream-fixes.ts';
import { syncOnce } from './c-sync-once.ts';

/** What can be tried for each trigger in C and C++, best first. */
export const FIXERS: Readonly<Record<string, readonly Fixer[]>> = {
  'posix-small-writes': [bufferWrites, dropFlush, dropEndl],
  'flush-after-every-record': [dropFlush, dropEndl],
  'posix-small-reads': [letStdioBuffer],
  'seek-before-every-access': [usePositionedAccess],
  'open-close-in-loop': [openOnce],
  'sync-after-every-write': [syncOnce],
};
