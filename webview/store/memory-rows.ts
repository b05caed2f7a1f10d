import type { QueryColumn, QueryResult, QueryValue } from '../../src/features/store/protocol.ts';
import type { AskRows } from '../kit/row-blocks.ts';

/** Rows that are here already, for a table that asks for them. */
export function rowsOf({ columns, rows }: QueryResult): AskRows<QueryColumn, QueryValue> {
  return (first, count) => Promise.resolve({ total: rows.length, columns, rows: rows.slice(first, first + count) });
}
