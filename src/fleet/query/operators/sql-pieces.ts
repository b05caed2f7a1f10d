import type { BoundQuery } from '../filtered-query.ts';
import type { QueryValue } from '../query-engine.ts';

/** SQL that is put together: text, and values that become parameters when it is done. */
export type SqlPieces = readonly (string | { readonly value: QueryValue })[];

/** Joins pieces with text between. */
export function joined(all: readonly SqlPieces[], between: string): SqlPieces {
  return all.flatMap((pieces, index) => (index === 0 ? pieces : [between, ...pieces]));
}

/** With its values as `$1`, `$2`, … */
export function boundQuery(pieces: SqlPieces): BoundQuery {
  const parameters: QueryValue[] = [];
  const sql = pieces.map((piece) => (typeof piece === 'string' ? piece : `$${parameters.push(piece.value)}`)).join('');
  return { sql, parameters };
}
