import { jsonText } from '../export/json-text.ts';
import type { Command } from 'commander';
import { gapsText } from '../export/gaps/gaps-text.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { resources } from './resources.ts';

export function addGaps(program: Command): void {
  withOpenOptions(
    program
      .command('gaps')
      .description('where the program is between its calls: what it computes, or waits for')
      .argument('<recording...>'),
  )
    .option('--json', 'as JSON')
    .action(async (recordings: string[], options: OpenOptions & { json?: true }) => {
      const session = localSession(resources);
      const opened = await openAll(session, await groupRecordings(recordings), options);
      const found = await Promise.all(opened.map(({ id }) => session.lines.gaps(id)));
      const document = { schema: 'iolens/gaps@1', recordings: found };
      const text = (): string => found.map((one) => gapsText(one, found.length > 1)).join('\n');
      process.stdout.write(options.json === true ? jsonText(document) : text());
    });
}
