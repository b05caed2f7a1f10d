import type { LogEntry } from './manifest.ts';
import type { StoreContents } from './read-manifests.ts';

/** What became of a source, with files that are no logs told apart from logs that cannot be read. */
export type LogStatus = LogEntry['status'] | 'other';

export const LOG_STATUSES: readonly LogStatus[] = ['stored', 'damaged', 'unreadable', 'known', 'other'];

export function statusOf({ status, format }: LogEntry): LogStatus {
  return status === 'unreadable' && format === '' ? 'other' : status;
}

/**
 * The entries of all batches, each source once: what could not be read the first time may have been read later, and two
 * ingestions at once may list the same file.
 */
export function* storeLogs({ batches }: StoreContents): Generator<LogEntry> {
  const last = new Map<string, LogEntry>();
  for (const { logs } of batches)
    for (const entry of logs) if (countsBefore(last.get(entry.path), entry)) last.set(entry.path, entry);
  yield* last.values();
}

/** Of one file the newest content; of one content what has rows. */
function countsBefore(before: LogEntry | undefined, entry: LogEntry): boolean {
  if (before === undefined || entry.modified > before.modified) return true;
  const hasRows = ({ status }: LogEntry): boolean => status === 'stored' || status === 'damaged';
  return entry.modified === before.modified && !hasRows(before);
}
