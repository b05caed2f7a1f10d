import { printable } from '../../export/report/report-text.ts';
import type { IngestReport } from '../../session/fleet/ingest/ingest-sources.ts';

/** What an ingestion did, in words. */
export function ingestText(report: IngestReport, store: string): string {
  const { found, unchanged, stored, damaged, unreadable, others, known, rows, seconds, examples } = report;
  const taken = stored + damaged;
  const lines = [
    `${counted(taken, 'log')} taken in (${counted(rows, 'row')}, ${sizeText(report.bytesWritten)}) of ${found.toLocaleString('en')} found, in ${seconds.toFixed(1)} s${rateText(taken, seconds)}.`,
  ];
  const say = (count: number, words: string): void => {
    if (count > 0) lines.push(`  ${count.toLocaleString('en')} ${words}`);
  };
  say(unchanged, 'unchanged since they were taken in');
  say(known, 'with content that the store already has');
  say(others, 'that are not logs (iolens fleet logs --status other lists them)');
  say(damaged, 'damaged, read in part');
  say(unreadable, 'unreadable');
  for (const { status, message = '', path } of examples)
    lines.push(`    ${status}: ${message.includes(path) ? message : `${path}: ${message}`}`);
  if (damaged + unreadable > examples.length) lines.push(`    … iolens fleet logs --store ${store} lists all`);
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

function rateText(count: number, seconds: number): string {
  return seconds > 0.1 && count > 1 ? `, ${Math.round(count / seconds).toLocaleString('en')} a second` : '';
}

/** `12.3 MB` */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const at = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return at === 0 ? `${bytes} B` : `${(bytes / 1000 ** at).toFixed(1)} ${units[at]}`;
}
