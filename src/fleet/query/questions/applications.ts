import type { QueryValue } from '../query-engine.ts';
import type { Question, QuestionParameter } from './question.ts';

const MOST_ROWS: QuestionParameter = {
  name: 'rows',
  about: 'Rows of the answer.',
  kind: 'integer',
  initial: 10,
};

/** @param initial rows. */
export const mostRows = (initial: QueryValue): QuestionParameter => ({ ...MOST_ROWS, initial });

/** Applications by the bytes that all their jobs moved. */
const top = (column: string, requests: string): string =>
  `
WITH totals AS (
  SELECT application, count(*) AS jobs, count(DISTINCT user_id) AS users, sum(${column}) AS ${column},
    sum(${requests})::DOUBLE AS ${requests}
  FROM job
  GROUP BY application
)
SELECT application, jobs, users, ${column}::DOUBLE AS ${column}, ${column} / nullif(sum(${column}) OVER (), 0) AS share,
  sum(${column}) OVER (ORDER BY ${column} DESC NULLS LAST, application ROWS UNBOUNDED PRECEDING)
    / nullif(sum(${column}) OVER (), 0) AS share_so_far, ${requests}
FROM totals
ORDER BY ${column} DESC NULLS LAST, application
LIMIT $1`.trim();

export const APPLICATION_QUESTIONS: readonly Question[] = [
  {
    id: 'top-read-applications',
    title: 'Applications that read most',
    about: 'Applications by the bytes that all their jobs read.',
    definition: 'An application is an executable. `share_so_far` adds up the shares of the rows above.',
    source: 'IOMiner, section III.C.1 and figure 5',
    parameters: [MOST_ROWS],
    sql: top('bytes_read', 'reads'),
    chart: { kind: 'bars', label: 'application', values: ['bytes_read'] },
    leadsTo: 'application',
  },
  {
    id: 'top-write-applications',
    title: 'Applications that write most',
    about: 'Applications by the bytes that all their jobs wrote.',
    definition: 'An application is an executable. `share_so_far` adds up the shares of the rows above.',
    source: 'IOMiner, section III.C.1 and figure 6',
    parameters: [MOST_ROWS],
    sql: top('bytes_written', 'writes'),
    chart: { kind: 'bars', label: 'application', values: ['bytes_written'] },
    leadsTo: 'application',
  },
  {
    id: 'low-bandwidth-jobs',
    title: 'Jobs of low bandwidth',
    about: 'Jobs of many processes that move much data slowly.',
    definition:
      'Bandwidth is bytes over the time from the first request to the last. Causes are found with the true bandwidth, which leaves out idle time.',
    source: 'IOMiner, equation 1 and section III.F',
    parameters: [
      { name: 'direction', about: 'read or write', kind: 'text', initial: 'write', choices: ['read', 'write'] },
      {
        name: 'bandwidth',
        about: 'Bytes a second that they stay below.',
        kind: 'number',
        initial: 1e9,
        unit: 'bytes a second',
      },
      { name: 'processes', about: 'Processes that they have at least.', kind: 'integer', initial: 1000 },
      {
        name: 'bytes-per-process',
        about: 'Bytes that each process moves at least.',
        kind: 'number',
        initial: 10e6,
        unit: 'bytes',
      },
      mostRows(100),
    ],
    sql: `
SELECT log, job_id, application, user_id, start_time, processes, direction, bytes, seconds,
  bytes / seconds AS bandwidth
FROM (
  SELECT *, 'read' AS direction, bytes_read AS bytes, read_end - read_start AS seconds FROM job
  UNION ALL
  SELECT *, 'write' AS direction, bytes_written AS bytes, write_end - write_start AS seconds FROM job
)
WHERE direction = $1 AND seconds > 0 AND bytes / seconds < $2 AND processes >= $3 AND bytes / processes >= $4
ORDER BY bandwidth, log
LIMIT $5`.trim(),
    chart: { kind: 'bars', label: 'job_id', values: ['bandwidth'] },
    leadsTo: 'job',
  },
];
