import { mostRows } from './applications.ts';
import { exactMean, exactSum } from './exact-sum.ts';
import type { Question } from './question.ts';

/** Disks of two servers have the same names; a target of Lustre is one, whichever server it is at. */
export const OWN_SERVER = 'CASE WHEN target_index IS NULL THEN server END';

/** What a target did in a second of the samples that tell it. */
const rate = (column: string, condition: string): string =>
  `sum(${column}) FILTER (WHERE ${condition}) / nullif(${exactSum(`CASE WHEN ${condition} AND ${column} IS NOT NULL THEN seconds END`)}, 0)`;

export const SERVER_QUESTIONS: readonly Question[] = [
  {
    id: 'slow-targets',
    title: 'Slow storage targets',
    about: 'Storage targets by how fast they are when they work, slowest first.',
    definition:
      'The median bandwidth of the samples in which a target moved bytes, against the median target of the same file system. Beside it, the bandwidth that programs got for files that lie on that target alone.',
    parameters: [
      { name: 'least-samples', about: 'Samples with bytes that a target needs to count.', kind: 'integer', initial: 5 },
      mostRows(20),
    ],
    sql: `
WITH targets AS (
  SELECT file_system, target, target_index, min(server) AS server, count(*) AS busy_samples,
    median((coalesce(bytes_read, 0) + coalesce(bytes_written, 0)) / seconds) AS bandwidth,
    sum(coalesce(bytes_read, 0) + coalesce(bytes_written, 0))::DOUBLE AS bytes, ${exactMean('cpu_percent')} AS cpu_percent
  FROM server_load
  WHERE target_kind = 'OST' AND seconds > 0 AND coalesce(bytes_read, 0) + coalesce(bytes_written, 0) > 0
  GROUP BY file_system, target, target_index
  HAVING count(*) >= $1
), single AS (
  SELECT list_extract(osts, 1) AS ost, count(*) AS files,
    sum(coalesce(bytes_read, 0) + coalesce(bytes_written, 0))
      / nullif(${exactSum('coalesce(read_seconds, 0) + coalesce(write_seconds, 0)')}, 0) AS bandwidth
  FROM file
  WHERE len(osts) = 1
  GROUP BY ost
)
SELECT targets.target, targets.file_system, targets.server, targets.busy_samples, targets.bandwidth,
  targets.bandwidth / nullif(median(targets.bandwidth) OVER (PARTITION BY targets.file_system), 0) AS of_median,
  targets.bytes, targets.cpu_percent, single.bandwidth AS file_bandwidth, single.files AS single_target_files
FROM targets LEFT JOIN single ON single.ost = targets.target_index
ORDER BY of_median, targets.file_system, targets.target, targets.target_index
LIMIT $2`.trim(),
    chart: { kind: 'bars', label: 'target', values: ['bandwidth'] },
  },
  {
    id: 'server-load',
    title: 'Load on the servers over time',
    about: 'Bytes a second that all storage targets moved, and metadata operations a second, by the hour.',
    definition:
      'From samples of the servers, not from recordings, over the time in which each target was sampled; `sampled_seconds` is the most that one was.',
    parameters: [],
    sql: `
WITH targets AS (
  SELECT date_trunc('hour', end_time) AS hour, ${rate('bytes_read', "target_kind <> 'MDT'")} AS bytes_read,
    ${rate('bytes_written', "target_kind <> 'MDT'")} AS bytes_written, ${rate('operations', 'true')} AS operations,
    max(cpu_percent) AS cpu_percent, ${exactSum('seconds')} AS seconds
  FROM server_load
  WHERE end_time IS NOT NULL
  GROUP BY hour, file_system, target_kind, target, ${OWN_SERVER}
)
SELECT hour, ${exactSum('bytes_read', 3)} AS read_per_second, ${exactSum('bytes_written', 3)} AS written_per_second,
  ${exactSum('operations')} AS operations_per_second, max(cpu_percent) AS most_cpu_percent, max(seconds) AS sampled_seconds
FROM targets
GROUP BY hour
ORDER BY hour`.trim(),
    chart: { kind: 'lines', x: 'hour', y: ['read_per_second', 'written_per_second'] },
  },
];
