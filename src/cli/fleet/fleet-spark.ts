import { Option, type Command } from 'commander';
import { resultText } from '../../export/fleet/query-result-text.ts';
import { QueryError, type QueryResult } from '../../fleet/query/query-engine.ts';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import { UsageError } from '../arguments.ts';
import { untilInterrupted } from '../interrupt.ts';
import { print, sayWrong, type ResultOptions } from './query-result.ts';

export interface EngineOptions {
  engine: 'duckdb' | 'spark';
  master?: string;
  python?: string;
}

/** Options that say which engine answers. */
export function withEngineOptions(command: Command): Command {
  return command
    .addOption(new Option('--engine <engine>', 'what answers').choices(['duckdb', 'spark']).default('duckdb'))
    .option('--master <address>', "Spark's master, such as spark://node1:7077 or local[4] (else by Spark's settings)")
    .option('--python <command>', 'a Python with pyspark (default: python3)');
}

/** @throws UsageError when something is said about Spark that is not asked. */
export function asksSpark({ engine, master, python }: EngineOptions): boolean {
  if (engine !== 'spark' && (master !== undefined || python !== undefined))
    throw new UsageError('--master and --python are for --engine spark');
  return engine === 'spark';
}

/** Asks a store in Spark's SQL, and prints what it answers. */
export async function printSparkAnswer(
  sql: string,
  options: ResultOptions & EngineOptions,
  head: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { askSpark } = await import('../../session/fleet/spark/spark-store.ts');
  const place = { master: options.master ?? '', python: options.python ?? 'python3' };
  await untilInterrupted(async (signal) => {
    try {
      const results = async function* (): AsyncGenerator<QueryResult> {
        for await (const { result } of askSpark(options.store, [sql], place, signal)) yield result;
      };
      await print(resultText(results(), options.format, head), options);
    } catch (error) {
      if (signal.aborted) throw new CancelledError('interrupted');
      if (!(error instanceof QueryError)) throw error;
      sayWrong(error);
    }
  });
}
