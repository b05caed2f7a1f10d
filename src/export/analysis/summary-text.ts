import { formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { lackText } from '../report/report-notes.ts';
import type { InfoDocument, SitesDocument } from './documents.ts';
import type { JobDocument } from '../report/job-document.ts';
import { layerChainText } from './layer-amounts.ts';
import { jobLines } from '../report/report-job-text.ts';
import { printable } from '../report/report-text.ts';

/** Groups of processes, and files with properties, that are named in the text; JSON has more. */
const MOST_GROUPS = 8;

/**
 * `iolens info` for a person.
 * @param job what a Darshan log says of its job.
 */
export function infoText(given: InfoDocument, givenJob?: JobDocument): string {
  const info = printable(given);
  const job = printable(givenJob);
  const started = info.startTime === null ? 'unknown' : new Date(info.startTime * 1000).toISOString();
  const rows: [string, string][] = [
    ['format', `${info.format} ${info.version}`.trim()],
    ['program', info.program || 'unknown'],
    ['started', started],
    ['duration', formatDuration(info.durationNs)],
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
  return `${info.recording}\n${table.join('\n')}\n${lacks}${part('job', ofJob)}${part('damage', damage)}${part('notes', notes)}`;
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

/** `iolens sites` for a person: a table, costliest first. */
export function sitesText(document: SitesDocument): string {
  const { sites, by } = printable(document);
  const rows = sites.map((site) => {
    const place = site.line > 0 && by !== 'function' ? `${site.file}:${site.line}` : site.file;
    const calls = Object.entries(site.calls).sort(([, a], [, b]) => b - a);
    return [
      formatShare(site.share),
      formatDuration(site.timeNs),
      formatCount(site.events),
      formatBytes(site.bytes),
      calls
        .slice(0, 3)
        .map(([name, count]) => `${name} ${formatCount(count)}`)
        .join(', '),
      [place, site.function].filter((part) => part !== '').join('  ') || '(no source line)',
    ];
  });
  const head = ['share', 'time', 'calls', 'bytes', 'what', 'where'];
  const widths = head.map((title, i) => rows.reduce((width, row) => Math.max(width, row[i]!.length), title.length));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i < 4 ? cell.padStart(widths[i]!) : cell.padEnd(i < 5 ? widths[i]! : 0))).join('  ');
  const below = sites.map(({ layers }) =>
    layers === undefined || layers.length < 2 ? [] : [`${' '.repeat(6)}${layerChainText(layers)}`],
  );
  return `${[line(head), ...rows.flatMap((row, i) => [line(row), ...below[i]!])].join('\n')}\n`;
}
