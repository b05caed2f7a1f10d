import type { QueryValue } from '../query-engine.ts';
import type { ColumnType } from '../../schema/table.ts';
import type { Columns, Tuple } from './columns.ts';

/** What a group becomes: a column that the engine computes, or a function of the user's that gets the group's tuples. */
export type GroupFunction<Of extends Columns, Name extends string, Type extends ColumnType> =
  | EngineGroupFunction<Of, Name, Type>
  | UserGroupFunction<Of, Name, Type>;

interface EngineGroupFunction<Of extends Columns, Name extends string, Type extends ColumnType> {
  readonly name: Name;
  readonly returns: Type;
  readonly columns: readonly (keyof Of & string)[];
  /** Of the columns as SQL names them. */
  readonly sql: (...columns: string[]) => string;
}

interface UserGroupFunction<Of extends Columns, Name extends string, Type extends ColumnType> {
  readonly name: Name;
  readonly returns: Type;
  /** What of the tuples it needs: nothing else is handed over. */
  readonly columns: readonly (keyof Of & string)[];
  readonly call: (tuples: readonly Tuple<Of>[]) => QueryValue;
}

/** Rows of the group. */
function count(): GroupFunction<Columns, 'count', 'integer'> {
  return { name: 'count', returns: 'integer', columns: [], sql: () => 'count(*)' };
}

/** Sum of a column, under its own name. */
function sum<Name extends string>(column: Name): GroupFunction<Record<Name, ColumnType>, Name, 'number'> {
  return { name: column, returns: 'number', columns: [column], sql: (of) => `sum(${of})::DOUBLE` };
}

/** Mean of a column, under its own name. */
function mean<Name extends string>(column: Name): GroupFunction<Record<Name, ColumnType>, Name, 'number'> {
  return { name: column, returns: 'number', columns: [column], sql: (of) => `avg(${of})` };
}

/** Greatest value of a column, under its own name. */
function most<Name extends string>(column: Name): GroupFunction<Record<Name, ColumnType>, Name, 'number'> {
  return { name: column, returns: 'number', columns: [column], sql: (of) => `max(${of})` };
}

/** Different storage targets of the files of a group: the union of their bitmaps (IOMiner, section II.B). */
function ostCount(): GroupFunction<{ osts: 'integers' }, 'ost_count', 'integer'> {
  return {
    name: 'ost_count',
    returns: 'integer',
    columns: ['osts'],
    sql: (osts) => `len(list_distinct(flatten(list(${osts}) FILTER (${osts} IS NOT NULL))))`,
  };
}

/** Functions for groups that the engine computes. */
export const GROUP_FUNCTIONS = { count, sum, mean, most, ostCount } as const;
