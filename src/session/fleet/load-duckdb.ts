import type * as duckdb from '@duckdb/node-api';
import { messageOf } from '../../base/error-message.ts';
import { loadBinding } from './engine-binding.ts';

/** The module of DuckDB's client, loaded when the first store is opened: 70 MB that nobody else pays for. */
export type DuckDb = typeof duckdb;

let loaded: Promise<DuckDb> | undefined;

/** There is no SQL engine on this machine; users of the session know it by its name. */
class EngineMissingError extends Error {
  override name = 'EngineMissingError';
}

/**
 * @param folders where it may lie besides the modules of the program.
 * @throws EngineMissingError in words for the user when it is not installed.
 */
export function loadDuckDb(folders: readonly string[]): Promise<DuckDb> {
  loaded ??= load(folders).catch((error: unknown) => {
    loaded = undefined;
    const reason = messageOf(error);
    throw new EngineMissingError(
      `The SQL engine (DuckDB) is not installed here: ${reason}. The command "I/O Lens: Install SQL Engine…" gets it, as does "iolens fleet engine --install".`,
    );
  });
  return loaded;
}

async function load(folders: readonly string[]): Promise<DuckDb> {
  // The bundled client takes its native part from here (scripts/duckdb-bindings.cjs), wherever that lies.
  (globalThis as { iolensDuckDb?: unknown }).iolensDuckDb = loadBinding(folders);
  // A CommonJS module: its names are told one by one, or not, by who loads it.
  const { default: client } = (await import('@duckdb/node-api')) as unknown as { default: DuckDb };
  return client;
}
