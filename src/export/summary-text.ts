import { formatBytes, formatCount, formatDuration, formatShare } from '../analysis/quantities.ts';
import { lackText } from './report-notes.ts';
import type { InfoDocument, SitesDocument } from './documents.ts';
import type { JobDocument } from './job-document.ts';
import { layerChainText } from './layer-amounts.ts';
import { jobLines } from './report-job-text.ts';
import { printable } from './report-text.ts';

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
    ['processes', formatCount(info.streams)],
    ['hosts', info.hosts.join(', ') || 'unknown'],
    ...counterRows(info),
    ...(info.sources ?? []).slice(1).map(({ path, format }): [string, string] => ['added', `${path} (${format})`]),
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
