import type { TableName } from '../schema/tables.ts';

/** In the store's own folder: what it is. */
export const STORE_FILE = 'iolens-store.json';
/** Folder of the manifests: one file for each batch that was taken in. */
export const MANIFEST_FOLDER = 'manifest';
/** Folder of the tables: `parts/TABLE/month=YYYY-MM/BATCH.parquet`. */
export const PART_FOLDER = 'parts';

export interface StoreDescription {
  readonly schema: 'iolens/store@1';
  /** ISO 8601. */
  readonly created: string;
}

/** A Parquet file that a batch wrote. */
export interface PartEntry {
  readonly table: TableName;
  /** Within the store, with `/`. */
  readonly path: string;
  /** `2018-01`, or `unknown`. */
  readonly month: string;
  readonly rows: number;
  readonly bytes: number;
}

/** What became of a source: a recording, a table of the batch system, a dump of a server. */
export interface LogEntry {
  /** Key of its content; null when it could not even be read. */
  readonly log: string | null;
  /** Absolute. */
  readonly path: string;
  /** Of all its files. */
  readonly bytes: number;
  /** Seconds since 1970 when it was last written: an unchanged file is not read again. */
  readonly modified: number;
  /** Name of the reader; '' when none knows it. */
  readonly format: string;
  /**
   * - `stored`: its rows are in the parts of this batch; `message`, if any, says what was assumed of it
   * - `damaged`: so are they, but it was read in part; `message` says what was lost
   * - `unreadable`: no rows; `message` says why
   * - `known`: its content was in the store already
   */
  readonly status: 'stored' | 'damaged' | 'unreadable' | 'known';
  readonly message?: string;
}

/**
 * What one batch added. Parts count from the moment when the manifest that names them has its own name (written under
 * another, then renamed): a batch that was killed before leaves nothing that is ever read. Where two batches took in the same
 * content, the first by `id` keeps it, and readers leave the rows of the other out.
 */
export interface BatchManifest {
  readonly schema: 'iolens/store-batch@1';
  /** Sorts by time: ISO date and time without punctuation, then letters at random. */
  readonly id: string;
  readonly parts: readonly PartEntry[];
  readonly logs: readonly LogEntry[];
  /** Batches whose parts this one replaces (compaction). */
  readonly replaces?: readonly string[];
}

/** Files of a store, by paths within it with `/`. */
export interface StoreFiles {
  /** Names in a folder; none when it does not exist. */
  list(folder: string): Promise<readonly string[]>;
  /** @throws Error in words for the user. */
  read(path: string): Promise<Uint8Array>;
  /** Under another name first, on disk, then renamed: all of it or nothing. @throws Error in words for the user. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
}
