import { jobCondition, type JobFilter } from './job-filter.ts';
import type { QueryValue } from './query-engine.ts';
import { sqlText } from './sql-text.ts';

export interface BoundQuery {
  readonly sql: string;
  readonly parameters: readonly QueryValue[];
}

/** Tables whose rows belong to a job. */
const OF_JOBS = ['file', 'segment_summary', 'site', 'insight'];

/**
 * The same question about the jobs that a filter leaves: `job` and the tables of recordings are then only their rows.
 * @param sql a SELECT; it may begin with a WITH of its own.
 */
export function filteredQuery(sql: string, parameters: readonly QueryValue[], filter: JobFilter): BoundQuery {
  const condition = jobCondition(filter, parameters.length + 1);
  if (condition.sql === '') return { sql, parameters };
  const ofJobs = OF_JOBS.map(
    (table) => `${table} AS NOT MATERIALIZED (SELECT * FROM main.${table} WHERE log IN (SELECT log FROM job))`,
  );
  const tables = [`job AS NOT MATERIALIZED (SELECT * FROM main.job WHERE ${condition.sql})`, ...ofJobs].join(',\n');
  const rest = /^WITH\s+(.*)$/s.exec(sql);
  const whole = rest === null ? `WITH ${tables}\n${sql}` : `WITH ${tables},\n${rest[1]!}`;
  return { sql: whole, parameters: [...parameters, ...condition.parameters] };
}

/** A query of ours with its values in it, for a user who goes on from there. */
export function withValues({ sql, parameters }: BoundQuery): string {
  return sql.replace(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1] ?? null));
}

function literal(value: QueryValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return sqlText(value);
  if (Array.isArray(value)) return `[${value.map((item: QueryValue) => literal(item)).join(', ')}]`;
  return String(value);
}
