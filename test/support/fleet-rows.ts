import { LocalStore } from '../../src/session/fleet/local-store.ts';
import type { ColumnValue, TableDefinition } from '../../src/fleet/schema/table.ts';
import { TABLES, TABLE_NAMES, type Row, type StoreRows, type TableName } from '../../src/fleet/schema/tables.ts';
import { MANIFEST_FOLDER, STORE_FILE, type BatchManifest, type PartEntry } from '../../src/fleet/store/manifest.ts';
import { parquetPart } from '../../src/fleet/store/parquet-part.ts';

/** A row with what is given; the rest of its columns is null. */
export function row<Name extends TableName>(table: Name, given: Partial<Row<Name>>): Row<Name> {
  const { columns }: TableDefinition = TABLES[table];
  const nothing: Record<string, ColumnValue> = Object.fromEntries(Object.keys(columns).map((name) => [name, null]));
  return { ...nothing, ...given } as Row<Name>;
}

/** A store made by the project's own writer, one batch, partitioned by month as the layout wants it. */
export async function writeStore(folder: string, rows: StoreRows, id = '1'): Promise<LocalStore> {
  const store = new LocalStore(folder);
  const write = (path: string, value: unknown): Promise<void> =>
    store.write(path, new TextEncoder().encode(JSON.stringify(value)));
  await write(STORE_FILE, { schema: 'iolens/store@1', created: '2018-02-01T00:00:00Z' });
  const parts: PartEntry[] = [];
  for (const table of TABLE_NAMES)
    for (const [month, own] of byMonth(table, rows[table] ?? [])) {
      const path = `parts/${table}/month=${month}/${id}.parquet`;
      const bytes = await parquetPart(table, own as readonly Row<typeof table>[]);
      await store.write(path, bytes);
      parts.push({ table, path, month, rows: own.length, bytes: bytes.length });
    }
  const logs = (rows.job ?? []).map(({ log, path, format }) => ({
    log,
    path: path ?? '',
    bytes: 1,
    modified: 0,
    format: format ?? '',
    status: 'stored' as const,
  }));
  await write(`${MANIFEST_FOLDER}/${id}.json`, {
    schema: 'iolens/store-batch@1',
    id,
    parts,
    logs,
  } satisfies BatchManifest);
  return store;
}

function byMonth(table: TableName, rows: readonly object[]): Map<string, object[]> {
  const { monthOf }: TableDefinition = TABLES[table];
  const months = new Map<string, object[]>();
  for (const one of rows) {
    const moment = (one as Record<string, ColumnValue>)[monthOf];
    const isKnown = typeof moment === 'number' && Math.abs(moment) < 8e12;
    const month = isKnown ? new Date(moment * 1000).toISOString().slice(0, 7) : 'unknown';
    months.set(month, [...(months.get(month) ?? []), one]);
  }
  return months;
}
