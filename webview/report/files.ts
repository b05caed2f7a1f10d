import type { TableQuery, ViewFilePage } from '../../src/features/report/protocol.ts';
import { FILE_COLUMNS, fileRow } from '../../src/drawing/report/file-table.ts';
import type { Medium } from '../../src/drawing/report/medium.ts';
import { made } from '../kit/dom.ts';
import { PAGE_ROWS, PagedTable } from '../kit/paged-table.ts';

interface FileEvents {
  page(query: TableQuery): Promise<ViewFilePage>;
  sorted(query: TableQuery): void;
}

export const FIRST_FILES: TableQuery = { sort: 'seconds', descending: true, filter: '', from: 0, count: PAGE_ROWS };

/** The files of the job, each with the source lines that access it where they are known. */
export function fileTable(query: TableQuery, medium: Medium<Node>, events: FileEvents): PagedTable {
  return new PagedTable(
    {
      things: 'files',
      placeholder: 'path, module:POSIX, rank:3',
      async page(wanted) {
        const { rows, ...about } = await events.page(wanted);
        const cells = rows.map((file) => fileRow(file, medium).map((cell) => made(cell)));
        return { columns: FILE_COLUMNS, rows: cells, ...about };
      },
      changed: (changed) => events.sorted(changed),
    },
    query,
  );
}
