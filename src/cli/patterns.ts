import { jsonText } from '../export/json-text.ts';
import { InvalidArgumentError, type Command } from 'commander';
import type { LoopCalls } from '../analysis/loops/loop-options.ts';
import type { LoopsDocument } from '../export/loops/loop-document.ts';
import { loopsText } from '../export/loops/loop-text.ts';
import { printable } from '../export/report/report-text.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { LOOP_CALLS } from '../features/loops/methods.ts';
import { withOpenOptions, type OpenOptions } from './arguments.ts';
import { only, openAll } from './commands.ts';
import { resources } from './resources.ts';

interface PatternOptions extends OpenOptions {
  format: string;
  layer: LoopCalls;
}

export function addPatterns(program: Command): void {
  withOpenOptions(
    program
      .command('patterns')
      .description('loops of the calls, per stream: what is repeated, with which arguments')
      .argument('<recording...>'),
  )
    .option('--format <format>', 'text or json', 'text')
    .option(
      '--layer <layer>',
      'outermost (calls that the program made itself), requests (those that reached the system), or a layer such as MPI-IO',
      layerNamed,
      'outermost',
    )
    .action(async (recordings: string[], options: PatternOptions) => {
      const format = only('format', options.format, ['text', 'json']);
      const session = localSession(resources);
      const opened = await openAll(session, await groupRecordings(recordings), options);
      const found = [];
      for (const { id } of opened) found.push(await session.loops.document(id, options.layer));
      const document: LoopsDocument = { schema: 'iolens/patterns@1', recordings: found };
      process.stdout.write(format === 'json' ? jsonText(document) : printable(found).map(loopsText).join('\n'));
    });
}

function layerNamed(name: string): LoopCalls {
  const choice = LOOP_CALLS.find((known) => known.toLowerCase() === name.toLowerCase());
  if (choice === undefined) throw new InvalidArgumentError(`one of ${LOOP_CALLS.join(', ')} is expected`);
  return choice;
}
