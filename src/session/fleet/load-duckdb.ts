import type * as duckdb from '@duckdb/node-api';

/** The module of DuckDB's client, loaded when the first store is opened: 70 MB that nobody else pays for. */
export type DuckDb = typeof duckdb;

let loaded: Promise<DuckDb> | undefined;

/** There is no SQL engine on this machine; users of the session know it by its name. */
export class EngineMissingError extends Error {
  override name = 'EngineMissingError';
}

/** @throws EngineMissingError in words for the user when it is not installed. */
export function loadDuckDb(): Promise<DuckDb> {
  loaded ??= import('@duckdb/node-api').catch((error: unknown) => {
    loaded = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineMissingError(`The SQL engine (DuckDB) is not installed here: ${reason}`);
  });
  return loaded;
}
