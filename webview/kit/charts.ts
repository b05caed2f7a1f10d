import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  Tooltip,
  type ChartConfiguration,
} from 'chart.js';
import { ChartFigures, tooltipLook } from './chart-figures.ts';
import { table } from './dom.ts';
import { hatched } from './hatching.ts';
import type { Theme } from './theme.ts';
import { axisStep, formatValue, tickText } from '../../src/drawing/charts/amounts.ts';
import type { BarChart } from '../../src/drawing/charts/bar-chart.ts';

export type { BarChart } from '../../src/drawing/charts/bar-chart.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

/** Charts with bars. */
export class Charts extends ChartFigures<'bar', BarChart> {
  protected override height({ isHorizontal, labels }: BarChart): number {
    return isHorizontal ? Math.max(110, labels.length * 34 + 40) : 230;
  }

  protected override configuration(shown: BarChart, theme: Theme): ChartConfiguration<'bar'> {
    return configuration(shown, theme);
  }

  protected override table(shown: BarChart): HTMLTableElement {
    return chartTable(shown);
  }

  protected override isHatched(theme: Theme, series: number): boolean {
    return hatches(theme, series);
  }
}

/** In high contrast the second series also has another pattern. */
function hatches(theme: Theme, series: number): boolean {
  return theme.isHighContrast && series % 2 === 1;
}

function configuration(shown: BarChart, theme: Theme): ChartConfiguration<'bar'> {
  const values = valueScale(shown, theme);
  const labels = labelScale(shown, theme);
  const colours = theme.seriesOf(shown.series.map(({ name }) => name));
  return {
    type: 'bar',
    data: {
      labels: [...(shown.shortLabels ?? shown.labels)],
      datasets: shown.series.map(({ name, values: data }, index) => ({
        label: name,
        // A bar of no length is still two pixels high: nothing is to be nothing.
        data: data.map((value) => (value === 0 ? null : value)),
        backgroundColor: hatches(theme, index) ? hatched(colours[index]!, theme.background) : colours[index]!,
        borderColor: theme.edge,
        borderWidth: theme.isHighContrast ? 1 : 0,
        borderRadius: 2,
        maxBarThickness: 34,
        // A value that is small beside the largest is still to be seen.
        minBarLength: shown.isStacked ? 0 : 2,
      })),
    },
    options: {
      indexAxis: shown.isHorizontal ? 'y' : 'x',
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false, axis: shown.isHorizontal ? 'y' : 'x' },
      scales: shown.isHorizontal ? { x: values, y: labels } : { x: labels, y: values },
      plugins: {
        tooltip: {
          ...tooltipLook(theme),
          callbacks: {
            title: ([item]) => (item === undefined ? '' : shown.labels[item.dataIndex]!),
            label: ({ dataset, raw }) =>
              raw === null ? '' : `${dataset.label ?? ''}: ${formatValue(raw as number, shown.unit)}`,
          },
        },
      },
    },
  };
}

type Scale = NonNullable<NonNullable<ChartConfiguration<'bar'>['options']>['scales']>[string];

function valueScale({ series, unit, isStacked, labels }: BarChart, theme: Theme): Scale {
  const sums = labels.map((_, label) => {
    const all = series.map(({ values }) => values[label] ?? 0);
    return isStacked ? all.reduce((sum, value) => sum + value, 0) : Math.max(...all);
  });
  const step = axisStep(
    sums.reduce((most, value) => Math.max(most, value), 0),
    unit,
  );
  return {
    stacked: isStacked,
    grid: { color: theme.rule },
    border: { display: false },
    ticks: {
      color: theme.softText,
      font: { family: theme.font, size: 11 },
      maxTicksLimit: 7,
      ...(step !== undefined && { stepSize: step }),
      ...(unit === 'count' && { precision: 0 }),
      callback: (value: number | string) => tickText(Number(value), unit),
    },
  };
}

function labelScale({ isStacked }: BarChart, theme: Theme): Scale {
  return {
    stacked: isStacked,
    grid: { display: false },
    border: { color: theme.rule },
    ticks: { color: theme.softText, font: { family: theme.font, size: 11 }, maxRotation: 45, autoSkip: true },
  };
}

function chartTable({ labels, series, unit, of }: BarChart): HTMLTableElement {
  return table(
    [{ title: of }, ...series.map(({ name }) => ({ title: name, isNumber: true }))],
    labels.map((label, row) => [label, ...series.map(({ values }) => formatValue(values[row] ?? 0, unit))]),
  );
}
