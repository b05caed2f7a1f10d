import type {
  AnswerChart,
  QueryColumn,
  QueryResult,
  QueryValue,
  StoreSummary,
} from '../../src/features/store/protocol.ts';
import { formatCount } from '../../src/base/quantities.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { button, make, table } from '../kit/dom.ts';
import { AnswerFigure } from './answer-figure.ts';
import { possibleCharts, suggestedChart } from './answer-charts.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';
import { AS_GIVEN } from './cell-text.ts';
import { rowsOf } from './memory-rows.ts';
import { RowGrid } from '../kit/row-grid.ts';
import { SqlEditor } from './sql-editor.ts';

/** SQL that was run and can be had again. */
const MOST_HISTORY = 50;
/** What an empty editor begins with: something that runs on any store. */
const FIRST_SQL = `SELECT application, count(*) AS jobs, sum(bytes_read) AS bytes_read, sum(bytes_written) AS bytes_written
FROM job
GROUP BY application
ORDER BY jobs DESC`;

const CHART_NAMES: Readonly<Record<AnswerChart['kind'], string>> = {
  table: 'Table only',
  bars: 'Bars',
  stacked: 'Stacked bars',
  lines: 'Lines',
};

/** Any SQL on the tables of the store. */
export class SqlTab {
  private readonly editor: SqlEditor;
  private readonly result = make('div', { class: 'result' });
  private readonly figure = new AnswerFigure();
  private readonly said = make('p', { role: 'status' });
  private readonly past = make('select', { 'aria-label': 'SQL that was run before' });
  private readonly csv: HTMLButtonElement;
  private history: readonly string[];
  private grid: RowGrid<QueryColumn, QueryValue> | undefined;
  private chart: AnswerChart['kind'] = 'table';
  /** What the result on the screen is of. */
  private ran = '';
  private generation = 0;

  constructor(
    panel: HTMLElement,
    summary: StoreSummary,
    private readonly host: FleetHost,
    private readonly ways: FleetWays,
    { sql, history }: { readonly sql: string; readonly history: readonly string[] },
  ) {
    this.history = history;
    this.editor = new SqlEditor(sql === '' ? FIRST_SQL : sql, {
      complete: (sql, position) => host.page.ask('complete', { sql, position }),
      run: () => void this.run(),
      changed: (text) => host.keep({ sql: text }),
    });
    this.csv = button('Export CSV', { title: 'Write all rows of the result to a file' }, () =>
      host.page.say('exportCsv', { sql: this.ran }),
    );
    this.csv.disabled = true;
    this.past.addEventListener('change', () => {
      const chosen = this.history[Number(this.past.value)];
      if (chosen !== undefined) this.editor.set(chosen);
      this.past.value = '';
      this.editor.focus();
    });
    this.showHistory();
    panel.append(
      this.editor.element,
      make(
        'div',
        { class: 'pager' },
        button('Run', { class: 'primary', title: 'Ctrl+Enter' }, () => void this.run()),
        this.past,
        this.csv,
      ),
      this.said,
      this.result,
      schema(summary),
    );
  }

  /** Takes an SQL text over, and runs it. */
  show(sql: string): void {
    this.editor.set(sql);
    this.editor.focus();
    void this.run();
  }

  redraw(): void {
    this.figure.redraw();
  }

  private async run(): Promise<void> {
    const { sql } = this.editor;
    if (sql.trim() === '') return;
    const generation = ++this.generation;
    this.say('Running …');
    this.remember(sql);
    try {
      const result = await this.host.page.ask('query', { sql });
      if (generation !== this.generation) return;
      this.ran = sql;
      this.csv.disabled = result.columns.length === 0;
      this.say(resultText(result));
      this.draw(result);
      this.host.page.say('drawn', { tab: 'sql', rows: result.rows.length });
    } catch (error) {
      if (generation === this.generation) this.say(messageOf(error), 'problem');
    }
  }

  private say(text: string, className = 'soft'): void {
    this.said.className = className;
    this.said.textContent = text;
  }

  private draw(result: QueryResult): void {
    this.grid?.leave();
    const log = result.columns.findIndex(({ name }) => name === 'log');
    this.grid = new RowGrid(rowsOf(result), {
      things: 'rows',
      words: AS_GIVEN,
      ...(log >= 0 && {
        choose: (row: readonly QueryValue[]) => {
          const key = row[log];
          if (typeof key === 'string') this.ways.showJob(key);
        },
      }),
    });
    const kinds = possibleCharts(result);
    if (!kinds.includes(this.chart)) this.chart = 'table';
    const place = make('div');
    const choice = this.chartChoice(kinds, result, place);
    this.drawChart(result, place);
    this.result.replaceChildren(...(kinds.length > 1 ? [choice, place] : []), this.grid.element);
  }

  private chartChoice(kinds: readonly AnswerChart['kind'][], result: QueryResult, place: HTMLElement): HTMLElement {
    const select = make('select', { 'aria-label': 'Chart of the result' });
    select.append(...kinds.map((kind) => make('option', { value: kind }, CHART_NAMES[kind])));
    select.value = this.chart;
    select.addEventListener('change', () => {
      this.chart = select.value as AnswerChart['kind'];
      this.drawChart(result, place);
    });
    return make('div', { class: 'pager' }, select);
  }

  private drawChart(result: QueryResult, place: HTMLElement): void {
    const figure = this.figure.make('The result', suggestedChart(this.chart, result), result);
    place.replaceChildren(...(figure === undefined ? [] : [figure]));
  }

  private remember(sql: string): void {
    this.history = [sql, ...this.history.filter((each) => each !== sql)].slice(0, MOST_HISTORY);
    this.host.keep({ history: this.history });
    this.showHistory();
  }

  private showHistory(): void {
    const options = this.history.map((sql, index) =>
      make('option', { value: String(index) }, sql.replace(/\s+/g, ' ').slice(0, 100)),
    );
    this.past.replaceChildren(make('option', { value: '' }, 'History'), ...options);
    this.past.disabled = options.length === 0;
  }
}

function resultText({ rows, truncated, elapsedMs }: QueryResult): string {
  const time = elapsedMs < 1_000 ? `${Math.round(elapsedMs)} ms` : `${(elapsedMs / 1_000).toFixed(1)} s`;
  const count = rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`;
  return truncated ? `The first ${count}, ${time}. “Export CSV” writes all of them.` : `${count}, ${time}`;
}

/** The tables and what their columns say, for whoever writes SQL. */
function schema({ tables }: StoreSummary): HTMLElement {
  return make(
    'details',
    { class: 'schema' },
    make('summary', {}, 'Tables and columns'),
    ...tables.map(({ table: name, rows, columns }) =>
      make(
        'details',
        {},
        make('summary', {}, make('code', {}, name), ` ${formatCount(rows)} rows`),
        make(
          'div',
          { class: 'wide', tabindex: '0', role: 'region', 'aria-label': `Columns of ${name}` },
          table(
            [{ title: 'Column' }, { title: 'Type' }, { title: 'What it says' }],
            columns.map(({ name: column, type, about }) => [make('code', {}, column), type, about]),
          ),
        ),
      ),
    ),
  );
}
