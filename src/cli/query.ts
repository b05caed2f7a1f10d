import type { Command } from 'commander';
import { resultText } from '../export/fleet/query-result-text.ts';
import { QueryError } from '../fleet/query/query-engine.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { OpenedTables } from '../session/fleet/opened-tables.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { CancelledError } from '../session/worker/worker-protocol.ts';
import { withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { print, sayWrong, withFormatOptions, type ResultOptions } from './fleet/query-result.ts';
import { untilInterrupted } from './interrupt.ts';
import { checkOutput } from './output-file.ts';
import { resources } from './resources.ts';

type QueryOptions = OpenOptions & Omit<ResultOptions, 'store'>;

export function addQuery(program: Command): void {
  withFormatOptions(
    withOpenOptions(
      program
        .command('query')
        .description('asks a recording in SQL; its tables are events, sites, files, findings')
        .argument('<recording>')
        .argument('<sql>'),
    ),
  ).action(async (recording: string, sql: string, options: QueryOptions) => {
    const paths = (await groupRecordings([recording])).flat();
    checkOutput(options.output, paths);
    await untilInterrupted((signal) => ask(paths, sql, options, signal));
  });
}

async function ask(paths: readonly string[], sql: string, options: QueryOptions, signal: AbortSignal): Promise<void> {
  const tables = await OpenedTables.open();
  try {
    await tables.check(sql);
    const session = localSession(resources);
    const [opened] = await openAll(session, [paths], options);
    signal.throwIfAborted();
    await tables.fill((folder) => session.export.tables(opened!.id, folder));
    const head = { schema: 'iolens/query@1' };
    await print(resultText(tables.engine.stream(sql, { signal }), options.format, head), options);
  } catch (error) {
    if (signal.aborted) throw new CancelledError('interrupted');
    if (!(error instanceof QueryError)) throw error;
    sayWrong(error);
  } finally {
    tables.close();
  }
}
