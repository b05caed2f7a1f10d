import type { ColumnType, ColumnValue } from '../../schema/table.ts';
import type { TABLES, TableName } from '../../schema/tables.ts';

/** Names and types of the columns of a relation. */
export type Columns = Readonly<Record<string, ColumnType>>;

export type ColumnsOf<Name extends TableName> = {
  readonly [Column in keyof (typeof TABLES)[Name]['columns']]: (typeof TABLES)[Name]['columns'][Column] extends {
    readonly type: infer Type extends ColumnType;
  }
    ? Type
    : never;
};

/** A row by the names of its columns; instants are texts, as the engine gives them. */
export type Tuple<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends 'instant' ? string | null : ColumnValue<Of[Name]>;
};

/** Columns of two relations that are joined: what the left has too gets the name of the right one in front. */
export type JoinedColumns<
  Left extends Columns,
  Right extends Columns,
  Keys extends string,
  RightName extends string,
> = Left & {
  readonly [
    Name in Exclude<keyof Right & string, Keys> as Name extends keyof Left ? `${RightName}_${Name}` : Name
  ]: Right[Name];
};
