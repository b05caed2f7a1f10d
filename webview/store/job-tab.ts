import type { JobCauses, JobDetail, QueryColumn, QueryResult, QueryValue } from '../../src/features/store/protocol.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { actionButton } from '../kit/action-button.ts';
import { button, facts, make, table, type Cell } from '../kit/dom.ts';
import { causesFacts } from './causes-facts.ts';
import { AMOUNTS, cellText, columnTitle } from './cell-text.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';
import { rowsOf } from './memory-rows.ts';
import { standingSection } from './standing.ts';
import { RowGrid } from '../kit/row-grid.ts';

/** What a job is told by; all the rest stands below. */
const FIRST_FACTS = [
  'command',
  'user_id',
  'start_time',
  'run_seconds',
  'processes',
  'nodes',
  'files',
  'shared_files',
  'bytes_read',
  'bytes_written',
  'read_bandwidth',
  'write_bandwidth',
  'io_seconds',
  'osts',
  'path',
];

/** One job: its facts, findings, lines, files and what the batch system knows of it. */
export class JobTab {
  private generation = 0;
  private grid: RowGrid<QueryColumn, QueryValue> | undefined;

  constructor(
    private readonly panel: HTMLElement,
    private readonly host: FleetHost,
    private readonly ways: FleetWays,
  ) {
    this.say('Choose a job in one of the other tabs.');
  }

  /** @param causes of the job, where they were looked for. */
  async show(log: string, causes: readonly JobCauses[]): Promise<void> {
    const generation = ++this.generation;
    try {
      const detail = await this.host.page.ask('job', { log });
      if (generation === this.generation) this.draw(log, detail, causes);
    } catch (error) {
      if (generation === this.generation) this.say(messageOf(error), 'problem');
    }
  }

  private say(text: string, className = 'soft nothing'): void {
    this.panel.replaceChildren(make('p', { class: className }, text));
  }

  private draw(log: string, detail: JobDetail, causes: readonly JobCauses[]): void {
    this.grid?.leave();
    this.grid = new RowGrid(rowsOf(detail.files), { things: 'files', words: AMOUNTS });
    const { insights, sites, schedulerJobs } = detail;
    const standing = make('div', {});
    this.panel.replaceChildren(
      this.header(log, detail),
      facts(factsOf(detail, FIRST_FACTS)),
      ...causes.map(causesFacts),
      standing,
      ...this.section('Findings', this.lineTable(log, 'insight', insights, INSIGHT_COLUMNS), insights),
      ...this.section('Source lines', this.lineTable(log, 'site', sites, SITE_COLUMNS), sites),
      make('h2', {}, `Files (${detail.files.rows.length}${detail.files.truncated ? ' and more' : ''})`),
      this.grid.element,
      ...this.section('Scheduler jobs', plainTable(schedulerJobs), schedulerJobs),
      make('details', {}, make('summary', {}, 'Everything of this job'), facts(factsOf(detail))),
    );
    this.host.page.say('drawn', { tab: 'job', rows: detail.files.rows.length });
    void this.compare(log, detail, standing);
  }

  /** Runs of its kind may be many: the rest of the job does not wait for them. */
  private async compare(log: string, { job }: JobDetail, place: HTMLElement): Promise<void> {
    const showKinds = (): void => this.ways.showKinds(text(job['application']));
    try {
      const found = await this.host.page.ask('kinds', { filter: {}, mostKinds: 0, job: log });
      place.replaceChildren(standingSection(found, log, showKinds));
    } catch (error) {
      place.replaceChildren(make('p', { class: 'problem' }, messageOf(error)));
    }
  }

  private header(log: string, { job, recording }: JobDetail): HTMLElement {
    const open = actionButton(
      'Open Recording',
      { title: 'Findings, source lines, timeline and graph of this run' },
      () => this.host.page.say('openRecording', { log }),
    );
    const causes = actionButton('Root Causes', { title: 'Which files the run waited for, and why' }, () =>
      this.host.page.say('showCauses', { log }),
    );
    const gone = make('span', { class: 'soft' }, 'The recording is no longer where it was ingested from.');
    const title = [
      job['application'] ?? 'unknown application',
      job['job_id'] === null ? '' : `job ${text(job['job_id'])}`,
    ];
    return make(
      'div',
      { class: 'title job-title' },
      make('h2', {}, title.filter((part) => part !== '').join(', ')),
      recording === null ? gone : make('div', { class: 'actions' }, open, causes),
    );
  }

  private section(title: string, content: HTMLElement, { rows, truncated }: QueryResult): HTMLElement[] {
    if (rows.length === 0) return [];
    return [make('h2', {}, `${title} (${rows.length}${truncated ? ' and more' : ''})`), content];
  }

  /** Rows with a place in the source, which is a link. */
  private lineTable(
    log: string,
    of: 'insight' | 'site',
    { columns, rows }: QueryResult,
    shown: readonly string[],
  ): HTMLElement {
    const indices = shown
      .flatMap((name) => columns.findIndex((column) => column.name === name))
      .filter((at) => at >= 0);
    const valueOf = (row: readonly QueryValue[], name: string): QueryValue =>
      row[columns.findIndex((column) => column.name === name)] ?? null;
    const body = rows.slice(0, MOST_LINES).map((row, index): Cell[] => {
      const [file, line] = [valueOf(row, 'source_file'), valueOf(row, 'line')];
      const place = placeName(file, line, valueOf(row, 'function'));
      const link =
        file === null || line === null
          ? place
          : button(place, { class: 'link place', title: text(file) }, () =>
              this.host.page.say('openLine', { of, log, row: index }),
            );
      return [link, ...indices.map((at) => cellText(row[at]!, columns[at]!))];
    });
    const titles = [{ title: 'Line' }, ...indices.map((at) => titleOf(columns[at]!))];
    const caption = rows.length > MOST_LINES ? `The first ${MOST_LINES}; SQL has all.` : '';
    return scrolled('wide full', of === 'insight' ? 'Findings' : 'Source lines', table(titles, body, caption));
  }
}

const INSIGHT_COLUMNS = ['severity', 'code', 'title', 'message', 'file', 'events', 'bytes', 'seconds'];
const SITE_COLUMNS = ['function', 'module', 'events', 'bytes_read', 'bytes_written', 'seconds', 'share'];
/** Rows of findings and lines: those that cost most stand first. */
const MOST_LINES = 500;

function text(value: QueryValue | undefined): string {
  return String(value ?? '');
}

function placeName(file: QueryValue, line: QueryValue, name: QueryValue): string {
  if (typeof file !== 'string') return typeof name === 'string' && name !== '' ? name : '–';
  const own = file.split('/').at(-1)!;
  return line === null ? own : `${own}:${text(line)}`;
}

function titleOf({ name, type }: QueryColumn): { title: string; isNumber: boolean } {
  return { title: columnTitle(name), isNumber: /INT|DOUBLE/.test(type) && !type.endsWith('[]') };
}

/** A wide table is moved to and fro with the keyboard, too. */
function scrolled(className: string, label: string, content: HTMLElement): HTMLElement {
  return make('div', { class: className, tabindex: '0', role: 'region', 'aria-label': label }, content);
}

function plainTable({ columns, rows }: QueryResult): HTMLElement {
  const body = rows.map((row) => columns.map((column, index) => cellText(row[index]!, column)));
  return scrolled('wide', 'Scheduler jobs', table(columns.map(titleOf), body));
}

/** Columns of the job with their values; of all columns those that are known. */
function factsOf({ job }: JobDetail, wanted?: readonly string[]): [string, string][] {
  const names = wanted ?? Object.keys(job);
  return names.flatMap((name): [string, string][] => {
    const value = job[name] ?? null;
    if (value === null || value === '') return [];
    return [[columnTitle(name), cellText(value, { name, type: typeof value === 'number' ? 'DOUBLE' : 'VARCHAR' })]];
  });
}
