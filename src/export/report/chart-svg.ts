/** Charts of the HTML report as SVG: no script, colours by class from the page's style sheet, numbers beside each bar. */
import { formatBytes, formatDuration } from '../../base/quantities.ts';
import type { JobHeatmap } from './job-document.ts';
import { element, escapeMarkup } from '../../base/markup.ts';

/** Classes that give a series its colour; the words beside it are its name. */
export type Series = 'read' | 'write' | 'meta' | 'wait';

export interface Bars {
  readonly label: string;
  readonly values: readonly { readonly series: Series; readonly value: number; readonly text: string }[];
}

/** Charts that stand beside others, and those that have the page for themselves. */
const NARROW = 400;
const WIDE = 760;
const LABEL = 125;
const NUMBER = 70;
const BAR = 12;
const GAP = 8;

function text(x: number, y: number, content: string, kind?: string): string {
  return element('text', { x, y, class: kind }, escapeMarkup(content));
}

function svg(title: string, width: number, height: number, content: readonly string[]): string {
  const attributes = { class: 'chart', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' };
  return element('svg', { ...attributes, 'aria-label': title }, ...content);
}

/** Horizontal bars, those of one label below each other; the longest fills the width. */
export function barChart(title: string, bars: readonly Bars[]): string {
  const greatest = Math.max(...bars.flatMap(({ values }) => values.map(({ value }) => value)), Number.MIN_VALUE);
  const content: string[] = [];
  let y = 0;
  for (const { label, values } of bars) {
    content.push(text(LABEL - 8, y + BAR - 2 + ((values.length - 1) * BAR) / 2, label, 'end'));
    for (const { series, value, text: number } of values) {
      const width = value <= 0 ? 0 : Math.max(1, (value / greatest) * (NARROW - LABEL - NUMBER));
      content.push(element('rect', { class: series, x: LABEL, y, width: width.toFixed(1), height: BAR - 2 }));
      content.push(text(LABEL + width + 6, y + BAR - 2, number, 'soft'));
      y += BAR;
    }
    y += GAP;
  }
  return svg(title, NARROW, Math.max(1, y), content);
}

/** One bar for each label, its parts behind each other, in shares of 1; the ruler goes to `limit`. The texts stand behind. */
export function shareChart(title: string, bars: readonly Bars[], limit: number): string {
  const scale = (WIDE - LABEL - NUMBER) / limit;
  const content: string[] = [];
  bars.forEach(({ label, values }, i) => {
    const y = i * (BAR + GAP + 4);
    content.push(text(LABEL - 8, y + BAR, label, 'end'));
    content.push(element('rect', { class: 'rule', x: LABEL, y: y + 0.5, width: limit * scale, height: BAR + 3 }));
    let x = LABEL;
    for (const { series, value } of values) {
      const width = Math.min(value * scale, LABEL + limit * scale - x);
      if (width <= 0) continue;
      content.push(
        element('rect', { class: series, x: x.toFixed(1), y: y + 0.5, width: width.toFixed(1), height: BAR + 3 }),
      );
      x += width;
    }
    const sum = values.map(({ text: number }) => number).join('');
    content.push(text(x + 6, y + BAR, sum, 'soft'));
  });
  return svg(title, WIDE, Math.max(1, bars.length * (BAR + GAP + 4)), content);
}

/** Columns beside each other, their parts above each other; below stand the ranks of the first and the last. */
export function columnChart(
  title: string,
  columns: readonly { readonly series: Series; readonly values: readonly number[] }[],
  format: (value: number) => string,
  ends: readonly [first: string, last: string],
): string {
  const count = Math.max(1, ...columns.map(({ values }) => values.length));
  const left = LABEL / 2;
  const step = (WIDE - left) / count;
  const below = new Array<number>(count).fill(0);
  const sums = below.map((_, i) => columns.reduce((sum, { values }) => sum + (values[i] ?? 0), 0));
  const most = sums.reduce((greatest, sum) => Math.max(greatest, sum), Number.MIN_VALUE);
  const paths = columns.map(({ series, values }) => {
    const path = values.map((value, i) => {
      if (value <= 0) return '';
      const height = (value / most) * COLUMN_HEIGHT;
      below[i]! += height;
      const y = COLUMN_HEIGHT - below[i]!;
      return `M${(left + i * step).toFixed(2)} ${y.toFixed(2)}h${step.toFixed(2)}v${height.toFixed(2)}h${(-step).toFixed(2)}z`;
    });
    return element('path', { class: series, d: path.join('') });
  });
  return svg(title, WIDE, COLUMN_HEIGHT + 22, [
    ...paths,
    element('rect', { class: 'rule', x: left, y: 0, width: WIDE - left, height: COLUMN_HEIGHT }),
    text(left - 6, 10, format(most), 'end soft'),
    text(left, COLUMN_HEIGHT + 16, ends[0], 'soft'),
    text(WIDE, COLUMN_HEIGHT + 16, ends[1], 'end soft'),
  ]);
}

const COLUMN_HEIGHT = 90;
const SHADES = 6;
const CURVE_HEIGHT = 50;
const SUMS_WIDTH = 70;
const AXIS = 34;

/**
 * Processes from top to bottom, time from left to right; shades by the logarithm of the bytes. Above the bytes of all
 * processes over time, at the right those of each row. Cells of one shade are one path: a heatmap has up to 40,000.
 */
export function heatmapChart(title: string, heatmap: JobHeatmap, processes: number): string {
  const columns = heatmap.read.length;
  const rows = heatmap.rows.length;
  const width = WIDE - LABEL / 2 - SUMS_WIDTH - 10;
  const height = Math.max(60, Math.min(300, rows * 8));
  const left = LABEL / 2;
  const top = CURVE_HEIGHT + 8;
  const place = `translate(${left} ${top}) scale(${(width / columns).toFixed(5)} ${(height / rows).toFixed(5)})`;
  const cells = shadedCells(heatmap.rows).map((path, shade) =>
    path === '' ? '' : element('path', { class: `cell${shade + 1}`, transform: place, d: path }),
  );
  const end = formatDuration(heatmap.binSeconds * columns * 1e9);
  const lastRank = Math.min(rows * heatmap.ranksPerRow, Math.max(processes, rows)) - 1;
  return svg(title, WIDE, top + height + AXIS, [
    curve(heatmap, left, width),
    ...cells,
    element('rect', { class: 'rule', x: left, y: top, width, height }),
    rowSums(heatmap, left + width + 8, top, height),
    text(left - 6, top + 10, 'rank 0', 'end soft'),
    ...(rows > 1 ? [text(left - 6, top + height - 2, String(lastRank), 'end soft')] : []),
    text(left, top + height + 16, '0 s', 'soft'),
    text(left + width, top + height + 16, end, 'end soft'),
  ]);
}

/** A path for each shade, in units of cells; neighbours in a row are drawn at once. */
function shadedCells(rows: JobHeatmap['rows']): string[] {
  let [least, most] = [Infinity, 0];
  for (const row of rows) {
    for (const bytes of row) {
      if (bytes > 0 && bytes < least) least = bytes;
      if (bytes > most) most = bytes;
    }
  }
  const range = Math.log(most / least);
  const shadeOf = (bytes: number): number => {
    if (!(bytes > 0)) return -1;
    return range > 0 ? Math.min(SHADES - 1, Math.floor((Math.log(bytes / least) / range) * SHADES)) : SHADES - 1;
  };
  const paths = Array.from({ length: SHADES }, (): string[] => []);
  rows.forEach((row, y) => {
    let from = 0;
    for (let x = 1; x <= row.length; x++) {
      const shade = shadeOf(row[from]!);
      if (x < row.length && shadeOf(row[x]!) === shade) continue;
      if (shade >= 0) paths[shade]!.push(`M${from} ${y}h${x - from}v1h${from - x}z`);
      from = x;
    }
  });
  return paths.map((path) => path.join(''));
}

function curve({ read, written }: JobHeatmap, left: number, width: number): string {
  const sums = read.map((bytes, i) => bytes + written[i]!);
  const most = Math.max(...sums, Number.MIN_VALUE);
  const step = width / read.length;
  const rect = (i: number, from: number, bytes: number): string => {
    const height = (bytes / most) * CURVE_HEIGHT;
    const y = CURVE_HEIGHT - (from / most) * CURVE_HEIGHT - height;
    return `M${(left + i * step).toFixed(2)} ${y.toFixed(2)}h${step.toFixed(2)}v${height.toFixed(2)}h${(-step).toFixed(2)}z`;
  };
  const reads = read.map((bytes, i) => (bytes > 0 ? rect(i, 0, bytes) : '')).join('');
  const writes = written.map((bytes, i) => (bytes > 0 ? rect(i, read[i]!, bytes) : '')).join('');
  return [
    element('path', { class: 'read', d: reads }),
    element('path', { class: 'write', d: writes }),
    text(left - 6, 10, formatBytes(most), 'end soft'),
  ].join('');
}

function rowSums({ rows }: JobHeatmap, left: number, top: number, height: number): string {
  const sums = rows.map((row) => row.reduce((sum, bytes) => sum + bytes, 0));
  const most = Math.max(...sums, Number.MIN_VALUE);
  const step = height / rows.length;
  const path = sums.map((bytes, i) => {
    const width = (bytes / most) * (SUMS_WIDTH - 8);
    return `M${left} ${(top + i * step).toFixed(2)}h${width.toFixed(2)}v${step.toFixed(2)}h${(-width).toFixed(2)}z`;
  });
  return element('path', { class: 'meta', d: path.join('') });
}
