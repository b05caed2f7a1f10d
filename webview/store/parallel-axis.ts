import { AXIS_RANGE, type Brush, type ParallelAxis } from '../../src/drawing/parallel/parallel-coordinates.ts';
import { make } from '../kit/dom.ts';
import type { Geometry } from './parallel-lines.ts';

/** Pixels that a press may move and still be a click. */
const STILL = 4;
/** Half the width of the strip that takes a brush. */
const REACH = 12;
const STEP = 0.02;
const LARGE_STEP = 0.1;
const WHOLE: Brush = AXIS_RANGE;

/** One axis's title and brush: drawn with the pointer along the axis, or set by the two ends with the keyboard. */
export class AxisBrush {
  readonly element: HTMLDivElement;
  private brush: Brush | undefined;
  private geometry: Geometry | undefined;
  private readonly strip = make('div', { class: 'parallel-strip' });
  private readonly range = make('div', { class: 'parallel-range' });
  private readonly ends: { readonly from: HTMLDivElement; readonly to: HTMLDivElement };

  constructor(
    private readonly axis: ParallelAxis,
    private readonly number: number,
    private readonly changed: (brush: Brush | undefined) => void,
  ) {
    this.ends = { from: this.end('from', 'lowest'), to: this.end('to', 'highest') };
    const title = make('div', { class: 'parallel-title', title: axis.about }, axis.title);
    this.element = make(
      'div',
      { class: 'parallel-axis', role: 'group', 'aria-label': `${axis.title}: ${axis.about}` },
      title,
      this.strip,
      this.range,
      this.ends.from,
      this.ends.to,
    );
    for (const part of [this.strip, this.range]) {
      part.addEventListener('pointerdown', (event) => this.press(event, part === this.range));
    }
  }

  place(geometry: Geometry): void {
    this.geometry = geometry;
    this.element.style.left = `${geometry.xOf(this.number)}px`;
    const [top, bottom] = [geometry.yOf(WHOLE.to), geometry.yOf(WHOLE.from)];
    Object.assign(this.strip.style, { left: `${-REACH}px`, width: `${2 * REACH}px` });
    Object.assign(this.strip.style, { top: `${top}px`, height: `${bottom - top}px` });
    this.draw();
  }

  /** Without calling back. */
  set(brush: Brush | undefined): void {
    this.brush = brush;
    this.draw();
  }

  private choose(brush: Brush | undefined): void {
    this.set(brush);
    this.changed(brush);
  }

  private draw(): void {
    if (this.geometry === undefined) return;
    const { from, to } = this.brush ?? WHOLE;
    const [top, bottom] = [this.geometry.yOf(to), this.geometry.yOf(from)];
    this.range.hidden = this.brush === undefined;
    Object.assign(this.range.style, { top: `${top}px`, height: `${Math.max(2, bottom - top)}px` });
    this.ends.to.style.top = `${top}px`;
    this.ends.from.style.top = `${bottom}px`;
    for (const [name, end] of Object.entries(this.ends)) {
      const at = name === 'from' ? from : to;
      end.classList.toggle('is-set', this.brush !== undefined);
      end.setAttribute('aria-valuenow', String(Math.round(at * 100)));
      end.setAttribute('aria-valuetext', this.axis.textAt(at));
    }
  }

  private end(name: 'from' | 'to', word: string): HTMLDivElement {
    const made = make('div', {
      class: 'parallel-end',
      role: 'slider',
      tabindex: '0',
      'aria-orientation': 'vertical',
      'aria-label': `${this.axis.title}: ${word} value`,
      'aria-valuemin': String(Math.round(WHOLE.from * 100)),
      'aria-valuemax': String(WHOLE.to * 100),
    });
    made.addEventListener('keydown', (event) => this.key(event, name));
    return made;
  }

  private key(event: KeyboardEvent, name: 'from' | 'to'): void {
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: STEP,
      ArrowRight: STEP,
      ArrowDown: -STEP,
      ArrowLeft: -STEP,
      PageUp: LARGE_STEP,
      PageDown: -LARGE_STEP,
      Home: -2,
      End: 2,
    };
    const move = moves[event.key];
    if (move !== undefined) {
      const brush = this.brush ?? WHOLE;
      const at = Math.min(WHOLE.to, Math.max(WHOLE.from, brush[name] + move));
      const next =
        name === 'from' ? { ...brush, from: Math.min(at, brush.to) } : { ...brush, to: Math.max(at, brush.from) };
      this.choose(isWhole(next) ? undefined : next);
    } else if (['Escape', 'Delete', 'Backspace'].includes(event.key)) this.choose(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Along the axis: a new brush; in a brush: it moves; without moving: the brush goes away. */
  private press(down: PointerEvent, isInside: boolean): void {
    const { geometry, brush: before } = this;
    if (down.button !== 0 || geometry === undefined) return;
    down.preventDefault();
    const top = this.element.getBoundingClientRect().top;
    const at = (event: PointerEvent): number =>
      Math.min(WHOLE.to, Math.max(WHOLE.from, geometry.positionAt(event.clientY - top)));
    const start = at(down);
    let isDragged = false;
    const follow = (event: PointerEvent): void => {
      if (!isDragged && Math.abs(event.clientY - down.clientY) < STILL) return;
      isDragged = true;
      const now = at(event);
      if (isInside && before !== undefined) this.choose(movedBrush(before, now - start));
      else this.choose({ from: Math.min(start, now), to: Math.max(start, now) });
    };
    const end = (): void => {
      window.removeEventListener('pointermove', follow);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      if (!isDragged && before !== undefined) this.choose(undefined);
    };
    // Until the button is released, wherever the pointer goes.
    window.addEventListener('pointermove', follow);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }
}

function isWhole({ from, to }: Brush): boolean {
  return from <= WHOLE.from && to >= WHOLE.to;
}

function movedBrush({ from, to }: Brush, by: number): Brush {
  const bounded = Math.min(WHOLE.to - to, Math.max(WHOLE.from - from, by));
  return { from: from + bounded, to: to + bounded };
}
