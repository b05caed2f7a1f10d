import type { DuckDBConnection, DuckDBPreparedStatement, StatementType } from '@duckdb/node-api';
import { messageOf } from '../../base/error-message.ts';
import { QueryError } from '../../fleet/query/query-engine.ts';

type Types = typeof StatementType;

/** Statements that begin so may be looked at by the engine: to prepare an `EXPORT` makes its folder. */
const READING = /^(?:select|from|with|values|table|describe|desc|show|summarize|pivot|unpivot|pragma|explain)\b/i;
/** What may stand before them. A comment within a comment is not looked through: then the statement is refused. */
const BEFORE = /^(?:\s|\(|--.*|\/\*(?:(?!\/\*)[^])*?\*\/)+/;
const EXPLAIN = /^explain\b\s*(?:analyze\b\s*|\([^)]*\))?/i;

/**
 * Prepares what a user asks. The engine may read the files of the store, and what may read them may write them, too (`COPY`,
 * `EXPORT`, and `EXPLAIN ANALYZE` of these): a statement is refused unless it only reads.
 * @throws QueryError in words for the user; Error of the engine where it does not know what the SQL names.
 */
export async function readingStatement(
  connection: DuckDBConnection,
  sql: string,
  types: Types,
): Promise<DuckDBPreparedStatement> {
  const extracted = await connection.extractStatements(sql).catch((error: unknown) => {
    throw new QueryError(messageOf(error).replace(/^Failed to extract statements: /, ''));
  });
  const words = sql.replace(BEFORE, '');
  if (!READING.test(words)) throw new QueryError(refusal(/^\w+/.exec(words)?.[0] ?? words.slice(0, 10)));
  const explained = words.replace(EXPLAIN, '');
  if (explained !== words) (await readingStatement(connection, explained, types)).destroySync();
  const last = extracted.count - 1;
  for (let index = 0; index < last; index++) {
    const before = await extracted.prepare(index);
    // The engine makes two of a PIVOT: the names of its columns are kept in memory first.
    const isOfPivot = before.statementType === types.CREATE && !/;\s*\S/.test(sql);
    if (!isOfPivot) throw new QueryError('One query is answered at a time.');
    await before.run();
  }
  const statement = await extracted.prepare(last);
  const type = statement.statementType;
  if (type !== types.SELECT && type !== types.EXPLAIN) throw new QueryError(refusal(types[type]));
  return statement;
}

function refusal(name: string): string {
  return `Queries only read: ${name.toUpperCase()} is not run; SELECT, FROM, WITH, DESCRIBE, EXPLAIN and the like are.`;
}
