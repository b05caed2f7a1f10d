import { counted, formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type { RunCost } from '../../analysis/gain/cost.ts';
import { FORMAT_TRAITS } from '../../readers/format-traits.ts';
import { lackText } from '../report/report-notes.ts';
import { costText, recordedText, shareOfRun, type Costly } from './cost-text.ts';
import type { InfoDocument, SitesDocument } from './documents.ts';
import type { JobSummary } from '../report/job-document.ts';
import { namedEnds } from './early-ends.ts';
import { layerChainText } from './layer-amounts.ts';
import { jobLines } from '../report/report-job-text.ts';
import { printable } from '../report/report-text.ts';
import { runText } from './run-text.ts';
import { Columns } from '../text-columns.ts';

/** Groups of processes, and files with properties, that are named in the text; JSON has more. */
const MOST_GROUPS = 8;

/** What is known of a recording beside what it holds. */
interface Besides {
  readonly run?: RunCost;
  /** What a Darshan log says of its job. */
  readonly job?: JobSummary | undefined;
}

/** `iolens info` for a person: first what the run goes into, as in every report, then what the recording holds. */
export function infoText(given: InfoDocument, { run, job: givenJob }: Besides = {}): string {
  const info = printable(given);
  const job = printable(givenJob);
  const started = info.startTime === null ? 'unknown' : new Date(info.startTime * 1000).toISOString();
  const rows: [string, string][] = [
    ['format', `${info.format} ${info.version}`.trim()],
    ['program', info.program || 'unknown'],
    ['started', started],
    ['duration', durationText(info)],
    ['processes', processesText(info)],
    ['hosts', info.hosts.join(', ') || 'unknown'],
    ...counterRows(info),
    ...(info.sources ?? []).slice(1).map(({ path, format }): [string, string] => ['added', `${path} (${format})`]),
    ...definitionRows(info),
    ['calls', formatCount(info.events)],
    ['files', formatCount(info.files)],
    ['call stacks', formatCount(info.stacks)],
    ['lacks', info.lacks.length === 0 ? 'nothing' : `${formatCount(info.lacks.length)}, see below`],
  ];
  const damage = info.damage.map(({ where, what, lost }) => `  ${where}: ${what}; lost: ${lost}`);
  const table = rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`);
  const lacks = info.lacks.map((lack) => `  ${lackText(lack)}\n`).join('');
  const part = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `${title}\n${lines.join('\n')}\n`;
  const notes = info.notes.map((note) => `  ${note}`);
  const ofJob = job === undefined ? [] : jobLines(job).map((line) => `  ${line}`.trimEnd());
  const first = [(run && runText(run)) ?? [], endLines(info)].flat().map((line) => `  ${line}\n`);
  return `${info.recording}\n${first.join('')}${table.join('\n')}\n${lacks}${part('job', ofJob)}${part('damage', damage)}${part('notes', notes)}`;
}

function durationText({ durationNs, format, capabilities }: InfoDocument): string {
  if (!(durationNs > 0)) return 'unknown';
  const isTraced = capabilities.duration && FORMAT_TRAITS[format].tracerStopsProgram;
  return `${formatDuration(durationNs)}${isTraced ? ' under the tracer' : ''}`;
}

function endLines({ earlyEnds = [] }: InfoDocument): string[] {
  return earlyEnds.length === 0 ? [] : [`Ended early: ${namedEnds(earlyEnds)}.`];
}

/** `4`, or `4 (12 with threads and launchers)` where the recording shows more than the program's processes. */
function processesText({ processes, streams }: InfoDocument): string {
  if (processes === null) return 'unknown';
  const all = streams > processes ? ` (${formatCount(streams)} with threads and launchers)` : '';
  return `${formatCount(processes)}${all}`;
}

/** What the recording says of paradigms, groups of processes and handles. */
function definitionRows({ definitions, handles = [] }: InfoDocument): [string, string][] {
  const rows: [string, string][] = [];
  const paradigms = definitions?.paradigms.map(({ name, isParallel }) => (isParallel ? `${name} (parallel)` : name));
  if (paradigms !== undefined && paradigms.length > 0) rows.push(['paradigms', paradigms.join(', ')]);
  const named = handles.map(({ layer, handles: count, withParent }) => {
    const below = withParent > 0 ? ` (${formatCount(withParent)} within another handle)` : '';
    return `${layer} ${formatCount(count)}${below}`;
  });
  if (named.length > 0) rows.push(['handles', named.join(', ')]);
  const groups = definitions?.communicators.map(({ name, processes }) => `${name} (${formatCount(processes)})`) ?? [];
  if (groups.length > 0) rows.push(['groups', groups.slice(0, MOST_GROUPS).join(', ')]);
  for (const { path, scope, properties } of definitions?.files.slice(0, MOST_GROUPS) ?? []) {
    const traits = properties.map(({ name, value }) => `${name} ${value}`);
    rows.push(['file', [path, ...(scope === '' ? [] : [`seen by ${scope}`]), ...traits].join(', ')]);
  }
  return rows;
}

/** What a Darshan log counts. */
function counterRows({ counters, segments }: InfoDocument): [string, string][] {
  const modules = Object.entries(counters).map(([name, { records }]) => `${name} ${formatCount(records)}`);
  const traced = Object.entries(segments).map(([name, { write, read }]) => {
    return `${name} ${formatCount(write.count)} writes, ${formatCount(read.count)} reads`;
  });
  return [
    ...(modules.length === 0 ? [] : [['records', modules.join(', ')] satisfies [string, string]]),
    ...(traced.length === 0 ? [] : [['segments', traced.join('; ')] satisfies [string, string]]),
  ];
}

/** `iolens sites` for a person: a table, costliest first, whose lines add up to the run. */
export function sitesText(document: SitesDocument): string {
  const { sites, by, run } = printable(document);
  const rows = sites.map((site) => {
    const place = site.line > 0 && by !== 'function' ? `${site.file}:${site.line}` : site.file;
    const calls = Object.entries(site.calls).sort(([, a], [, b]) => b - a);
    return [
      formatShare(shareOfRun(site, site.share)),
      ...times(site),
      formatCount(site.events),
      formatBytes(site.bytes),
      calls
        .slice(0, 3)
        .map(([name, count]) => `${name} ${formatCount(count)}`)
        .join(', '),
      [place, site.function].filter((part) => part !== '').join('  ') || '(no source line)',
    ];
  });
  const isKnown = sites.some(({ cost }) => cost !== undefined);
  const head = [...(isKnown ? ['of run', 'cost'] : ['share', 'time']), ...(run.traced && isKnown ? ['recorded'] : [])];
  const below = sites.map(({ layers }) =>
    layers === undefined || layers.length < 2 ? [] : [`${' '.repeat(6)}${layerChainText(layers)}`],
  );
  const table = new Columns([...head, 'calls', 'bytes', 'what', 'where'], [...rows, ...restRows(document, isKnown)]);
  const lines = table.lines.flatMap((line, i) => [line, ...(below[i - 1] ?? [])]);
  return `${[...lines, ...talliedLines(printable(document.tallied))].join('\n')}\n`;
}

/** What was counted, and not recorded call by call. */
function talliedLines(tallied: SitesDocument['tallied']): string[] {
  if (tallied === undefined) return [];
  const { processes, recordedNs, countedNs, calls } = tallied;
  const whose = processes === 1 ? 'The process' : counted(processes, 'process', 'processes');
  const most = processes === 1 ? '' : 'up to ';
  const rows = calls.map((each) => [
    formatDuration(each.timeNs),
    formatCount(each.calls),
    each.failed === 0 ? '' : formatCount(each.failed),
    each.medianBytes === undefined ? '' : formatBytes(each.bytes),
    each.medianBytes === undefined ? '' : `${formatBytes(each.medianBytes[0])} to ${formatBytes(each.medianBytes[1])}`,
    `${formatDuration(each.medianNs[0])} to ${formatDuration(each.medianNs[1])}`,
    formatDuration(each.longestNs),
    each.call,
    [each.line > 0 ? `${each.file}:${each.line}` : each.file, each.function].filter((part) => part !== '').join('  ') ||
      '(no source line)',
  ]);
  const head = ['time', 'calls', 'failed', 'bytes', 'median', 'median time', 'longest', 'what', 'where'];
  return [
    '',
    `${whose} reached the limit of events after ${most}${formatDuration(recordedNs)}: nothing above covers the ${most}${formatDuration(countedNs)} that followed, in which calls were counted:`,
    ...new Columns(head, rows).lines,
  ];
}

/** What a line costs, and beside it what was recorded where a tracer's part is in that. */
function times(calls: Costly): string[] {
  return [costText(calls), recordedText(calls) ?? []].flat();
}

/** What no call site has: calls that do not count, and what is no I/O; last the run. */
function restRows({ run, leftOut, sites }: SitesDocument, isKnown: boolean): string[][] {
  const row = (share: string, cost: string, recorded: string, calls: string, where: string): string[] => [
    share,
    cost,
    ...(run.traced ? [recorded] : []),
    calls,
    '',
    '',
    where,
  ];
  if (!isKnown) return [];
  const left = formatDuration(leftOut.timeNs);
  const calls = sites.reduce((sum, { events }) => sum + events, 0) + leftOut.events;
  const besides =
    leftOut.events === 0 ? [] : [row('', run.traced ? '' : left, left, formatCount(leftOut.events), LEFT_OUT)];
  const restNs = run.untracedNs - run.ioNs;
  return [
    ...besides,
    row(formatShare(restNs / run.untracedNs), formatDuration(restNs), '', '', REST),
    row('100 %', formatDuration(run.untracedNs), formatDuration(run.durationNs), formatCount(calls), 'the run'),
  ];
}

const LEFT_OUT = '(left out: start-up, files that do not count)';
const REST = '(the rest of the run)';
