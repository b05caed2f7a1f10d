import { exactLength, exactPoint } from '../../src/drawing/timeline/ticks.ts';
import { lengthOf, xOf, type Span } from '../../src/drawing/timeline/visible-span.ts';
import type { ViewEvent } from '../../src/features/timeline/protocol.ts';
import { make } from '../kit/dom.ts';
import { AXIS_HEIGHT, headHeight } from './head-canvas.ts';
import type { TimelineModel } from './model.ts';

/** An event is outlined in at least so many pixels. */
const NARROWEST = 5;

/** What lies over axis, lanes and rows: the range, the marks, the line at the pointer, outlines of events. */
export class Overlay {
  private readonly range = make('div', { class: 'range' }, make('span', {}));
  private readonly crosshair = make('div', { class: 'crosshair' }, make('span', {}));
  private readonly between = make('div', { class: 'between' }, make('span', {}));
  private readonly marks = [0, 1].map((number) => make('div', { class: 'mark' }, make('span', {}, 'AB'[number]!)));
  private readonly chosen = make('div', { class: 'outline chosen' });
  private readonly hovered = make('div', { class: 'outline' });
  private readonly rowsPart = make('div', { class: 'rows-part' }, this.hovered, this.chosen);

  constructor(
    private readonly parent: HTMLElement,
    private readonly model: TimelineModel,
  ) {
    parent.append(this.range, this.between, ...this.marks, this.rowsPart, this.crosshair);
  }

  draw(): void {
    const { model, parent } = this;
    parent.style.left = `${model.labelWidth}px`;
    parent.style.width = `${model.plotWidth}px`;
    const head = headHeight(model);
    parent.style.height = `${head + model.plotHeight}px`;
    this.rowsPart.style.top = `${head}px`;
    this.drawSpan(this.range, model.range, 0);
    const [first, second] = model.marks;
    const measured =
      first !== undefined && second !== undefined
        ? { fromNs: Math.min(first, second), toNs: Math.max(first, second) }
        : undefined;
    this.drawSpan(this.between, measured, AXIS_HEIGHT);
    this.marks.forEach((mark, number) => this.drawLine(mark, model.marks[number]));
    this.drawLine(this.crosshair, model.pointerNs);
    if (model.pointerNs !== undefined)
      this.crosshair.firstElementChild!.textContent = exactPoint(model.pointerNs, model.axis);
    const pointerX = model.pointerNs === undefined ? 0 : xOf(model.pointerNs, model.visible, model.plotWidth);
    this.crosshair.classList.toggle('turned', pointerX > model.plotWidth - 110);
    this.drawEvent(this.chosen, model.event);
    this.drawEvent(this.hovered, model.hovered === model.event ? undefined : model.hovered);
  }

  /** A part of the time, with how long it is. */
  private drawSpan(element: HTMLElement, span: Span | undefined, top: number): void {
    const { visible, plotWidth } = this.model;
    const left = span === undefined ? 0 : Math.max(0, xOf(span.fromNs, visible, plotWidth));
    const right = span === undefined ? -1 : Math.min(plotWidth, xOf(span.toNs, visible, plotWidth));
    element.hidden = span === undefined || right < left;
    if (span === undefined || element.hidden) return;
    element.style.transform = `translateX(${left}px)`;
    element.style.width = `${Math.max(1, right - left)}px`;
    element.style.top = `${top}px`;
    element.firstElementChild!.textContent = exactLength(lengthOf(span), this.model.axis);
  }

  private drawLine(element: HTMLElement, atNs: number | undefined): void {
    const { visible, plotWidth } = this.model;
    const x = atNs === undefined ? -1 : xOf(atNs, visible, plotWidth);
    element.hidden = x < 0 || x > plotWidth;
    if (!element.hidden) element.style.transform = `translateX(${x}px)`;
  }

  private drawEvent(element: HTMLElement, shown: ViewEvent | undefined): void {
    const { visible, plotWidth, plotHeight, rowHeight, scrollTop, layout } = this.model;
    const place = shown === undefined ? -1 : (layout.place[shown.event.row] ?? -1);
    const y = place * rowHeight - scrollTop;
    element.hidden = place < 0 || y < -rowHeight || y > plotHeight;
    if (shown === undefined || element.hidden) return;
    const { startNs, durationNs } = shown.event;
    const left = Math.max(-NARROWEST, xOf(startNs, visible, plotWidth));
    const right = Math.min(plotWidth + NARROWEST, xOf(startNs + (durationNs ?? 0), visible, plotWidth));
    if (right < 0 || left > plotWidth) {
      element.hidden = true;
      return;
    }
    const width = Math.max(NARROWEST, right - left);
    element.style.transform = `translate(${(left + right - width) / 2}px, ${y}px)`;
    element.style.width = `${width}px`;
    element.style.height = `${rowHeight}px`;
  }
}
