import { sqlName, sqlText } from '../../fleet/query/sql-text.ts';
import { SQL_TYPES } from '../../fleet/query/table-views.ts';
import type { ColumnType } from '../../fleet/schema/table.ts';
import { RECORDED_TABLE_NAMES, RECORDED_TABLES, type RecordedTableName } from './recorded-tables.ts';

/** Statements that make each table of a recording a view of its name, over the Parquet file that holds it. */
export function recordedViews(fileOf: Readonly<Record<RecordedTableName, string>>): string[] {
  return RECORDED_TABLE_NAMES.map((table) => {
    const value = table === 'events' ? eventValue : sqlName;
    const columns = columnsOf(table).map(([name, type]) => `${value(name, type)} AS ${sqlName(name)}`);
    const from = `read_parquet(${sqlText(fileOf[table])}, file_row_number = true)`;
    return `CREATE OR REPLACE VIEW ${table} AS SELECT ${columns.join(', ')} FROM ${from}`;
  });
}

/** The same without rows: what is wrong with a query is told before the recording is read. */
export function emptyViews(): string[] {
  return RECORDED_TABLE_NAMES.map((table) => {
    const columns = columnsOf(table).map(([name, type]) => `NULL::${SQL_TYPES[type]} AS ${sqlName(name)}`);
    return `CREATE OR REPLACE VIEW ${table} AS SELECT ${columns.join(', ')} WHERE false`;
  });
}

/** What is not known of an event is an empty text or NaN in the file: in SQL it is null. */
function eventValue(name: string, type: ColumnType): string {
  if (name === 'event') return 'file_row_number';
  const stored = sqlName(name === 'file_offset' ? 'offset' : name);
  return type === 'text' ? `nullif(${stored}, '')` : `CASE WHEN NOT isnan(${stored}) THEN ${stored}::BIGINT END`;
}

function columnsOf(table: RecordedTableName): [name: string, type: ColumnType][] {
  return Object.entries(RECORDED_TABLES[table].columns).map(([name, { type }]) => [name, type]);
}
