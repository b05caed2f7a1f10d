import { UNFINISHED_STATES } from '../scheduler/values.ts';
import type { TableDefinition } from '../schema/table.ts';
import { TABLES, type TableName } from '../schema/tables.ts';
import { sqlName, sqlText } from './sql-text.ts';

/**
 * What makes rows of a table rows of one thing, besides the cluster. What remains of an array goes by the number that its
 * last task will have.
 */
const IDENTITY: Partial<Record<TableName, readonly string[]>> = {
  scheduler_job: ['job_id', 'coalesce(array_job_id = job_id AND array_task_id IS NULL, false)'],
  job_step: ['job_id', 'step'],
};

/** When a row's job was; the first that is known. */
const MOMENTS: Partial<Record<TableName, string>> = {
  scheduler_job: 'coalesce(submit_time, start_time, end_time)',
  job_step: 'coalesce(start_time, end_time)',
};

/** Rows of a number that lie further apart are of different jobs: numbers come round again. */
const COMES_ROUND = `INTERVAL '30' DAY`;

const STATES = UNFINISHED_STATES.map(sqlText).join(', ');

/** How far on its way a row saw the job, least first; the rest decides between equals, the same way each time. */
const PROGRESS = [
  `CASE WHEN state IS NULL THEN 0 WHEN state IN ('PENDING', 'CONFIGURING') OR starts_with(state, 'REQUEUE') THEN 1
    WHEN state IN (${STATES}) THEN 2 ELSE 3 END`,
  ...['end_time', 'start_time', 'elapsed_seconds', 'cluster', 'log'],
].map((key) => `${key} NULLS FIRST`);

/**
 * The rows of a table of the batch system, each job and step once: several tables may tell of the same one (`sacct` its times,
 * our collector its dependency). Each column is that of the row that saw it furthest on its way and knows the column. A table
 * that does not name the cluster speaks of the one that another names, if that is only one. Other tables stay as they are.
 * @param stored the query for its rows.
 */
export function mergedQuery(table: TableName, stored: string): string {
  const identity = IDENTITY[table];
  if (identity === undefined) return stored;
  const { columns }: TableDefinition = TABLES[table];
  const same = identity.join(', ');
  const clusters = `CASE WHEN min(cluster) OVER same = max(cluster) OVER same THEN min(cluster) OVER same ELSE '' END`;
  const clustered = `SELECT *, coalesce(cluster, ${clusters}, '') AS of_cluster, ${MOMENTS[table]!} AS moment
    FROM (${stored}) WINDOW same AS (PARTITION BY ${same})`;
  const apart = `SELECT *, moment - lag(moment) OVER (PARTITION BY ${same}, of_cluster ORDER BY moment NULLS LAST)
    > ${COMES_ROUND} AS is_later FROM (${clustered})`;
  // Rows without a time are reckoned to the latest job of the number.
  const rounds = `SELECT *, count(CASE WHEN is_later THEN 1 END) OVER (PARTITION BY ${same}, of_cluster ORDER BY moment NULLS LAST)
    AS turn FROM (${apart})`;
  const placed = `SELECT *, row_number() OVER (PARTITION BY ${same}, of_cluster, turn ORDER BY ${PROGRESS.join(', ')}) AS place
    FROM (${rounds})`;
  // arg_max leaves out rows in which the value is null. What rows are grouped by stays a plain column: a question for some jobs
  // then looks at their rows only.
  const known = Object.keys(columns).map((name) =>
    identity.includes(name) ? sqlName(name) : `arg_max(${sqlName(name)}, place) AS ${sqlName(name)}`,
  );
  const month = `coalesce(arg_max(CASE WHEN start_time IS NOT NULL THEN month END, place), arg_max(month, place)) AS month`;
  return `SELECT ${known.join(', ')}, ${month} FROM (${placed}) GROUP BY ${same}, of_cluster, turn`;
}
