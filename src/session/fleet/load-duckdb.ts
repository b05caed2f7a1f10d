import type * as duckdb from '@duckdb/node-api';

/** The module of DuckDB's client, loaded when the first store is opened: 70 MB that nobody else pays for. */
export type DuckDb = typeof duckdb;

let loaded: Promise<DuckDb> | undefined;

/** @throws Error in words for the user when it is not installed. */
export function loadDuckDb(): Promise<DuckDb> {
  loaded ??= import('@duckdb/node-api').catch((error: unknown) => {
    loaded = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The SQL engine (DuckDB) is not installed here: ${reason}`);
  });
  return loaded;
}
