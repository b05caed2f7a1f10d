import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option, type Command } from 'commander';
import { RESULT_FORMATS, type ResultFormat } from '../../export/fleet/query-result-text.ts';
import type { QueryError } from '../../fleet/query/query-engine.ts';
import { UsageError } from '../arguments.ts';
import { STATUS } from '../exit-status.ts';
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
