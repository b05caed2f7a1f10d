import { counted } from '../../base/quantities.ts';
import type { ComparedInsight, ComparedLine, ComparedThing, ComparisonDocument } from './comparison-document.ts';
import {
  byteChange,
  changedRows,
  costChange,
  countChange,
  findingWords,
  functionOfLine,
  hasCosts,
  lineWords,
  runNumbers,
  runVerdict,
  shownFindings,
  sideWords,
  thingWords,
  timeChange,
} from './comparison-words.ts';
import { printable } from '../report/report-text.ts';
import type { TextStyle } from '../report/text-style.ts';

/** Rows of a table; the JSON has all. */
const MOST_LINES = 30;
const MOST_THINGS = 10;

/** A comparison as a person reads it in a terminal: the run, the findings, then the lines with the largest changes. */
export function comparisonText(comparison: ComparisonDocument, style: TextStyle): string {
  const document = printable(comparison);
  const { total } = document;
  const times = hasCosts(document) ? ['cost', 'recorded'] : ['time'];
  const parts = [
    [`base  ${sideWords(document.base)}`, `new   ${sideWords(document.new)}`].join('\n'),
    `${style.bold('The run')}: ${marked(total.verdict, style, runVerdict(document))}\n${indented(
      table(runNumbers(document)),
    )}`,
    findings(document.insights, style),
    section(
      'Lines',
      ['what', ...times, 'calls', 'bytes', 'where'],
      changedRows(document.lines).map((row) => lineRow(row, style)),
      MOST_LINES,
      style,
    ),
    ...(['functions', 'files', 'calls', 'layers'] as const).map((name) =>
      section(
        TITLES[name],
        ['what', ...times, 'calls', 'bytes', name === 'calls' ? 'call' : name.slice(0, -1)],
        changedRows(document[name]).map((row) => thingRow(row, style)),
        MOST_THINGS,
        style,
      ),
    ),
    `${style.bold('Notes')}\n${document.notes.map((note) => `  ${note}`).join('\n')}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const TITLES = { functions: 'Functions', files: 'Files', calls: 'Calls', layers: 'Layers' } as const;

const COLOURS: Readonly<Record<string, 'high' | 'ok' | 'warn'>> = {
  worse: 'high',
  new: 'warn',
  mixed: 'warn',
  better: 'ok',
  gone: 'ok',
};

function marked(what: string, style: TextStyle, words = what): string {
  const colour = COLOURS[what];
  return colour === undefined ? words : style.colour(colour, words);
}

function findings(insights: readonly ComparedInsight[], style: TextStyle): string {
  const changed = shownFindings(insights);
  const same = insights.length - changed.length;
  const rows = changed.map((insight) => [
    marked(insight.change, style),
    `${insight.code} ${insight.title}`,
    findingWords(insight, (file) => style.place(file)),
    insight.reason,
  ]);
  const rest = same === 0 ? [] : [`${counted(same, 'finding')} unchanged`];
  if (insights.length === 0) return `${style.bold('Findings')}\n  none on either side`;
  return `${style.bold('Findings')}\n${indented([...table(rows), ...rest])}`;
}

function lineRow(row: ComparedLine, style: TextStyle): string[] {
  const how = row.match === 'moved' || row.match === 'same function' ? ` (${row.match})` : '';
  const where = `${lineWords(row, (file) => style.place(file))}  ${functionOfLine(row)}${how}`.trimEnd();
  return [marked(row.verdict, style), ...numbers(row), where];
}

function thingRow(row: ComparedThing, style: TextStyle): string[] {
  return [marked(row.verdict, style), ...numbers(row), thingWords(row)];
}

function numbers(row: ComparedLine | ComparedThing): string[] {
  const recorded = row.costNs === null ? [] : [timeChange(row.timeNs)];
  return [costChange(row), ...recorded, countChange(row.events), byteChange(row.bytes)];
}

function section(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  most: number,
  style: TextStyle,
): string {
  if (rows.length === 0) return '';
  const more = rows.length > most ? [`… and ${rows.length - most} more (--format json has all)`] : [];
  return `${style.bold(title)}\n${indented([...table([head, ...rows.slice(0, most)]), ...more])}`;
}

/** Columns as wide as their longest cell; escape sequences take no room. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = (cell: string): number => cell.replace(ESCAPES, '').length;
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, width(cell))));
  return rows.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat(widths[i]! - width(cell)))).join('  '),
  );
}

// oxlint-disable-next-line no-control-regex -- our own colours begin with one
const ESCAPES = /\u001b\[\d+m/g;

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
