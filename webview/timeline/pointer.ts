import { between, lengthOf, moved, timeAt, xOf, zoomed, type Span } from '../../src/drawing/timeline/visible-span.ts';
import { AXIS_HEIGHT } from './head-canvas.ts';
import type { TimelineModel } from './model.ts';

interface PointerEvents {
  show(visible: Span): void;
  /** While a range is drawn; `isDone` once the button is released. */
  range(range: Span | undefined, isDone: boolean): void;
  hover(row: number, timeNs: number, x: number, y: number): void;
  leave(): void;
  /** A click on a row, or a double click. */
  click(row: number, timeNs: number, isDouble: boolean, narrow: boolean): void;
  scrollBy(y: number): void;
}

/** Pixels that a press may move and still be a click. */
const STILL = 4;
const EDGE = 5;

/** What the mouse does over axis, lanes and rows. */
export class Pointer {
  constructor(
    private readonly head: HTMLElement,
    private readonly rows: HTMLElement,
    private readonly model: TimelineModel,
    private readonly events: PointerEvents,
  ) {
    head.addEventListener('pointerdown', (down) => this.press(down, true));
    rows.addEventListener('pointerdown', (down) => this.press(down, false));
    rows.addEventListener('dblclick', (event) =>
      events.click(this.rowAt(event.clientY), this.timeOf(event.clientX), true, false),
    );
    for (const element of [head, rows]) {
      element.addEventListener('pointermove', (event) => this.hover(event, element === rows));
      element.addEventListener('pointerleave', () => events.leave());
      // What the middle button does elsewhere.
      element.addEventListener('auxclick', (event) => event.preventDefault());
      element.addEventListener('wheel', (event) => this.wheel(event, element === head), { passive: false });
    }
  }

  private hover(event: PointerEvent, isRows: boolean): void {
    const timeNs = this.timeOf(event.clientX);
    if (event.buttons === 0)
      this.events.hover(isRows ? this.rowAt(event.clientY) : -1, timeNs, event.clientX, event.clientY);
    if (!isRows) this.head.style.cursor = this.edgeNear(event) === undefined ? 'crosshair' : 'ew-resize';
  }

  private press(down: PointerEvent, isHead: boolean): void {
    const isMiddle = down.button === 1;
    if ((down.button !== 0 && !isMiddle) || (isHead && this.timeOf(down.clientX) < this.model.visible.fromNs)) return;
    if (isMiddle) down.preventDefault();
    const moves = isMiddle || (!isHead && this.model.dragMoves !== down.shiftKey);
    const edge = isHead ? this.edgeNear(down) : undefined;
    let isDragged = false;
    const before = this.model.visible;
    const start = edge ?? this.timeOf(down.clientX);
    let lastY = down.clientY;
    const follow = (event: PointerEvent): void => {
      if (!isDragged && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < STILL) return;
      isDragged = true;
      if (moves) {
        const share = (down.clientX - event.clientX) / Math.max(1, this.model.plotWidth);
        this.events.show(moved(before, share * lengthOf(before), this.model.durationNs));
        this.events.scrollBy(lastY - event.clientY);
        lastY = event.clientY;
      } else this.events.range(this.rangeTo(start, event.clientX), false);
    };
    const end = (event: PointerEvent): void => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      if (isDragged) {
        if (!moves) this.events.range(this.rangeTo(start, event.clientX), true);
      } else if (isHead) this.events.range(undefined, true);
      else if (!isMiddle)
        this.events.click(this.rowAt(event.clientY), this.timeOf(event.clientX), false, event.ctrlKey || event.metaKey);
    };
    // Until the button is released, wherever the pointer goes.
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }

  private rangeTo(startNs: number, clientX: number): Span {
    const { fromNs, toNs } = this.model.visible;
    const now = Math.min(toNs, Math.max(fromNs, this.timeOf(clientX)));
    return between(startNs, now);
  }

  /** The other end of the range, when the pointer takes hold of one. */
  private edgeNear({ clientX, clientY }: PointerEvent): number | undefined {
    const { range, visible, plotWidth } = this.model;
    const { left, top } = this.rows.getBoundingClientRect();
    if (range === undefined || clientY > top + AXIS_HEIGHT) return undefined;
    const near = (ns: number): boolean => Math.abs(left + xOf(ns, visible, plotWidth) - clientX) <= EDGE;
    if (near(range.fromNs)) return range.toNs;
    return near(range.toNs) ? range.fromNs : undefined;
  }

  private wheel(event: WheelEvent, isHead: boolean): void {
    const { model } = this;
    const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (event.ctrlKey || event.metaKey || (isHead && !isAcross)) {
      event.preventDefault();
      // A pinch of a touchpad comes in small steps.
      const strength = Math.abs(event.deltaY) < 30 ? 100 : 400;
      const factor = Math.exp(-event.deltaY / strength);
      this.events.show(zoomed(model.visible, factor, this.timeOf(event.clientX), model.durationNs));
    } else if (isAcross) {
      event.preventDefault();
      const byNs = (across / Math.max(1, model.plotWidth)) * lengthOf(model.visible);
      this.events.show(moved(model.visible, byNs, model.durationNs));
    }
  }

  private timeOf(clientX: number): number {
    return timeAt(clientX - this.rows.getBoundingClientRect().left, this.model.visible, this.model.plotWidth);
  }

  private rowAt(clientY: number): number {
    const { layout, scrollTop, rowHeight } = this.model;
    const y = clientY - this.rows.getBoundingClientRect().top;
    const headers = layout.headers(scrollTop, rowHeight);
    return headers[Math.floor(y / rowHeight)] ?? layout.rowAt(y + scrollTop, rowHeight);
  }
}
