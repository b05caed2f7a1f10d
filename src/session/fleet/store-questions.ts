import { storeFigures, type StoreFigures } from '../../fleet/store/store-figures.ts';
import { statusOf, storeLogs, type LogStatus } from '../../fleet/store/store-logs.ts';
import type { LogEntry } from '../../fleet/store/manifest.ts';
import { readManifests } from '../../fleet/store/read-manifests.ts';
import { uncounted, wrongParts } from './check-parts.ts';
import { existingStore } from './store-folder.ts';

/** A source, with what became of it. */
export type StoreLog = Omit<LogEntry, 'status'> & { readonly status: LogStatus };

/** A Parquet file that counts. */
interface StorePart {
  readonly table: string;
  readonly month: string;
  /** Absolute. */
  readonly file: string;
  readonly rows: number;
}

/** What became of each source of a store. @throws Error in words for the user when it is none. */
export async function logsOf(folder: string): Promise<StoreLog[]> {
  const contents = await readManifests(await existingStore(folder));
  return Array.from(storeLogs(contents), (entry) => ({ ...entry, status: statusOf(entry) }));
}

/** @throws Error in words for the user when it is none. */
export async function figuresOf(folder: string): Promise<StoreFigures> {
  return storeFigures(await readManifests(await existingStore(folder)));
}

/** Parts of a store that are missing or cut off, in words; undefined when all are there. */
export async function wrongPartsOf(folder: string): Promise<string | undefined> {
  const store = await existingStore(folder);
  return wrongParts(store, await readManifests(store));
}

/** What lies in a store and does not count, in words; undefined when there is nothing. */
export async function uncountedOf(folder: string): Promise<string | undefined> {
  return uncounted(await existingStore(folder));
}

/**
 * The Parquet files that count, for other engines than ours.
 * @returns with how many logs stand in two of them: other engines count those twice until the store is compacted.
 * @throws Error in words for the user when it is none.
 */
export async function partsOf(folder: string): Promise<{ parts: StorePart[]; repeatedLogs: number }> {
  const store = await existingStore(folder);
  const { parts, repeated } = await readManifests(store);
  return {
    parts: parts.map(({ table, month, path, rows }) => ({ table, month, file: store.location(path), rows })),
    repeatedLogs: new Set(repeated.map(({ log }) => log)).size,
  };
}
