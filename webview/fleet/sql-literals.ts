import type { QueryValue } from '../../src/messages/fleet-messages.ts';

/**
 * SQL with its parameters written out, for the user to go on from: the text that is shown in the editor and that runs only
 * when the user runs it.
 */
export function withLiterals(sql: string, parameters: readonly QueryValue[]): string {
  // A name or text in quotes may hold `$1`, and so may a comment: those stay as they are.
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$(\d+)/g, (found, number: string | undefined) => {
    if (number === undefined) return found;
    const value = parameters[Number(number) - 1];
    return value === undefined ? found : literal(value);
  });
}

function literal(value: QueryValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return Array.isArray(value) ? `[${value.map((each: QueryValue) => literal(each)).join(', ')}]` : String(value);
}
