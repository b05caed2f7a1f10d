import { lanePixels, largest, stepLine } from '../../src/drawing/timeline/lane-shapes.ts';
import { paintRow } from '../../src/drawing/timeline/row-pixels.ts';
import { exactPoint } from '../../src/drawing/timeline/ticks.ts';
import { lengthOf, moved, timeAt, wholeRun, xOf, zoomed, type Span } from '../../src/drawing/timeline/visible-span.ts';
import { SharpCanvas } from '../kit/sharp-canvas.ts';
import { RowImage } from './row-image.ts';
import type { TimelineModel } from './model.ts';

const OVERVIEW_HEIGHT = 44;
/** Pixels around an edge of the box that take hold of it. */
const GRIP = 6;
/** A box narrower than this could not be taken hold of. */
const NARROWEST = 8;

/** The strip of the whole run, with a box around what shows: it is moved, made longer, or drawn anew. */
export class Overview {
  private readonly canvas: SharpCanvas;
  private readonly image = new RowImage();

  constructor(
    element: HTMLCanvasElement,
    private readonly box: HTMLElement,
    private readonly model: TimelineModel,
    private readonly show: (visible: Span) => void,
  ) {
    this.canvas = new SharpCanvas(element);
    element.addEventListener('pointerdown', (down) => this.drag(down, 'new'));
    box.addEventListener('pointerdown', (down) => {
      const { left, right } = box.getBoundingClientRect();
      const part = down.clientX - left < GRIP ? 'from' : right - down.clientX < GRIP ? 'to' : 'box';
      this.drag(down, part);
    });
    box.addEventListener('pointermove', ({ clientX }) => {
      const { left, right } = box.getBoundingClientRect();
      box.style.cursor = clientX - left < GRIP || right - clientX < GRIP ? 'ew-resize' : 'grab';
    });
    box.addEventListener('keydown', (event) => this.onKey(event));
    for (const each of [element, box])
      each.addEventListener(
        'wheel',
        (event) => {
          event.preventDefault();
          show(zoomed(model.visible, Math.exp(-event.deltaY / 400), this.timeOf(event.clientX), model.durationNs));
        },
        { passive: false },
      );
  }

  draw(): void {
    const { plotWidth: width, labelWidth, appearance, overviewCells, overviewKeys, durationNs } = this.model;
    const context = this.canvas.begin(width, OVERVIEW_HEIGHT);
    const whole = wholeRun(durationNs);
    if (width > 0 && overviewKeys.length > 0) {
      const columns = Math.max(1, Math.round(width * this.canvas.ratio));
      this.image.begin(columns, overviewKeys.length);
      overviewKeys.forEach((key, row) => {
        const held = overviewCells.get(key);
        if (held !== undefined) paintRow(this.image.line(row), undefined, held.cells, whole, held.shades);
      });
      this.image.end();
      const high = Math.min(10, (OVERVIEW_HEIGHT - 4) / overviewKeys.length);
      const top = (OVERVIEW_HEIGHT - high * overviewKeys.length) / 2;
      overviewKeys.forEach((_, row) =>
        this.image.draw(context, row, top + row * high, width, Math.max(1, high - (high > 4 ? 1 : 0))),
      );
      this.load(context, columns);
    }
    context.fillStyle = appearance.rule;
    context.fillRect(0, OVERVIEW_HEIGHT - 1, width, 1);
    this.canvas.element.style.left = `${labelWidth}px`;
    this.placeBox(whole);
  }

  /** How much is moved, as a line over the strips. */
  private load(context: CanvasRenderingContext2D, columns: number): void {
    const { overviewCells, durationNs, plotWidth, appearance } = this.model;
    const { lanes } = overviewCells;
    if (lanes === undefined) return;
    const { readRate, writeRate } = lanes.columns;
    const both = { over: lanes.over, values: readRate.map((rate, bin) => rate + writeRate[bin]!) };
    const pixels = lanePixels(both, wholeRun(durationNs), columns);
    context.save();
    context.scale(plotWidth / columns, 1);
    context.beginPath();
    const height = OVERVIEW_HEIGHT - 2;
    for (const [x, y] of stepLine(pixels, largest(pixels) * 1.05, height)) context.lineTo(x, y + 1);
    context.strokeStyle = appearance.text;
    context.globalAlpha = 0.5;
    context.stroke();
    context.restore();
  }

  private placeBox(whole: Span): void {
    const { visible, plotWidth, labelWidth, axis } = this.model;
    const left = xOf(visible.fromNs, whole, plotWidth);
    const width = Math.max(NARROWEST, xOf(visible.toNs, whole, plotWidth) - left);
    this.box.style.transform = `translateX(${labelWidth + Math.min(left, plotWidth - width)}px)`;
    this.box.style.width = `${width}px`;
    const words = `${exactPoint(visible.fromNs, axis)} to ${exactPoint(visible.toNs, axis)}`;
    this.box.setAttribute('aria-valuetext', words);
    this.box.setAttribute('aria-valuemax', String(Math.round(whole.toNs)));
    this.box.setAttribute('aria-valuenow', String(Math.round(visible.fromNs)));
  }

  private drag(down: PointerEvent, part: 'new' | 'box' | 'from' | 'to'): void {
    if (down.button !== 0) return;
    down.preventDefault();
    this.box.focus({ preventScroll: true });
    const { model } = this;
    const start = this.timeOf(down.clientX);
    const before = model.visible;
    const follow = ({ clientX }: PointerEvent): void => {
      const now = this.timeOf(clientX);
      if (part === 'box') this.show(moved(before, now - start, model.durationNs));
      else if (part === 'from') this.show({ fromNs: Math.min(now, before.toNs), toNs: before.toNs });
      else if (part === 'to') this.show({ fromNs: before.fromNs, toNs: Math.max(now, before.fromNs) });
      else if (Math.abs(clientX - down.clientX) > 3)
        this.show({ fromNs: Math.min(start, now), toNs: Math.max(start, now) });
    };
    const end = ({ clientX }: PointerEvent): void => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', end);
      // A click brings what shows there.
      if (part === 'new' && Math.abs(clientX - down.clientX) <= 3)
        this.show(moved(before, start - (before.fromNs + before.toNs) / 2, model.durationNs));
    };
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', end);
  }

  private onKey(event: KeyboardEvent): void {
    const { visible, durationNs } = this.model;
    const step = lengthOf(visible) / 10;
    if (event.key === 'ArrowLeft') this.show(moved(visible, -step, durationNs));
    else if (event.key === 'ArrowRight') this.show(moved(visible, step, durationNs));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private timeOf(clientX: number): number {
    const { left } = this.canvas.element.getBoundingClientRect();
    return timeAt(clientX - left, wholeRun(this.model.durationNs), this.model.plotWidth);
  }
}
