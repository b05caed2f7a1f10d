import { jsonText } from '../export/json-text.ts';
import type { Command } from 'commander';
import { chosenFixes, editsByFile, FixChoiceError } from '../export/fixes/chosen-fixes.ts';
import type { FixDocument } from '../export/fixes/fixes-document.ts';
import { fixesText } from '../export/fixes/fixes-text.ts';
import { unifiedDiff } from '../export/fixes/unified-diff.ts';
import { ANSI, PLAIN, relativeTo } from '../export/report/report-text.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { collect, UsageError, wholeNumber, withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { sourcesToFix, writeFixed } from './fix-files.ts';
import { folderToTry, TRIAL_FORMATS, tryAndTell, type TryOptions } from './fix-try.ts';
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
      process.stdout.write(options.json === true ? jsonText(document) : fixesText(document, style));
    });
}

interface FixOptions extends TryOptions {
  diff?: true;
  write?: true;
}

const OF_TRIAL = [
  'build',
  'run',
  'cwd',
  'env',
  'outputs',
  'repeat',
  'faults',
  'allowOutside',
  'format',
  'json',
  'output',
] as const;

export function addFix(program: Command): void {
  withOpenOptions(
    program
      .command('fix')
      .description('show, make or try changes that "iolens fixes" lists')
      .argument('<recording>')
      .argument('<id...>'),
  )
    .option('--diff', 'print them as a unified diff for "git apply" or "patch -p1" (the default)')
    .option('--write', 'change the source files')
    .option('--try', 'build and run the program before and after, in copies of the folder, and compare')
    .option('--build <command>', 'try: what builds it, as for a shell')
    .option('--run <command>', 'try: what runs it, as for a shell')
    .option('--cwd <folder>', 'try: the folder that is copied, and that both commands are run in (default: this one)')
    .option('--env <name=value>', 'try: a variable for both commands (repeatable)', collect)
    .option('--outputs <glob>', 'try: of the written files, compare only these (repeatable; default: all)', collect)
    .option('--repeat <times>', 'try: measured runs of each (default: 5)', wholeNumber)
    .option('--faults', 'try: also with a full disk, ended by SIGTERM halfway, with interrupted and with short calls')
    .option('--allow-outside', 'try: even if the program writes files outside the folder')
    .option('--format <format>', `try: ${TRIAL_FORMATS.join(', ')} (for a merge request)`)
    .option('--json', 'try: the same as --format json')
    .option('-o, --output <file>', 'try: write to a file')
    .action(async (recording: string, ids: string[], options: FixOptions) => {
      checkTogether(options);
      const session = localSession(resources);
      const recordings = (await groupRecordings([recording])).flat();
      const [opened] = await openAll(session, [recordings], options);
      const document = await session.fixes.list([opened!.id]);
      const fixes = await asUsage(() => chosenFixes(document, ids));
      const folder = folderToTry(options);
      if (options.try === true) {
        tellConsequences(fixes, false);
        await asUsage(() =>
          tryAndTell({ fixes, folder, session, id: opened!.id, recordings, named: [recording] }, options),
        );
        return;
      }
      const sources = await asUsage(() => sourcesToFix(editsByFile(fixes), folder));
      tellConsequences(fixes, options.write === true);
      if (options.write !== true) {
        for (const { name, text, edits } of sources) process.stdout.write(unifiedDiff(name, text, edits));
        return;
      }
      writeFixed(sources);
      for (const { name } of sources) say(`changed ${name}`);
    });
}

function checkTogether(options: FixOptions): void {
  const modes = (['diff', 'write', 'try'] as const).filter((name) => options[name] === true);
  if (modes.length > 1) throw new UsageError('--diff, --write and --try exclude each other');
  const other = options.try === true ? undefined : OF_TRIAL.find((name) => options[name] !== undefined);
  if (other !== undefined) throw new UsageError(`--${other.replace('O', '-o')} is for --try`);
}

async function asUsage<Value>(make: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await make();
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
