import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { SQL_TYPES } from '../../src/fleet/query/table-views.ts';
import type { TableDefinition } from '../../src/fleet/schema/table.ts';
import { TABLES, type TableName } from '../../src/fleet/schema/tables.ts';
import { MANIFEST_FOLDER, STORE_FILE, type PartEntry } from '../../src/fleet/store/manifest.ts';
import { loadDuckDb } from '../../src/session/fleet/load-duckdb.ts';
import { LocalStore } from '../../src/session/fleet/local-store.ts';

/** A part of a made store: row `i` has these values, as SQL over `i`; columns without one are null. */
export interface MadePart {
  readonly table: TableName;
  readonly month: string;
  readonly first: number;
  readonly last: number;
  readonly values: Readonly<Record<string, string>>;
  /** Where `i` and what else the values name come from; the numbers from `first` to `last` unless said. */
  readonly source?: string;
}

/** Writes a store of rows that are worked out, not recorded. */
export async function makeStore(folder: string, parts: readonly MadePart[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const duckdb = await loadDuckDb([]);
  const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect();
  const entries: PartEntry[] = [];
  for (const { table, month, first, last, values, source } of parts) {
    const within = `parts/${table}/month=${month}/${first}.parquet`;
    const file = path.join(folder, within);
    mkdirSync(path.dirname(file), { recursive: true });
    const { columns }: TableDefinition = TABLES[table];
    const selected = Object.entries(columns).map(
      ([name, { type }]) => `(${values[name] ?? 'NULL'})::${SQL_TYPES[type]} AS "${name}"`,
    );
    const rows = `SELECT ${selected.join(', ')} FROM ${source ?? `range(${first}, ${last}) AS numbers(i)`}`;
    await connection.run(`COPY (${rows}) TO '${file}' (FORMAT parquet)`);
    entries.push({ table, path: within, month, rows: last - first, bytes: 0 });
  }
  const made = new LocalStore(folder);
  const write = (name: string, value: unknown): Promise<void> =>
    made.write(name, new TextEncoder().encode(JSON.stringify(value)));
  await write(`${MANIFEST_FOLDER}/1.json`, { schema: 'iolens/store-batch@1', id: '1', parts: entries, logs: [] });
  await write(STORE_FILE, { schema: 'iolens/store@1', created: new Date(0).toISOString() });
}
