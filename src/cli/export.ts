import { Option, type Command } from 'commander';
import { EVENT_FORMATS, type FileFormat } from '../export/events/event-formats.ts';
import { exportOtf2 } from '../session/reading/otf2-archive.ts';
import { messageOf } from '../base/error-message.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { UsageError, withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { checkOutput } from './output-file.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

interface ExportOptions extends OpenOptions {
  format: FileFormat | 'otf2';
  output?: string;
}

export function addExport(program: Command): void {
  withOpenOptions(program.command('export').description('the events, for other programs').argument('<recording...>'))
    .addOption(
      new Option('--format <format>', 'csv, parquet, chrome-trace (for Perfetto), or otf2 (an archive, with -o FOLDER)')
        .choices([...EVENT_FORMATS, 'otf2'])
        .makeOptionMandatory(),
    )
    .option('-o, --output <file>', 'write to a file (or the folder of an archive) instead of standard output')
    .action(async (recordings: string[], { format, output = '-', ...options }: ExportOptions) => {
      if (format === 'parquet' && output === '-' && process.stdout.isTTY)
        throw new UsageError('parquet is not text: name a file with -o');
      if (format === 'otf2' && output === '-') throw new UsageError('an OTF2 archive is a folder: name it with -o');
      const session = localSession(resources);
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
      const written =
        format === 'otf2'
          ? exportOtf2((file) => session.export.events(opened!.id, 'otf2-records', file), output, resources)
          : session.export.events(opened!.id, format, output);
      await written.catch((error: unknown) => {
        if (isBrokenPipe(error)) return;
        throw new UsageError(`${output}: ${messageOf(error)}`);
      });
    });
}

/** A reader that has seen enough (`| head`) is no error. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
