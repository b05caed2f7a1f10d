import {
  Chart,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
  type ChartConfiguration,
} from 'chart.js';
import type { KindView, MeasureView } from '../../src/features/store/protocol.ts';
import { formatCount } from '../../src/base/quantities.ts';
import { formatValue, tickText } from '../../src/drawing/charts/amounts.ts';
import { ChartFigures, tooltipLook } from '../kit/chart-figures.ts';
import { button, table, type Cell } from '../kit/dom.ts';
import type { Theme } from '../kit/theme.ts';
import { dayLabel, dayTicks, minuteLabel } from './time-ticks.ts';

Chart.register(LinearScale, LineController, LineElement, PointElement, Tooltip);

/** Rows of the table that says the same; those of the latest runs. */
const MOST_TABLE_ROWS = 200;

/** A measure of the runs of a kind over time. */
interface RunChart {
  readonly title: string;
  readonly note: string;
  readonly series: readonly { readonly name: string }[];
  readonly measure: MeasureView;
  readonly runs: readonly {
    readonly log: string;
    readonly name: string;
    readonly start: number;
    readonly value: number;
  }[];
}

interface Point {
  readonly x: number;
  readonly y: number | null;
}

/** @returns undefined where no run says it. */
export function runChart(kind: KindView, measure: MeasureView): RunChart | undefined {
  const index = kind.measures.indexOf(measure);
  const runs = kind.runs.flatMap(({ values, ...run }) => {
    const value = values[index] ?? null;
    return value === null ? [] : [{ ...run, value }];
  });
  if (runs.length === 0) return undefined;
  const left = kind.allRuns - kind.runs.length;
  const note = left > 0 ? `${formatCount(kind.runs.length)} of ${formatCount(kind.allRuns)} runs are drawn` : '';
  const changed = measure.changes.length > 0 ? [{ name: 'change' }] : [];
  return { title: measure.title, note, series: [{ name: 'runs' }, { name: 'median' }, ...changed], measure, runs };
}

/** Runs as points, medians as lines, changes as upright lines. */
export class RunCharts extends ChartFigures<'line', RunChart> {
  constructor(private readonly showJob: (log: string) => void) {
    super();
  }

  protected override height(): number {
    return 230;
  }

  protected override configuration(shown: RunChart, theme: Theme): ChartConfiguration<'line'> {
    const colours = theme.seriesOf(shown.series.map(({ name }) => name));
    const [points, line] = [colours[0]!, colours[1]!];
    const look = { borderWidth: 2, pointRadius: 0, pointHitRadius: 0 };
    const { runs, measure } = shown;
    const config: ChartConfiguration<'line', Point[]> = {
      type: 'line',
      data: {
        datasets: [
          { ...look, label: 'median', data: medians(shown), borderColor: line },
          { ...look, label: 'change', data: upright(shown), borderColor: colours[2] ?? line, borderDash: [6, 3] },
          {
            label: 'runs',
            data: runs.map(({ start, value }) => ({ x: start, y: value })),
            showLine: false,
            backgroundColor: points,
            borderColor: points,
            pointRadius: 2.5,
          },
        ],
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        scales: { x: timeScale(shown, theme), y: valueScale(measure, theme) },
        plugins: {
          tooltip: {
            ...tooltipLook(theme),
            callbacks: {
              title: ([item]) => (item === undefined ? '' : minuteLabel(Number(item.parsed.x))),
              label: ({ dataIndex, parsed }) =>
                `${runs[dataIndex]?.name ?? ''}: ${formatValue(parsed.y ?? 0, measure.unit)}`,
            },
          },
        },
      },
    };
    return config;
  }

  protected override table({ runs, measure }: RunChart): HTMLTableElement {
    const latest = runs.slice(-MOST_TABLE_ROWS).reverse();
    const rows = latest.map(({ log, name, start, value }): Cell[] => [
      button(name, { class: 'link' }, () => this.showJob(log)),
      `${minuteLabel(start)} UTC`,
      formatValue(value, measure.unit),
    ]);
    const caption =
      runs.length > latest.length ? `The latest ${MOST_TABLE_ROWS} of ${formatCount(runs.length)} runs.` : '';
    return table([{ title: 'Job' }, { title: 'Start' }, { title: measure.title, isNumber: true }], rows, caption);
  }

  protected override isHatched(): boolean {
    return false;
  }
}

/** The median of each stretch between changes; a gap between two stretches. */
function medians({ runs, measure }: RunChart): Point[] {
  const { changes, median } = measure;
  const [first, last] = [runs[0]!.start, runs.at(-1)!.start];
  if (changes.length === 0) return flat(first, last, median);
  return changes.flatMap(({ since, before, after }, index) => [
    ...flat(changes[index - 1]?.since ?? first, since, before),
    ...(index === changes.length - 1 ? flat(since, last, after) : []),
  ]);
}

function flat(from: number, to: number, y: number): Point[] {
  return [
    { x: from, y },
    { x: to, y },
    { x: to, y: null },
  ];
}

function upright({ runs, measure }: RunChart): Point[] {
  const most = runs.reduce((high, { value }) => Math.max(high, value), 0);
  return measure.changes.flatMap(({ since }) => [
    { x: since, y: 0 },
    { x: since, y: most },
    { x: since, y: null },
  ]);
}

type LineScale = NonNullable<NonNullable<ChartConfiguration<'line'>['options']>['scales']>[string];

function timeScale({ runs }: RunChart, theme: Theme): LineScale {
  const [first, last] = [runs[0]!.start, runs.at(-1)!.start];
  const margin = Math.max(3600, (last - first) / 50);
  const font = { family: theme.font, size: 11 };
  return {
    type: 'linear',
    min: first - margin,
    max: last + margin,
    grid: { display: false },
    border: { color: theme.rule },
    title: { display: true, text: 'start (UTC)', color: theme.softText, font },
    afterBuildTicks: (axis) => {
      axis.ticks = dayTicks(axis.min, axis.max).map((value) => ({ value }));
    },
    ticks: { color: theme.softText, font, callback: (value) => dayLabel(Number(value)) },
  };
}

function valueScale({ unit }: MeasureView, theme: Theme): LineScale {
  return {
    type: 'linear',
    beginAtZero: true,
    grid: { color: theme.rule },
    border: { display: false },
    ticks: {
      color: theme.softText,
      font: { family: theme.font, size: 11 },
      maxTicksLimit: 7,
      callback: (value) => tickText(Number(value), unit),
    },
  };
}
