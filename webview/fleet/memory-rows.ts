import type { QueryResult } from '../../src/messages/fleet-messages.ts';
import type { AskRows } from './row-blocks.ts';

/** Rows that are here already, for a table that asks for them. */
export function rowsOf({ columns, rows }: QueryResult): AskRows {
  return (first, count) => Promise.resolve({ total: rows.length, columns, rows: rows.slice(first, first + count) });
}
