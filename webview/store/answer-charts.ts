import type { AnswerChart, QueryColumn, QueryResult, QueryValue } from '../../src/features/store/protocol.ts';
import type { Unit } from '../../src/drawing/charts/amounts.ts';
import type { BarChart } from '../kit/charts.ts';
import { columnTitle, exactText, isNumeric, quantityOf } from './cell-text.ts';

/** What of an answer is drawn: everything that needs no page to be made. */

/** Lines over one axis. */
export interface LineChart {
  readonly title: string;
  /** Said behind the title. */
  readonly note: string;
  readonly xTitle: string;
  /** Moments, months and names stand side by side; numbers where they belong. */
  readonly xUnit: Unit | 'label';
  /** Numbers spread over more than this many powers of ten: each power gets the same room. */
  readonly isLogarithmic: boolean;
  readonly x: readonly (number | string)[];
  readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  readonly unit: Unit;
}

type DrawnChart =
  | { readonly kind: 'bars'; readonly chart: BarChart }
  | { readonly kind: 'lines'; readonly chart: LineChart };

/** More bars are no picture; the table has them all. */
const MOST_BARS = 30;
/** As many colours as a theme has for series. */
const MOST_SERIES = 4;
/** From here a logarithmic axis says more. */
const WIDE_RANGE = 1_000;

/** @returns undefined where there is nothing to draw: no rows, or columns that are not there or no numbers. */
export function drawnChart(title: string, chart: AnswerChart, result: QueryResult): DrawnChart | undefined {
  if (chart.kind === 'table' || result.rows.length === 0) return undefined;
  const at = indexOf(result.columns);
  const values = numbersOfOneUnit(result.columns, chart.kind === 'lines' ? chart.y : chart.values);
  const axis = at(chart.kind === 'lines' ? chart.x : chart.label);
  if (axis === undefined || values.length === 0) return undefined;
  const unit = unitOf(result.columns[values[0]!]!);
  if (chart.kind === 'lines') return { kind: 'lines', chart: lineChart(title, result, axis, values, unit) };
  const rows = result.rows.slice(0, MOST_BARS);
  const labels = rows.map((row) => exactText(row[axis]!));
  const rest = result.rows.length - rows.length;
  return {
    kind: 'bars',
    chart: {
      title,
      note: rest > 0 ? `the first ${MOST_BARS} of ${result.rows.length}${result.truncated ? ' and more' : ''}` : '',
      of: columnTitle(result.columns[axis]!.name),
      labels,
      shortLabels: labels.map(shortened),
      series: values.map((column) => ({
        name: columnTitle(result.columns[column]!.name),
        values: rows.map((row) => numberOf(row[column]!) ?? 0),
      })),
      isStacked: chart.kind === 'stacked',
      isHorizontal: labels.length <= 12 || labels.some((label) => label.length > 12),
      unit,
    },
  };
}

/** Charts that could be drawn of any result: what the user may choose from. */
export function possibleCharts({ columns, rows }: QueryResult): AnswerChart['kind'][] {
  const numbers = columns.filter(isDrawn).length;
  if (rows.length === 0 || columns.length < 2 || numbers === 0) return ['table'];
  return numbers > 1 ? ['table', 'bars', 'stacked', 'lines'] : ['table', 'bars', 'lines'];
}

/** The chart of a kind with the columns that suggest themselves: a name or moment along, numbers across. */
export function suggestedChart(kind: AnswerChart['kind'], { columns }: QueryResult): AnswerChart {
  const axis = columns.find((column) => !isDrawn(column)) ?? columns[0]!;
  const values = columns.filter((column) => column !== axis && isDrawn(column)).map(({ name }) => name);
  switch (kind) {
    case 'table':
      return { kind };
    case 'lines':
      return { kind, x: axis.name, y: values };
    default:
      return { kind, label: axis.name, values };
  }
}

function isDrawn(column: QueryColumn): boolean {
  return isNumeric(column) && quantityOf(column) !== 'name';
}

function indexOf(columns: readonly QueryColumn[]): (name: string) => number | undefined {
  return (name) => {
    const index = columns.findIndex((column) => column.name === name);
    return index < 0 ? undefined : index;
  };
}

/** Bytes and seconds have no axis in common: the first column decides. */
function numbersOfOneUnit(columns: readonly QueryColumn[], names: readonly string[]): number[] {
  const at = indexOf(columns);
  const found = names.flatMap((name) => at(name) ?? []).filter((index) => isNumeric(columns[index]!));
  const first = found[0];
  if (first === undefined) return [];
  return found.filter((index) => unitOf(columns[index]!) === unitOf(columns[first]!)).slice(0, MOST_SERIES);
}

function unitOf(column: QueryColumn): Unit {
  const quantity = quantityOf(column);
  return quantity === 'count' || quantity === 'name' ? 'number' : quantity;
}

function lineChart(
  title: string,
  { columns, rows, truncated }: QueryResult,
  axis: number,
  values: readonly number[],
  unit: Unit,
): LineChart {
  const column = columns[axis]!;
  const isNumber = isNumeric(column);
  const known = rows.filter((row) => row[axis] !== null);
  const x = known.map((row) => (isNumber ? (numberOf(row[axis]!) ?? 0) : exactText(row[axis]!)));
  const positive = x.filter((each): each is number => typeof each === 'number' && each > 0);
  const least = positive.reduce((a, b) => Math.min(a, b), Infinity);
  const most = positive.reduce((a, b) => Math.max(a, b), 0);
  return {
    title,
    note: truncated ? `the first ${rows.length} rows` : '',
    xTitle: columnTitle(column.name),
    xUnit: isNumber ? unitOf(column) : 'label',
    isLogarithmic: isNumber && positive.length === x.length && most / least >= WIDE_RANGE,
    x,
    series: values.map((index) => ({
      name: columnTitle(columns[index]!.name),
      values: known.map((row) => numberOf(row[index]!)),
    })),
    unit,
  };
}

function numberOf(value: QueryValue): number | null {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The end of a path says more than its beginning. */
function shortened(label: string): string {
  const most = 28;
  if (label.length <= most) return label;
  return label.includes('/') ? `…${label.slice(1 - most)}` : `${label.slice(0, most - 1)}…`;
}
