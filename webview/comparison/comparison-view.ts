import { formatDate } from '../../src/drawing/charts/amounts.ts';
import type {
  ComparisonLine,
  ComparisonTable,
  ViewComparison,
  ViewRun,
} from '../../src/features/comparison/protocol.ts';
import { button, make, table, type Cell } from '../kit/dom.ts';
import type { PageEnd } from '../kit/page-end.ts';
import { PAGE_ROWS, PagedTable } from '../kit/paged-table.ts';
import { Tabs } from '../kit/tabs.ts';
import { cellsOf, verdictMark } from './cells.ts';
import { spreadTab } from './spread.ts';

type Query = ConstructorParameters<typeof PagedTable>[1];

/** How a table is sorted before somebody sorts it: findings as they are told, all else by the largest change. */
const FIRST_SORT = { findings: { sort: 'verdict', descending: false }, others: { sort: 'change', descending: true } };

/** The numbers of the run, then what became of findings, lines and everything else. */
export class ComparisonView {
  private tab: string;
  /** As the user sorted and filtered them: the sides may be swapped meanwhile. */
  private readonly queries = new Map<ComparisonTable, Query>();

  constructor(
    private readonly room: HTMLElement,
    private readonly page: PageEnd<ComparisonLine>,
  ) {
    this.tab = page.kept?.tab ?? 'findings';
  }

  show(comparison: ViewComparison): void {
    const { tables, spread, notes } = comparison;
    const tabs = new Tabs(
      [
        ...tables.map(({ table, title, changed }) => ({
          id: table,
          title,
          badge: changed === 0 ? '' : String(changed),
          fill: (panel: HTMLElement) => panel.append(this.tableOf(table, title)),
        })),
        {
          id: 'spread',
          title: 'Spread',
          badge: '',
          fill: (panel) => {
            panel.append(...spreadTab(spread));
            this.drawn(spread.runs.length);
          },
        },
      ],
      'Parts of the comparison',
      (tab) => this.keep(tab),
    );
    // The rows come a moment later: until then the page stays as long as it was, and where it was scrolled to.
    this.room.style.minHeight = `${this.room.offsetHeight}px`;
    const hadFocus = this.room.contains(document.activeElement) ? document.activeElement?.id : undefined;
    this.room.replaceChildren(
      this.header(comparison),
      tiles(comparison),
      ...notes.map((note) => make('p', { class: 'note' }, note)),
      tabs.element,
    );
    tabs.show(this.tab);
    this.keep(tabs.shown);
    if (hadFocus !== undefined && hadFocus !== '') document.getElementById(hadFocus)?.focus();
  }

  private drawn(rows: number): void {
    requestAnimationFrame(() => {
      this.room.style.minHeight = '';
      this.page.say('drawn', { rows });
    });
  }

  private keep(tab: string): void {
    this.tab = tab;
    this.page.keep({ tab });
  }

  private header(comparison: ViewComparison): HTMLElement {
    const { headline, verdict, verdictWords } = comparison;
    const action = (id: string, text: string, title: string, click: () => void): HTMLElement =>
      button(text, { id, title }, click);
    const actions = make(
      'div',
      { class: 'actions' },
      action('show-graph', 'Graph of Both', 'Show the Directly-Follows-Graphs of both sides laid over each other', () =>
        this.page.say('showGraph'),
      ),
      action('show-timeline', 'Both in the Timeline', 'Show both sides on one axis, each from its own beginning', () =>
        this.page.say('showTimeline'),
      ),
      action('swap', 'Swap Sides', 'Make the new side the base', () => this.page.say('swap')),
    );
    const said = make('p', { role: 'status' }, 'The run: ', verdictMark(verdict, verdictWords));
    return make(
      'header',
      {},
      make('h1', {}, headline),
      make('div', { class: 'title' }, said, actions),
      runsOf(comparison),
    );
  }

  private tableOf(table: ComparisonTable, title: string): HTMLElement {
    const first = table === 'findings' ? FIRST_SORT.findings : FIRST_SORT.others;
    const query = this.queries.get(table) ?? { ...first, filter: '', from: 0, count: PAGE_ROWS };
    const source = {
      things: title.toLowerCase(),
      placeholder: table === 'findings' ? 'name, file, gone, worse' : 'name, better, worse',
      page: async (wanted: Query) => {
        const { columns, rows, ...about } = await this.page.ask('rows', { table, query: wanted });
        const choose = (number: number): void => this.page.say('choose', { table, number });
        this.drawn(rows.length);
        return { columns, rows: rows.map((row) => cellsOf(row, columns, choose)), ...about };
      },
      changed: (wanted: Query) => this.queries.set(table, wanted),
    };
    const { element } = new PagedTable(source, query);
    element.classList.add(`of-${table}`);
    return element;
  }
}

/** Both sides, each with its runs. */
function runsOf({ base, new: changed }: ViewComparison): HTMLElement {
  const rows = (side: string, runs: readonly ViewRun[]): Cell[][] =>
    runs.map(({ name, recording, program, startTime }, at) => [
      make('span', { class: 'soft' }, at === 0 ? side : ''),
      make('strong', { title: recording }, name),
      make('code', {}, program),
      make('span', { class: 'soft' }, startTime === null ? '' : formatDate(startTime)),
    ]);
  const columns = ['Side', 'Recording', 'Program', 'Begin'].map((title) => ({ title }));
  const made = table(columns, [...rows('Base', base), ...rows('New', changed)]);
  made.tHead!.classList.add('unseen');
  return make('div', { class: 'wide runs' }, made);
}

function tiles({ tiles: all }: ViewComparison): HTMLElement {
  return make(
    'div',
    { class: 'tiles' },
    ...all.map(([label, value, note]) =>
      make(
        'div',
        { class: 'tile' },
        make('span', { class: 'label' }, label),
        make('span', { class: 'value' }, value),
        note === '' ? null : make('span', { class: 'soft' }, note),
      ),
    ),
  );
}
