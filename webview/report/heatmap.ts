import type { ViewReport } from '../../src/features/report/protocol.ts';
import { formatBytes, formatRate } from '../../src/base/quantities.ts';
import { formatSeconds } from '../kit/amounts.ts';
import { make, table } from '../kit/dom.ts';
import { channels, currentTheme, type Theme } from '../kit/theme.ts';
import { rankLabel } from './view-model.ts';

export type HeatmapData = ViewReport['job']['heatmaps'][number];

const LEFT = 72;
const RIGHT = 12;
const BANDWIDTH_HEIGHT = 84;
const GAP = 26;
const BOTTOM = 24;
/** Pixels. */
const LOWEST_ROW = 3;
const HIGHEST_ROW = 22;
const MOST_ROWS_HEIGHT = 320;

/** Bytes over time, of all processes as bars above and of each as a row of colours below, on one axis of time. */
export class HeatmapView {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly said = make('p', { class: 'said', 'aria-hidden': 'true' });
  private readonly rowsHeight: number;
  private readonly most: number;

  constructor(
    private readonly data: HeatmapData,
    private readonly processes: number,
  ) {
    const { rows, module } = data;
    const rowHeight = Math.max(
      LOWEST_ROW,
      Math.min(HIGHEST_ROW, Math.floor(MOST_ROWS_HEIGHT / Math.max(1, rows.length))),
    );
    this.rowsHeight = Math.max(24, rowHeight * rows.length);
    this.most = rows.reduce((most, row) => row.reduce((high, bytes) => Math.max(high, bytes), most), 0);
    const title = `Bytes over time, ${module}`;
    this.canvas = make('canvas', { role: 'img', 'aria-label': `${title}. The same numbers stand in the table below.` });
    const room = make('div', { class: 'chart' }, this.canvas);
    room.style.height = `${this.height}px`;
    this.element = make(
      'figure',
      { class: 'heatmap' },
      make('figcaption', {}, title, make('span', { class: 'soft' }, ` ${sourceText(data)}`)),
      make('ul', { class: 'legend', 'aria-hidden': 'true' }),
      room,
      this.said,
      make('details', {}, make('summary', {}, 'As a table'), make('div', { class: 'wide' }, this.table())),
    );
    new ResizeObserver(() => this.draw()).observe(room);
    this.canvas.addEventListener('mousemove', ({ offsetX, offsetY }) => {
      this.said.textContent = this.textAt(offsetX, offsetY);
    });
    this.canvas.addEventListener('mouseleave', () => {
      this.said.textContent = this.hint;
    });
    this.said.textContent = this.hint;
  }

  private get height(): number {
    return BANDWIDTH_HEIGHT + GAP + this.rowsHeight + BOTTOM;
  }

  private get bins(): number {
    return this.data.read.length;
  }

  private get hint(): string {
    return this.most === 0 ? 'No bytes were moved.' : 'Point at a field to see its bytes.';
  }

  draw(): void {
    const width = this.canvas.parentElement!.clientWidth;
    if (width === 0 || this.bins === 0) return;
    const theme = currentTheme();
    this.fillLegend(theme);
    const scale = window.devicePixelRatio;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(this.height * scale);
    const context = this.canvas.getContext('2d')!;
    context.scale(scale, scale);
    context.font = `11px ${theme.font}`;
    this.drawBandwidth(context, theme, width);
    this.drawRows(context, theme, width);
    this.drawTimes(context, theme, width);
  }

  private fillLegend(theme: Theme): void {
    const swatches = [
      ['Read', theme.series[0]!],
      ['Written', theme.series[1]!],
    ].map(([name, colour]) => {
      const swatch = make('span', { class: 'swatch' });
      swatch.style.setProperty('--swatch', colour!);
      return make('li', {}, swatch, name!);
    });
    const shade = shades(theme, this.most);
    const ramp = make('span', { class: 'ramp' });
    const stops = [1e-4, 1e-3, 1e-2, 1e-1, 1].map((share) => shade(this.most * share));
    ramp.style.setProperty('--ramp', `linear-gradient(to right, ${[theme.background, ...stops].join(', ')})`);
    const field = make('li', {}, 'In a field: 0 ', ramp, ` ${formatBytes(this.most)}`);
    this.element.querySelector('.legend')!.replaceChildren(...swatches, ...(this.most > 0 ? [field] : []));
  }

  private columnAt(width: number, bin: number): number {
    return LEFT + ((width - LEFT - RIGHT) * bin) / this.bins;
  }

  private drawBandwidth(context: CanvasRenderingContext2D, theme: Theme, width: number): void {
    const { read, written, binSeconds } = this.data;
    const most = read.reduce((high, bytes, bin) => Math.max(high, bytes + written[bin]!), 0);
    const top = 8;
    const room = BANDWIDTH_HEIGHT - top;
    read.forEach((bytes, bin) => {
      const from = this.columnAt(width, bin);
      const wide = Math.max(1, this.columnAt(width, bin + 1) - from - (this.bins < width / 6 ? 1 : 0));
      const readHeight = most === 0 ? 0 : (room * bytes) / most;
      const writtenHeight = most === 0 ? 0 : (room * written[bin]!) / most;
      context.fillStyle = theme.series[0]!;
      context.fillRect(from, BANDWIDTH_HEIGHT - readHeight, wide, readHeight);
      context.fillStyle = theme.series[1]!;
      context.fillRect(from, BANDWIDTH_HEIGHT - readHeight - writtenHeight, wide, writtenHeight);
    });
    context.strokeStyle = theme.rule;
    context.strokeRect(LEFT - 0.5, BANDWIDTH_HEIGHT + 0.5, width - LEFT - RIGHT, 0);
    context.fillStyle = theme.softText;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillText(binSeconds > 0 ? formatRate(most / binSeconds) : formatBytes(most), LEFT - 6, top + 4);
    context.fillText('0', LEFT - 6, BANDWIDTH_HEIGHT - 4);
  }

  private drawRows(context: CanvasRenderingContext2D, theme: Theme, width: number): void {
    const { rows } = this.data;
    const top = BANDWIDTH_HEIGHT + GAP;
    const high = this.rowsHeight / Math.max(1, rows.length);
    const shade = shades(theme, this.most);
    rows.forEach((row, at) =>
      row.forEach((bytes, bin) => {
        if (bytes <= 0) return;
        const from = this.columnAt(width, bin);
        context.fillStyle = shade(bytes);
        // A little over the border: else the background shows between the fields.
        context.fillRect(from, top + at * high, this.columnAt(width, bin + 1) - from + 0.3, high + 0.3);
      }),
    );
    context.strokeStyle = theme.rule;
    context.strokeRect(LEFT - 0.5, top - 0.5, width - LEFT - RIGHT + 1, this.rowsHeight + 1);
    context.fillStyle = theme.softText;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(14 / high));
    const step = [1, 2, 5, 10, 20, 25, 50, 100].find((each) => each >= every) ?? every;
    for (let row = 0; row < rows.length; row += step)
      context.fillText(rankLabel(row, this.data.ranksPerRow, this.processes), LEFT - 6, top + (row + 0.5) * high);
    context.textAlign = 'left';
    context.fillText('Rank', 2, top - 12);
  }

  private drawTimes(context: CanvasRenderingContext2D, theme: Theme, width: number): void {
    const { binSeconds } = this.data;
    const seconds = binSeconds * this.bins;
    const ticks = Math.max(2, Math.min(8, Math.floor((width - LEFT - RIGHT) / 110)));
    context.fillStyle = theme.softText;
    context.textBaseline = 'top';
    for (let tick = 0; tick <= ticks; tick++) {
      const at = LEFT + ((width - LEFT - RIGHT) * tick) / ticks;
      context.textAlign = tick === 0 ? 'left' : tick === ticks ? 'right' : 'center';
      const text = tick === 0 ? '0 s' : formatSeconds((seconds * tick) / ticks);
      context.fillText(text, at, this.height - BOTTOM + 8);
    }
  }

  private textAt(x: number, y: number): string {
    const { rows, ranksPerRow, binSeconds, read, written } = this.data;
    const width = this.canvas.clientWidth - LEFT - RIGHT;
    const bin = Math.floor(((x - LEFT) / width) * this.bins);
    if (bin < 0 || bin >= this.bins) return this.hint;
    const time = `${formatSeconds(bin * binSeconds)} to ${formatSeconds((bin + 1) * binSeconds)}`;
    const row = Math.floor(((y - BANDWIDTH_HEIGHT - GAP) / this.rowsHeight) * rows.length);
    if (y < BANDWIDTH_HEIGHT)
      return `All ranks, ${time}: read ${formatBytes(read[bin]!)}, written ${formatBytes(written[bin]!)}`;
    const bytes = rows[row]?.[bin];
    if (bytes === undefined) return this.hint;
    const label = rankLabel(row, ranksPerRow, this.processes);
    return `${label.includes('–') ? 'Ranks' : 'Rank'} ${label}, ${time}: ${formatBytes(bytes)}`;
  }

  /** All processes over time, and each process over all the time: the fields themselves are too many to be read out. */
  private table(): Node {
    const { read, written, binSeconds, rows, ranksPerRow } = this.data;
    const busy = [...read.keys()].filter((bin) => read[bin]! > 0 || written[bin]! > 0);
    const overTime = busy.map((bin) => [
      formatSeconds(bin * binSeconds),
      formatBytes(read[bin]!),
      formatBytes(written[bin]!),
    ]);
    const byRank = rows.map((row, at) => [
      rankLabel(at, ranksPerRow, this.processes),
      formatBytes(row.reduce((sum, bytes) => sum + bytes, 0)),
    ]);
    const number = { isNumber: true };
    return make(
      'div',
      { class: 'side-by-side' },
      table([{ title: 'From' }, { title: 'Read', ...number }, { title: 'Written', ...number }], overTime),
      table([{ title: 'Rank' }, { title: 'Bytes', ...number }], byRank),
    );
  }
}

function sourceText({ source }: HeatmapData): string {
  return source === 'heatmap' ? '' : '(from the recorded accesses)';
}

/** Colours by the logarithm of the bytes: a rank that moves a thousandth is to be seen, too. */
function shades(theme: Theme, most: number): (bytes: number) => string {
  const [none, middle, all] = theme.scale.map(channels);
  const mix = (from: readonly number[], to: readonly number[], share: number): string =>
    `rgb(${from.map((value, i) => Math.round(value + (to[i]! - value) * share)).join(' ')})`;
  return (bytes) => {
    const share = 0.25 + 0.75 * Math.max(0, 1 - Math.log10(most / bytes) / 4);
    return share < 0.75 ? mix(none!, middle!, share / 0.75) : mix(middle!, all!, 0.75 * ((share - 0.75) / 0.25));
  };
}
