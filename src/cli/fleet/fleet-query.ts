import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import { RESULT_FORMATS, resultText, type ResultFormat } from '../../export/fleet/query-result-text.ts';
import { OpenedStore } from '../../session/fleet/opened-store.ts';
import { QueryError } from '../../fleet/query/query-engine.ts';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import { UsageError } from '../arguments.ts';
import { STATUS } from '../exit-status.ts';
import { untilInterrupted } from '../interrupt.ts';
import { checkOutput } from '../output-file.ts';
import { say } from '../say.ts';

export interface ResultOptions {
  store: string;
  format: ResultFormat;
  output?: string;
}

export function withResultOptions(command: Command): Command {
  return withFormatOptions(command.requiredOption('--store <dir>', 'folder of the store'));
}

export function withFormatOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'how it is printed').choices(RESULT_FORMATS).default('table'))
    .option('-o, --output <file>', 'write to a file instead of standard output');
}

export function addFleetQuery(fleet: Command): void {
  withResultOptions(
    fleet
      .command('query')
      .description('asks a store in SQL; its tables are job, file, segment_summary, site, insight, scheduler_job, …')
      .argument('<sql>'),
  ).action(async (sql: string, options: ResultOptions) => {
    checkOutput(options.output, [options.store]);
    await withStore(options.store, async (store, signal) => {
      await print(
        resultText(store.engine.stream(sql, { signal }), options.format, { schema: 'iolens/query@1' }),
        options,
      );
    });
  });
}

/** Opens a store for a question that the user may interrupt. */
export async function withStore(
  folder: string,
  ask: (store: OpenedStore, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await untilInterrupted(async (signal) => {
    const store = await OpenedStore.open(folder);
    try {
      const left = await store.uncounted();
      if (left !== undefined) say(left);
      await ask(store, signal);
    } catch (error) {
      if (signal.aborted) throw new CancelledError('interrupted');
      if (!(error instanceof QueryError)) throw error;
      const wrong = await store.wrongParts();
      if (wrong !== undefined) throw new Error(wrong, { cause: error });
      sayWrong(error);
    } finally {
      store.close();
    }
  });
}

/** What is wrong with a query: the engine shows the place in it on lines of their own. */
export function sayWrong(error: QueryError): void {
  error.message.split('\n').forEach(say);
  process.exitCode = STATUS.usage;
}

/** Writes text as it comes. */
export async function print(text: AsyncGenerator<string>, { output }: Pick<ResultOptions, 'output'>): Promise<void> {
  if (output === undefined || output === '-') {
    await pipeline(Readable.from(text), process.stdout, { end: false });
    return;
  }
  // A question that fails at once leaves the file as it was.
  const first = await text.next();
  const pieces = (async function* (): AsyncGenerator<string> {
    if (first.done !== true) yield first.value;
    yield* text;
  })();
  await pipeline(Readable.from(pieces), createWriteStream(output)).catch((error: unknown) => {
    const isFile = error instanceof Error && 'syscall' in error;
    throw isFile ? new UsageError(`-o ${output}: ${error.message}`) : error;
  });
}
