import { chosenFixes, editsByFile } from '../../export/fixes/chosen-fixes.ts';
import type { FixDocument } from '../../export/fixes/fixes-document.ts';
import type { TrialDocument } from '../../export/fixes/trial-document.ts';
import { trialText } from '../../export/fixes/trial-text.ts';
import { unifiedDiff } from '../../export/fixes/unified-diff.ts';
import { printable } from '../../export/report/report-text.ts';
import { fixesAnswer, type FixesQuestion } from '../../features/answers/agent/fix-answers.ts';
import { cutText, shortened } from '../../features/answers/agent/limits.ts';
import { sourcesToFix, writeFixed, type SourceToFix } from '../fix-files.ts';
import { openArguments, runOwnCommand } from './own-command.ts';
import { fixesText } from './texts.ts';
import { limitOf, RECORDING, SOURCE_FILE, type Tool, type ToolCall, type Workplace } from './tool.ts';

/** Tools about changes of the sources: they are listed, shown, applied and tried. */

const IDS = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  maxItems: 50,
  description: 'Identities of fixes as list_fixes gives them, such as "P06-1".',
} as const;

interface FixesInput {
  readonly recording: string;
  readonly ids: readonly string[];
}

const listFixes: Tool = {
  name: 'list_fixes',
  title: 'What can be changed',
  description:
    'Lists ready changes of the source code for the findings of a recording, each with an identity. A "repair" keeps the program right for every caller, thread and reader; a "trade" has the same results but changes what its title says (what is lost when the program is killed, say); an "example" is only a comment that shows how, with the reason why no more is offered. Use it before writing a fix by hand.',
  input: {
    type: 'object',
    properties: {
      recording: RECORDING,
      code: { type: 'string', description: 'Only fixes for findings of this code, such as "P06".' },
      file: SOURCE_FILE,
      limit: limitOf(20, 100),
    },
    required: ['recording'],
    additionalProperties: false,
  },
  answer: ({ recording, ...question }: FixesQuestion & { recording: string }, { session, withRecordings }, call) =>
    withRecordings([recording], call, async (asked) => {
      const answer = await fixesAnswer(session, asked, question);
      return { text: fixesText(answer), data: { ...answer } };
    }),
};

interface ChosenFixes {
  readonly fixes: readonly FixDocument[];
  readonly sources: readonly SourceToFix[];
}

/** @throws Error in words for the model when they are not there, or cannot be made in the working folder. */
function chosen(
  { recording, ids }: FixesInput,
  { session, withRecordings }: Workplace,
  call: ToolCall,
): Promise<ChosenFixes> {
  return withRecordings([recording], call, async ({ id }) => {
    const fixes = chosenFixes(await session.fixes.list([id]), ids);
    return { fixes, sources: sourcesToFix(editsByFile(fixes), process.cwd()) };
  });
}

/** What is to be known of each: the kind, the title, and what stands against it. */
function promises(fixes: readonly FixDocument[]): string[] {
  return fixes.map(({ id, kind, title, notes, lineNote }) =>
    printable(`${id} (${kind}): ${[title, ...notes, ...(lineNote === null ? [] : [lineNote])].join('; ')}`),
  );
}

/** Characters of a diff that are told. */
const LONGEST_DIFF = 40_000;

const showFix: Tool = {
  name: 'show_fix',
  title: 'A change as a diff',
  description:
    'Shows fixes as one unified diff, for "git apply" in the working folder, and changes nothing. Several fixes make one diff.',
  input: {
    type: 'object',
    properties: { recording: RECORDING, ids: IDS },
    required: ['recording', 'ids'],
    additionalProperties: false,
  },
  answer: async (input: FixesInput, place, call) => {
    const { fixes, sources } = await chosen(input, place, call);
    const diff = sources.map(({ name, text, edits }) => unifiedDiff(name, text, edits)).join('');
    const isWhole = diff.length <= LONGEST_DIFF;
    const told = cutText(diff, LONGEST_DIFF);
    return {
      text: [...promises(fixes), ...(isWhole ? [] : ['The diff is cut: ask for fewer fixes.']), told].join('\n'),
      data: {
        fixes: fixes.map(({ id, kind, title, notes }) => shortened({ id, kind, title, notes })),
        diff: told,
        isWhole,
      },
    };
  },
};

const applyFix: Tool = {
  name: 'apply_fix',
  title: 'Make a change',
  description:
    'Writes fixes into the source files of the working folder, and changes nothing else. Look at them with show_fix first; apply a "trade" only when the user accepts what its title says. It refuses a source that was edited since the recording when its lines cannot be found again. Fixes have new identities afterwards: call list_fixes before the next change. The server must have been started with --allow-write.',
  input: showFix.input,
  needs: 'write',
  answer: async (input: FixesInput, place, call) => {
    const { fixes, sources } = await chosen(input, place, call);
    const doubtful = fixes.find(({ lineNote }) => lineNote !== null);
    if (doubtful !== undefined) throw new Error(`${doubtful.id}: ${doubtful.lineNote!} Record again.`);
    writeFixed(sources);
    const changed = sources.map(({ name }) => name);
    return {
      text: [
        ...promises(fixes),
        ...changed.map((name) => printable(`changed ${name}`)),
        'Other fixes have new identities now: call list_fixes again.',
      ].join('\n'),
      data: { changed, fixes: fixes.map(({ id, kind, title }) => shortened({ id, kind, title })) },
    };
  },
};

interface TryInput extends FixesInput {
  readonly build: string;
  readonly run: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly outputs?: readonly string[];
  readonly repeat?: number;
  readonly faults?: boolean;
}

const tryFix: Tool = {
  name: 'try_fix',
  title: 'Prove a change',
  description:
    'Proves fixes: builds and runs the program with and without them in copies of its folder, compares exit status, standard output and every file written, records both, and measures the time. Tells whether results stay equal, the finding is gone, and what was saved with its interval. The sources stay as they are. It is refused when the program writes files outside the folder: then only the user can try it, by the command line. It takes a multiple of the build and the run: choose a small input. The server must have been started with --allow-run.',
  input: {
    type: 'object',
    properties: {
      recording: RECORDING,
      ids: IDS,
      build: { type: 'string', description: 'Command line for a shell that builds the program, such as "make -j".' },
      run: { type: 'string', description: 'Command line for a shell that runs it, such as "./app input.nml".' },
      cwd: {
        type: 'string',
        description: 'Folder that is copied, and in which both are run; the working folder by default.',
      },
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Variables for both commands.',
      },
      outputs: {
        type: 'array',
        items: { type: 'string' },
        description: 'Globs of the written files that are compared; all by default.',
      },
      repeat: { type: 'integer', minimum: 2, maximum: 100, description: 'Measured runs of each; 5 by default.' },
      faults: {
        type: 'boolean',
        description:
          'Also with a full disk, ended by SIGTERM halfway, with interrupted and with short calls; where there are threads each runs ten times.',
      },
    },
    required: ['recording', 'ids', 'build', 'run'],
    additionalProperties: false,
  },
  needs: 'run',
  answer: async (input: TryInput, { options, programs }, call) => {
    const args = tryArguments(input, openArguments(options));
    const { status, output, errors } = await programs.take(call.signal, () => runOwnCommand(args, call));
    // 0 and 1 are verdicts; with all else there is none.
    if (status !== 0 && status !== 1) throw new Error(errors.trimEnd());
    const document = JSON.parse(output) as TrialDocument;
    return { text: trialText(document), data: { ...shortened(document) } };
  },
};

function tryArguments(input: TryInput, open: readonly string[]): string[] {
  const { recording, ids, build, run, cwd, env = {}, outputs = [], repeat, faults } = input;
  return [
    'fix',
    ...open,
    ...['--try', '--json', '--progress=plain', `--build=${build}`, `--run=${run}`],
    ...(cwd === undefined ? [] : [`--cwd=${cwd}`]),
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    ...outputs.map((glob) => `--outputs=${glob}`),
    ...(repeat === undefined ? [] : [`--repeat=${repeat}`]),
    ...(faults === true ? ['--faults'] : []),
    ...['--', recording, ...ids],
  ];
}

export const FIX_TOOLS: readonly Tool[] = [listFixes, showFix, applyFix, tryFix];
