import type { JobFilter, QueryColumn, QueryValue, StoreSummary } from '../../src/features/store/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { make } from '../kit/dom.ts';
import { AMOUNTS, columnTitle } from './cell-text.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';
import type { RowStretch } from '../kit/row-blocks.ts';
import { countedRows, RowGrid } from '../kit/row-grid.ts';

interface JobsState {
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
  private grid: RowGrid<QueryColumn, QueryValue> | undefined;
  private readonly available: readonly string[];
  private filter: JobFilter;
  private state: JobsState;

  constructor(
    panel: HTMLElement,
    private readonly host: FleetHost,
    private readonly ways: FleetWays,
    state: JobsState & { readonly filter: JobFilter },
    { tables }: StoreSummary,
  ) {
    this.filter = state.filter;
    const stored = tables.find(({ table }) => table === 'job')?.columns ?? [];
    this.available = [...stored.map(({ name }) => name), ...DERIVED];
    this.state = knownState(state, this.available);
    this.offerColumns();
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
    const ask = async (first: number, count: number): Promise<RowStretch<QueryColumn, QueryValue>> => {
      const page = { filter, orderBy, descending, first, count, columns: [...new Set(['log', ...columns])] };
      const { total, result } = await this.host.page.ask('jobs', page);
      return { total, columns: result.columns, rows: result.rows };
    };
    const grid = new RowGrid(ask, {
      things: 'jobs',
      words: AMOUNTS,
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
        if (isFirst && focusColumn !== undefined) grid.focusHeading(focusColumn);
        isFirst = false;
        this.host.page.say('drawn', { tab: 'jobs', rows: total });
      },
    });
    this.grid = grid;
    this.place.replaceChildren(grid.element);
  }

  private change(change: Partial<JobsState>): void {
    this.state = { ...this.state, ...change };
    this.host.keep(change);
  }

  private offerColumns(): void {
    const boxes = this.available.map((name) => {
      const box = make('input', { type: 'checkbox' });
      box.checked = this.state.columns.includes(name);
      box.addEventListener('change', () => {
        const kept = this.state.columns.filter((column) => column !== name);
        this.change({ columns: box.checked ? [...kept, name] : kept });
        this.list();
      });
      return make('label', {}, box, columnTitle(name));
    });
    const again = actionButton('As at first', {}, () => {
      this.change({ columns: FIRST_JOBS.columns });
      this.offerColumns();
      this.list();
    });
    this.chooser.replaceChildren(make('legend', {}, 'Columns'), ...boxes, again);
  }
}

/** What a job has besides its columns in the store. */
const DERIVED = ['read_bandwidth', 'write_bandwidth'];

/** A view that was kept may know columns that are no more. */
function knownState({ orderBy, descending, columns }: JobsState, available: readonly string[]): JobsState {
  const known = columns.filter((name) => available.includes(name));
  return {
    descending,
    orderBy: available.includes(orderBy) ? orderBy : FIRST_JOBS.orderBy,
    columns: known.length > 0 ? known : FIRST_JOBS.columns,
  };
}
