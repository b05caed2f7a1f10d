import { Option, type Command } from 'commander';
import { EVENT_FORMATS, type EventFormat } from '../export/events/event-formats.ts';
import { messageOf } from '../session/error-message.ts';
import { groupRecordings } from '../session/recording-groups.ts';
import { Session } from '../session/session.ts';
import { UsageError, withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { checkOutput } from './output-file.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

interface ExportOptions extends OpenOptions {
  format: EventFormat;
  output?: string;
}

export function addExport(program: Command): void {
  withOpenOptions(program.command('export').description('the events, for other programs').argument('<recording...>'))
    .addOption(
      new Option('--format <format>', 'csv, parquet, or chrome-trace (for Perfetto)')
        .choices(EVENT_FORMATS)
        .makeOptionMandatory(),
    )
    .option('-o, --output <file>', 'write to a file instead of standard output')
    .action(async (recordings: string[], { format, output = '-', ...options }: ExportOptions) => {
      if (format === 'parquet' && output === '-' && process.stdout.isTTY)
        throw new UsageError('parquet is no text: name a file with -o');
      const session = new Session(resources);
      const paths = (await groupRecordings(recordings)).flat();
      checkOutput(output, paths);
      const [opened] = await openAll(session, [paths], options);
      const { events, counters } = opened!.info;
      if (events === 0)
        say(
          Object.keys(counters).length > 0
            ? 'the log holds counters and no events (segments): what is exported is empty'
            : 'the recording holds no events',
        );
      await session.exportEvents(opened!.id, format, output).catch((error: unknown) => {
        if (isBrokenPipe(error)) return;
        throw new UsageError(`${output}: ${messageOf(error)}`);
      });
    });
}

/** A reader that has seen enough (`| head`) is no error. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
