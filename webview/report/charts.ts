import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LinearScale,
  Tooltip,
  type ChartConfiguration,
} from 'chart.js';
import { make, table } from './dom.ts';
import { hatched } from './hatching.ts';
import { currentTheme, type Theme } from './theme.ts';
import { axisStep, formatValue, tickText, type BarChart } from './view-model.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

/** Charts that stand on the page, to be drawn again in another theme. */
export class Charts {
  private readonly drawn = new Map<HTMLCanvasElement, { chart: Chart<'bar'>; shown: BarChart; legend: HTMLElement }>();

  /** A chart with its legend, and the same as a table for whoever cannot see it. */
  figure(shown: BarChart): HTMLElement {
    const canvas = make('canvas', {
      role: 'img',
      'aria-label': `${shown.title}. The same numbers stand in the table below.`,
    });
    const legend = make('ul', { class: 'legend', 'aria-hidden': 'true' });
    const height = shown.isHorizontal ? Math.max(110, shown.labels.length * 34 + 40) : 230;
    const room = make('div', { class: 'chart' }, canvas);
    room.style.height = `${height}px`;
    const figure = make(
      'figure',
      {},
      make(
        'figcaption',
        {},
        shown.title,
        shown.note === undefined ? null : make('span', { class: 'soft' }, ` ${shown.note}`),
      ),
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

  /** Forgets the charts of a report that is shown no more. */
  clear(): void {
    for (const { chart } of this.drawn.values()) chart.destroy();
    this.drawn.clear();
  }

  private draw(canvas: HTMLCanvasElement, shown: BarChart, legend: HTMLElement): void {
    const theme = currentTheme();
    this.drawn.set(canvas, { chart: new Chart(canvas, configuration(shown, theme)), shown, legend });
    legend.replaceChildren(
      ...shown.series.map(({ name }, index) => {
        const swatch = make('span', { class: `swatch${hatches(theme, index) ? ' hatched' : ''}` });
        swatch.style.setProperty('--swatch', theme.series[index]!);
        return make('li', {}, swatch, name);
      }),
    );
  }
}

/** In high contrast the second series also has another pattern. */
function hatches(theme: Theme, series: number): boolean {
  return theme.isHighContrast && series % 2 === 1;
}

function configuration(shown: BarChart, theme: Theme): ChartConfiguration<'bar'> {
  const values = valueScale(shown, theme);
  const labels = labelScale(shown, theme);
  return {
    type: 'bar',
    data: {
      labels: [...(shown.shortLabels ?? shown.labels)],
      datasets: shown.series.map(({ name, values: data }, index) => ({
        label: name,
        // A bar of no length is still two pixels high: nothing is to be nothing.
        data: data.map((value) => (value === 0 ? null : value)),
        backgroundColor: hatches(theme, index) ? hatched(theme.series[index]!, theme.background) : theme.series[index]!,
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
          backgroundColor: theme.background,
          titleColor: theme.text,
          bodyColor: theme.text,
          borderColor: theme.rule,
          borderWidth: 1,
          titleFont: { family: theme.font },
          bodyFont: { family: theme.font },
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
