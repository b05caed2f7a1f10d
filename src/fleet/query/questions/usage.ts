import { mostRows } from './applications.ts';
import { exactSum, exactValue } from './exact-sum.ts';
import type { Question } from './question.ts';

/** By whom jobs can be grouped. A project is what Slurm calls an account. */
const USAGE_GROUPS = ['user', 'account', 'queue', 'node', 'application', 'all'] as const;

/** Numbers of jobs come round again: a recording is of the job of its number that ran when it began, a day more or less. */
const SAME_JOB = `batch.job_id = job.job_id
      AND (job.start_time IS NULL OR batch.start_time IS NULL OR (job.start_time >= batch.start_time - INTERVAL '1' DAY
        AND job.start_time <= coalesce(batch.end_time, batch.start_time) + INTERVAL '1' DAY))`;

/** Core hours of a job of the batch system: its processors for as long as it ran. */
const CORE_HOURS = exactValue('cpus * elapsed_seconds / 3600', 9);

/** Days as text, so that an empty one is no bound. */
const WITHIN = (first: string, last: string): string =>
  `(${first} = '' OR start_time >= ${first}::TIMESTAMP) AND (${last} = '' OR start_time < ${last}::TIMESTAMP)`;

export const USAGE_QUESTIONS: readonly Question[] = [
  {
    id: 'usage',
    title: 'Use by user, account, queue or node',
    about: 'Recorded jobs and what they moved, by user, account (project), queue (partition), node or application.',
    definition:
      '`core_hours` are those of their jobs of the batch system, `process_hours` are processes times the run time of recordings. What a job did counts in equal parts for its nodes.',
    parameters: [
      { name: 'by', about: 'What is grouped by.', kind: 'text', initial: 'user', choices: USAGE_GROUPS },
      mostRows(20),
    ],
    sql: `
WITH batch AS (
  SELECT row_number() OVER (ORDER BY cluster, job_id, start_time, array_task_id) AS id, job_id, start_time, end_time, "user",
    account, partition, node_list, ${CORE_HOURS} AS core_hours
  FROM scheduler_job
), matched AS (
  SELECT job.log, batch.id, batch."user", batch.account, batch.partition, batch.node_list, batch.core_hours,
    row_number() OVER (PARTITION BY job.log ORDER BY abs(epoch(job.start_time) - epoch(batch.start_time)) NULLS LAST, id) AS place
  FROM job JOIN batch ON ${SAME_JOB}
), run AS (
  SELECT job.log, job.application, coalesce(matched."user", job.user_id) AS user_name,
    coalesce(matched.account, job.account) AS account, matched.partition,
    CASE WHEN len(matched.node_list) > 0 THEN matched.node_list WHEN len(job.node_list) > 0 THEN job.node_list END AS nodes,
    matched.core_hours::DOUBLE / count(*) OVER (PARTITION BY matched.id) AS core_hours, job.bytes_read, job.bytes_written,
    ${exactValue('job.processes * job.run_seconds / 3600', 9)} AS process_hours, job.io_seconds
  FROM job LEFT JOIN matched ON matched.log = job.log AND matched.place = 1
), keyed AS (
  SELECT *, CASE $1 WHEN 'user' THEN [user_name] WHEN 'account' THEN [account] WHEN 'queue' THEN [partition]
    WHEN 'application' THEN [application] WHEN 'all' THEN ['all'] ELSE coalesce(nodes, [NULL]) END AS names
  FROM run
), parts AS (
  SELECT log, unnest(names) AS name, 1.0 / len(names) AS part, core_hours, process_hours, bytes_read, bytes_written,
    application, user_name
  FROM keyed
), sums AS (
  SELECT name, count(*) AS jobs, count(DISTINCT application) AS applications, count(DISTINCT user_name) AS users,
    ${exactSum('core_hours * part')} AS core_hours, ${exactSum('process_hours * part')} AS process_hours,
    ${exactSum('bytes_read * part', 3)} AS bytes_read, ${exactSum('bytes_written * part', 3)} AS bytes_written
  FROM parts
  GROUP BY name
)
SELECT * FROM sums
ORDER BY coalesce(bytes_read, 0) + coalesce(bytes_written, 0) DESC, name
LIMIT $2`.trim(),
    chart: { kind: 'stacked', label: 'name', values: ['bytes_read', 'bytes_written'] },
  },
  {
    id: 'traffic-over-time',
    title: 'Jobs and traffic by day',
    about: 'Recorded jobs and the bytes that they read and wrote, by the day (UTC) on which they started.',
    parameters: [],
    sql: `
SELECT strftime(start_time, '%Y-%m-%d') AS day, count(*) AS jobs, sum(bytes_read)::DOUBLE AS bytes_read,
  sum(bytes_written)::DOUBLE AS bytes_written
FROM job
WHERE start_time IS NOT NULL
GROUP BY day
ORDER BY day`.trim(),
    chart: { kind: 'lines', x: 'day', y: ['bytes_read', 'bytes_written'] },
  },
  {
    id: 'coverage',
    title: 'What the logs cover',
    about: 'How much of the jobs, the core hours and the traffic the recordings cover.',
    definition:
      'Jobs and core hours: of those that the batch system knows and that ran, the ones with a recording. Traffic: of the bytes that the storage targets moved while they were sampled, those in recordings of that time. Unknown where the store has no tables of the batch system or no samples of servers.',
    source: 'IOMiner, section III.E',
    parameters: [
      { name: 'since', about: 'First day, such as 2018-01-01; empty: all.', kind: 'text', initial: '' },
      { name: 'until', about: 'The day after the last one; empty: all.', kind: 'text', initial: '' },
    ],
    sql: `
WITH batch AS (
  SELECT row_number() OVER (ORDER BY cluster, job_id, start_time, array_task_id) AS id, job_id, start_time, end_time,
    ${CORE_HOURS} AS core_hours
  FROM scheduler_job
  WHERE elapsed_seconds > 0 AND ${WITHIN('$1', '$2')}
), recorded AS (
  SELECT DISTINCT batch.id FROM job JOIN batch ON ${SAME_JOB}
), covered AS (
  SELECT batch.*, recorded.id IS NOT NULL AS has_log FROM batch LEFT JOIN recorded ON recorded.id = batch.id
), served AS (
  SELECT sum(coalesce(bytes_read, 0) + coalesce(bytes_written, 0))::DOUBLE AS bytes, min(start_time) AS since, max(end_time) AS until
  FROM server_load
  WHERE target_kind <> 'MDT' AND ${WITHIN('$1', '$2')}
), moved AS (
  SELECT sum(coalesce(bytes_read, 0) + coalesce(bytes_written, 0))::DOUBLE AS bytes
  FROM job, served
  WHERE job.start_time >= served.since AND job.start_time < served.until
), rows AS (
  SELECT 1 AS place, 'jobs' AS what, CASE WHEN count(*) > 0 THEN count(*)::DOUBLE END AS "all",
    CASE WHEN count(*) > 0 THEN count(*) FILTER (WHERE has_log)::DOUBLE END AS with_logs
  FROM covered
  UNION ALL
  SELECT 2, 'core hours', ${exactSum('core_hours')}, ${exactSum('CASE WHEN has_log THEN core_hours WHEN core_hours IS NOT NULL THEN 0 END')}
  FROM covered
  UNION ALL
  SELECT 3, 'bytes', served.bytes, CASE WHEN served.bytes IS NOT NULL THEN coalesce(moved.bytes, 0) END
  FROM served, moved
)
SELECT what, "all", with_logs, with_logs / nullif("all", 0) AS share FROM rows ORDER BY place`.trim(),
    chart: { kind: 'bars', label: 'what', values: ['share'] },
  },
];
