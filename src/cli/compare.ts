import { jsonText } from '../export/json-text.ts';
import type { Command } from 'commander';
import type { ComparisonDocument, Verdict } from '../export/comparison/comparison-document.ts';
import { edgeChange, partitionedGraph } from '../export/comparison/comparison-graph.ts';
import { comparisonMarkdown } from '../export/comparison/comparison-markdown.ts';
import { comparisonText } from '../export/comparison/comparison-text.ts';
import { runTime } from '../export/comparison/comparison-words.ts';
import { graphDot } from '../export/graph/graph-dot.ts';
import { graphSvg, localLayoutEngine } from '../export/graph/graph-svg.ts';
import { ANSI, PLAIN, relativeTo } from '../export/report/report-text.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { collect, NONE_GIVEN, UsageError, withOpenOptions, type OpenOptions } from './arguments.ts';
import { only, openAll, print } from './commands.ts';
import { checkOutput } from './output-file.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

const FORMATS = ['text', 'json', 'markdown', 'dot', 'svg'] as const;

interface CompareOptions extends OpenOptions {
  base: string[];
  new: string[];
  green: string[];
  red: string[];
  format: string;
  json?: true;
  output?: string;
  failOn?: string;
}

export function addCompare(program: Command): void {
  withOpenOptions(
    program
      .command('compare')
      .description('two recordings, finding by finding and line by line')
      .argument('<base>', 'what came before')
      .argument('[new]', 'what came after; without it --green and --red name two groups of the one recording'),
  )
    .option(
      '--base <recording>',
      'another run of the base: repetitions tell chance from change (repeatable)',
      collect,
      NONE_GIVEN,
    )
    .option('--new <recording>', 'another run of the new side (repeatable)', collect, NONE_GIVEN)
    .option('--green <glob>', 'cases of one recording that are the base (repeatable)', collect, NONE_GIVEN)
    .option('--red <glob>', 'cases of one recording that are the new side (repeatable)', collect, NONE_GIVEN)
    .option('--format <format>', FORMATS.join(', '), 'text')
    .option('--json', 'the same as --format json')
    .option('-o, --output <file>', 'write to a file')
    .option(
      '--fail-on <what>',
      'worse: exit with 1 when the run or a finding is worse, or a finding of high or warn is new',
    )
    .action(async (base: string, changed: string | undefined, options: CompareOptions) => {
      const format = options.json === true ? 'json' : only('format', options.format, FORMATS);
      if (options.failOn !== undefined) only('fail-on', options.failOn, ['worse']);
      checkOutput(options.output, [base, ...(changed === undefined ? [] : [changed]), ...options.base, ...options.new]);
      const document = await compared(base, changed, options);
      print(await textOf(document, format, options), options.output);
      if (options.failOn === undefined) return;
      tellNoVerdict(document);
      if (isWorse(document)) process.exitCode ??= 1;
    });
}

async function compared(
  base: string,
  changed: string | undefined,
  options: CompareOptions,
): Promise<ComparisonDocument> {
  const session = localSession(resources);
  const { green, red } = options;
  const openOne = async (paths: readonly string[]): Promise<number> => {
    // Each side is one run, of however many files.
    const [opened] = await openAll(session, [(await groupRecordings(paths)).flat()], options);
    return opened!.id;
  };
  if (green.length > 0 || red.length > 0) {
    if (changed !== undefined || options.base.length > 0 || options.new.length > 0)
      throw new UsageError('--green and --red compare groups of one recording: do not name a second one');
    if (green.length === 0 || red.length === 0) throw new UsageError('both --green and --red are needed');
    return session.comparison.compareGroups(await openOne([base]), green, red);
  }
  if (changed === undefined)
    throw new UsageError('a second recording is needed: iolens compare BASE NEW; or --green and --red');
  const sides: number[][] = [];
  for (const runs of [
    [base, ...options.base],
    [changed, ...options.new],
  ]) {
    const ids: number[] = [];
    for (const run of runs) ids.push(await openOne([run]));
    sides.push(ids);
  }
  return session.comparison.compare(sides[0]!, sides[1]!);
}

async function textOf(
  document: ComparisonDocument,
  format: (typeof FORMATS)[number],
  { output }: CompareOptions,
): Promise<string> {
  const style = relativeTo(process.cwd(), process.stdout.isTTY && output === undefined ? ANSI : PLAIN);
  switch (format) {
    case 'text':
      return comparisonText(document, style);
    case 'json':
      return jsonText(document);
    case 'markdown':
      return comparisonMarkdown(document, (file) => style.place(file));
    case 'dot':
      return graphDot(partitionedGraph(document.graph), edgeChange);
    case 'svg':
      return graphSvg(partitionedGraph(document.graph), await localLayoutEngine(), edgeChange);
  }
}

/**
 * Lines do not count by themselves: a fix moves work from line to line (what a buffer gathers is written where it is
 * flushed), and the run as a whole says whether it was worth it.
 */
function isWorse({ total, insights }: ComparisonDocument): boolean {
  if (gotWorse(total.verdict, total)) return true;
  return insights.some(
    ({ change, new: now, ...verdicts }) =>
      (change === 'new' || gotWorse(change, verdicts)) && (now?.severity === 'high' || now?.severity === 'warn'),
  );
}

/** Counts do not vary by chance: one run that took less time by chance must not make up for more calls. */
function gotWorse(
  is: Verdict,
  { countVerdict }: Pick<ComparisonDocument['insights'][number], 'countVerdict'>,
): boolean {
  return is === 'worse' || (is === 'mixed' && countVerdict === 'worse');
}

/** Who waits for a verdict on the time is told that there is none, and how to get one. */
function tellNoVerdict({ total, run }: ComparisonDocument): void {
  if (total.timeVerdict !== 'noise unknown') return;
  say(`--fail-on worse: the time is not judged (${runTime(run)}); --base and --new add runs`);
}
