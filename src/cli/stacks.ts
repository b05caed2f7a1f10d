import { Option, InvalidArgumentError, type Command } from 'commander';
import type { CallMeasure } from '../analysis/call-tree/call-tree.ts';
import { callTreeText, foldedStacks, type CallTreeRequest } from '../export/call-tree/call-tree-text.ts';
import { jsonText } from '../export/json-text.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { withOpenOptions, type OpenOptions } from './arguments.ts';
import { openAll } from './commands.ts';
import { resources } from './resources.ts';

interface StacksOptions extends OpenOptions {
  by?: 'time' | 'bytes' | 'calls';
  down?: true;
  function?: string;
  filter?: string;
  lines?: true;
  libraries?: true;
  least: number;
  format: 'text' | 'json' | 'folded';
}

const MEASURES: Readonly<Record<NonNullable<StacksOptions['by']>, CallMeasure>> = {
  time: 'timeNs',
  bytes: 'bytes',
  calls: 'calls',
};

export function addStacks(program: Command): void {
  withOpenOptions(
    program
      .command('stacks')
      .description('who called the calls: all call stacks as one tree, from the calls outwards')
      .argument('<recording...>'),
  )
    .addOption(new Option('--by <what>', 'what the tree is weighed by').choices(['time', 'bytes', 'calls']))
    .option('--down', 'from the outermost functions inwards')
    .option('--function <name>', 'callers and callees of the functions whose name holds this')
    .option('--filter <text>', 'only stacks with this in the name or file of a function')
    .option('--lines', 'the lines of a function apart')
    .option('--libraries', 'also what libraries call in themselves')
    .option('--least <percent>', 'leaves out what is less of the whole', percent, 1)
    .addOption(
      new Option('--format <format>', 'folded: for speedscope and flamegraph.pl')
        .choices(['text', 'json', 'folded'])
        .default('text'),
    )
    .action(async (recordings: string[], options: StacksOptions) => {
      const session = localSession(resources);
      const opened = await openAll(session, await groupRecordings(recordings), options);
      const trees = await Promise.all(opened.map(({ id }) => session.report.callTree(id, [])));
      const names = opened.map(({ info }) => (opened.length > 1 ? info.recording : ''));
      const request = requestOf(options);
      if (options.format === 'json') {
        const found = trees.map((tree, i) => ({ recording: opened[i]!.info.recording, ...tree }));
        process.stdout.write(jsonText({ schema: 'iolens/call-tree@1', recordings: found }));
      } else {
        const written = trees.map((tree, i) =>
          options.format === 'folded' ? foldedStacks(tree, request) : callTreeText(tree, request, names[i]!),
        );
        process.stdout.write(written.join(options.format === 'folded' ? '' : '\n'));
      }
    });
}

function requestOf(options: StacksOptions): CallTreeRequest {
  const { by, down, function: functionName, filter, lines, libraries, least } = options;
  return {
    ...(by !== undefined && { measure: MEASURES[by] }),
    ...(functionName !== undefined && { functionName }),
    ...(filter !== undefined && { filter }),
    isDownward: down === true,
    byLine: lines === true,
    allLibraries: libraries === true,
    least: least / 100,
  };
}

function percent(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 100))
    throw new InvalidArgumentError('a number from 0 to 100 is expected');
  return value;
}
