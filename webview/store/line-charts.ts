import {
  CategoryScale,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
  type ChartConfiguration,
} from 'chart.js';
import { ChartFigures, tooltipLook } from '../kit/chart-figures.ts';
import { table } from '../kit/dom.ts';
import type { Theme } from '../kit/theme.ts';
import { axisStep, formatValue, tickText, type Unit } from '../../src/drawing/charts/amounts.ts';
import type { LineChart } from './answer-charts.ts';

Chart.register(CategoryScale, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip);

type LineScale = NonNullable<NonNullable<ChartConfiguration<'line'>['options']>['scales']>[string];

/** Dashes tell lines apart where colours cannot. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
/** Rows of the table that says the same. */
const MOST_TABLE_ROWS = 200;
/** More points than pixels: a mark for each is a smear. */
const MOST_MARKS = 60;

/** Charts with lines. */
export class LineCharts extends ChartFigures<'line', LineChart> {
  protected override height(): number {
    return 230;
  }

  protected override configuration(shown: LineChart, theme: Theme): ChartConfiguration<'line'> {
    return configuration(shown, theme);
  }

  protected override table(shown: LineChart): HTMLTableElement {
    return chartTable(shown);
  }

  /** Dashes tell lines apart. */
  protected override isHatched(): boolean {
    return false;
  }
}

function configuration(shown: LineChart, theme: Theme): ChartConfiguration<'line'> {
  const colours = theme.seriesOf(shown.series.map(({ name }) => name));
  return {
    type: 'line',
    data: {
      labels: [...shown.x],
      datasets: shown.series.map(({ name, values }, index) => ({
        label: name,
        data: [...values],
        borderColor: colours[index]!,
        backgroundColor: colours[index]!,
        borderWidth: 2,
        borderDash: theme.isHighContrast ? [...DASHES[index]!] : [],
        pointRadius: values.length > MOST_MARKS ? 0 : 2.5,
        spanGaps: false,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      scales: { x: xScale(shown, theme), y: yScale(shown, theme) },
      plugins: {
        tooltip: {
          ...tooltipLook(theme),
          callbacks: {
            title: ([item]) => (item === undefined ? '' : xText(shown.x[item.dataIndex]!, shown.xUnit)),
            label: ({ dataset, parsed }) =>
              parsed.y === null ? '' : `${dataset.label ?? ''}: ${formatValue(parsed.y, shown.unit)}`,
          },
        },
      },
    },
  };
}

function xScale({ xUnit, isLogarithmic, xTitle, x }: LineChart, theme: Theme): LineScale {
  const ticks = { color: theme.softText, font: { family: theme.font, size: 11 }, maxRotation: 45, autoSkip: true };
  const title = { display: true, text: xTitle, color: theme.softText, font: { family: theme.font, size: 11 } };
  const rest = { grid: { display: false }, border: { color: theme.rule }, title };
  if (xUnit === 'label') return { type: 'category', ticks, ...rest };
  const callback = (value: number | string): string => tickText(Number(value), xUnit);
  const step = axisStep(
    x.reduce<number>((most, each) => Math.max(most, Number(each)), 0),
    xUnit,
  );
  return isLogarithmic
    ? { type: 'logarithmic', ticks: { ...ticks, callback, maxTicksLimit: 8 }, ...rest }
    : { type: 'linear', ticks: { ...ticks, callback, ...(step !== undefined && { stepSize: step }) }, ...rest };
}

function yScale({ series, unit }: LineChart, theme: Theme): LineScale {
  const most = series.flatMap(({ values }) => values).reduce<number>((high, value) => Math.max(high, value ?? 0), 0);
  const step = axisStep(most, unit);
  return {
    type: 'linear',
    beginAtZero: true,
    grid: { color: theme.rule },
    border: { display: false },
    ticks: {
      color: theme.softText,
      font: { family: theme.font, size: 11 },
      maxTicksLimit: 7,
      ...(step !== undefined && { stepSize: step }),
      callback: (value: number | string) => tickText(Number(value), unit),
    },
  };
}

function xText(value: number | string, unit: Unit | 'label'): string {
  return typeof value === 'string' || unit === 'label' ? String(value) : formatValue(value, unit);
}

function chartTable({ x, xTitle, xUnit, series, unit }: LineChart): HTMLTableElement {
  const rows = x.slice(0, MOST_TABLE_ROWS).map((value, row) => [
    xText(value, xUnit),
    ...series.map(({ values }) => {
      const number = values[row] ?? null;
      return number === null ? '–' : formatValue(number, unit);
    }),
  ]);
  const rest = x.length - rows.length;
  return table(
    [{ title: xTitle }, ...series.map(({ name }) => ({ title: name, isNumber: true }))],
    rows,
    rest > 0 ? `The first ${MOST_TABLE_ROWS} of ${x.length} rows; “Open in SQL” has all.` : '',
  );
}
