import type { Command } from 'commander';
import { historyText } from '../../export/fleet/history-text.ts';
import { alarmLines } from '../../export/fleet/history-words.ts';
import { jsonText } from '../../export/json-text.ts';
import { printable } from '../../export/report/report-text.ts';
import { wholeNumber } from '../arguments.ts';
import { STATUS } from '../exit-status.ts';
import { checkOutput } from '../output-file.ts';
import { filterOf, moment, withFilterOptions, type FilterOptions } from './fleet-filter.ts';
import { withStore } from './fleet-query.ts';
import { writeNamed } from './written-file.ts';

interface HistoryOptions extends FilterOptions {
  store: string;
  job?: string;
  changesSince?: number;
  kinds: number;
  alarm?: true;
  alarmFile?: string;
  json?: true;
}

export function addFleetHistory(fleet: Command): void {
  withFilterOptions(
    fleet
      .command('history')
      .description(
        'compares jobs with others of their kind over time, and says since when a kind has been slower or faster',
      )
      .requiredOption('--store <dir>', 'folder of the store')
      .option('--job <id>', 'where this job (number, or log) stands among those of its kind')
      .option('--changes-since <date>', 'only changes at this time or later (UTC)', moment)
      .option('--kinds <number>', 'kinds to list, besides all that have changed', wholeNumber, 20)
      .option('--alarm', 'exit with 1 when a kind has become worse and still is')
      .option('--alarm-file <file>', 'a line for each of these; empty when there is none')
      .option('--json', 'as JSON'),
  ).action(async (options: HistoryOptions) => {
    const { job, changesSince, kinds: mostKinds } = options;
    checkOutput(options.alarmFile, [options.store]);
    const request = {
      ...(job !== undefined && { job }),
      ...(changesSince !== undefined && { changesSince }),
      mostKinds,
    };
    const filter = filterOf(options);
    await withStore(options.store, async (store, signal) => {
      const history = await store.history(request, filter, signal);
      const document = { schema: 'iolens/fleet-history@1', filter, ...request, ...history };
      process.stdout.write(options.json === true ? jsonText(document) : historyText(history));
      const alarms = alarmLines(printable(history.told));
      if (options.alarmFile !== undefined)
        writeNamed('--alarm-file', options.alarmFile, alarms.map((line) => `${line}\n`).join(''));
      if (options.alarm === true && alarms.length > 0) process.exitCode = STATUS.alarm;
    });
  });
}
