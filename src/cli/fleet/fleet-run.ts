import { jsonText } from '../../export/json-text.ts';
import type { Command } from 'commander';
import { resultText } from '../../export/fleet/query-result-text.ts';
import { runScript } from '../../session/fleet/run-script.ts';
import { withStore } from './fleet-query.ts';
import { print, withResultOptions, type ResultOptions } from './query-result.ts';

export function addFleetRun(fleet: Command): void {
  withResultOptions(
    fleet
      .command('run')
      .description('asks a store with a script of yours, by operators instead of SQL')
      .argument('<script>', 'module whose default export is (miner, tools) => tuples')
      .argument('[arguments...]', 'what the script finds in tools.arguments'),
  ).action(async (script: string, given: string[], options: ResultOptions) => {
    await withStore(options.store, async (store, signal) => {
      const result = await runScript(store, script, given, signal);
      if ('rows' in result) await print(resultText(result.rows, options.format, { schema: 'iolens/query@1' }), options);
      else if (result.value !== undefined) await print(piece(result.value), options);
    });
  });
}

// oxlint-disable-next-line typescript/require-await -- printed as everything else: piece by piece
async function* piece(value: unknown): AsyncGenerator<string> {
  yield jsonText(value);
}
