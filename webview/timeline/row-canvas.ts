import { fittedText } from '../../src/base/path-names.ts';
import { textOn } from '../../src/drawing/timeline/category-colours.ts';
import { paintRow } from '../../src/drawing/timeline/row-pixels.ts';
import { timeTicks } from '../../src/drawing/timeline/ticks.ts';
import { xOf } from '../../src/drawing/timeline/visible-span.ts';
import { SharpCanvas } from '../kit/sharp-canvas.ts';
import { RowImage } from './row-image.ts';
import type { HeldCells } from './cell-store.ts';
import type { TimelineModel } from './model.ts';

/** Pixels between the cells of two rows. */
const GAP = 2;
/** A name in a shorter stretch would be a few letters. */
const SHORTEST_NAME = 40;

interface PlacedRow {
  readonly index: number;
  readonly y: number;
  readonly isHeader: boolean;
}

/** Draws the rows that show. */
export class RowCanvas {
  private readonly canvas: SharpCanvas;
  private readonly image = new RowImage();
  private marks = new Uint8Array(0);

  constructor(element: HTMLCanvasElement) {
    this.canvas = new SharpCanvas(element);
  }

  draw(model: TimelineModel): void {
    const { plotWidth: width, plotHeight: height, rowHeight, appearance } = model;
    const context = this.canvas.begin(width, height);
    if (model.rows === undefined || width === 0) return;
    const rows = placedRows(model);
    this.background(context, model, rows);
    const columns = Math.max(1, Math.round(width * this.canvas.ratio));
    this.image.begin(columns, rows.length);
    if (this.marks.length !== columns) this.marks = new Uint8Array(columns);
    const isMarked = appearance.theme.isHighContrast && model.selection.parts.length > 0;
    const marked: (Uint8Array | undefined)[] = [];
    rows.forEach(({ index }, number) => {
      const held = model.cells.get(model.row(index).key);
      if (held === undefined) return;
      paintRow(this.image.line(number), isMarked ? this.marks : undefined, held.cells, model.visible, held.shades);
      if (isMarked) marked[number] = this.marks.slice();
    });
    this.image.end();
    rows.forEach(({ index, y, isHeader }, number) => {
      if (isHeader) this.header(context, model, y);
      const inset = model.row(index).isGroup ? Math.round(rowHeight * 0.28) : GAP;
      this.image.draw(context, number, y + inset, width, rowHeight - 2 * inset);
      const marks = marked[number];
      if (marks !== undefined) this.underline(context, marks, y + rowHeight - GAP, appearance.text);
      const held = model.cells.get(model.row(index).key);
      if (held !== undefined && !model.row(index).isGroup) names(context, model, held, y);
    });
  }

  private background(context: CanvasRenderingContext2D, model: TimelineModel, rows: readonly PlacedRow[]): void {
    const { plotWidth: width, rowHeight, appearance } = model;
    const bottom = Math.min(model.plotHeight, model.contentHeight - model.scrollTop);
    for (const { index, y } of rows) {
      const { key, isGroup } = model.row(index);
      const isChosen = key === model.focusedRow;
      if (isChosen || key === model.hoveredRow || isGroup) {
        context.fillStyle = isChosen ? appearance.rowSelected : appearance.rowRaised;
        context.fillRect(0, y, width, rowHeight);
      }
      context.fillStyle = appearance.faintRule;
      context.fillRect(0, this.canvas.crisp(y + rowHeight) - 0.5, width, 1 / this.canvas.ratio);
    }
    context.strokeStyle = appearance.faintRule;
    context.lineWidth = 1 / this.canvas.ratio;
    context.beginPath();
    for (const { at } of timeTicks(model.visible, width, model.axis)) {
      const x = this.canvas.crisp(xOf(at, model.visible, width));
      context.moveTo(x, 0);
      context.lineTo(x, bottom);
    }
    context.stroke();
  }

  /** Behind a group that stays at the top: the rows below it scroll away under it. */
  private header(context: CanvasRenderingContext2D, model: TimelineModel, y: number): void {
    const { plotWidth: width, rowHeight, appearance } = model;
    context.fillStyle = appearance.background;
    context.fillRect(0, y, width, rowHeight);
    context.fillStyle = appearance.rowRaised;
    context.fillRect(0, y, width, rowHeight);
    context.fillStyle = appearance.rule;
    context.fillRect(0, y + rowHeight - 1, width, 1);
  }

  /** In high contrast colours alone do not tell what is selected. */
  private underline(context: CanvasRenderingContext2D, marks: Uint8Array, y: number, colour: string): void {
    context.fillStyle = colour;
    for (let from = 0; from < marks.length; from++) {
      if (marks[from] === 0) continue;
      let to = from;
      while (to < marks.length && marks[to] === 1) to++;
      context.fillRect(from / this.canvas.ratio, y - 1, Math.max(1, (to - from) / this.canvas.ratio), 2);
      from = to;
    }
  }
}

/** Rows with their places on the screen; groups that stay at the top come last, above the others. */
function placedRows(model: TimelineModel): PlacedRow[] {
  const { layout, scrollTop, plotHeight, rowHeight } = model;
  const headers = layout.headers(scrollTop, rowHeight);
  const within = [...layout.within(scrollTop, plotHeight, rowHeight)].filter((index) => !headers.includes(index));
  return [
    ...within.map((index) => ({ index, y: layout.place[index]! * rowHeight - scrollTop, isHeader: false })),
    ...headers.map((index, depth) => ({ index, y: depth * rowHeight, isHeader: true })),
  ];
}

/** What a stretch is, written in it where there is room. */
function names(context: CanvasRenderingContext2D, model: TimelineModel, held: HeldCells, y: number): void {
  const { visible, plotWidth: width, rowHeight, rows, colours, appearance, selection } = model;
  if (held.token !== rows?.token || rowHeight < 16) return;
  context.font = `11px ${appearance.font}`;
  context.textBaseline = 'middle';
  for (const { fromNs, toNs, category, busy, isSelected } of held.named) {
    const left = Math.max(0, xOf(fromNs, visible, width));
    const right = Math.min(width, xOf(toNs, visible, width));
    if (right - left < SHORTEST_NAME || busy < 0.6) continue;
    const label = model.categoryNames[category] ?? '';
    const colour = colours[category];
    if (label === '' || colour === undefined) continue;
    const dim = selection.parts.length > 0 && !isSelected;
    context.fillStyle = dim ? appearance.softText : textOn(colour);
    const shown = fittedText(label, (part) => context.measureText(part).width <= right - left - 8);
    if (shown.length >= Math.min(4, label.length)) context.fillText(shown, left + 4, y + rowHeight / 2 + 0.5);
  }
}
