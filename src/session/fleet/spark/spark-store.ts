import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf } from '../../../base/error-message.ts';
import { filteredQuery, withValues } from '../../../fleet/query/filtered-query.ts';
import type { JobFilter } from '../../../fleet/query/job-filter.ts';
import { QueryError, type QueryColumn, type QueryResult, type QueryValue } from '../../../fleet/query/query-engine.ts';
import { questionNamed, questionValues } from '../../../fleet/query/questions/questions.ts';
import { mergedQuery } from '../../../fleet/query/scheduler-views.ts';
import { SPARK_VIEWS, sparkSql } from '../../../fleet/query/spark/spark-sql.ts';
import type { ColumnType, TableDefinition } from '../../../fleet/schema/table.ts';
import { TABLE_NAMES, TABLES, type TableName } from '../../../fleet/schema/tables.ts';
import { readManifests, type StoreContents } from '../../../fleet/store/read-manifests.ts';
import { LocalStore } from '../local-store.ts';
import { existingStore } from '../store-folder.ts';
import { ANSWER_MARK, SPARK_PROGRAM } from './spark-program.ts';

interface SparkPlace {
  /** Of the cluster, such as `spark://node1:7077` or `local[4]`; '' for what Spark's own settings say. */
  readonly master: string;
  /** A Python that has pyspark. */
  readonly python: string;
}

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'STRING',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  instant: 'TIMESTAMP',
  integers: 'ARRAY<INT>',
  texts: 'ARRAY<STRING>',
};

/** Words of a failure that are kept. */
const MOST_ERROR = 4000;

/** A ready-made question with its values, in Spark's SQL. @throws RangeError in words for the user. */
export function sparkQuestion(id: string, given: readonly QueryValue[], filter: JobFilter = {}): string {
  const question = questionNamed(id);
  return sparkSql(withValues(filteredQuery(question.sql, questionValues(question, given), filter)));
}

/** Rows of an answer. */
interface SparkAnswer {
  /** Which query it answers, from 0. */
  readonly query: number;
  readonly result: QueryResult;
}

/**
 * Asks a store in Spark's SQL: the engine reads the same files, each table as a view of its name.
 * @param queries one after the other: Spark takes long to start.
 * @throws QueryError in words for the user: what Spark says, or what it lacks.
 */
export async function* askSpark(
  folder: string,
  queries: readonly string[],
  { master, python }: SparkPlace,
  signal?: AbortSignal,
): AsyncGenerator<SparkAnswer> {
  const store = new LocalStore(path.resolve(folder));
  await existingStore(folder);
  const contents = await readManifests(store);
  if (contents.repeated.length > 0)
    throw new QueryError(
      `${folder}: two ingestions took in the same logs at the same time: run "iolens fleet compact" first`,
    );
  const tables = TABLE_NAMES.map((name) => tableOf(name, contents, store));
  yield* answers({ master, python }, { master, queries, tables }, signal);
}

interface SparkTable {
  readonly name: TableName;
  readonly schema: string;
  readonly folder: string;
  readonly files: readonly string[];
  readonly views: readonly string[];
}

function tableOf(name: TableName, { parts }: StoreContents, store: LocalStore): SparkTable {
  const { columns }: TableDefinition = TABLES[name];
  const schema = Object.entries(columns).map(([column, { type }]) => `\`${column}\` ${TYPES[type]}`);
  const merged = sparkSql(mergedQuery(name, `SELECT * FROM main.stored_${name}`));
  return {
    name,
    schema: [...schema, 'month STRING'].join(', '),
    folder: store.location(`parts/${name}`),
    files: parts.filter(({ table }) => table === name).map((part) => store.location(part.path)),
    views: [
      `CREATE OR REPLACE GLOBAL TEMPORARY VIEW ${name} AS ${merged}`,
      `CREATE OR REPLACE TEMPORARY VIEW ${name} AS SELECT * FROM ${SPARK_VIEWS}.${name}`,
    ],
  };
}

interface SparkProgramInput {
  readonly master: string;
  readonly queries: readonly string[];
  readonly tables: readonly SparkTable[];
}

/** A line of the program's answer. */
interface AnswerLine {
  readonly missing?: string;
  readonly failed?: string;
  readonly columns?: readonly QueryColumn[];
  readonly rows?: readonly (readonly QueryValue[])[];
  readonly done?: boolean;
}

async function* answers(
  { python }: SparkPlace,
  input: SparkProgramInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<SparkAnswer> {
  const began = Date.now();
  const running = startPython(python, input);
  const stop = (): void => running.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    let columns: readonly QueryColumn[] = [];
    let query = 0;
    for await (const line of running.lines) {
      const answer = JSON.parse(line) as AnswerLine;
      if (answer.missing !== undefined) throw new QueryError(withoutSpark(python, answer.missing));
      if (answer.failed !== undefined) throw new QueryError(answer.failed);
      columns = answer.columns ?? columns;
      if (answer.rows !== undefined) {
        const result = { columns, rows: answer.rows, truncated: false, elapsedMs: Date.now() - began };
        yield { query, result };
      }
      if (answer.done === true && ++query === input.queries.length) return;
    }
    signal?.throwIfAborted();
    throw new QueryError(await running.whyEnded());
  } finally {
    signal?.removeEventListener('abort', stop);
    running.stop();
  }
}

interface RunningPython {
  readonly lines: AsyncIterable<string>;
  whyEnded(): Promise<string>;
  stop(): void;
}

function startPython(python: string, input: SparkProgramInput): RunningPython {
  // A group of its own: Spark starts Java.
  const child = spawn(python, ['-c', SPARK_PROGRAM], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MOST_ERROR)));
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(withoutSpark(python, messageOf(error))));
    child.once('close', () => resolve(said.trim() === '' ? 'Spark ended without an answer' : said.trim()));
  });
  // Who ended does not read.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(input));
  return {
    lines: markedLines(createInterface({ input: child.stdout, crlfDelay: Infinity })),
    whyEnded: () => ended,
    stop: () => {
      if (child.pid === undefined || child.exitCode !== null) return;
      try {
        process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended meanwhile.
      }
    },
  };
}

async function* markedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) if (line.startsWith(ANSWER_MARK)) yield line.slice(ANSWER_MARK.length);
}

function withoutSpark(python: string, why: string): string {
  return `Spark is asked through ${python} with pyspark (pip install pyspark) and Java: ${why}; --python names another`;
}
