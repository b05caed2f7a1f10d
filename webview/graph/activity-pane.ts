import { formatCount, formatDuration } from '../../src/base/quantities.ts';
import type { ActivityTimeline, NamedTimeline } from '../../src/features/graph/protocol.ts';
import { make, table, visibleText } from '../kit/dom.ts';

const ROW = 14;
const LANE = 44;
const AXIS = 18;
const LABELS = 170;

/**
 * When the events of the selected activity were, by case, and how many at once (figure 5 of the DFG paper). It is drawn
 * from columns that the session made: their number does not depend on the recording.
 */
export class ActivityPane {
  private shown: { readonly canvas: HTMLCanvasElement; readonly timeline: ActivityTimeline }[] = [];

  constructor(private readonly parent: HTMLElement) {
    const redraw = (): void => this.redraw();
    new MutationObserver(redraw).observe(document.body, { attributes: true, attributeFilter: ['class'] });
    new ResizeObserver(redraw).observe(parent);
  }

  /** Bins that the pane has room for: one for two pixels. */
  get bins(): number {
    return Math.max(50, Math.min(600, Math.floor((this.parent.clientWidth - LABELS - 30) / 2)));
  }

  clear(): void {
    this.shown = [];
    this.parent.querySelector('.activity-timelines')?.remove();
  }

  show(timelines: readonly NamedTimeline[]): void {
    this.clear();
    const holder = make('div', { class: 'activity-timelines' });
    for (const { recording, timeline } of timelines) holder.append(this.figure(recording, timeline));
    if (timelines.length === 0) holder.append(make('p', {}, 'No times are known of this activity.'));
    this.parent.append(holder);
    this.redraw();
  }

  private figure(recording: string, timeline: ActivityTimeline): HTMLElement {
    const { rows, maxConcurrency, maxConcurrencyAtNs } = timeline;
    const most = `at most ${formatCount(maxConcurrency)} at once, first after ${formatDuration(maxConcurrencyAtNs)}`;
    const cases = rows.reduce((sum, row) => sum + row.cases, 0);
    const words = `${visibleText(timeline.activity)} in ${visibleText(recording)}: ${formatCount(cases)} ${cases === 1 ? 'case' : 'cases'}, ${most}`;
    const canvas = make('canvas', { role: 'img', 'aria-label': `When ${words}. The table below says the same.` });
    const hover = make('div', { class: 'hover', 'aria-hidden': 'true' });
    canvas.addEventListener('pointermove', (event) => {
      hover.textContent = textAt(timeline, canvas, event.offsetX, event.offsetY);
    });
    canvas.addEventListener('pointerleave', () => {
      hover.textContent = '';
    });
    this.shown.push({ canvas, timeline });
    const details = make('details', {}, make('summary', {}, 'As a table'), timelineTable(timeline));
    return make('figure', {}, make('figcaption', {}, words), canvas, hover, details);
  }

  private redraw(): void {
    const colours = currentColours();
    for (const { canvas, timeline } of this.shown)
      drawTimeline(canvas, timeline, colours, this.parent.clientWidth - 24);
  }
}

/** Spans of the table: few enough to be read. */
const SPANS = 8;

function timelineTable({ rows, bins, starts, fromNs, toNs, concurrency }: ActivityTimeline): HTMLTableElement {
  const spans = Math.min(SPANS, bins);
  const edge = (span: number): number => Math.round((span * bins) / spans);
  const at = (span: number): string => formatDuration(fromNs + ((toNs - fromNs) * edge(span)) / bins);
  const indices = Array.from({ length: spans }, (_, span) => span);
  const sum = (row: number, span: number): number =>
    starts.slice(row * bins + edge(span), row * bins + edge(span + 1)).reduce((total, count) => total + count, 0);
  const body = rows.map((row, i) => [
    row.label,
    formatCount(row.events),
    formatDuration(row.timeNs),
    ...indices.map((span) => formatCount(sum(i, span))),
  ]);
  const most = indices.map((span) => formatCount(Math.max(0, ...concurrency.slice(edge(span), edge(span + 1)))));
  const isNumber = true;
  return table(
    [
      { title: 'case' },
      { title: 'events', isNumber },
      { title: 'recorded time', isNumber },
      ...indices.map((span) => ({ title: `from ${at(span)}`, isNumber })),
    ],
    [...body, ['at once, at most', '', '', ...most]],
    'Events by the time that they begin',
  );
}

interface Colours {
  readonly text: string;
  readonly soft: string;
  readonly bar: string;
  readonly mark: string;
  readonly font: string;
}

function currentColours(): Colours {
  const style = getComputedStyle(document.body);
  const colour = (name: string, otherwise: string): string => {
    const value = style.getPropertyValue(`--vscode-${name}`).trim();
    return value === '' ? otherwise : value;
  };
  const text = colour('editor-foreground', '#333333');
  return {
    text,
    soft: document.body.className.includes('high-contrast') ? text : colour('descriptionForeground', text),
    bar: colour('charts-blue', '#3794ff'),
    mark: colour('charts-red', '#f14c4c'),
    font: `11px ${style.fontFamily}`,
  };
}

function drawTimeline(canvas: HTMLCanvasElement, timeline: ActivityTimeline, colours: Colours, width: number): void {
  const { rows } = timeline;
  const height = rows.length * ROW + LANE + AXIS;
  const scale = window.devicePixelRatio;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.round(height * scale);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(scale, scale);
  context.font = colours.font;
  context.textBaseline = 'middle';
  const plot = Math.max(10, width - LABELS);
  drawRows(context, timeline, colours, plot);
  drawConcurrency(context, timeline, colours, plot, rows.length * ROW);
  drawAxis(context, timeline, colours, plot, rows.length * ROW + LANE);
}

function drawRows(context: CanvasRenderingContext2D, timeline: ActivityTimeline, colours: Colours, plot: number): void {
  const { rows, bins, busyNs, starts, fromNs, toNs } = timeline;
  const binNs = (toNs - fromNs) / bins;
  rows.forEach(({ label, cases }, row) => {
    const y = row * ROW;
    context.fillStyle = colours.text;
    context.fillText(fitted(context, visibleText(label), LABELS - 10), 2, y + ROW / 2);
    context.fillStyle = colours.bar;
    for (let bin = 0; bin < bins; bin++) {
      const at = row * bins + bin;
      if (busyNs[at] === 0 && starts[at] === 0) continue;
      // How full the bin is is its opacity; the least that happened can still be seen.
      context.globalAlpha = 0.35 + 0.65 * Math.min(1, busyNs[at]! / (binNs * cases));
      context.fillRect(LABELS + (bin * plot) / bins, y + 2, Math.max(1.5, plot / bins), ROW - 4);
    }
    context.globalAlpha = 1;
  });
}

function drawConcurrency(
  context: CanvasRenderingContext2D,
  timeline: ActivityTimeline,
  colours: Colours,
  plot: number,
  top: number,
): void {
  const { bins, concurrency, maxConcurrency, maxConcurrencyAtNs, fromNs, toNs } = timeline;
  const bottom = top + LANE - 4;
  const heightOf = (count: number): number => ((LANE - 14) * count) / Math.max(1, maxConcurrency);
  context.fillStyle = colours.text;
  context.fillText('at once', 2, bottom - 8);
  context.fillStyle = colours.bar;
  for (let bin = 0; bin < bins; bin++) {
    const height = heightOf(concurrency[bin]!);
    if (height > 0) context.fillRect(LABELS + (bin * plot) / bins, bottom - height, plot / bins + 0.5, height);
  }
  const line = bottom - heightOf(maxConcurrency);
  const x = LABELS + ((maxConcurrencyAtNs - fromNs) / (toNs - fromNs)) * plot;
  context.strokeStyle = colours.mark;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(LABELS, line);
  context.lineTo(LABELS + plot, line);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = colours.mark;
  context.beginPath();
  context.moveTo(x - 4, line - 7);
  context.lineTo(x + 4, line - 7);
  context.lineTo(x, line - 1);
  context.fill();
  context.fillStyle = colours.text;
  const words = `max ${formatCount(maxConcurrency)}`;
  const isRight = x + 60 > LABELS + plot;
  context.fillText(words, isRight ? x - 10 - context.measureText(words).width : x + 8, line - 6);
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { fromNs, toNs }: ActivityTimeline,
  colours: Colours,
  plot: number,
  top: number,
): void {
  context.fillStyle = colours.soft;
  context.strokeStyle = colours.soft;
  const ticks = Math.max(2, Math.min(8, Math.floor(plot / 110)));
  for (let tick = 0; tick <= ticks; tick++) {
    const x = LABELS + (plot * tick) / ticks;
    context.fillRect(Math.min(x, LABELS + plot - 1), top - 3, 1, 4);
    const words = formatDuration(fromNs + ((toNs - fromNs) * tick) / ticks);
    const wide = context.measureText(words).width;
    context.fillText(words, tick === 0 ? x : tick === ticks ? x - wide : x - wide / 2, top + 9);
  }
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let keep = text.length;
  const cut = (): string => `${text.slice(0, Math.ceil(keep / 2))}…${text.slice(text.length - Math.floor(keep / 2))}`;
  while (keep > 2 && context.measureText(cut()).width > width) keep -= 2;
  return cut();
}

function textAt(timeline: ActivityTimeline, canvas: HTMLCanvasElement, x: number, y: number): string {
  const { rows, bins, busyNs, starts, concurrency, fromNs, toNs } = timeline;
  const bin = Math.floor(((x - LABELS) / (canvas.clientWidth - LABELS)) * bins);
  if (bin < 0 || bin >= bins) return '';
  const at = `${formatDuration(fromNs + ((toNs - fromNs) * bin) / bins)}: `;
  const row = Math.floor(y / ROW);
  const together = `at most ${formatCount(concurrency[bin]!)} at once`;
  if (row >= rows.length) return at + together;
  const cell = row * bins + bin;
  return `${at}${visibleText(rows[row]!.label)}: ${formatCount(starts[cell]!)} begin, ${formatDuration(busyNs[cell]!)} under way; ${together}`;
}
