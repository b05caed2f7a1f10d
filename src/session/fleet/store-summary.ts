import { SQL_TYPES } from '../../fleet/query/table-views.ts';
import type { TableDefinition } from '../../fleet/schema/table.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../../fleet/schema/tables.ts';
import type { StoreContents } from '../../fleet/store/read-manifests.ts';
import { storeFigures } from '../../fleet/store/store-figures.ts';
import type { StoreSummary } from '../../fleet/query/fleet-answers.ts';

/** What the manifests say of a store. */
export function storeSummary(id: number, folder: string, contents: StoreContents): StoreSummary {
  const { parts } = contents;
  const { logs } = storeFigures(contents);
  const months = [...new Set(parts.map(({ month }) => month))].filter((month) => /^\d{4}-\d{2}$/.test(month)).sort();
  const tables = TABLE_NAMES.map((table) => {
    const own = parts.filter((part) => part.table === table);
    const rows = own.reduce((sum, part) => sum + part.rows, 0);
    const bytes = own.reduce((sum, part) => sum + part.bytes, 0);
    return { table, rows, bytes, columns: columnsOf(table) };
  });
  return { id, folder, tables, logs, months };
}

function columnsOf(table: TableName): StoreSummary['tables'][number]['columns'] {
  const { columns }: TableDefinition = TABLES[table];
  return Object.entries(columns).map(([name, { type, about }]) => ({ name, type: SQL_TYPES[type], about }));
}
