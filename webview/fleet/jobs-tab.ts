import type { JobFilter } from '../../src/messages/fleet-messages.ts';
import { button, make } from '../report/dom.ts';
import { columnTitle } from './cell-text.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';
import type { RowStretch } from './row-blocks.ts';
import { countedRows, RowGrid } from './row-grid.ts';

export interface JobsState {
  readonly orderBy: string;
  readonly descending: boolean;
  readonly columns: readonly string[];
}

/** What is shown of a job unless the user chooses other columns: what tells a job, its size and its speed. */
export const FIRST_JOBS: JobsState = {
  orderBy: 'start_time',
  descending: true,
  columns: [
    'application',
    'job_id',
    'user_id',
    'start_time',
    'run_seconds',
    'processes',
    'nodes',
    'files',
    'bytes_read',
    'bytes_written',
    'read_bandwidth',
    'write_bandwidth',
    'io_seconds',
    'ost_count',
    'format',
  ],
};

/** The jobs of the store: as many as there are, of which those in sight are here. */
export class JobsTab {
  private readonly place = make('div', { class: 'grid-place' });
  private readonly count = make('span', { class: 'count', role: 'status' });
  private readonly chooser = make('fieldset', { class: 'column-choice' }, make('legend', {}, 'Columns'));
  private grid: RowGrid | undefined;
  private known: readonly string[] = [];

  constructor(
    panel: HTMLElement,
    private readonly host: FleetHost,
    private readonly ways: FleetWays,
    private filter: JobFilter,
    private state: JobsState,
  ) {
    const columns = make('details', { class: 'columns-menu' }, make('summary', {}, 'Columns'), this.chooser);
    panel.append(make('div', { class: 'pager' }, columns, this.count), this.place);
    this.list();
  }

  filterBy(filter: JobFilter): void {
    this.filter = filter;
    this.list();
  }

  private list(focusColumn?: string): void {
    this.grid?.leave();
    const { filter } = this;
    const { orderBy, descending, columns } = this.state;
    let isFirst = true;
    const ask = async (first: number, count: number): Promise<RowStretch> => {
      const page = { filter, orderBy, descending, first, count };
      const { value } = await this.host.ask({ ask: 'jobs', page });
      return { total: value.total, columns: value.result.columns, rows: value.result.rows };
    };
    const grid = new RowGrid(ask, {
      things: 'jobs',
      columns,
      order: { column: orderBy, descending },
      sort: (column, isDescending) => {
        this.change({ orderBy: column, descending: isDescending });
        this.list(column);
      },
      choose: (row, all) => {
        const log = row[all.findIndex(({ name }) => name === 'log')];
        if (typeof log === 'string') this.ways.showJob(log);
      },
      drawn: (total) => {
        this.count.textContent = countedRows(total, total === 1 ? 'job' : 'jobs');
        if (isFirst) this.offerColumns(grid.columnNames);
        if (isFirst && focusColumn !== undefined) grid.focusHeading(focusColumn);
        isFirst = false;
        this.host.post({ kind: 'drawn', tab: 'jobs', rows: total });
      },
    });
    this.grid = grid;
    this.place.replaceChildren(grid.element);
  }

  private change(change: Partial<JobsState>): void {
    this.state = { ...this.state, ...change };
    this.host.keep(change);
  }

  private offerColumns(names: readonly string[]): void {
    if (names.join() === this.known.join()) return;
    this.known = names;
    const boxes = names.map((name) => {
      const box = make('input', { type: 'checkbox' });
      box.checked = this.state.columns.includes(name);
      box.addEventListener('change', () => {
        const kept = this.state.columns.filter((column) => column !== name);
        this.change({ columns: box.checked ? [...kept, name] : kept });
        this.list();
      });
      return make('label', {}, box, columnTitle(name));
    });
    const again = button('As at first', {}, () => {
      this.change({ columns: FIRST_JOBS.columns });
      this.known = [];
      this.list();
    });
    this.chooser.replaceChildren(make('legend', {}, 'Columns'), ...boxes, again);
  }
}
