import type { JobFile } from '../report/job-document.ts';
import { pageBounds, parseFilter, type TableQuery } from './table-query.ts';

/** Columns that files can be sorted by. */
const FILE_SORTS = [
  'path',
  'module',
  'processes',
  'bytes',
  'bytesRead',
  'bytesWritten',
  'seconds',
  'metadataSeconds',
  'opens',
  'reads',
  'writes',
  'smallShare',
  'misalignedShare',
  'sequentialShare',
] as const;
type FileSort = (typeof FILE_SORTS)[number];

export interface FilePage {
  readonly rows: readonly JobFile[];
  /** Place of the first row among those that the filter keeps. */
  readonly from: number;
  /** Rows that the filter keeps. */
  readonly matching: number;
  readonly total: number;
}

/** @throws RangeError when there is no such column. */
export function filePage(files: readonly JobFile[], query: TableQuery): FilePage {
  const sort = FILE_SORTS.find((name) => name === query.sort);
  if (sort === undefined) throw new RangeError(`files cannot be sorted by ${query.sort}`);
  const { words, columns } = parseFilter(query.filter);
  const module = columns.get('module');
  const rank = columns.get('rank');
  const kept = files.filter((file) => {
    if (module !== undefined && !file.module.toLowerCase().includes(module)) return false;
    if (rank !== undefined && rank !== '' && rankText(file) !== rank) return false;
    const path = file.path.toLowerCase();
    return words.every((word) => path.includes(word));
  });
  const sign = query.descending ? -1 : 1;
  kept.sort((a, b) => sign * compare(sortValue(a, sort), sortValue(b, sort)));
  const { from, end } = pageBounds(query, kept.length);
  return { rows: kept.slice(from, end), from, matching: kept.length, total: files.length };
}

function rankText({ rank }: JobFile): string {
  return rank === null ? 'shared' : String(rank);
}

function sortValue(file: JobFile, sort: FileSort): number | string {
  if (sort === 'bytes') return file.bytesRead + file.bytesWritten;
  if (sort === 'seconds') return file.readSeconds + file.writeSeconds + file.metadataSeconds;
  return file[sort] ?? -Infinity;
}

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
