import type {
  PageAnswer,
  PageRequest,
  RecordPage,
  TableQuery,
  ViewReport,
} from '../../src/features/report/protocol.ts';
import { formatBytes, formatCount, formatShare } from '../../src/base/quantities.ts';
import { formatSeconds } from '../kit/amounts.ts';
import type { Charts } from '../kit/charts.ts';
import { make, table } from '../kit/dom.ts';
import { moduleName, tiles } from './overview.ts';
import { PAGE_ROWS, PagedTable, type ShownPage, type SortColumn } from '../kit/paged-table.ts';
import {
  accessSizeChart,
  counterName,
  formatBandwidth,
  formatCounter,
  operationChart,
  type Module,
} from './view-model.ts';

export interface ModuleEvents {
  page(wanted: PageRequest): Promise<PageAnswer>;
  choose(module: string): void;
  sorted(query: TableQuery): void;
}

/** Modules one at a time: what each counted. */
export function fillModules(
  panel: HTMLElement,
  { job }: ViewReport,
  charts: Charts,
  chosen: { readonly module: string; readonly records: TableQuery },
  events: ModuleEvents,
): void {
  if (job.modules.length === 0) {
    panel.append(make('p', { class: 'nothing' }, 'The log holds no counters: only what its header says is known.'));
    return;
  }
  const first = job.modules.find(({ module }) => module === chosen.module) ?? job.modules[0]!;
  const picker = make('div', { class: 'picker', role: 'group', 'aria-label': 'Module' });
  const content = make('div', {});
  const show = (module: Module, query: TableQuery): void => {
    for (const button of picker.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.dataset['module'] === module.module));
    content.replaceChildren(...moduleContent(module, charts, query, events));
  };
  for (const module of job.modules) {
    const button = make('button', { type: 'button', 'data-module': module.module }, module.module);
    button.addEventListener('click', () => {
      events.choose(module.module);
      events.sorted(FIRST_RECORDS);
      show(module, FIRST_RECORDS);
    });
    picker.append(button);
  }
  panel.append(picker, content);
  show(first, chosen.records);
}

export const FIRST_RECORDS: TableQuery = { sort: 'file', descending: false, filter: '', from: 0, count: PAGE_ROWS };

function moduleContent(module: Module, charts: Charts, query: TableQuery, events: ModuleEvents): HTMLElement[] {
  const bars = [accessSizeChart(module), operationChart(module)].filter((chart) => chart !== null);
  const tables = [categoryTable(module), commonTable(module), patternTable(module)].filter((each) => each !== null);
  return [
    make('h2', {}, moduleName(module), ' ', make('span', { class: 'soft' }, `version ${module.version}`)),
    moduleFacts(module),
    make('div', { class: 'grid' }, ...bars.map((chart) => charts.figure(chart))),
    make('div', { class: 'grid' }, ...tables),
    make('h2', {}, 'Counters'),
    totalsTable(module),
    make('h2', {}, 'Records'),
    recordTable(module, query, events).element,
  ];
}

function moduleFacts({ records, bytesRead, bytesWritten, time, performance }: Module): HTMLElement {
  const rows: [string, string, string?][] = [
    ['Records', formatCount(records)],
    ['Read', formatBytes(bytesRead)],
    ['Written', formatBytes(bytesWritten)],
  ];
  if (time !== null)
    rows.push(
      ['Read time', formatSeconds(time.readSeconds)],
      ['Write time', formatSeconds(time.writeSeconds)],
      ['Metadata time', formatSeconds(time.metadataSeconds)],
    );
  if (performance !== null)
    rows.push(['Bandwidth', formatBandwidth(performance.mebibytesPerSecond), 'estimated from the slowest process']);
  return make(
    'div',
    {},
    tiles(rows.map(([label, value, note = '']) => ({ label, value, note }))),
    slowestText(performance),
  );
}

/** What the estimate of the bandwidth is made of. */
function slowestText(performance: Module['performance']): HTMLElement | null {
  if (performance === null) return null;
  const parts = [];
  if (performance.slowestRankSeconds > 0)
    parts.push(
      `Rank ${performance.slowestRank} spent most time in files that are not shared: ${formatSeconds(performance.slowestRankSeconds)}.`,
    );
  if (performance.sharedFilesSeconds > 0)
    parts.push(
      `The slowest processes of the shared files spent ${formatSeconds(performance.sharedFilesSeconds)} in them.`,
    );
  return parts.length === 0 ? null : make('p', { class: 'soft' }, parts.join(' '));
}

function categoryTable({ categories }: Module): HTMLElement | null {
  if (categories === null) return null;
  const names = [
    ['All', categories.total],
    ['Read only', categories.readOnly],
    ['Written only', categories.writeOnly],
    ['Read and written', categories.readWrite],
    ['Of one process', categories.unique],
    ['Of all processes', categories.shared],
    ['Of several processes', categories.partiallyShared],
  ] as const;
  const size = (bytes: number): string => (bytes < 0 ? '–' : formatBytes(bytes));
  return titled(
    'Files',
    table(
      [
        { title: 'Kind' },
        { title: 'Files', isNumber: true },
        { title: 'Bytes', isNumber: true },
        { title: 'Largest', isNumber: true, hint: 'offset of the last byte that was accessed' },
        { title: 'Mean', isNumber: true, hint: 'offset of the last byte, mean of the files' },
      ],
      names.map(([name, { files, bytes, maxOffset, meanOffset }]) => [
        name,
        formatCount(files),
        formatBytes(bytes),
        size(maxOffset),
        size(meanOffset),
      ]),
    ),
  );
}

function commonTable({ commonAccesses, commonStrides }: Module): HTMLElement | null {
  if (commonAccesses.length === 0) return null;
  const count = { title: 'Count', isNumber: true };
  const rows = (list: Module['commonAccesses']): string[][] =>
    list.map(({ bytes, count: times }) => [sizeText(bytes), formatCount(times)]);
  const section = titled('Common access sizes', table([{ title: 'Size' }, count], rows(commonAccesses)));
  if (commonStrides.length > 0)
    section.append(make('h3', {}, 'Common strides'), table([{ title: 'Distance' }, count], rows(commonStrides)));
  return section;
}

/** `4 KiB (4,096 B)`: sizes are compared to the byte. */
function sizeText(bytes: number): string {
  return bytes < 1024 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatCount(bytes)} B)`;
}

function patternTable({ pattern }: Module): HTMLElement | null {
  if (pattern === null || pattern.read.total + pattern.write.total === 0) return null;
  const row = (name: string, { total, sequential, consecutive }: typeof pattern.read): string[] => [
    name,
    formatCount(total),
    total === 0 ? '–' : formatShare(sequential / total),
    total === 0 ? '–' : formatShare(consecutive / total),
  ];
  return titled(
    'Order of accesses',
    table(
      [
        { title: 'Kind' },
        { title: 'Accesses', isNumber: true },
        { title: 'Sequential', isNumber: true, hint: 'behind the end of the previous access, or right at it' },
        { title: 'Consecutive', isNumber: true, hint: 'right at the end of the previous access' },
      ],
      [row('Reads', pattern.read), row('Writes', pattern.write)],
    ),
  );
}

function titled(title: string, content: HTMLElement): HTMLElement {
  return make('section', { class: 'titled' }, make('h3', {}, title), make('div', { class: 'wide' }, content));
}

function totalsTable({ module, totals }: Module): HTMLElement {
  const counted = Object.entries(totals).filter(([, value]) => value !== 0);
  const zero = Object.keys(totals).length - counted.length;
  const rows = counted.map(([counter, value]) => [counterName(counter, module), formatCounter(value)]);
  return make(
    'details',
    {},
    make('summary', {}, `Totals of ${formatCount(counted.length)} counters, ${formatCount(zero)} more are 0`),
    make('div', { class: 'wide totals' }, table([{ title: 'Counter' }, { title: 'Total', isNumber: true }], rows)),
  );
}

function recordTable({ module }: Module, query: TableQuery, events: ModuleEvents): PagedTable {
  return new PagedTable(
    {
      things: `records of ${module}`,
      placeholder: 'path, rank:3, rank:shared',
      async page(wanted) {
        const answer = await events.page({ table: 'records', module, query: wanted });
        if (answer.table !== 'records') throw new Error(answer.table === 'none' ? answer.problem : 'no answer');
        return recordRows(answer.page);
      },
      changed(changed) {
        events.sorted(changed);
      },
    },
    query,
  );
}

function recordRows({ module, counters, rows, from, matching, total }: RecordPage): ShownPage {
  const columns: SortColumn[] = [
    { sort: 'file', title: 'File', isNumber: false, hint: '' },
    { sort: 'rank', title: 'Rank', isNumber: true, hint: '' },
    ...counters.map((counter) => ({
      sort: counter,
      title: counterName(counter, module),
      isNumber: true,
      hint: counter,
    })),
  ];
  return {
    columns,
    rows: rows.map(({ recordId, path, rank, values }) => [
      make('span', { class: 'path', title: path }, path === '' ? `(no name: record ${recordId})` : path),
      rank === -1 ? 'shared' : String(rank),
      ...values.map(formatCounter),
    ]),
    from,
    matching,
    total,
  };
}
