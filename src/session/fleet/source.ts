import type { StoreRows } from '../../fleet/schema/tables.ts';

/** What an ingestion takes in as a whole: the files of one recording, a table of the batch system, a dump of a server. */
export interface FoundSource {
  /** Absolute: one file, or one folder that is a recording or dump as a whole. */
  readonly path: string;
  /** Files, absolute, in order: what is read and hashed. */
  readonly files: readonly string[];
  /** Of all files. */
  readonly bytes: number;
  /** Seconds since 1970 of the file that was written last. */
  readonly modified: number;
}

/** What the store takes of a source. */
export interface SourceRows {
  /** Name of the reader. */
  readonly format: string;
  readonly rows: StoreRows;
  /** What was lost, in words; empty when all was sound. */
  readonly damage: readonly string[];
  /** What was assumed, in words: times without a zone. */
  readonly notes?: readonly string[];
}
