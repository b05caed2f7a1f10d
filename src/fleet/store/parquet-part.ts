import { ByteWriter, ParquetWriter, type ColumnSource, type parquetWrite } from 'hyparquet-writer';
import type { ColumnType, ColumnValue, TableDefinition } from '../schema/table.ts';
import { TABLES, type Row, type TableName } from '../schema/tables.ts';

type SchemaElement = NonNullable<Parameters<typeof parquetWrite>[0]['schema']>[number];

/** Rows of a row group where a whole part is written at once. */
const GROUP_ROWS = 100_000;

/** Rows of a table as a Parquet file, Snappy, one row group for each 100,000; what is not known is null. */
export async function parquetPart<Name extends TableName>(
  table: Name,
  rows: readonly Row<Name>[],
): Promise<Uint8Array> {
  const writer = new PartWriter<Row<Name>>(table, TABLES[table].columns);
  for (let at = 0; at === 0 || at < rows.length; at += GROUP_ROWS) await writer.write(rows.slice(at, at + GROUP_ROWS));
  return writer.finish();
}

/** Makes a Parquet file of a table, a row group at a time. */
export class PartWriter<RowOfTable extends object> {
  private readonly bytes = new ByteWriter();
  private readonly writer: ParquetWriter;
  private readonly columns: [name: string, type: ColumnType][];

  constructor(table: string, columns: TableDefinition['columns']) {
    this.columns = Object.entries(columns).map(([name, { type }]) => [name, type]);
    const schema: SchemaElement[] = [
      { name: table, num_children: this.columns.length },
      ...this.columns.flatMap(([name, type]) => schemaOf(name, type)),
    ];
    this.writer = new ParquetWriter({ writer: this.bytes, schema, createdBy: 'I/O Lens' });
  }

  /** Adds a row group. */
  async write(rows: readonly RowOfTable[]): Promise<void> {
    const columnData = this.columns.map(([name, type]) => columnOf(name, type, rows));
    await this.writer.write({ columnData, rowGroupSize: Math.max(1, rows.length) });
  }

  /** @returns the file. */
  async finish(): Promise<Uint8Array> {
    await this.writer.finish();
    return this.bytes.getBytes().slice();
  }
}

function columnOf(name: string, type: ColumnType, rows: readonly object[]): ColumnSource {
  const data = rows.map((row) => stored(type, (row as Record<string, ColumnValue>)[name] ?? null));
  return { name, data };
}

function stored(type: ColumnType, value: ColumnValue): unknown {
  if (value === null) return null;
  switch (type) {
    case 'integer':
      return wholeNumber(value as number);
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'instant':
      return wholeNumber((value as number) * 1e6);
    default:
      return value;
  }
}

/** @returns null for what 64 bits do not hold: a damaged log must not keep the others of its batch out. */
function wholeNumber(value: number): bigint | null {
  return Math.abs(value) < 2 ** 63 ? BigInt(Math.round(value)) : null;
}

function schemaOf(name: string, type: ColumnType): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  switch (type) {
    case 'text':
      return [{ ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
    case 'integer':
      return [{ ...optional, type: 'INT64' }];
    case 'number':
      return [{ ...optional, type: 'DOUBLE' }];
    case 'boolean':
      return [{ ...optional, type: 'BOOLEAN' }];
    case 'instant':
      return [{ ...optional, type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }];
    case 'integers':
      return listOf(name, { name: 'element', type: 'INT32', repetition_type: 'REQUIRED' });
    case 'texts':
      return listOf(name, {
        name: 'element',
        type: 'BYTE_ARRAY',
        converted_type: 'UTF8',
        repetition_type: 'REQUIRED',
      });
  }
}

/** Lists of three levels, as the format wants them. */
function listOf(name: string, element: SchemaElement): SchemaElement[] {
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    element,
  ];
}
