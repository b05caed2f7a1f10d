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
import { make, table } from '../report/dom.ts';
import { currentTheme, type Theme } from '../report/theme.ts';
import { axisStep, formatValue, tickText, type Unit } from '../report/view-model.ts';
import type { LineChart } from './answer-charts.ts';

Chart.register(CategoryScale, LinearScale, LineController, LineElement, LogarithmicScale, PointElement, Tooltip);

type LineScale = NonNullable<NonNullable<ChartConfiguration<'line'>['options']>['scales']>[string];

/** Dashes tell lines apart where colours cannot. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
/** Rows of the table that says the same. */
const MOST_TABLE_ROWS = 200;
/** More points than pixels: a mark for each is a smear. */
const MOST_MARKS = 60;

/** Lines that stand on the page, to be drawn again in another theme. */
export class LineCharts {
  private readonly drawn = new Map<
    HTMLCanvasElement,
    { chart: Chart<'line'>; shown: LineChart; legend: HTMLElement }
  >();

  figure(shown: LineChart): HTMLElement {
    const canvas = make('canvas', {
      role: 'img',
      'aria-label': `${shown.title}. The same numbers stand in the table below.`,
    });
    const legend = make('ul', { class: 'legend', 'aria-hidden': 'true' });
    const room = make('div', { class: 'chart' }, canvas);
    room.style.height = '230px';
    const note = shown.note === '' ? null : make('span', { class: 'soft' }, ` ${shown.note}`);
    const figure = make(
      'figure',
      {},
      make('figcaption', {}, shown.title, note),
      shown.series.length > 1 ? legend : null,
      room,
      make('details', {}, make('summary', {}, 'As a table'), make('div', { class: 'wide' }, chartTable(shown))),
    );
    // A canvas has a size only once it stands on the page.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      this.draw(canvas, shown, legend);
    });
    observer.observe(room);
    return figure;
  }

  /** In the colours of the theme as it is now. */
  redraw(): void {
    for (const [canvas, { chart, shown, legend }] of [...this.drawn]) {
      chart.destroy();
      this.draw(canvas, shown, legend);
    }
  }

  /** Forgets the charts that are shown no more. */
  clear(): void {
    for (const { chart } of this.drawn.values()) chart.destroy();
    this.drawn.clear();
  }

  private draw(canvas: HTMLCanvasElement, shown: LineChart, legend: HTMLElement): void {
    const theme = currentTheme();
    this.drawn.set(canvas, { chart: new Chart(canvas, configuration(shown, theme)), shown, legend });
    legend.replaceChildren(
      ...shown.series.map(({ name }, index) => {
        const swatch = make('span', { class: 'swatch' });
        swatch.style.setProperty('--swatch', theme.series[index]!);
        return make('li', {}, swatch, name);
      }),
    );
  }
}

function configuration(shown: LineChart, theme: Theme): ChartConfiguration<'line'> {
  return {
    type: 'line',
    data: {
      labels: [...shown.x],
      datasets: shown.series.map(({ name, values }, index) => ({
        label: name,
        data: [...values],
        borderColor: theme.series[index]!,
        backgroundColor: theme.series[index]!,
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
          backgroundColor: theme.background,
          titleColor: theme.text,
          bodyColor: theme.text,
          borderColor: theme.rule,
          borderWidth: 1,
          titleFont: { family: theme.font },
          bodyFont: { family: theme.font },
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
