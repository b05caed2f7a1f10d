import { jsonText } from '../export/json-text.ts';
import type { Command } from 'commander';
import { layersText } from '../export/analysis/layers-text.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { resources } from './resources.ts';

export function addLayers(program: Command): void {
  withOpenOptions(
    program
      .command('layers')
      .description('what the calls of each source line became in the layers below')
      .argument('<recording...>'),
  )
    .option('--json', 'as JSON')
    .action(async (recordings: string[], options: OpenOptions & { json?: true }) => {
      const session = localSession(resources);
      const [opened] = await openAll(session, [(await groupRecordings(recordings)).flat()], options);
      const document = await session.lines.layers(opened!.id);
      process.stdout.write(options.json === true ? jsonText(document) : layersText(document));
    });
}
