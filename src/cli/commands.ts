import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { jsonText } from '../export/json-text.ts';
import type { AnalysisDocument, GraphDocument } from '../export/analysis/documents.ts';
import { activityText } from '../export/graph/activity-text.ts';
import { graphDot } from '../export/graph/graph-dot.ts';
import { graphText } from '../export/graph/graph-text.ts';
import { graphSvg, localLayoutEngine } from '../export/graph/graph-svg.ts';
import { ANSI, PLAIN, relativeTo } from '../export/report/report-text.ts';
import { infoText, sitesText } from '../export/analysis/summary-text.ts';
import { thresholdsText } from '../export/report/finding-text.ts';
import { messageOf } from '../base/error-message.ts';
import { DEFAULT_LAYER_CHOICE, LAYER_CHOICES, type GraphRequest } from '../features/graph/methods.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
import { localSession, type Session } from '../features/answers/all-answers.ts';
import type { OpenResult } from '../session/reading/open-recordings.ts';
import {
  collect,
  NONE_GIVEN,
  openRequest,
  secondsFromStart,
  UsageError,
  withOpenOptions,
  type OpenOptions,
} from './arguments.ts';
import type { Limit } from '../features/budget/methods.ts';
import { readLimits, tellBudget } from './budget.ts';
import { STATUS } from './exit-status.ts';
import { followFindings } from './follow.ts';
import { checkOutput } from './output-file.ts';
import { Progress } from './progress.ts';
import { REPORT_FORMATS, reportText, type ReportFormat } from './report-formats.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';

export async function openAll(
  session: Session,
  groups: readonly (readonly string[])[],
  options: OpenOptions,
): Promise<OpenResult[]> {
  if (groups.length > 1 && options.add.length > 0)
    throw new UsageError('--add: name one recording that the others are added to');
  const opened: OpenResult[] = [];
  const failures: Error[] = [];
  for (const paths of groups) {
    const progress = new Progress(options.progress, paths.join(' '));
    try {
      opened.push(
        await session.recordings.open(openRequest(paths, options), {
          progress: (share) => progress.update(share),
        }),
      );
    } catch (error) {
      // One log that cannot be read must not hide the others.
      if (groups.length === 1 || !(error instanceof Error) || error.name === 'CancelledError') throw error;
      failures.push(error);
    } finally {
      progress.done();
    }
  }
  if (opened.length === 0) throw failures[0]!;
  for (const { message } of failures) {
    say(message);
    process.exitCode = STATUS.unreadable;
  }
  for (const { info, notes } of opened) {
    warnOfDamage(info.recording, info.damage.length);
    for (const note of notes) say(`${info.recording}: ${note}`);
  }
  return opened;
}

function warnOfDamage(recording: string, reports: number): void {
  if (reports === 0) return;
  const counted = reports === 1 ? '1 report' : `${reports} reports`;
  say(`${recording} was read in part: ${counted} of damage, which "iolens info" lists`);
}

export function print(text: string, file: string | undefined): void {
  if (file === undefined) process.stdout.write(text);
  else {
    try {
      writeFileSync(file, text);
    } catch (error) {
      throw new UsageError(`-o ${file}: ${messageOf(error)}`);
    }
  }
}

export function only<Value extends string>(name: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new UsageError(`--${name} ${value}: one of ${allowed.join(', ')} is expected`);
  return found;
}

export function addInfo(program: Command): void {
  withOpenOptions(program.command('info').description('what a recording is and holds').argument('<recording...>'))
    .option('--json', 'as JSON')
    .action(async (recordings: string[], options: OpenOptions & { json?: true }) => {
      const session = localSession(resources);
      const opened = await openAll(session, await groupRecordings(recordings), options);
      const runs = await Promise.all(opened.map(({ id }) => session.findings.run(id)));
      const jobs =
        options.json === true ? [] : await Promise.all(opened.map(({ id }) => session.report.jobSummary(id)));
      const infos = opened.map(({ info }, i) => ({ ...info, run: runs[i]! }));
      if (options.json === true) print(jsonText(infos.length === 1 ? infos[0] : infos), undefined);
      else print(infos.map((info, i) => infoText(info, { run: info.run, job: jobs[i] })).join('\n'), undefined);
    });
}

interface AnalyzeOptions extends OpenOptions {
  format: string;
  output?: string;
  failOn?: string;
  budget?: string;
  follow?: true;
  all?: true;
  verbose?: true;
  issues?: true;
  split?: true;
  threshold?: true;
  code?: true;
}

export function addAnalyze(program: Command): void {
  withOpenOptions(
    program.command('analyze').description('what costs time, where, and what to do').argument('<recording...>'),
  )
    .option('--format <format>', REPORT_FORMATS.join(', '), 'text')
    .option('-o, --output <file>', 'write to a file')
    .option('--triggers <file>', 'module with triggers of your own; it is run (repeatable)', collect, NONE_GIVEN)
    .option('--fail-on <severity>', 'exit with 1 when there is a finding of this severity (high or warn)')
    .option('--budget <file>', 'limits (iolens.budget.json); exit with 1 when one is exceeded')
    .option('--all', 'also the findings that follow from others')
    .option('--verbose', 'as text: examples of code, all places and files, and the bounds of each finding')
    .option('--issues', 'as text: the findings alone, without advice (Drishti)')
    .option('--split', 'as text: the findings of each file (Drishti)')
    .option('--threshold', 'as text: all thresholds, with their values (Drishti)')
    .option('--code', 'codes of the findings, which are always printed (Drishti)')
    .option('--follow', 'while it is written: print the findings whenever they change, the last ones after Ctrl-C')
    .action(async (recordings: string[], options: AnalyzeOptions) => {
      const limits = readLimits(options.budget);
      const format = only('format', options.format, REPORT_FORMATS);
      checkDetail(options, format);
      const failOn = options.failOn === undefined ? undefined : only('fail-on', options.failOn, ['high', 'warn']);
      const session = localSession(resources);
      const groups = options.follow === true ? [recordings] : await groupRecordings(recordings);
      checkOutput(options.output, groups.flat());
      const ids =
        options.follow === true
          ? await followed(session, recordings, options, format)
          : (await openAll(session, groups, options)).map(({ id }) => id);
      const document = await printAnalysis(session, ids, format, options, limits && { file: options.budget!, limits });
      const { budget } = document;
      for (const problem of document.triggerProblems) process.stderr.write(`iolens: ${problem}\n`);
      if (failOn !== undefined && isMet(failOn, document)) process.exitCode ??= 1;
      if (budget !== undefined && tellBudget(budget)) process.exitCode ??= 1;
    });
}

function checkDetail(options: AnalyzeOptions, format: ReportFormat): void {
  if (format === 'text') return;
  for (const name of ['verbose', 'issues', 'split', 'threshold'] as const)
    if (options[name] === true) throw new UsageError(`--${name} is for --format text`);
}

/** Whether a finding is surely as grave; tells of those that only seem so. */
function isMet(failOn: 'high' | 'warn', { insights }: AnalysisDocument): boolean {
  const failing = failOn === 'warn' ? ['high', 'warn'] : ['high'];
  for (const { code, severity, surely } of insights) {
    if (!failing.includes(severity) || failing.includes(surely)) continue;
    const why = `at the lower end of its interval it is ${surely}`;
    process.stderr.write(`iolens: ${code} is ${severity}, but not counted by --fail-on: ${why}\n`);
  }
  return insights.some(({ surely }) => failing.includes(surely));
}

/** Limits with the file that they stand in. */
interface LimitsFile {
  readonly file: string;
  readonly limits: readonly Limit[];
}

async function printAnalysis(
  session: Session,
  ids: readonly number[],
  format: ReportFormat,
  { output, threshold, ...detail }: Omit<AnalyzeOptions, 'format'>,
  limited?: LimitsFile,
): Promise<AnalysisDocument> {
  const budget = limited && (await session.budget.check(ids, limited.file, limited.limits));
  const document = { ...(await session.findings.analysis(ids)), ...(budget && { budget }) };
  const style = relativeTo(process.cwd(), process.stdout.isTTY && output === undefined ? ANSI : PLAIN);
  const gather = {
    report: () => session.report.material(ids),
    drishtiRows: () => session.findings.drishtiRows(ids),
    fixes: () => session.fixes.list(ids),
    jobs: () => Promise.all(ids.map((id) => session.report.job(id))),
    jobSummaries: () => Promise.all(ids.map((id) => session.report.jobSummary(id))),
  };
  const thresholds = threshold === true ? thresholdsText(await session.findings.thresholds(ids)) : '';
  print(`${await reportText(format, document, gather, style, detail)}${thresholds}`, output);
  return document;
}

/** Follows one recording until the user interrupts. */
async function followed(
  session: Session,
  recordings: readonly string[],
  options: AnalyzeOptions,
  format: ReportFormat,
): Promise<number[]> {
  if (format !== 'text' && options.output === undefined)
    throw new UsageError(`--follow --format ${format}: name a file with -o; it is rewritten each time`);
  const groups = await groupRecordings(recordings);
  if (groups.length !== 1) throw new UsageError('--follow: one recording is expected');
  const show = (id: number): Promise<AnalysisDocument> => printAnalysis(session, [id], format, options);
  const { id, info } = await followFindings(session, openRequest(groups[0]!, options), show);
  warnOfDamage(info.recording, info.damage.length);
  return [id];
}

export function addSites(program: Command): void {
  withOpenOptions(
    program.command('sites').description('events, bytes and time for each call site').argument('<recording...>'),
  )
    .option('--by <what>', 'line, function or stack', 'line')
    .option('--json', 'as JSON')
    .action(async (recordings: string[], options: OpenOptions & { by: string; json?: true }) => {
      const by = only('by', options.by, ['line', 'function', 'stack']);
      const session = localSession(resources);
      const [opened] = await openAll(session, [(await groupRecordings(recordings)).flat()], options);
      const document = await session.lines.sites(opened!.id, by);
      print(options.json === true ? jsonText(document) : sitesText(document), undefined);
    });
}

interface GraphCommandOptions extends OpenOptions {
  mapping: string;
  filter: string;
  withoutCalls: string[];
  ownFiles?: true;
  site: string[];
  case: string;
  layer: string;
  green: string[];
  red: string[];
  colour: string;
  activity?: string;
  from?: number;
  to?: number;
  format: string;
  output?: string;
}

function siteVariable(text: string): { name: string; prefix: string } {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`--site ${text}: the form is NAME=PREFIX`);
  return { name: `$${text.slice(0, at).replace(/^\$/, '')}`, prefix: text.slice(at + 1) };
}

const MAPPINGS =
  'call+path:N, path:N, call, call+file, site, a JSON file of rules (docs/graph.md), or a JavaScript module';
/** A mapping document holds at most some hundred short rules. */
const LONGEST_MAPPING = 1 << 20;

/** The mapping that an option means: a file of rules is read, everything else is for the session. */
function mappingText(option: string): string {
  if (!option.endsWith('.json')) return option;
  try {
    if (statSync(option).size > LONGEST_MAPPING) throw new Error('it is larger than 1 MiB');
    const text = readFileSync(option, 'utf8').replace(/^\uFEFF/, '');
    if (!text.trimStart().startsWith('{')) throw new Error('a JSON object is expected');
    return text;
  } catch (error) {
    throw new UsageError(`--mapping ${option}: ${messageOf(error)}`);
  }
}

export function addGraph(program: Command): void {
  withOpenOptions(program.command('dfg').description('the Directly-Follows-Graph').argument('<recording...>'))
    .option('--mapping <spec>', MAPPINGS, 'call+path:2')
    .option('--filter <text>', 'only events whose path contains this text', '')
    .option('--without-calls <name>', 'leave these calls out (repeatable)', collect, NONE_GIVEN)
    .option('--own-files', 'leave out the files that findings leave out: system, loader, libraries')
    .option('--site <name=prefix>', 'write $NAME for a path prefix (repeatable)', collect, NONE_GIVEN)
    .option('--case <what>', 'file, pid or rank', 'file')
    .option('--layer <what>', `${LAYER_CHOICES.join(', ')}, or a layer such as MPI-IO`, DEFAULT_LAYER_CHOICE)
    .option('--green <glob>', 'cases of the green part (repeatable)', collect, NONE_GIVEN)
    .option('--red <glob>', 'cases of the red part (repeatable)', collect, NONE_GIVEN)
    .option('--colour <what>', 'for dot and svg: by cost, or by bytes', 'cost')
    .option(
      '--activity <name>',
      'when this activity was under way, by case, and how many of its calls at once (as text or json)',
    )
    .option('--from <seconds>', 'with --activity: begin here, not at its first call', secondsFromStart)
    .option('--to <seconds>', 'with --activity: end here', secondsFromStart)
    .option('--format <format>', GRAPH_FORMATS.join(', '), 'json')
    .option('-o, --output <file>', 'write to a file')
    .action(async (recordings: string[], options: GraphCommandOptions) => {
      const format = only('format', options.format, GRAPH_FORMATS);
      const shadedBy = only('colour', options.colour, ['cost', 'bytes']);
      const session = localSession(resources);
      const paths = (await groupRecordings(recordings)).flat();
      checkOutput(options.output, paths);
      const [opened] = await openAll(session, [paths], options);
      const request: GraphRequest = {
        mapping: mappingText(options.mapping),
        siteVariables: options.site.map(siteVariable),
        pathFilter: options.filter,
        withoutCalls: options.withoutCalls,
        ownFilesOnly: options.ownFiles === true,
        grouping: only('case', options.case, ['file', 'pid', 'rank']),
        layer: options.layer,
        green: options.green,
        red: options.red,
      };
      if (options.activity !== undefined) {
        print(await printedActivity(session, opened!.id, request, options), options.output);
        return;
      }
      const graph = await session.graph.document(opened!.id, request);
      for (const warning of graph.warnings) say(warning);
      print(await printedGraph(graph, format, shadedBy), options.output);
    });
}

/** Columns of an activity's timeline, and its rows at most. */
const ACTIVITY_COLUMNS = 60;
const ACTIVITY_ROWS = 200;

async function printedActivity(
  session: Session,
  id: number,
  graph: GraphRequest,
  { activity = '', from, to, format }: GraphCommandOptions,
): Promise<string> {
  const form = only('format', format, ['json', 'text']);
  if (from !== undefined && to !== undefined && to <= from)
    throw new UsageError('--from and --to: nothing lies between them');
  const timeline = await session.graph.timeline(id, graph, {
    activity,
    bins: ACTIVITY_COLUMNS,
    mostRows: ACTIVITY_ROWS,
    ...(from !== undefined && { fromNs: from * 1e9 }),
    ...(to !== undefined && { toNs: to * 1e9 }),
  });
  if (timeline !== undefined)
    return form === 'text' ? activityText(timeline) : jsonText({ schema: 'iolens/activity@1', ...timeline });
  const { nodes } = await session.graph.document(id, graph);
  if (nodes.some((node) => node.activity === activity))
    throw new UsageError('--activity: the recording holds no times');
  const some = nodes.slice(0, 5).map((node) => node.activity);
  throw new UsageError(
    `--activity: there is no activity ${activity}; there ${some.length === 0 ? 'is none' : `are ${some.join(', ')}${nodes.length > 5 ? ' …' : ''}`}`,
  );
}

const GRAPH_FORMATS = ['json', 'text', 'dot', 'svg'] as const;

async function printedGraph(
  graph: GraphDocument,
  format: (typeof GRAPH_FORMATS)[number],
  shadedBy: 'cost' | 'bytes',
): Promise<string> {
  switch (format) {
    case 'text':
      return graphText(graph);
    case 'json':
      return jsonText(graph);
    case 'dot':
      return graphDot(graph, undefined, shadedBy);
    case 'svg':
      return graphSvg(graph, await localLayoutEngine(), undefined, shadedBy);
  }
}
