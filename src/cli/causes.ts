import { jsonText } from '../export/json-text.ts';
import type { Command } from 'commander';
import type { CausesDocument } from '../export/fleet/causes-document.ts';
import { causesText } from '../export/fleet/causes-text.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { resources } from './resources.ts';

/** Files that a document lists for each direction: a job of a million processes may have as many. */
const MOST_FILES = 100_000;

export function addCauses(program: Command): void {
  withOpenOptions(
    program
      .command('causes')
      .description('which files take the time of reads and writes, and why they are slow')
      .argument('<recording...>'),
  )
    .option('--json', 'as JSON')
    .action(async (recordings: string[], options: OpenOptions & { json?: true }) => {
      const session = localSession(resources);
      const opened = await openAll(session, await groupRecordings(recordings), options);
      const found = [];
      for (const { id } of opened) found.push(await session.causes.find(id, MOST_FILES));
      const document: CausesDocument = { schema: 'iolens/causes@1', recordings: found };
      process.stdout.write(options.json === true ? jsonText(document) : found.map(causesText).join('\n'));
    });
}
