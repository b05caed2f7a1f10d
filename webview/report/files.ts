import type { PageAnswer, PageRequest, TableQuery, ViewFile, ViewReport } from '../../src/features/report/protocol.ts';
import { formatBytes, formatCount, formatShare } from '../../src/base/quantities.ts';
import { formatSeconds } from '../kit/amounts.ts';
import { make, type Cell } from '../kit/dom.ts';
import { placeLink } from './findings.ts';
import { selectButton } from './selection-marks.ts';
import { PAGE_ROWS, PagedTable, type SortColumn } from '../kit/paged-table.ts';

export interface FileEvents {
  page(wanted: PageRequest): Promise<PageAnswer>;
  openPlace(place: number): void;
  sorted(query: TableQuery): void;
}

export const FIRST_FILES: TableQuery = { sort: 'seconds', descending: true, filter: '', from: 0, count: PAGE_ROWS };

const number = (sort: string, title: string, hint = ''): SortColumn => ({ sort, title, isNumber: true, hint });

const COLUMNS: readonly SortColumn[] = [
  { sort: 'path', title: 'File', isNumber: false, hint: '' },
  { sort: 'module', title: 'Interface', isNumber: false, hint: '' },
  number('processes', 'Processes'),
  number('bytesRead', 'Read'),
  number('bytesWritten', 'Written'),
  number('reads', 'Reads'),
  number('writes', 'Writes'),
  number('opens', 'Opens'),
  number('seconds', 'Time', 'in reads, writes and metadata, of all processes together'),
  number('metadataSeconds', 'Metadata', 'time in opens, closes, stats and the like'),
  number('smallShare', 'Small', 'share of reads and writes up to 1 MiB'),
  number('misalignedShare', 'Misaligned', 'share of reads and writes that begin inside a block of the file system'),
  number('sequentialShare', 'Sequential', 'share of reads and writes behind the end of the previous one'),
];

/** The files of the job, each with the source lines that access it where they are known. */
export function fillFiles(panel: HTMLElement, report: ViewReport, query: TableQuery, events: FileEvents): PagedTable {
  const made = new PagedTable(
    {
      things: 'files',
      placeholder: 'path, module:POSIX, rank:3',
      async page(wanted) {
        const answer = await events.page({ table: 'files', query: wanted });
        if (answer.table !== 'files') throw new Error(answer.table === 'none' ? answer.problem : 'no answer');
        const { rows, from, matching, total } = answer.page;
        return { columns: COLUMNS, rows: rows.map((file) => fileRow(file, events)), from, matching, total };
      },
      changed(changed) {
        events.sorted(changed);
      },
    },
    query,
  );
  panel.append(made.element);
  const { rows, bytes } = report.files.leftOut;
  if (rows > 0)
    panel.append(
      make('p', { class: 'soft' }, `${formatCount(rows)} smaller ones, ${formatBytes(bytes)} in all, are not listed.`),
    );
  return made;
}

function fileRow(file: ViewFile, events: FileEvents): Cell[] {
  const share = (value: number | null): string => (value === null ? '–' : formatShare(value));
  return [
    fileCell(file, events),
    file.module,
    file.rank === null ? formatCount(file.processes) : `rank ${file.rank}`,
    formatBytes(file.bytesRead),
    formatBytes(file.bytesWritten),
    formatCount(file.reads),
    formatCount(file.writes),
    formatCount(file.opens),
    formatSeconds(file.readSeconds + file.writeSeconds + file.metadataSeconds),
    formatSeconds(file.metadataSeconds),
    share(file.smallShare),
    share(file.misalignedShare),
    share(file.sequentialShare),
  ];
}

function fileName(path: string): HTMLElement {
  const name = selectButton(path, { kind: 'file', path }, `Select the calls on ${path}`);
  name.classList.add('path');
  name.title = path;
  return name;
}

function fileCell(file: ViewFile, events: FileEvents): HTMLElement {
  const { path, places, stripes, fastest, slowest } = file;
  const cell = make('div', { class: 'file' }, fileName(path));
  const notes = [];
  if (stripes !== null) {
    const targets = `${formatCount(stripes.count)} × ${formatBytes(stripes.bytes)}`;
    notes.push(`Lustre stripes: ${targets}${stripes.components > 1 ? `, ${stripes.components} components` : ''}`);
  }
  if (fastest !== null && slowest !== null && slowest.seconds > 0)
    notes.push(
      `slowest: rank ${slowest.rank} (${formatSeconds(slowest.seconds)}), fastest: rank ${fastest.rank} (${formatSeconds(fastest.seconds)})`,
    );
  if (notes.length > 0) cell.append(make('span', { class: 'soft small' }, notes.join('; ')));
  if (places.length > 0) {
    const links = places.map((place) => placeLink(place, (at) => events.openPlace(at)));
    cell.append(make('span', { class: 'places' }, ...links));
  }
  return cell;
}
