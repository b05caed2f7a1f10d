import { mostRows } from './applications.ts';
import { exactMean, exactSum, exactValue } from './exact-sum.ts';
import type { Question, QuestionParameter } from './question.ts';

const JOB: QuestionParameter = {
  name: 'job',
  about: 'Key of a recording (log) or number of a job; empty: the job with storage targets that moves most bytes.',
  kind: 'text',
  initial: '',
};

/**
 * A row for each target of each file, its bytes in equal parts. What is worked out of the list stands in a query of its own: an
 * engine evaluates what stands beside `unnest` once for each target.
 * @param kept columns of the source that are kept besides `osts` and `bytes`, each with a comma behind it.
 */
const eachTarget = (kept: string, source: string): string => `
  SELECT ${kept} unnest(targets) AS ost, bytes
  FROM (
    SELECT ${kept} targets, ${exactValue('bytes / len(targets)', 3)} AS bytes
    FROM (SELECT ${kept} CASE WHEN len(osts) = 1 THEN osts ELSE list_distinct(osts) END AS targets, bytes FROM (${source}))
  )`;

/**
 * Files of the chosen job and of the others with the moments in which they were used, one row for each target. The moments
 * are whole seconds since 1970 before a fraction: DOUBLE, as the counters have them. Of others only files count that were
 * used while any file of the job was: those are few, and only their targets are looked at.
 */
const USES = `
WITH chosen AS (
  SELECT log FROM job
  WHERE (log = $1 OR job_id = $1 OR $1 = '') AND ost_count > 0
  ORDER BY coalesce(bytes_read, 0) + coalesce(bytes_written, 0) DESC, log
  LIMIT CASE WHEN $1 = '' THEN 1 ELSE 1000 END
), moments AS (
  SELECT log, osts, epoch(start_time) + least(read_start, write_start) AS since,
    epoch(start_time) + greatest(read_end, write_end) AS until,
    coalesce(bytes_read, 0) + coalesce(bytes_written, 0) AS bytes
  FROM main.file
  WHERE len(osts) > 0 AND start_time IS NOT NULL
), own AS (
  SELECT ost, min(since) AS since, max(until) AS until, ${exactSum('bytes', 3)} AS bytes
  FROM (${eachTarget('since, until,', 'SELECT * FROM moments WHERE log IN (SELECT log FROM chosen)')})
  GROUP BY ost
), span AS (
  SELECT min(since) AS since, max(until) AS until FROM own
), near AS (
  SELECT moments.* FROM moments JOIN span ON moments.since < span.until AND moments.until > span.since
  WHERE moments.log NOT IN (SELECT log FROM chosen)
), meetings AS (
  SELECT other.log, other.ost, other.bytes, greatest(other.since, own.since) AS since, least(other.until, own.until) AS until
  FROM (${eachTarget('log, since, until,', 'SELECT * FROM near')}) AS other
    JOIN own ON own.ost = other.ost AND other.since < own.until AND other.until > own.since
)`.trim();

/** What a server moved in the part of a sample that falls into the time of a use. */
const servedBytes = (use: string): string =>
  `(coalesce(load.bytes_read, 0) + coalesce(load.bytes_written, 0))
      * (least(epoch(load.end_time), ${use}.until) - greatest(epoch(load.start_time), ${use}.since)) / load.seconds`;

export const TARGET_QUESTIONS: readonly Question[] = [
  {
    id: 'customised-striping',
    title: 'Customised striping',
    about: 'Jobs that use Lustre, and those of them with a file whose layout is not the default.',
    definition:
      'The default layout has a stripe size of 1 MiB, one stripe and any first target (-1), unless you set others. A layout that does not say a value has the default there.',
    source: 'IOMiner, section III.B',
    parameters: [
      {
        name: 'stripe-size',
        about: 'Default stripe size, in bytes.',
        kind: 'integer',
        initial: 1048576,
        unit: 'bytes',
      },
      { name: 'stripe-count', about: 'Default number of stripes.', kind: 'integer', initial: 1 },
      { name: 'stripe-offset', about: 'Default first target; -1: any.', kind: 'integer', initial: -1 },
    ],
    sql: `
WITH layouts AS (
  SELECT log, bool_or(coalesce(stripe_size, $1) <> $1 OR coalesce(stripe_count, $2) <> $2
      OR coalesce(stripe_offset, $3) <> $3) AS customised
  FROM file
  WHERE stripe_size IS NOT NULL OR stripe_count IS NOT NULL
  GROUP BY log
)
SELECT CASE WHEN customised THEN 'customised' ELSE 'default' END AS striping, count(*) AS jobs,
  100.0 * count(*) / sum(count(*)) OVER () AS job_percent, count(DISTINCT application) AS applications,
  sum(coalesce(bytes_read, 0) + coalesce(bytes_written, 0))::DOUBLE AS bytes
FROM layouts JOIN job ON job.log = layouts.log
GROUP BY customised
ORDER BY customised DESC`.trim(),
    chart: { kind: 'bars', label: 'striping', values: ['jobs'] },
  },
  {
    id: 'shared-targets',
    title: 'Storage targets that jobs share',
    about: 'Lustre storage targets that the chosen jobs use, and whether all of them do.',
    definition:
      'All rows are the union of what the jobs use, those with `all_of_them` the intersection. The bytes of a file count in equal parts for its targets.',
    source: 'IOMiner, section II.B',
    parameters: [
      {
        name: 'jobs',
        about: 'Keys of recordings (log) or numbers of jobs, with commas between; empty: all.',
        kind: 'text',
        initial: '',
      },
    ],
    sql: `
WITH chosen AS (
  SELECT log, osts FROM job
  WHERE ost_count > 0 AND ($1 = '' OR list_has_any([log, job_id], [trim(x) FOR x IN string_split($1, ',')]))
), users AS (
  SELECT ost, count(*) AS jobs FROM (SELECT unnest(osts) AS ost FROM chosen) GROUP BY ost
), uses AS (
  SELECT ost, count(*) AS files, ${exactSum('bytes', 3)} AS bytes
  FROM (${eachTarget(
    '',
    `SELECT osts, coalesce(bytes_read, 0) + coalesce(bytes_written, 0) AS bytes
    FROM file WHERE log IN (SELECT log FROM chosen) AND len(osts) > 0`,
  )})
  GROUP BY ost
)
SELECT users.ost, users.jobs, uses.files, uses.bytes, users.jobs = (SELECT count(*) FROM chosen) AS all_of_them
FROM users LEFT JOIN uses ON uses.ost = users.ost
ORDER BY jobs DESC, users.ost`.trim(),
    chart: { kind: 'bars', label: 'ost', values: ['jobs'] },
  },
  {
    id: 'interference',
    title: 'Jobs that disturb a job',
    about:
      'Other jobs that used storage targets of the job at the same time: on how many targets, for how long, and what their servers moved meanwhile.',
    source: 'IOMiner, section II.B',
    parameters: [JOB, mostRows(20)],
    sql: `
${USES}, loads AS (
  SELECT met.log, met.ost, min(met.since) AS since, max(met.until) AS until, ${exactSum('met.bytes', 3)} AS bytes
  FROM meetings AS met
  GROUP BY met.log, met.ost
), served AS (
  SELECT loads.log, loads.ost,
    ${exactSum(servedBytes('loads'), 3)} AS bytes
  FROM loads JOIN server_load AS load ON load.target_kind = 'OST' AND load.target_index = loads.ost AND load.seconds > 0
    AND epoch(load.start_time) < loads.until AND epoch(load.end_time) > loads.since
  GROUP BY loads.log, loads.ost
)
SELECT loads.log, min(job.job_id) AS job_id, min(job.application) AS application,
  min(job.user_id) AS user_id, count(*) AS targets, min(make_timestamp((loads.since * 1000000)::BIGINT)) AS since,
  max(loads.until - loads.since) AS seconds, ${exactSum('loads.bytes', 3)} AS its_bytes,
  ${exactSum('served.bytes', 3)} AS server_bytes
FROM loads
  LEFT JOIN served ON served.log = loads.log AND served.ost = loads.ost
  LEFT JOIN main.job ON job.log = loads.log
GROUP BY loads.log
ORDER BY targets DESC, seconds DESC, loads.log
LIMIT $2`.trim(),
    chart: { kind: 'bars', label: 'job_id', values: ['targets'] },
    leadsTo: 'job',
  },
  {
    id: 'load-on-targets',
    title: 'Load on the targets of a job',
    about:
      'For each storage target of the job, while the job used it: bytes of the job itself, what the server moved altogether, how much of that was not the job, and how many other jobs used the target.',
    source: 'IOMiner, section II.B',
    parameters: [JOB, mostRows(300)],
    sql: `
${USES}, served AS (
  SELECT own.ost, min(load.target) AS target,
    ${exactSum(servedBytes('own'), 3)} AS bytes,
    ${exactMean('load.cpu_percent')} AS cpu_percent
  FROM own JOIN server_load AS load ON load.target_kind = 'OST' AND load.target_index = own.ost AND load.seconds > 0
    AND epoch(load.start_time) < own.until AND epoch(load.end_time) > own.since
  GROUP BY own.ost
), others AS (
  SELECT ost, count(DISTINCT log) AS jobs, ${exactSum('bytes', 3)} AS bytes FROM meetings GROUP BY ost
)
SELECT own.ost, served.target, own.until - own.since AS seconds, own.bytes AS job_bytes, served.bytes AS server_bytes,
  greatest(0, served.bytes - own.bytes) AS other_bytes, coalesce(others.jobs, 0) AS other_jobs, served.cpu_percent
FROM own LEFT JOIN served ON served.ost = own.ost LEFT JOIN others ON others.ost = own.ost
ORDER BY other_bytes DESC NULLS LAST, other_jobs DESC, own.ost
LIMIT $2`.trim(),
    chart: { kind: 'stacked', label: 'ost', values: ['job_bytes', 'other_bytes'] },
  },
];
