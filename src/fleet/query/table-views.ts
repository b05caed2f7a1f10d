import type { ColumnType, TableDefinition } from '../schema/table.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../schema/tables.ts';
import type { StoreContents } from '../store/read-manifests.ts';
import { mergedQuery } from './scheduler-views.ts';
import { sqlName, sqlText } from './sql-text.ts';

/** Types of DuckDB. */
export const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  instant: 'TIMESTAMP',
  integers: 'INTEGER[]',
  texts: 'VARCHAR[]',
};

/**
 * Statements that make each table of the store a view of its name: its columns, and `month`. Jobs and steps of the batch
 * system stand in theirs once, however many tables tell of them.
 * @param location where a part of the store lies for the engine.
 */
export function tableViews(contents: StoreContents, location: (path: string) => string): string[] {
  return TABLE_NAMES.map(
    (table) =>
      `CREATE OR REPLACE VIEW ${sqlName(table)} AS ${mergedQuery(table, tableQuery(table, contents, location))}`,
  );
}

/** The rows of a table that count, as a query: its columns, and `month`; as they were taken in. */
export function tableQuery(
  table: TableName,
  { parts, repeated }: Pick<StoreContents, 'parts' | 'repeated'>,
  location: (path: string) => string,
): string {
  const own = parts.filter((part) => part.table === table);
  const columns = columnsOf(TABLES[table]);
  const empty = columns.map(({ name, type }) => `NULL::${SQL_TYPES[type]} AS ${sqlName(name)}`);
  const nothing = `SELECT ${empty.join(', ')}, NULL::VARCHAR AS month WHERE false`;
  if (own.length === 0) return nothing;
  const names = columns.map(({ name }) => sqlName(name)).join(', ');
  const files = own.map(({ path }) => sqlText(location(path))).join(', ');
  const paths = new Set(own.map(({ path }) => path));
  const twice = repeated.filter(({ path }) => paths.has(path));
  const pairs = twice.map(({ path, log }) => `(${sqlText(location(path))}, ${sqlText(log)})`).join(', ');
  const without = twice.length === 0 ? '' : ` WHERE (filename, log) NOT IN (${pairs})`;
  const options = `hive_partitioning = true, hive_types = {'month': VARCHAR}, union_by_name = true, filename = true`;
  const stored = `SELECT * EXCLUDE (filename) FROM read_parquet([${files}], ${options})${without}`;
  // What an older version wrote lacks columns that came later: they are not known there.
  return `SELECT ${names}, month FROM (${nothing} UNION ALL BY NAME ${stored})`;
}

function columnsOf({ columns }: TableDefinition): { name: string; type: ColumnType }[] {
  return Object.entries(columns).map(([name, { type }]) => ({ name, type }));
}
