import { formatBytes, formatRate } from '../../base/quantities.ts';
import { formatSeconds } from '../charts/amounts.ts';
import { branch, type Branch } from '../markup/tree.ts';
import { rankLabel, type JobHeatmap } from './job.ts';

/**
 * Bytes over time, of all processes as bars above and of each as a row of shades below, on one axis of time; at the right the
 * bytes of each row. Colours come by class from the style sheet of whoever shows it.
 */

const LEFT = 72;
/** Room at the right for the bytes of each row. */
const SUMS = 70;
const SUMS_GAP = 8;
const BARS = 84;
const GAP = 26;
const BOTTOM = 24;
const LOWEST_ROW = 3;
const HIGHEST_ROW = 22;
const MOST_ROWS_HEIGHT = 320;
const SHADES = 6;

export function heatmapTitle({ module }: JobHeatmap): string {
  return `Bytes over time, ${module}`;
}

/** Where the numbers come from and what a field is. */
export function heatmapNote({ source, binSeconds, ranksPerRow }: JobHeatmap): string {
  const from = source === 'heatmap' ? '' : 'from the recorded accesses, ';
  const rows = ranksPerRow === 1 ? '' : `, a row is ${ranksPerRow} ranks`;
  return `(${from}a column is ${formatSeconds(binSeconds)}${rows})`;
}

/** Drawn for a width in pixels. */
export function heatmapDrawing(heatmap: JobHeatmap, processes: number, width: number, label: string): Branch {
  const place = placeOf(heatmap, width);
  const { height, plot, top, rowsHeight, bins } = place;
  const cells = shadedCells(heatmap.rows).map((path, shade) =>
    path === ''
      ? null
      : branch('path', {
          class: `cell${shade + 1}`,
          transform: `translate(${LEFT} ${top}) scale(${(plot / bins).toFixed(5)} ${(rowsHeight / heatmap.rows.length).toFixed(5)})`,
          d: path,
        }),
  );
  return branch(
    'svg',
    { class: 'chart', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label },
    ...bars(heatmap, plot / bins),
    ...cells,
    branch('rect', { class: 'rule', x: LEFT, y: top, width: plot, height: rowsHeight }),
    rowSums(heatmap, place),
    ...rankLabels(heatmap, processes, place),
    ...times(heatmap, place),
  );
}

interface Place {
  readonly height: number;
  /** Width and top of the fields. */
  readonly plot: number;
  readonly top: number;
  readonly rowsHeight: number;
  readonly bins: number;
}

function placeOf({ rows, read }: JobHeatmap, width: number): Place {
  const count = Math.max(1, rows.length);
  const rowHeight = Math.max(LOWEST_ROW, Math.min(HIGHEST_ROW, Math.floor(MOST_ROWS_HEIGHT / count)));
  const rowsHeight = Math.max(24, rowHeight * rows.length);
  const top = BARS + GAP;
  const plot = Math.max(1, width - LEFT - SUMS_GAP - SUMS);
  return { height: top + rowsHeight + BOTTOM, plot, top, rowsHeight, bins: Math.max(1, read.length) };
}

function text(x: number, y: number, words: string, kind: string): Branch {
  return branch('text', { x, y, class: kind }, words);
}

/** A rectangle as a part of a path. */
function box(x: number, y: number, width: number, height: number): string {
  return `M${x.toFixed(2)} ${y.toFixed(2)}h${width.toFixed(2)}v${height.toFixed(2)}h${(-width).toFixed(2)}z`;
}

function bars({ read, written, binSeconds }: JobHeatmap, step: number): Branch[] {
  const top = 8;
  const most = read.reduce((high, bytes, bin) => Math.max(high, bytes + written[bin]!), Number.MIN_VALUE);
  const scale = (BARS - top) / most;
  const boxes = (values: readonly number[], below: (bin: number) => number): string =>
    values
      .map((bytes, bin) =>
        bytes > 0 ? box(LEFT + bin * step, BARS - (below(bin) + bytes) * scale, step, bytes * scale) : '',
      )
      .join('');
  return [
    branch('path', { class: 'series0', d: boxes(read, () => 0) }),
    branch('path', { class: 'series1', d: boxes(written, (bin) => read[bin]!) }),
    text(LEFT - 6, top + 8, binSeconds > 0 ? formatRate(most / binSeconds) : formatBytes(most), 'end soft'),
    text(LEFT - 6, BARS, '0', 'end soft'),
  ];
}

/** A path for each shade, in units of fields; neighbours in a row are drawn at once: there may be 40,000 of them. */
function shadedCells(rows: JobHeatmap['rows']): string[] {
  const [least, most] = bounds(rows);
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

/** Least and most bytes of fields that hold any. */
function bounds(rows: JobHeatmap['rows']): [least: number, most: number] {
  let [least, most] = [Infinity, 0];
  for (const row of rows) {
    for (const bytes of row) {
      if (bytes > 0 && bytes < least) least = bytes;
      if (bytes > most) most = bytes;
    }
  }
  return [least, most];
}

function rowSums({ rows }: JobHeatmap, { plot, top, rowsHeight }: Place): Branch {
  const sums = rows.map(sum);
  const most = sums.reduce((high, bytes) => Math.max(high, bytes), Number.MIN_VALUE);
  const step = rowsHeight / Math.max(1, rows.length);
  const boxes = sums.map((bytes, row) =>
    box(LEFT + plot + SUMS_GAP, top + row * step, (bytes / most) * SUMS, Math.max(1, step - 1)),
  );
  return branch('path', { class: 'series2', d: boxes.join('') });
}

function sum(row: readonly number[]): number {
  return row.reduce((all, bytes) => all + bytes, 0);
}

function rankLabels({ rows, ranksPerRow }: JobHeatmap, processes: number, { top, rowsHeight }: Place): Branch[] {
  const high = rowsHeight / Math.max(1, rows.length);
  const every = Math.max(1, Math.ceil(14 / high));
  const step = [1, 2, 5, 10, 20, 25, 50, 100].find((each) => each >= every) ?? every;
  const labels = [text(2, top - 8, 'Rank', 'soft')];
  for (let row = 0; row < rows.length; row += step)
    labels.push(text(LEFT - 6, top + (row + 0.5) * high + 4, rankLabel(row, ranksPerRow, processes), 'end soft'));
  return labels;
}

function times({ binSeconds, read }: JobHeatmap, { plot, height }: Place): Branch[] {
  const ticks = Math.max(2, Math.min(8, Math.floor(plot / 110)));
  const seconds = binSeconds * read.length;
  return Array.from({ length: ticks + 1 }, (_, tick) => {
    const kind = tick === 0 ? 'soft' : tick === ticks ? 'end soft' : 'middle soft';
    return text(LEFT + (plot * tick) / ticks, height - 8, formatSeconds((seconds * tick) / ticks), kind);
  });
}

/** What the colours mean. */
export function heatmapLegend({ rows }: JobHeatmap): Branch {
  const [least, most] = bounds(rows);
  const ramp = Array.from({ length: SHADES }, (_, shade) =>
    branch('rect', { class: `cell${shade + 1}`, x: shade * 12, width: 12, height: 10 }),
  );
  const field = [
    `In a field: ${formatBytes(least)} `,
    branch('svg', { class: 'key', width: SHADES * 12, height: 10 }, ...ramp),
    ` ${formatBytes(most)}`,
  ];
  return branch(
    'ul',
    { class: 'legend', 'aria-hidden': 'true' },
    legendEntry(0, 'Read'),
    legendEntry(1, 'Written'),
    most > 0 ? branch('li', {}, ...field) : null,
    legendEntry(2, 'Bytes of a row'),
  );
}

/** A series by its colour and its name. */
export function legendEntry(series: number, name: string): Branch {
  const sign = branch('rect', { class: `series${series}`, width: 10, height: 10 });
  return branch('li', {}, branch('svg', { class: 'key', width: 10, height: 10 }, sign), ` ${name}`);
}

/** What lies at a point of the drawing, in words; undefined beside bars and fields. */
export function heatmapAt(
  heatmap: JobHeatmap,
  processes: number,
  width: number,
  { x, y }: { readonly x: number; readonly y: number },
): string | undefined {
  const { rows, ranksPerRow, binSeconds, read, written } = heatmap;
  const { plot, top, rowsHeight, bins } = placeOf(heatmap, width);
  const bin = Math.floor(((x - LEFT) / plot) * bins);
  if (bin < 0 || bin >= read.length) return undefined;
  const time = `${formatSeconds(bin * binSeconds)} to ${formatSeconds((bin + 1) * binSeconds)}`;
  if (y < BARS) return `All ranks, ${time}: read ${formatBytes(read[bin]!)}, written ${formatBytes(written[bin]!)}`;
  const row = Math.floor(((y - top) / rowsHeight) * rows.length);
  const bytes = rows[row]?.[bin];
  if (bytes === undefined) return undefined;
  const label = rankLabel(row, ranksPerRow, processes);
  return `${label.includes('–') ? 'Ranks' : 'Rank'} ${label}, ${time}: ${formatBytes(bytes)}`;
}

/** All processes over time, and each row over all the time: the fields themselves are too many to be read out. */
export function heatmapNumbers(heatmap: JobHeatmap, processes: number): { overTime: string[][]; byRank: string[][] } {
  const { read, written, binSeconds, rows, ranksPerRow } = heatmap;
  const busy = [...read.keys()].filter((bin) => read[bin]! > 0 || written[bin]! > 0);
  return {
    overTime: busy.map((bin) => [formatSeconds(bin * binSeconds), formatBytes(read[bin]!), formatBytes(written[bin]!)]),
    byRank: rows.map((row, at) => [rankLabel(at, ranksPerRow, processes), formatBytes(sum(row))]),
  };
}
