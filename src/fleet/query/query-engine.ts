import type { ColumnType } from '../schema/table.ts';

/** Plain data. Integers beyond 2^53 and instants are texts (`2018-01-31 23:59:59.5`, UTC). */
export type QueryValue = null | string | number | boolean | readonly QueryValue[];

export interface QueryColumn {
  readonly name: string;
  /** Type as the engine names it: `VARCHAR`, `BIGINT`, `DOUBLE`, `TIMESTAMP`, `INTEGER[]`, … */
  readonly type: string;
}

export interface QueryResult {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly QueryValue[])[];
  /** There were more rows than were asked for. */
  readonly truncated: boolean;
  readonly elapsedMs: number;
}

export interface QueryOptions {
  /** Values for `$1`, `$2`, …: texts and numbers of users never become part of the SQL. */
  readonly parameters?: readonly QueryValue[];
  /** Rows that are handed out; all unless said. */
  readonly mostRows?: number;
  readonly signal?: AbortSignal;
}

/** A function of the user's that the engine calls for each row (section II.A of IOMiner). */
export interface UserFunction {
  readonly name: string;
  readonly parameters: readonly ColumnType[];
  readonly returns: ColumnType;
  readonly call: (...values: QueryValue[]) => QueryValue;
}

/** An SQL engine over the tables of a store, each a view of the same name (docs/fleet-schema.md). */
export interface QueryEngine {
  /** @throws QueryError in words for the user: what the engine says, and where in the SQL. */
  query(sql: string, options?: QueryOptions): Promise<QueryResult>;
  /** Rows a chunk at a time, so that memory does not grow with them. */
  stream(sql: string, options?: QueryOptions): AsyncIterable<QueryResult>;
  /** A statement without an answer, such as one that makes a table in memory; done when the promise is. */
  run(sql: string, parameters?: readonly QueryValue[]): Promise<void>;
  define(userFunction: UserFunction): Promise<void>;
  close(): void;
}

export class QueryError extends Error {
  override name = 'QueryError';
}
