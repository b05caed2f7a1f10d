import { formatCount } from '../../src/base/quantities.ts';
import { button, make, visibleText } from './dom.ts';
import { RowBlocks, type AskRows } from './row-blocks.ts';
import { MOST_PIXELS, rowAt, scrolledHeight, scrollOf, topShowing } from './visible-rows.ts';

interface GridColumn {
  readonly name: string;
  readonly type: string;
}

/** How a table says what it holds. */
export interface CellWords<Column, Value> {
  title(column: Column): string;
  /** As the cell shows it. */
  text(value: Value, column: Column): string;
  /** As it is said where the cell has no room. */
  exact(value: Value): string;
  /** Numbers stand to the right. */
  isNumber(column: Column): boolean;
  /** Sorted for the first time, the largest comes first. */
  isLargestFirst(column: Column): boolean;
}

interface GridOptions<Column, Value> {
  /** What the rows are, for whoever cannot see the table: `jobs`. */
  readonly things: string;
  readonly words: CellWords<Column, Value>;
  /** Columns that are shown, by name; all without it. */
  readonly columns?: readonly string[];
  readonly order?: { readonly column: string; readonly descending: boolean };
  /** The user wants another order; without it columns cannot be sorted. */
  readonly sort?: (column: string, descending: boolean) => void;
  /** The user chose a row. */
  readonly choose?: (row: readonly Value[], columns: readonly Column[]) => void;
  /** Rows are on the screen. */
  readonly drawn?: (total: number) => void;
}

const ROW_HEIGHT = 24;
/** Drawn beyond the edge, so that a step of the wheel finds them there. */
const SPARE_ROWS = 4;
const CELL_PIXELS = { least: 70, most: 420, ofCharacter: 8.4, besides: 26 };

let grids = 0;

/** A table of any length: only the rows in sight are asked for and stand on the page. */
export class RowGrid<Column extends GridColumn, Value> {
  readonly element: HTMLElement;
  private readonly head = make('div', { role: 'row', class: 'grid-row grid-head', 'aria-rowindex': '1' });
  private readonly rows = make('div', { role: 'rowgroup', class: 'grid-rows' });
  private readonly room = make('div', { class: 'grid-room', role: 'presentation' }, this.rows);
  private readonly blocks: RowBlocks<Column, Value>;
  private readonly id = `grid-${++grids}`;
  /** The row on top, with fractions. */
  private top = 0;
  /** Where the bar was put by the grid itself. */
  private ownScroll = -1;
  private active = 0;
  private shown: { readonly column: Column; readonly index: number }[] = [];
  private waiting = false;

  constructor(
    ask: AskRows<Column, Value>,
    private readonly options: GridOptions<Column, Value>,
  ) {
    this.element = make(
      'div',
      { class: 'grid-table', role: 'grid', tabindex: '0', 'aria-label': `Table of ${options.things}` },
      make('div', { role: 'rowgroup', class: 'grid-top' }, this.head),
      this.room,
    );
    this.blocks = new RowBlocks(
      ask,
      () => this.draw(),
      (error) => this.fail(error),
    );
    this.element.addEventListener('scroll', () => this.scrolled());
    this.element.addEventListener('wheel', (event) => this.turn(event));
    this.element.addEventListener('keydown', (event) => this.press(event));
    this.rows.addEventListener('click', (event) => this.click(event));
    new ResizeObserver(() => this.later()).observe(this.element);
    this.blocks.want(0, 1);
  }

  /** The table is left for another one: nothing of it is drawn from now on. */
  leave(): void {
    this.blocks.leave();
  }

  focusHeading(column: string): void {
    this.head.querySelector<HTMLElement>(`button[data-sort="${CSS.escape(column)}"]`)?.focus();
  }

  private get total(): number {
    return this.blocks.total ?? 0;
  }

  private get viewHeight(): number {
    return Math.max(ROW_HEIGHT, this.element.clientHeight - this.head.offsetHeight);
  }

  private scrolled(): void {
    const { scrollTop } = this.element;
    if (Math.abs(scrollTop - this.ownScroll) > 1) {
      this.top = rowAt(scrollTop, this.total, ROW_HEIGHT, this.viewHeight);
      this.ownScroll = scrollTop;
    }
    this.later();
  }

  /** Where a pixel of the bar is more than a pixel of rows, the wheel still moves row by row. */
  private turn(event: WheelEvent): void {
    if (this.total * ROW_HEIGHT <= MOST_PIXELS || event.deltaY === 0 || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const rows = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / ROW_HEIGHT : event.deltaY;
    this.goTo(this.top + rows);
  }

  private goTo(top: number): void {
    this.top = Math.min(Math.max(0, this.total - this.viewHeight / ROW_HEIGHT), Math.max(0, top));
    this.element.scrollTop = scrollOf(this.top, this.total, ROW_HEIGHT, this.viewHeight);
    this.ownScroll = this.element.scrollTop;
    this.later();
  }

  private press(event: KeyboardEvent): void {
    if (event.target !== this.element) return;
    const page = Math.max(1, Math.floor(this.viewHeight / ROW_HEIGHT) - 1);
    const to = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.total - 1,
    }[event.key];
    if (event.key === 'Enter') this.choose(this.active);
    if (to === undefined || this.total === 0) return;
    event.preventDefault();
    this.active = Math.min(this.total - 1, Math.max(0, to));
    this.goTo(topShowing(this.active, this.top, ROW_HEIGHT, this.viewHeight));
  }

  private click(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null;
    // Whoever marks a text to copy it chooses no row.
    if (row === null || getSelection()?.isCollapsed === false) return;
    this.active = Number(row.dataset['row']);
    this.later();
    this.choose(this.active);
  }

  private choose(index: number): void {
    const row = this.blocks.row(index);
    if (row !== undefined) this.options.choose?.(row, this.blocks.columns);
  }

  private later(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  private draw(): void {
    if (this.blocks.total === undefined) return;
    this.heading();
    const { total, viewHeight } = this;
    this.element.setAttribute('aria-rowcount', String(total + 1));
    this.room.style.height = `${scrolledHeight(total, ROW_HEIGHT)}px`;
    const first = Math.max(0, Math.floor(this.top) - SPARE_ROWS);
    const end = Math.min(total, Math.ceil(this.top + viewHeight / ROW_HEIGHT) + SPARE_ROWS);
    const rows: HTMLElement[] = [];
    for (let index = first; index < end; index++) rows.push(this.rowElement(index));
    if (total === 0) rows.push(this.noRows());
    this.rows.replaceChildren(...rows);
    this.rows.style.transform = `translateY(${this.element.scrollTop - (this.top - first) * ROW_HEIGHT}px)`;
    if (this.active >= first && this.active < end)
      this.element.setAttribute('aria-activedescendant', `${this.id}-${this.active}`);
    else this.element.removeAttribute('aria-activedescendant');
    this.blocks.want(first, end);
    if (rows.length === 0 || this.blocks.row(Math.floor(this.top)) !== undefined || total === 0)
      this.options.drawn?.(total);
  }

  private rowElement(index: number): HTMLElement {
    const values = this.blocks.row(index);
    const row = make('div', {
      role: 'row',
      class: `grid-row${index === this.active ? ' is-active' : ''}${this.options.choose ? ' leads' : ''}`,
      id: `${this.id}-${index}`,
      'aria-rowindex': String(index + 2),
      'aria-selected': String(index === this.active),
      'data-row': String(index),
    });
    for (const { column, index: at } of this.shown) {
      const cell = make('div', { role: 'gridcell', class: this.options.words.isNumber(column) ? 'number' : '' });
      if (values !== undefined) this.fill(cell, values[at]!, column);
      else cell.textContent = '…';
      row.append(cell);
    }
    return row;
  }

  private fill(cell: HTMLElement, value: Value, column: Column): void {
    const { words } = this.options;
    const exact = visibleText(words.exact(value));
    cell.textContent = visibleText(words.text(value, column));
    if (cell.textContent !== exact || exact.length > 20) cell.title = exact;
  }

  private noRows(): HTMLElement {
    const cell = make('div', { role: 'gridcell', class: 'soft' }, `No ${this.options.things}.`);
    return make('div', { role: 'row', class: 'grid-row', 'aria-rowindex': '2' }, cell);
  }

  /** Once the columns are known. */
  private heading(): void {
    if (this.shown.length > 0 || this.blocks.columns.length === 0) return;
    const { columns: wanted } = this.options;
    const all = this.blocks.columns.map((column, index) => ({ column, index }));
    const kept = wanted === undefined ? all : all.filter(({ column }) => wanted.includes(column.name));
    this.shown = kept.length > 0 ? kept : all;
    this.element.setAttribute('aria-colcount', String(this.shown.length));
    this.element.style.setProperty('--widths', this.shown.map((each) => `${this.widthOf(each)}px`).join(' '));
    this.head.replaceChildren(...this.shown.map(({ column }) => this.headingCell(column)));
  }

  /** By what stands in the first rows. */
  private widthOf({ column, index }: (typeof this.shown)[number]): number {
    const { words } = this.options;
    let longest = words.title(column).length + 2;
    for (let row = 0; row < Math.min(200, this.total); row++) {
      const values = this.blocks.row(row);
      if (values !== undefined) longest = Math.max(longest, words.text(values[index]!, column).length);
    }
    const { least, most, ofCharacter, besides } = CELL_PIXELS;
    return Math.round(Math.min(most, Math.max(least, longest * ofCharacter + besides)));
  }

  private headingCell(column: Column): HTMLElement {
    const { order, sort, words } = this.options;
    const title = words.title(column);
    const isSorted = order?.column === column.name;
    const attributes = { role: 'columnheader', class: words.isNumber(column) ? 'number' : '', title: column.type };
    if (sort === undefined) return make('div', attributes, title);
    const arrow = isSorted ? (order.descending ? ' ↓' : ' ↑') : '';
    const made = button(`${title}${arrow}`, { 'data-sort': column.name }, () => {
      // Names begin with a, numbers and moments with the largest.
      sort(column.name, isSorted ? !order.descending : words.isLargestFirst(column));
    });
    const direction = isSorted ? (order.descending ? 'descending' : 'ascending') : 'none';
    return make('div', { ...attributes, 'aria-sort': direction }, made);
  }

  private fail(error: unknown): void {
    const cell = make('div', { role: 'gridcell', class: 'problem' }, error instanceof Error ? error.message : 'failed');
    this.rows.style.transform = '';
    this.rows.replaceChildren(make('div', { role: 'row', class: 'grid-row is-problem' }, cell));
  }
}

/** `12,345 jobs` */
export function countedRows(total: number, things: string): string {
  return `${formatCount(total)} ${things}`;
}
