import type { Command } from 'commander';
import { localSession } from '../features/answers/all-answers.ts';
import { messageOf } from '../base/error-message.ts';
import { counted, formatBytes } from '../base/quantities.ts';
import { plainRequest } from '../session/reading/open-request.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { withOpenOptions, type OpenOptions } from './arguments.ts';
import type { InfoDocument } from '../export/analysis/documents.ts';
import { openAll } from './commands.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

interface ResolveOptions extends OpenOptions {
  sourceText: boolean;
}

export function addResolve(program: Command): void {
  withOpenOptions(
    program
      .command('resolve')
      .description(
        'keep functions, lines and quoted source text beside recordings: for other machines, and other builds',
      )
      .argument('<recording...>'),
  )
    .option('--no-source-text', 'keep no line of a source file')
    .action(async (recordings: string[], options: ResolveOptions) => {
      const session = localSession(resources);
      for (const { id, info } of await openAll(session, await groupRecordings(recordings), options)) {
        const kept = await session.export.places(id, options.sourceText);
        if (kept === undefined) {
          say(`${info.recording}: nothing is kept: ${whyNothing(info)}`);
          process.exitCode ??= 1;
          continue;
        }
        for (const module of kept.doubtful) say(`${module} is not kept: it may have been rebuilt since the recording`);
        const lines =
          kept.lines === 0 ? '' : `, ${counted(kept.lines, 'line')} of ${counted(kept.sources, 'source file')}`;
        process.stdout.write(
          `${kept.file}: ${counted(kept.places, 'address', 'addresses')}${lines} (${formatBytes(kept.bytes)})\n`,
        );
      }
    });
}

/** In words for the user. */
function whyNothing({ recording, capabilities }: InfoDocument): string {
  if (recording === '-') return 'standard input has no place for it';
  return capabilities.stacks
    ? 'it names its lines itself, or none of its binaries is here as it was recorded'
    : 'it has no call stacks';
}

/** Reading a larger recording once more would keep the user waiting. */
const READ_AT_ONCE = 512 << 20;

/**
 * What is known of a recording's addresses at its end is kept beside it. It is for the day after the next build: what goes
 * wrong is said, and no more.
 */
export async function keepPlacesOf(
  recording: string,
  { bytes, withTexts }: { readonly bytes: number; readonly withTexts: boolean },
): Promise<void> {
  if (bytes > READ_AT_ONCE) {
    say(`functions and lines are not yet kept in this large recording: iolens resolve ${recording}`);
    return;
  }
  try {
    const session = localSession(resources);
    const [paths] = await groupRecordings([recording]);
    const here = { ...plainRequest(...paths!), workspaceFolders: [process.cwd()], withoutGains: true };
    const { id } = await session.recordings.open(here);
    await session.export.places(id, withTexts);
    await session.recordings.close(id);
  } catch (error) {
    say(`functions and lines are not kept beside ${recording}: ${messageOf(error)}`);
  }
}
