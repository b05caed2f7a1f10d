import {
  MOST_CHARACTERS,
  MOST_ENTRIES,
  MOST_FILES,
  MOST_RANK_ROWS,
  MOST_TIME_BINS,
} from '../../src/export/report/job-document.ts';

/** Every array and value of a document that breaks its bounds, by its path. */
export function unbounded(value: unknown, at: string): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${at}: ${value}`];
  if (typeof value === 'string') return value.length <= MOST_CHARACTERS ? [] : [`${at}: ${value.length} characters`];
  if (value === null || typeof value === 'boolean') return [];
  if (typeof value !== 'object') return [`${at}: ${typeof value}`];
  if (ArrayBuffer.isView(value)) return [`${at}: no plain array`];
  const most = Math.max(MOST_RANK_ROWS, MOST_TIME_BINS, MOST_ENTRIES, at.endsWith('files.rows') ? MOST_FILES : 0);
  const many = Array.isArray(value) && value.length > most ? [`${at}: ${value.length} elements`] : [];
  return [...many, ...Object.entries(value).flatMap(([key, each]) => unbounded(each, `${at}.${key}`))];
}
