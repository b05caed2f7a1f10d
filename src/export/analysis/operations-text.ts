import type { OperationsSummary, SummaryAmount } from '../../analysis/timeline/summary.ts';
import type { FunctionTimes } from '../../analysis/layers/function-times.ts';
import { largestShares, type RoleShares, type RoleTimes } from '../../analysis/layers/shares.ts';
import { formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';

/** Rows of a table that a terminal is filled with; `--json` has them all. */
const MOST_ROWS = 30;

/** The tables of operations for people. */
export function operationsText(summary: OperationsSummary): string {
  const {
    recording,
    layers,
    operations,
    operationsLeftOut,
    functions,
    libraries,
    hasDurations,
    shares,
    functionTimes,
  } = summary;
  const amounts = (amount: SummaryAmount): string[] => {
    const cells = [formatCount(amount.calls), formatBytes(amount.bytes)];
    return hasDurations ? [...cells, formatDuration(amount.timeNs), formatDuration(amount.exclusiveNs)] : cells;
  };
  // As recorded: a tracer's part is in it where one was.
  const head = hasDurations ? ['calls', 'bytes', 'recorded', 'exclusive'] : ['calls', 'bytes'];
  const hidden = Math.max(0, operations.length - MOST_ROWS) + operationsLeftOut;
  return [
    `${visible(recording)}\n`,
    shares === undefined ? '' : sharesText(shares),
    functionTimes === undefined ? '' : functionsText(functionTimes, shares?.totalNs ?? 0),
    table('By layer', head, layers, (row) => [...amounts(row), row.layer]),
    table('By layer, operation and file', head, operations, (row) => [
      ...amounts(row),
      row.layer,
      row.operation,
      row.path === '' ? '(no file)' : row.path,
    ]),
    hidden === 0 ? '' : `  and ${formatCount(hidden)} more: see --json\n`,
    table(
      layers.length > 1 ? 'By function of the program (each transfer once)' : 'By function of the program',
      head,
      functions,
      (row) => [
        ...amounts(row),
        row.kind === 'unknown' ? '(no frame of the program)' : row.functionName || '(no name)',
        row.group,
      ],
    ),
    table(layers.length > 1 ? 'By library (each transfer once)' : 'By library', head, libraries, (row) => [
      ...amounts(row),
      row.group,
    ]),
  ].join('');
}

/** What the processes spend their time with, all together and each by itself. */
function sharesText(shares: RoleShares): string {
  const roles = largestShares(shares).map(({ role }) => role);
  const all = largestShares(shares);
  const sum = (times: RoleTimes): number => roles.reduce((total, role) => total + times[role], 0);
  return [
    table('By what the program does', ['time', 'share'], all, ({ role, timeNs, share }) => [
      formatDuration(timeNs),
      formatShare(share),
      role,
    ]),
    shares.streams.length < 2
      ? ''
      : table('By process', ['time', ...roles], shares.streams, ({ name, times }) => [
          formatDuration(sum(times)),
          ...roles.map((role) => formatShare(sum(times) > 0 ? times[role] / sum(times) : 0)),
          name,
        ]),
  ].join('');
}

/** What functions take themselves, and by whom, where several processes can be compared. */
function functionsText(functions: readonly FunctionTimes[], allNs: number): string {
  const isCompared = functions.some(({ most }) => most !== null);
  const head = ['calls', 'exclusive', 'share', ...(isCompared ? ['least', 'most'] : [])];
  return table('By function, without what it calls', head, functions, (row) => {
    const { name, paradigm, calls, exclusiveNs, least, most } = row;
    const share = allNs > 0 ? exclusiveNs / allNs : 0;
    const ends = isCompared ? [least, most].map((end) => (end === null ? '' : formatDuration(end.exclusiveNs))) : [];
    const about = `${name}${paradigm === '' ? '' : ` (${paradigm})`}`;
    const who = most === null ? '' : `most: ${most.name}`;
    return [formatCount(calls), formatDuration(exclusiveNs), formatShare(share), ...ends, about, who];
  });
}

function table<Row>(
  title: string,
  head: readonly string[],
  rows: readonly Row[],
  cellsOf: (row: Row) => readonly string[],
): string {
  if (rows.length === 0) return '';
  const cells = rows.slice(0, MOST_ROWS).map((row) => cellsOf(row).map(visible));
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, column) => (column < widths.length ? cell.padStart(widths[column]!) : cell)).join('  ')}\n`;
  return `\n${title}\n${line(head)}${cells.map(line).join('')}`;
}

/** Names of a recording must not move the terminal's cursor. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
