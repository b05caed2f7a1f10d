import type { Command } from 'commander';
import { chosenFixes, editsByFile, FixChoiceError } from '../export/fixes/chosen-fixes.ts';
import type { FixDocument } from '../export/fixes/fixes-document.ts';
import { fixesText } from '../export/fixes/fixes-text.ts';
import { unifiedDiff } from '../export/fixes/unified-diff.ts';
import { ANSI, PLAIN, relativeTo } from '../export/report/report-text.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession, type Session } from '../features/answers/all-answers.ts';
import { UsageError, withOpenOptions, type OpenOptions } from './arguments.ts';
import { json, openAll } from './commands.ts';
import { sourcesToFix, writeFixed, type SourceToFix } from './fix-files.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

export function addFixes(program: Command): void {
  withOpenOptions(
    program
      .command('fixes')
      .description('changes of the sources for what was found: repairs, trades and examples')
      .argument('<recording...>'),
  )
    .option('--json', 'as JSON')
    .action(async (recordings: string[], options: OpenOptions & { json?: true }) => {
      const session = localSession(resources);
      const opened = await openAll(session, await groupRecordings(recordings), options);
      const document = await session.fixes.list(opened.map(({ id }) => id));
      const style = relativeTo(process.cwd(), process.stdout.isTTY ? ANSI : PLAIN);
      process.stdout.write(options.json === true ? json(document) : fixesText(document, style));
    });
}

interface FixOptions extends OpenOptions {
  diff?: true;
  write?: true;
}

export function addFix(program: Command): void {
  withOpenOptions(
    program
      .command('fix')
      .description('show or make changes that "iolens fixes" lists')
      .argument('<recording>')
      .argument('<id...>'),
  )
    .option('--diff', 'print them as a unified diff for "git apply" or "patch -p1" (what is done without an option)')
    .option('--write', 'change the source files')
    .action(async (recording: string, ids: string[], options: FixOptions) => {
      if (options.diff === true && options.write === true)
        throw new UsageError('--diff and --write exclude each other');
      const session = localSession(resources);
      const fixes = await fixesNamed(session, recording, ids, options);
      const sources = sourcesOf(fixes);
      tellConsequences(fixes, options.write === true);
      if (options.write !== true) {
        for (const { name, text, edits } of sources) process.stdout.write(unifiedDiff(name, text, edits));
        return;
      }
      writeFixed(sources);
      for (const { name } of sources) say(`changed ${name}`);
    });
}

/** @throws UsageError when there is no fix of an id. */
async function fixesNamed(
  session: Session,
  recording: string,
  ids: readonly string[],
  options: OpenOptions,
): Promise<FixDocument[]> {
  const [opened] = await openAll(session, [(await groupRecordings([recording])).flat()], options);
  const document = await session.fixes.list([opened!.id]);
  return asUsage(() => chosenFixes(document, ids));
}

/** @throws UsageError when they cannot be made together, or not in this folder. */
function sourcesOf(fixes: readonly FixDocument[]): SourceToFix[] {
  return asUsage(() => sourcesToFix(editsByFile(fixes), process.cwd()));
}

function asUsage<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    throw error instanceof FixChoiceError ? new UsageError(error.message) : error;
  }
}

/**
 * What has to be known before they are made.
 * @throws UsageError when the lines of one may be others by now, and files are to be written.
 */
function tellConsequences(fixes: readonly FixDocument[], isWritten: boolean): void {
  for (const { id, lineNote } of fixes) {
    if (lineNote === null) continue;
    if (isWritten) throw new UsageError(`${id}: ${lineNote} Record again, or look at it with --diff.`);
    say(`${id}: ${lineNote}`);
  }
  for (const { id, kind, title, notes } of fixes) {
    if (kind === 'example') continue;
    say(`${id} (${kind}): ${[title, ...notes].join('; ')}`);
  }
  const files = fixes
    .filter(({ kind }) => kind !== 'example')
    .flatMap(({ edits }) => [...new Set(edits.map(({ file }) => file))]);
  if (new Set(files).size < files.length)
    say('several of these change one file, and each was worked out for the file as it is: test them together');
}
