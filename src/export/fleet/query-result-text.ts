import { formatBytes, formatDuration, formatRate, formatShare } from '../../base/quantities.ts';
import type { QueryColumn, QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
import { csvText } from '../csv-field.ts';
import { printable } from '../report/report-text.ts';

export const RESULT_FORMATS = ['table', 'csv', 'json'] as const;
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** Characters of a cell of a table that are shown. */
const WIDEST = 60;

/**
 * The result of a query as text, a piece for each chunk: memory does not grow with its rows.
 * @param head members of the JSON document before the rows.
 */
export async function* resultText(
  chunks: AsyncIterable<QueryResult> | Iterable<QueryResult>,
  format: ResultFormat,
  head: Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  const writer = WRITERS[format](head);
  let any = false;
  for await (const { columns, rows } of chunks) {
    yield `${any ? '' : writer.begin(columns, rows)}${rows.length > 0 ? writer.rows(columns, rows) : ''}`;
    any = true;
  }
  yield writer.end();
}

interface Writer {
  begin(columns: readonly QueryColumn[], firstRows: readonly (readonly QueryValue[])[]): string;
  rows(columns: readonly QueryColumn[], rows: readonly (readonly QueryValue[])[]): string;
  end(): string;
}

const WRITERS: Readonly<Record<ResultFormat, (head: Readonly<Record<string, unknown>>) => Writer>> = {
  table: tableWriter,
  csv: csvWriter,
  json: jsonWriter,
};

/** Columns are as wide as the rows of the first chunk need; numbers stand to the right. */
function tableWriter(): Writer {
  let widths: number[] = [];
  let count = 0;
  const line = (cells: readonly string[], columns: readonly QueryColumn[]): string =>
    `${cells
      .map((cell, i) => (isNumeric(columns[i]!.type) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()}\n`;
  return {
    begin(columns, firstRows) {
      if (isPlan(columns)) return '';
      const heads = columns.map(({ name }) => printable(name));
      const cells = [heads, ...firstRows.map((row) => row.map((value, i) => cellOf(value, columns[i]!)))];
      widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
      return (
        line(cells[0]!, columns) +
        line(
          widths.map((width) => '-'.repeat(width)),
          columns,
        )
      );
    },
    rows(columns, rows) {
      count += rows.length;
      if (isPlan(columns)) return rows.map((row) => `${printable(plainText(row.at(-1)!), true).trimEnd()}\n`).join('');
      return rows
        .map((row) =>
          line(
            row.map((value, i) => cellOf(value, columns[i]!)),
            columns,
          ),
        )
        .join('');
    },
    end: () => `${count === 1 ? '1 row' : `${count} rows`}\n`,
  };
}

/** The answer to EXPLAIN: a drawing of many lines, which no cell holds. */
function isPlan(columns: readonly QueryColumn[]): boolean {
  return columns.at(-1)?.name === 'explain_value';
}

function cellOf(value: QueryValue, column: QueryColumn): string {
  const text = printable(typeof value === 'number' ? figureText(value, column.name) : plainText(value));
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
}

/** A figure with its unit where the name of the column tells it; CSV and JSON have it as it is. */
function figureText(value: number, column: string): string {
  const name = SUMMARISED.exec(column)?.[1] ?? column;
  const unit = UNITS.find(({ names }) => names.test(name));
  if (unit !== undefined) return value < 0 ? `-${unit.text(-value)}` : unit.text(value);
  // Six figures are enough for people.
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
}

/** `sum(bytes_read)` has the unit of what is summed, `count(bytes_read)` has not. */
const SUMMARISED = /^(?:sum|avg|mean|median|min|max)\("?(\w+)"?\)$/;

/** Names of columns of the tables and of the ready-made questions; the same words in queries of the user mean the same. */
const UNITS: readonly { readonly names: RegExp; readonly text: (value: number) => string }[] = [
  { names: /(^|_)bandwidth$|^(bytes|read|written)_per_second$/, text: formatRate },
  { names: /(^|_)bytes($|_)|^stripe_size$/, text: formatBytes },
  { names: /(^|_)seconds$/, text: (value) => (value === 0 ? '0 s' : formatDuration(value * 1e9)) },
  { names: /_ns$/, text: (value) => (value === 0 ? '0 s' : formatDuration(value)) },
  { names: /(^|_)percent$/, text: (value) => formatShare(value / 100) },
  { names: /^share(_|$)/, text: formatShare },
];

function isNumeric(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|U?INTEGER|DOUBLE|FLOAT|DECIMAL.*)$/.test(type);
}

/** RFC 4180; what is not known is an empty field. */
function csvWriter(): Writer {
  const line = (row: readonly QueryValue[]): string => `${row.map(csvField).join(',')}\r\n`;
  return {
    begin: (columns) => line(columns.map(({ name }) => name)),
    rows: (_, rows) => rows.map(line).join(''),
    end: () => '',
  };
}

function csvField(value: QueryValue): string {
  return typeof value === 'number' ? String(value) : csvText(plainText(value));
}

function plainText(value: QueryValue): string {
  if (value === null) return '';
  return Array.isArray(value) ? JSON.stringify(value) : String(value);
}

/** One object for each row, by the names of the columns. */
function jsonWriter(head: Readonly<Record<string, unknown>>): Writer {
  let any = false;
  return {
    begin: (columns) => `${JSON.stringify({ ...head, columns }).slice(0, -1)},"rows":[`,
    rows(columns, rows) {
      const objects = rows.map((row) =>
        JSON.stringify(Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]))),
      );
      const text = `${any ? ',' : ''}\n${objects.join(',\n')}`;
      any = true;
      return text;
    },
    end: () => '\n]}\n',
  };
}
