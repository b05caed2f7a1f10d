/** When a batch is full: what is in it is lost when the ingestion is killed, and read again by the next one. */
export interface BatchLimits {
  readonly logs: number;
  /** Rows of all tables: they stand in memory until they are written. */
  readonly rows: number;
  readonly seconds: number;
}

/** A thousand logs of some files each are a few seconds; a row takes about a kilobyte. */
export const BATCH_LIMITS: BatchLimits = { logs: 1000, rows: 60_000, seconds: 20 };
