/** Charts of the HTML report as SVG: no script, colours by class from the page's style sheet, numbers beside the bars. */
import { formatValue } from '../../drawing/charts/amounts.ts';
import type { BarChart } from '../../drawing/charts/bar-chart.ts';
import { branch, type Branch } from '../../drawing/markup/tree.ts';
import { shortened } from '../../drawing/graph/graph-shapes.ts';
import { heatmapDrawing, heatmapLegend, heatmapNote, heatmapTitle, legendEntry } from '../../drawing/report/heatmap.ts';
import type { JobHeatmap } from '../../drawing/report/job.ts';

/** Charts that stand beside others, and those that have the page for themselves. */
const NARROW = 480;
const WIDE = 760;
const LABEL = 135;
const NUMBER = 70;
const BAR = 12;
const GAP = 8;
const COLUMNS = 110;

/** A chart with its legend. */
export function chartFigure(chart: BarChart): Branch {
  const { title, note, series, isStacked, isHorizontal } = chart;
  const drawn = !isStacked ? barsOf(chart) : isHorizontal ? stackedBars(chart) : stackedColumns(chart);
  const entries = series.map(({ name }, at) => legendEntry(at, name));
  return figure(title, note, entries.length > 1 ? branch('ul', { class: 'legend' }, ...entries) : null, drawn);
}

export function heatmapFigure(heatmap: JobHeatmap, processes: number): Branch {
  const title = heatmapTitle(heatmap);
  const drawn = heatmapDrawing(heatmap, processes, WIDE, title);
  return figure(title, heatmapNote(heatmap), heatmapLegend(heatmap), drawn);
}

function figure(title: string, note: string | undefined, legend: Branch | null, drawn: Branch): Branch {
  const about = note === undefined ? null : branch('span', { class: 'soft' }, ` ${note}`);
  return branch('figure', {}, branch('figcaption', {}, title, about), legend, drawn);
}

function text(x: number, y: number, content: string, kind: string): Branch {
  return branch('text', { x, y, class: kind }, content);
}

function svg(title: string, width: number, height: number, content: readonly Branch[]): Branch {
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return branch('svg', { class: 'chart', ...size, role: 'img', 'aria-label': title }, ...content);
}

/** Bars of one label below each other, each with its number; the longest fills the width. */
function barsOf({ title, labels, series, unit }: BarChart): Branch {
  const greatest = Math.max(...series.flatMap(({ values }) => values), Number.MIN_VALUE);
  const step = series.length * BAR + GAP;
  const content = labels.flatMap((label, row) => [
    text(LABEL - 8, row * step + BAR - 2 + ((series.length - 1) * BAR) / 2, shortened(label, LABEL - 8), 'end'),
    ...series.flatMap(({ values }, at) => {
      const value = values[row] ?? 0;
      if (value <= 0) return [];
      const y = row * step + at * BAR;
      const width = Math.max(1, (value / greatest) * (NARROW - LABEL - NUMBER));
      return [
        branch('rect', { class: `series${at}`, x: LABEL, y, width: width.toFixed(1), height: BAR - 2 }),
        text(LABEL + width + 6, y + BAR - 2, formatValue(value, unit), 'soft'),
      ];
    }),
  ]);
  return svg(title, NARROW, labels.length * step, content);
}

/** One bar for each label, its parts behind each other, their sum behind it; shares are drawn on a ruler of the whole. */
function stackedBars({ title, labels, series, unit }: BarChart): Branch {
  const sums = sumsOf(series, labels.length);
  const limit = unit === 'share' ? 1 : Math.max(...sums, Number.MIN_VALUE);
  const scale = (NARROW - LABEL - NUMBER) / limit;
  const step = BAR + GAP + 4;
  const content = labels.flatMap((label, row) => {
    const y = row * step + 0.5;
    let x = LABEL;
    const parts = series.flatMap(({ values }, at) => {
      const from = x;
      const width = Math.min((values[row] ?? 0) * scale, LABEL + limit * scale - x);
      if (!(width > 0)) return [];
      x += width;
      return [
        branch('rect', { class: `series${at}`, x: from.toFixed(1), y, width: width.toFixed(1), height: BAR + 3 }),
      ];
    });
    return [
      text(LABEL - 8, row * step + BAR, shortened(label, LABEL - 8), 'end'),
      branch('rect', { class: 'rule', x: LABEL, y, width: limit * scale, height: BAR + 3 }),
      ...parts,
      text(x + 6, row * step + BAR, formatValue(sums[row]!, unit), 'soft'),
    ];
  });
  return svg(title, NARROW, labels.length * step, content);
}

/** Columns beside each other, their parts above each other; below stand the first and the last label. */
function stackedColumns({ title, labels, series, unit, of }: BarChart): Branch {
  const left = NUMBER;
  const step = (NARROW - left) / labels.length;
  const most = Math.max(...sumsOf(series, labels.length), Number.MIN_VALUE);
  const below = labels.map(() => 0);
  const paths = series.map(({ values }, at) => {
    const boxes = values.map((value, column) => {
      if (!(value > 0)) return '';
      const height = (value / most) * COLUMNS;
      below[column]! += height;
      const corner = `M${(left + column * step).toFixed(2)} ${(COLUMNS - below[column]!).toFixed(2)}`;
      return `${corner}h${step.toFixed(2)}v${height.toFixed(2)}h${(-step).toFixed(2)}z`;
    });
    return branch('path', { class: `series${at}`, d: boxes.join('') });
  });
  return svg(title, NARROW, COLUMNS + 22, [
    ...paths,
    branch('rect', { class: 'rule', x: left, y: 0, width: NARROW - left, height: COLUMNS }),
    text(left - 6, 10, formatValue(most, unit), 'end soft'),
    text(left, COLUMNS + 16, `${of} ${labels[0] ?? ''}`, 'soft'),
    text(NARROW, COLUMNS + 16, labels.at(-1) ?? '', 'end soft'),
  ]);
}

function sumsOf(series: BarChart['series'], count: number): number[] {
  return Array.from({ length: count }, (_, row) => series.reduce((sum, { values }) => sum + (values[row] ?? 0), 0));
}
