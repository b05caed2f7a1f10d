import {
  drawIntervals,
  HEAD_HEIGHT,
  intervalRows,
  labelWidthOf,
  ROW_HEIGHT,
  wholeOf,
  type FileInterval,
  type IntervalColours,
  type IntervalOrder,
  type IntervalPicture,
} from '../../src/drawing/causes/interval-picture.ts';
import { lengthOf, timeAt, type Span } from '../../src/drawing/timeline/visible-span.ts';
import { mixed } from '../../src/drawing/timeline/category-colours.ts';
import { SvgSurface } from '../../src/drawing/offsets/surface.ts';
import { currentAppearance, directionColours } from '../kit/appearance.ts';
import { CanvasSurface } from '../kit/canvas-surface.ts';
import { make } from '../kit/dom.ts';
import { channels } from '../kit/theme.ts';

interface IntervalEvents {
  /** The row under the pointer or that the arrows reached; undefined: none. */
  point(file: number | undefined): void;
  choose(file: number): void;
}

const ZOOM = 1.5;
/** Rows of a picture that is saved. */
const SAVED_ROWS = 200;
const SAVED = { width: 1200, scale: 2 };
/** A hundred nanoseconds: no recording tells less apart. */
const SHORTEST = 100;

/** The intervals on a canvas that stays in sight while its rows are scrolled: thousands cost no more than those in sight. */
export class IntervalList {
  readonly element: HTMLElement;
  private readonly canvas = make('canvas', { 'aria-hidden': 'true' });
  private readonly spacer = make('div', { class: 'spacer' });
  private files: readonly FileInterval[] = [];
  private rows: readonly number[] = [];
  private whole: Span = wholeOf([]);
  private visible: Span = this.whole;
  private chosen: number | undefined;
  private direction: 'read' | 'write' = 'write';

  constructor(private readonly events: IntervalEvents) {
    const label =
      'Intervals of files. Up and Down choose a file, plus and minus zoom, Left and Right move, 0 shows all.';
    this.element = make('div', { class: 'intervals', tabindex: '0', role: 'group', 'aria-label': label });
    this.spacer.append(this.canvas);
    this.element.append(this.spacer);
    this.listen();
  }

  show(files: readonly FileInterval[], direction: 'read' | 'write'): void {
    this.files = files;
    this.direction = direction;
    this.whole = wholeOf(files);
    this.visible = this.whole;
    this.chosen = undefined;
    this.element.scrollTop = 0;
  }

  /** @returns how many rows there are. */
  list(filter: string, order: IntervalOrder): number {
    this.rows = intervalRows(this.files, filter, order);
    this.spacer.style.height = `${HEAD_HEIGHT + this.rows.length * ROW_HEIGHT}px`;
    this.draw();
    return this.rows.length;
  }

  select(file: number): void {
    this.chosen = file;
    const row = this.rows.indexOf(file);
    const { scrollTop, clientHeight } = this.element;
    const room = clientHeight - HEAD_HEIGHT;
    if (row >= 0 && (row * ROW_HEIGHT < scrollTop || (row + 1) * ROW_HEIGHT > scrollTop + room))
      this.element.scrollTop = Math.max(0, row * ROW_HEIGHT - room / 2);
    this.draw();
  }

  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const size = { width, height, scale: window.devicePixelRatio };
    const surface = new CanvasSurface(this.canvas, size, currentAppearance());
    drawIntervals(surface, this.picture(width, height, this.element.scrollTop));
  }

  /** The first rows as a picture by itself. */
  svg(title: string): string {
    const surface = new SvgSurface();
    const picture = this.savedPicture();
    drawIntervals(surface, picture);
    return surface.document(title, picture.width, picture.height, picture.colours.background);
  }

  savedCanvas(): HTMLCanvasElement {
    const canvas = make('canvas');
    const picture = this.savedPicture();
    const { width, height } = picture;
    drawIntervals(new CanvasSurface(canvas, { width, height, scale: SAVED.scale }, currentAppearance()), picture);
    return canvas;
  }

  private savedPicture(): IntervalPicture {
    const height = HEAD_HEIGHT + Math.min(SAVED_ROWS, this.rows.length) * ROW_HEIGHT;
    return { ...this.picture(SAVED.width, height, 0), chosen: undefined };
  }

  private picture(width: number, height: number, scrollTop: number): IntervalPicture {
    const { visible, files, rows, chosen } = this;
    return { width, height, visible, files, rows, scrollTop, chosen, colours: this.colours() };
  }

  private colours(): IntervalColours {
    const look = currentAppearance();
    const { text, softText, background, rule, theme } = look;
    const red = getComputedStyle(document.body).getPropertyValue('--vscode-charts-red').trim();
    const bar = mixed(background, directionColours(look)[this.direction], theme.isHighContrast ? 1 : 0.6);
    const critical = channels(red === '' ? '#e51400' : red);
    return { text, softText, background, rule, bar, critical, chosen: mixed(background, text, 0.18) };
  }

  private listen(): void {
    const { element } = this;
    new ResizeObserver(() => this.draw()).observe(element);
    element.addEventListener('scroll', () => this.draw());
    element.addEventListener('pointermove', (event) => this.events.point(this.fileAt(event)));
    element.addEventListener('pointerleave', () => this.events.point(undefined));
    element.addEventListener('click', (event) => {
      const file = this.fileAt(event);
      if (file !== undefined) this.events.choose(file);
    });
    element.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const left = labelWidthOf(element.clientWidth);
      const x = event.clientX - element.getBoundingClientRect().left - left;
      this.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, timeAt(x, this.visible, element.clientWidth - left - 12));
    });
    element.addEventListener('keydown', (event) => this.key(event));
  }

  private fileAt({ clientY }: MouseEvent): number | undefined {
    const y = clientY - this.element.getBoundingClientRect().top - HEAD_HEIGHT;
    return y < 0 ? undefined : this.rows[Math.floor((y + this.element.scrollTop) / ROW_HEIGHT)];
  }

  private key(event: KeyboardEvent): void {
    const middle = (this.visible.fromNs + this.visible.toNs) / 2;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.step(1),
      ArrowUp: () => this.step(-1),
      ArrowLeft: () => this.move(-0.2),
      ArrowRight: () => this.move(0.2),
      '+': () => this.zoom(ZOOM, middle),
      '-': () => this.zoom(1 / ZOOM, middle),
      '0': () => this.look(this.whole),
    };
    const action = actions[event.key === '=' ? '+' : event.key];
    if (action === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    action();
  }

  private step(by: number): void {
    const row = this.chosen === undefined ? -1 : this.rows.indexOf(this.chosen);
    const next = this.rows[row < 0 ? 0 : row + by];
    if (next !== undefined) this.events.choose(next);
  }

  private zoom(factor: number, aroundNs: number): void {
    const length = Math.max(SHORTEST, lengthOf(this.visible) / factor);
    const share = (aroundNs - this.visible.fromNs) / lengthOf(this.visible);
    const fromNs = aroundNs - share * length;
    this.look({ fromNs, toNs: fromNs + length });
  }

  private move(share: number): void {
    const by = share * lengthOf(this.visible);
    this.look({ fromNs: this.visible.fromNs + by, toNs: this.visible.toNs + by });
  }

  /** Stays within the time of the files. */
  private look(wanted: Span): void {
    const { whole } = this;
    const length = Math.min(lengthOf(whole), lengthOf(wanted));
    const fromNs = Math.min(whole.toNs - length, Math.max(whole.fromNs, wanted.fromNs));
    this.visible = { fromNs, toNs: fromNs + length };
    this.draw();
  }
}
