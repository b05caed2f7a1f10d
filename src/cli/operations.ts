import { jsonText } from '../export/json-text.ts';
import type { Command } from 'commander';
import { operationsText } from '../export/analysis/operations-text.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { resources } from './resources.ts';

export function addOperations(program: Command): void {
  withOpenOptions(
    program
      .command('operations')
      .description('calls, bytes and time by layer, operation, file and function')
      .argument('<recording...>'),
  )
    .option('--json', 'as JSON')
    .action(async (recordings: string[], options: OpenOptions & { json?: true }) => {
      const session = localSession(resources);
      const opened = await openAll(session, await groupRecordings(recordings), options);
      const summaries = await session.timeline.summary(opened.map(({ id }) => id));
      const document = { schema: 'iolens/operations@1', recordings: summaries };
      process.stdout.write(options.json === true ? jsonText(document) : summaries.map(operationsText).join('\n'));
    });
}
