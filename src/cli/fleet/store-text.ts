import { printable } from '../../export/report/report-text.ts';
import type { CompactionReport } from '../../session/fleet/ingest/compact-store.ts';
import type { StoreFigures } from '../../fleet/store/store-figures.ts';
import type { StoreLog } from '../../session/fleet/store-questions.ts';
import { sizeText } from './ingest-text.ts';

/** What a store holds, in words. */
export function storeText(store: string, figures: StoreFigures): string {
  const { logs, formats, tables, firstMonth, lastMonth, batches, repeatedLogs } = figures;
  const number = (value: number): string => value.toLocaleString('en');
  const lines = [
    `${store}: ${number(logs.stored + logs.damaged)} logs in ${number(batches)} batches${monthsText(firstMonth, lastMonth)}`,
    `  ${(Object.keys(logs) as (keyof typeof logs)[]).map((status) => `${status} ${number(logs[status])}`).join(', ')}`,
    `  ${formats.map(({ format, logs: count }) => `${format} ${number(count)}`).join(', ')}`,
    '',
    `${'table'.padEnd(16)}${'rows'.padStart(14)}${'files'.padStart(8)}${'size'.padStart(12)}`,
    ...tables.map(
      ({ table, rows, parts, bytes }) =>
        `${table.padEnd(16)}${number(rows).padStart(14)}${number(parts).padStart(8)}${sizeText(bytes).padStart(12)}`,
    ),
  ];
  if (repeatedLogs > 0) lines.push('', `${number(repeatedLogs)} logs are in two files, and count once.`);
  return lines.map((line) => `${printable(line)}\n`).join('');
}

function monthsText(first: string | null, last: string | null): string {
  if (first === null || last === null) return '';
  return first === last ? `, of ${first}` : `, from ${first} to ${last}`;
}

/** A line for each log: status, format, path, and what was wrong. */
export function logsText(logs: readonly StoreLog[]): string {
  return logs
    .map(({ status, format, path, message }) => [status, format === '' ? '-' : format, path, message ?? ''])
    .map(
      (fields) =>
        `${fields
          .map((field) => printable(field))
          .join('\t')
          .trimEnd()}\n`,
    )
    .join('');
}

export function compactionText(report: CompactionReport): string {
  const { batchesBefore, batchesAfter, partsBefore, partsAfter, bytesBefore, bytesAfter } = report;
  return `${partsBefore} files of ${batchesBefore} batches (${sizeText(bytesBefore)}) became ${partsAfter} of ${batchesAfter} (${sizeText(bytesAfter)}).\n`;
}
