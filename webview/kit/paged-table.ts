import { formatCount } from '../../src/base/quantities.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { button, make, type Cell } from './dom.ts';

/** What of a table is wanted. */
interface TableQuery {
  readonly sort: string;
  readonly descending: boolean;
  readonly filter: string;
  /** First row, counted from 0. */
  readonly from: number;
  readonly count: number;
}

/** A column that rows can be sorted by. */
interface SortColumn {
  readonly sort: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly hint: string;
}

export interface ShownPage {
  readonly columns: readonly SortColumn[];
  readonly rows: readonly (readonly Cell[])[];
  readonly from: number;
  readonly matching: number;
  readonly total: number;
}

interface PageSource {
  /** What is filtered, for the label of the field: `files`. */
  readonly things: string;
  readonly placeholder: string;
  /** @throws Error in words for the user. */
  page(query: TableQuery): Promise<ShownPage>;
  /** The user sorted, filtered or turned the page. */
  changed(query: TableQuery): void;
}

export const PAGE_ROWS = 50;
/** Milliseconds after the last key until the filter is used. */
const FILTER_DELAY = 200;

/** A long table of which a page is here: sorted, filtered and paged where the rows are. */
export class PagedTable {
  readonly element: HTMLElement;
  private readonly filter: HTMLInputElement;
  private readonly body = make('div', { class: 'wide full', tabindex: '0', role: 'region' });
  private readonly count = make('span', { class: 'count', role: 'status' });
  private readonly back: HTMLButtonElement;
  private readonly forth: HTMLButtonElement;
  /** Only the latest answer is shown. */
  private generation = 0;
  private matching = 0;

  constructor(
    private readonly source: PageSource,
    private query: TableQuery,
  ) {
    this.filter = make('input', {
      type: 'search',
      placeholder: source.placeholder,
      'aria-label': `Filter ${source.things}`,
      spellcheck: 'false',
      maxlength: '500',
    });
    this.filter.value = query.filter;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    this.filter.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.ask({ filter: this.filter.value, from: 0 }), FILTER_DELAY);
    });
    this.back = button('Previous', { 'aria-label': `Previous page of ${source.things}` }, () =>
      this.ask({ from: Math.max(0, this.query.from - PAGE_ROWS) }),
    );
    this.forth = button('Next', { 'aria-label': `Next page of ${source.things}` }, () =>
      this.ask({ from: this.query.from + PAGE_ROWS }),
    );
    this.body.setAttribute('aria-label', `Table of ${source.things}`);
    const pager = make('div', { class: 'pager' }, this.filter, this.count, this.back, this.forth);
    this.element = make('div', { class: 'paged' }, pager, this.body);
    void this.load();
  }

  /** Shows only what has these words. */
  filterBy(text: string): void {
    this.filter.value = text;
    this.ask({ filter: text, from: 0 });
  }

  private ask(change: Partial<TableQuery>): void {
    this.query = { ...this.query, ...change };
    this.source.changed(this.query);
    void this.load();
  }

  private async load(): Promise<void> {
    const generation = ++this.generation;
    try {
      const page = await this.source.page(this.query);
      if (generation === this.generation) this.show(page);
    } catch (error) {
      if (generation !== this.generation) return;
      this.body.replaceChildren(make('p', { class: 'problem' }, messageOf(error)));
    }
  }

  private show(page: ShownPage): void {
    this.matching = page.matching;
    const { columns, rows, from, total } = page;
    const focused = this.body.querySelector<HTMLElement>('th button:focus')?.dataset['sort'];
    const head = make('tr', {}, ...columns.map((column) => this.heading(column)));
    const body = rows.map((row) =>
      make('tr', {}, ...row.map((cell, at) => make('td', { class: columns[at]!.isNumber ? 'number' : '' }, cell))),
    );
    this.body.replaceChildren(
      make('table', { class: 'sortable' }, make('thead', {}, head), make('tbody', {}, ...body)),
    );
    if (focused !== undefined)
      this.body.querySelector<HTMLElement>(`th button[data-sort="${CSS.escape(focused)}"]`)?.focus();
    this.count.textContent = countText(from, rows.length, this.matching, total);
    this.back.disabled = from === 0;
    this.forth.disabled = from + rows.length >= this.matching;
  }

  private heading({ sort, title, isNumber, hint }: SortColumn): HTMLTableCellElement {
    const isSorted = this.query.sort === sort;
    const arrow = isSorted ? (this.query.descending ? ' ↓' : ' ↑') : '';
    const made = button(`${title}${arrow}`, { 'data-sort': sort, ...(hint !== '' && { title: hint }) }, () => {
      // Names begin with a, numbers with the largest.
      const descending = isSorted ? !this.query.descending : isNumber;
      this.ask({ sort, descending, from: 0 });
    });
    const order = isSorted ? (this.query.descending ? 'descending' : 'ascending') : 'none';
    return make('th', { scope: 'col', 'aria-sort': order, class: isNumber ? 'number' : '' }, made);
  }
}

/** `1–50 of 812 (5,000 in all)` */
function countText(from: number, rows: number, matching: number, total: number): string {
  if (total === 0) return 'none';
  if (matching === 0) return `none of ${formatCount(total)}`;
  const all = matching === total ? '' : ` (${formatCount(total)} in all)`;
  return `${formatCount(from + 1)}–${formatCount(from + rows)} of ${formatCount(matching)}${all}`;
}
