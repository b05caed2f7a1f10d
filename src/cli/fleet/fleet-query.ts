import type { Command } from 'commander';
import { resultText } from '../../export/fleet/query-result-text.ts';
import { OpenedStore } from '../../session/fleet/opened-store.ts';
import { QueryError } from '../../fleet/query/query-engine.ts';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import { untilInterrupted } from '../interrupt.ts';
import { checkOutput } from '../output-file.ts';
import { say } from '../say.ts';
import { print, sayWrong, withResultOptions, type ResultOptions } from './query-result.ts';
import { asksSpark, printSparkAnswer, withEngineOptions, type EngineOptions } from './fleet-spark.ts';

export function addFleetQuery(fleet: Command): void {
  withEngineOptions(
    withResultOptions(
      fleet
        .command('query')
        .description('asks a store in SQL; its tables are job, file, segment_summary, site, insight, scheduler_job, …')
        .argument('<sql>', 'SQL of DuckDB; of Spark with --engine spark'),
    ),
  ).action(async (sql: string, options: ResultOptions & EngineOptions) => {
    checkOutput(options.output, [options.store]);
    if (asksSpark(options)) {
      await printSparkAnswer(sql, options, { schema: 'iolens/query@1' });
      return;
    }
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
