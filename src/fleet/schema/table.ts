/**
 * How a table of the store is described: once, as data. The Parquet files, the views of the SQL engine, the types of rows,
 * the completion in the editor and docs/fleet-schema.md all come of it.
 */

/**
 * - `text`: UTF-8
 * - `integer`: 64 bits, signed
 * - `number`: IEEE double
 * - `boolean`
 * - `instant`: microseconds since 1970, UTC; in rows: seconds since 1970, with fractions
 * - `integers`: list of 32-bit integers (storage targets)
 * - `texts`: list of UTF-8 texts
 */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'instant' | 'integers' | 'texts';

interface Column<Type extends ColumnType = ColumnType> {
  readonly type: Type;
  /** What it says, with its unit and where it comes from; one line of the schema's document. */
  readonly about: string;
}

export interface TableDefinition {
  readonly about: string;
  /** By name, in their order. */
  readonly columns: Readonly<Record<string, Column>>;
  /** The instant whose month (UTC) says in which partition a row stands; rows without one stand in `unknown`. */
  readonly monthOf: string;
}

interface ColumnValues {
  text: string;
  integer: number;
  number: number;
  boolean: boolean;
  instant: number;
  integers: readonly number[];
  texts: readonly string[];
}

/** A value of a column; null where nothing is known, never 0 or ''. */
export type ColumnValue<Type extends ColumnType = ColumnType> = ColumnValues[Type] | null;

/** A row as readers make it. */
export type RowOf<Definition extends Pick<TableDefinition, 'columns'>> = {
  readonly [Name in keyof Definition['columns']]: ColumnValue<Definition['columns'][Name]['type']>;
};

export const text = (about: string): Column<'text'> => ({ type: 'text', about });
export const integer = (about: string): Column<'integer'> => ({ type: 'integer', about });
export const number = (about: string): Column<'number'> => ({ type: 'number', about });
export const boolean = (about: string): Column<'boolean'> => ({ type: 'boolean', about });
export const instant = (about: string): Column<'instant'> => ({ type: 'instant', about });
export const integers = (about: string): Column<'integers'> => ({ type: 'integers', about });
export const texts = (about: string): Column<'texts'> => ({ type: 'texts', about });
