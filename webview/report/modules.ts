import type { RecordPage, TableQuery } from '../../src/features/report/protocol.ts';
import { counterName, formatCounter, type Job, type JobModule } from '../../src/drawing/report/job.ts';
import type { Medium } from '../../src/drawing/report/medium.ts';
import { modulePart } from '../../src/drawing/report/module-parts.ts';
import { button, made, make } from '../kit/dom.ts';
import { PAGE_ROWS, PagedTable, type ShownPage } from '../kit/paged-table.ts';

interface ModuleEvents {
  page(module: string, query: TableQuery): Promise<RecordPage>;
  choose(module: string): void;
  sorted(query: TableQuery): void;
}

export const FIRST_RECORDS: TableQuery = { sort: 'file', descending: false, filter: '', from: 0, count: PAGE_ROWS };

/** Modules one at a time: what each counted, and its records. */
export function moduleTab(
  { modules }: Job,
  chosen: { readonly module: string; readonly records: TableQuery },
  medium: Medium<Node>,
  events: ModuleEvents,
): HTMLElement[] {
  if (modules.length === 0)
    return [make('p', { class: 'nothing' }, 'The log holds no counters: only what its header says is known.')];
  const content = make('div', {});
  const show = (module: JobModule, query: TableQuery): void => {
    for (const each of buttons) each.setAttribute('aria-pressed', String(each.dataset['module'] === module.module));
    content.replaceChildren(
      ...modulePart(module, medium).map((part) => made(part)),
      make('h3', {}, 'Records'),
      recordTable(module, query, events).element,
    );
  };
  const buttons = modules.map((module) =>
    button(module.module, { 'data-module': module.module }, () => {
      events.choose(module.module);
      events.sorted(FIRST_RECORDS);
      show(module, FIRST_RECORDS);
    }),
  );
  show(modules.find(({ module }) => module === chosen.module) ?? modules[0]!, chosen.records);
  return [make('div', { class: 'picker', role: 'group', 'aria-label': 'Module' }, ...buttons), content];
}

function recordTable({ module }: JobModule, query: TableQuery, events: ModuleEvents): PagedTable {
  return new PagedTable(
    {
      things: `records of ${module}`,
      placeholder: 'path, rank:3, rank:shared',
      async page(wanted) {
        return recordRows(await events.page(module, wanted));
      },
      changed: (changed) => events.sorted(changed),
    },
    query,
  );
}

function recordRows({ module, counters, rows, from, matching, total }: RecordPage): ShownPage {
  return {
    columns: [
      { sort: 'file', title: 'File', isNumber: false, hint: '' },
      { sort: 'rank', title: 'Rank', isNumber: true, hint: '' },
      ...counters.map((counter) => ({
        sort: counter,
        title: counterName(counter, module),
        isNumber: true,
        hint: counter,
      })),
    ],
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
