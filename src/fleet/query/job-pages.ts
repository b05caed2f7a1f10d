import { TABLES } from '../schema/tables.ts';
import { READ_BANDWIDTH, WRITE_BANDWIDTH } from './job-filter.ts';
import { sqlName } from './sql-text.ts';

/** What the jobs table shows besides the columns of `job`. */
const DERIVED = { read_bandwidth: READ_BANDWIDTH, write_bandwidth: WRITE_BANDWIDTH } as const;

/** Columns of the jobs table with what they are in SQL. */
export const JOB_COLUMNS: ReadonlyMap<string, string> = new Map([
  ...Object.keys(TABLES.job.columns).map((name) => [name, sqlName(name)] as const),
  ...Object.entries(DERIVED),
]);

/** @throws RangeError in words when there is no such column. */
export function jobColumn(name: string): string {
  const column = JOB_COLUMNS.get(name);
  if (column === undefined) throw new RangeError(`Jobs have no column ${name}.`);
  return column;
}

/** All columns of the jobs table, as a SELECT wants them. */
export const JOB_SELECTION = [...JOB_COLUMNS].map(([name, sql]) => `${sql} AS ${sqlName(name)}`).join(', ');
