import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import {
  QueryError,
  type QueryColumn,
  type QueryEngine,
  type QueryOptions,
  type QueryResult,
  type QueryValue,
  type UserFunction,
} from '../../fleet/query/query-engine.ts';
import type { ColumnType } from '../../fleet/schema/table.ts';
import { messageOf } from '../../base/error-message.ts';
import { loadDuckDb, type DuckDb } from './load-duckdb.ts';
import { readingStatement } from './reading-statement.ts';

/** DuckDB in memory over Parquet files of one folder; it reaches no other file and no network, and queries only read. */
export class DuckDbEngine implements QueryEngine {
  /** Connections with a query under way. */
  private readonly running = new Set<DuckDBConnection>();
  private connecting = 0;
  private isClosed = false;
  /**
   * What memory does not hold: by itself the engine would write it to `.tmp` of the working directory, and let queries read
   * what lies there. Only its owner may look into it, and it goes at the end of the process at the latest.
   */
  private readonly overflow = mkdtempSync(path.join(os.tmpdir(), 'iolens-sql-'));
  private readonly removeOverflow = (): void => rmSync(this.overflow, { recursive: true, force: true });

  private constructor(
    private readonly duckdb: DuckDb,
    private readonly instance: DuckDBInstance,
    private readonly connection: DuckDBConnection,
  ) {
    process.once('exit', this.removeOverflow);
  }

  /**
   * @param folder that it may read.
   * @param setUp statements to begin with: the views.
   * @param engineFolders where the engine may lie besides the modules of the program.
   * @throws EngineMissingError in words for the user when there is no DuckDB on this machine.
   */
  static async open(
    folder: string,
    setUp: readonly string[],
    engineFolders: readonly string[] = [],
  ): Promise<DuckDbEngine> {
    const duckdb = await loadDuckDb(engineFolders);
    const instance = await duckdb.DuckDBInstance.create(':memory:', {
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
    });
    const connection = await instance.connect();
    const engine = new DuckDbEngine(duckdb, instance, connection);
    try {
      // Queries are the user's, but what they may reach is the store.
      await connection.run(`SET temp_directory = ${quoted(engine.overflow)}`);
      await connection.run(`SET allowed_directories = [${quoted(`${folder}/`)}]`);
      await connection.run('SET enable_external_access = false');
      await connection.run("SET TimeZone = 'UTC'");
      await engine.setUp(setUp);
      await connection.run('SET lock_configuration = true');
    } catch (error) {
      engine.close();
      throw error;
    }
    return engine;
  }

  /** Makes views anew, after the store has changed. */
  async setUp(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.connection.run(statement);
  }

  async query(sql: string, options: QueryOptions = {}): Promise<QueryResult> {
    const most = options.mostRows ?? Infinity;
    const started = performance.now();
    let columns: readonly QueryColumn[] = [];
    const rows: (readonly QueryValue[])[] = [];
    for await (const chunk of this.stream(sql, options)) {
      ({ columns } = chunk);
      for (const row of chunk.rows) rows.push(row);
      if (rows.length > most) break;
    }
    const truncated = rows.length > most;
    if (truncated) rows.length = most;
    return { columns, rows, truncated, elapsedMs: performance.now() - started };
  }

  async *stream(sql: string, { parameters = [], signal }: QueryOptions = {}): AsyncGenerator<QueryResult> {
    const started = performance.now();
    signal?.throwIfAborted();
    if (isWithoutWords(sql)) throw new QueryError('The query is empty.');
    // A connection streams one result: another query on it would end this one.
    const connection = await this.begin();
    const interrupt = (): void => connection.interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
    try {
      const statement = await readingStatement(connection, sql, this.duckdb.StatementType);
      statement.bind(
        parameters.map((value) => this.bound(value)),
        parameters.map((value) => this.boundType(value)),
      );
      const result = await statement.stream();
      statement.destroySync();
      const columns = columnsOf(result);
      let any = false;
      for await (const rows of result.yieldConvertedRows(this.converter)) {
        any = true;
        yield { columns, rows, truncated: false, elapsedMs: performance.now() - started };
      }
      // What was interrupted between two chunks ends as if it were complete.
      signal?.throwIfAborted();
      if (!any) yield { columns, rows: [], truncated: false, elapsedMs: performance.now() - started };
    } catch (error) {
      signal?.throwIfAborted();
      throw new QueryError(engineWords(error));
    } finally {
      signal?.removeEventListener('abort', interrupt);
      connection.disconnectSync();
      this.end(connection);
    }
  }

  /** @throws QueryError in words for the user when the query cannot be asked. */
  async check(sql: string): Promise<void> {
    if (isWithoutWords(sql)) throw new QueryError('The query is empty.');
    // The columns of a PIVOT are values of its rows: before there are any nothing can be said.
    if (/\bpivot/i.test(sql)) return;
    const connection = await this.begin();
    try {
      (await readingStatement(connection, sql, this.duckdb.StatementType)).destroySync();
    } catch (error) {
      throw new QueryError(engineWords(error));
    } finally {
      connection.disconnectSync();
      this.end(connection);
    }
  }

  async run(sql: string, parameters: readonly QueryValue[] = []): Promise<void> {
    const connection = await this.begin();
    try {
      await connection.run(
        sql,
        parameters.map((value) => this.bound(value)),
        parameters.map((value) => this.boundType(value)),
      );
    } catch (error) {
      throw new QueryError(engineWords(error));
    } finally {
      connection.disconnectSync();
      this.end(connection);
    }
  }

  define({ name, parameters, returns, call }: UserFunction): Promise<void> {
    const { DuckDBScalarFunction } = this.duckdb;
    const toValue = this.plain;
    const toBound = (value: QueryValue): DuckDBValue =>
      returns === 'integer' && typeof value === 'number' ? BigInt(value) : this.bound(value);
    this.connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name,
        parameterTypes: parameters.map((type) => this.typeOf(type)),
        returnType: this.typeOf(returns),
        // Without it the engine answers null for null, and the function is never asked.
        specialHandling: true,
        mainFunction: (info, input, output) => {
          try {
            const columns = input.getColumns();
            for (let row = 0; row < input.rowCount; row++)
              output.setItem(row, toBound(call(...columns.map((column) => toValue(column[row]!)))));
            output.flush();
          } catch (error) {
            info.setError(`${name}: ${messageOf(error)}`);
          }
        },
      }),
    );
    return Promise.resolve();
  }

  /** Queries that are under way end with an error; the engine goes with the last of them: sooner would end the process. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const connection of this.running) connection.interrupt();
    if (this.running.size + this.connecting === 0) this.release();
  }

  private closed(): boolean {
    return this.isClosed;
  }

  private async begin(): Promise<DuckDBConnection> {
    if (this.isClosed) throw new QueryError('The store was closed.');
    this.connecting++;
    const connection = await this.instance.connect().finally(() => this.connecting--);
    this.running.add(connection);
    if (this.closed()) connection.interrupt();
    return connection;
  }

  private end(connection: DuckDBConnection): void {
    this.running.delete(connection);
    if (this.isClosed && this.running.size + this.connecting === 0) this.release();
  }

  private release(): void {
    this.connection.closeSync();
    this.instance.closeSync();
    this.removeOverflow();
    process.off('exit', this.removeOverflow);
  }

  private typeOf(type: ColumnType): DuckDBType {
    const { BIGINT, BOOLEAN, DOUBLE, INTEGER, LIST, TIMESTAMP, VARCHAR } = this.duckdb;
    switch (type) {
      case 'text':
        return VARCHAR;
      case 'integer':
        return BIGINT;
      case 'number':
        return DOUBLE;
      case 'boolean':
        return BOOLEAN;
      case 'instant':
        return TIMESTAMP;
      case 'integers':
        return LIST(INTEGER);
      case 'texts':
        return LIST(VARCHAR);
    }
  }

  private bound(value: QueryValue): DuckDBValue {
    if (Array.isArray(value)) return this.duckdb.listValue(value.map((item: QueryValue) => this.bound(item)));
    return value as null | string | number | boolean;
  }

  private boundType(value: QueryValue | undefined): DuckDBType {
    const { BIGINT, BOOLEAN, DOUBLE, LIST, SQLNULL, VARCHAR } = this.duckdb;
    if (value === null || value === undefined) return SQLNULL;
    if (Array.isArray(value)) return LIST(value.length === 0 ? VARCHAR : this.boundType(value[0] as QueryValue));
    if (typeof value === 'boolean') return BOOLEAN;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BIGINT : DOUBLE;
    return VARCHAR;
  }

  private readonly converter = (value: DuckDBValue): QueryValue => this.plain(value);

  private readonly plain = (value: DuckDBValue): QueryValue => {
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    if (value instanceof this.duckdb.DuckDBListValue) return value.items.map(this.plain);
    if (value instanceof this.duckdb.DuckDBDecimalValue) return value.toDouble();
    return value.toString();
  };
}

/** A text in SQL. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Blanks and comments. */
const isWithoutWords = (sql: string): boolean => sql.replaceAll(/--.*|\/\*[^]*?\*\/|[;\s]/g, '') === '';

/** The engine sets its hints in with tabs, which are no characters for a terminal of ours. */
function engineWords(error: unknown): string {
  return messageOf(error).replaceAll('\t', '  ').trimEnd();
}

function columnsOf(result: DuckDBResult): QueryColumn[] {
  const types = result.columnTypes();
  return result.deduplicatedColumnNames().map((name, index) => ({ name, type: String(types[index]) }));
}
