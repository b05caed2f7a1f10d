import type { QueryValue } from './query-engine.ts';

/** Conditions on jobs; all hold. */
export interface JobFilter {
  /** In application, path, job id or user. */
  readonly text?: string;
  readonly application?: string;
  readonly user?: string;
  /** Seconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  readonly leastProcesses?: number;
  /** Where a direction is looked at, those of that direction; else both together. */
  readonly leastBytes?: number;
  /** The same on average of its processes (IOMiner, section III.F). */
  readonly leastBytesPerProcess?: number;
  /** Bytes a second in either direction. */
  readonly mostBandwidth?: number;
  /** Only jobs with a finding of this code. */
  readonly insight?: string;
}

/** A condition in SQL; its values stand in `parameters`, from `$(first)` on. */
interface SqlCondition {
  /** '' when all rows are wanted. */
  readonly sql: string;
  readonly parameters: readonly QueryValue[];
}

/** Bandwidth over the span from the first to the last request (equation 1 of IOMiner). */
export const READ_BANDWIDTH = 'bytes_read / nullif(read_end - read_start, 0)';
export const WRITE_BANDWIDTH = 'bytes_written / nullif(write_end - write_start, 0)';

/** What jobs moved, by the direction that is looked at. */
const BYTES = {
  read: 'bytes_read',
  write: 'bytes_written',
  both: '(coalesce(bytes_read, 0) + coalesce(bytes_written, 0))',
} as const;

/** Each value that a filter may hold, with its condition on a row of `job`: `?` is the value, `BYTES` what it moved. */
const CONDITIONS: { readonly [Name in keyof JobFilter]-?: string } = {
  text:
    `(contains(lower(application), lower(?)) OR contains(lower(path), lower(?))` +
    ` OR contains(lower(job_id), lower(?)) OR contains(lower(user_id), lower(?)))`,
  application: 'application = ?',
  user: 'user_id = ?',
  from: 'start_time >= make_timestamp((?::DOUBLE * 1000000)::BIGINT)',
  to: 'start_time < make_timestamp((?::DOUBLE * 1000000)::BIGINT)',
  leastProcesses: 'processes >= ?',
  leastBytes: 'BYTES >= ?',
  leastBytesPerProcess: 'BYTES / processes >= ?',
  mostBandwidth: `(${READ_BANDWIDTH} <= ? OR ${WRITE_BANDWIDTH} <= ?)`,
  insight: 'log IN (SELECT insight.log FROM main.insight WHERE insight.code = ?)',
};

/**
 * What a filter says as a condition on rows of `job`.
 * @param first number of its first parameter.
 */
export function jobCondition(filter: JobFilter, first = 1, direction: keyof typeof BYTES = 'both'): SqlCondition {
  const given = Object.entries(CONDITIONS).filter(([name]) => isGiven(filter[name as keyof JobFilter]));
  const parameters = given.map(([name]) => filter[name as keyof JobFilter]!);
  const sql = given
    .map(([, condition], index) => condition.replaceAll('?', `$${first + index}`).replaceAll('BYTES', BYTES[direction]))
    .join(' AND ');
  return { sql, parameters };
}

function isGiven(value: string | number | undefined): boolean {
  return value !== undefined && value !== '';
}
