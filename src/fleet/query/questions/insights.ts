import { mostRows } from './applications.ts';
import { exactSum } from './exact-sum.ts';
import type { Question, QuestionParameter } from './question.ts';

const CODE: QuestionParameter = {
  name: 'code',
  about: 'Code or trigger of a finding, such as P06 or posix-small-writes; empty: all that advise a change.',
  kind: 'text',
  initial: '',
};

/** Findings that say something is wrong, unless one is asked for by its name. */
const WANTED = `($1 = '' AND severity IN ('high', 'warn') OR code = $1 OR trigger = $1)`;

export const INSIGHT_QUESTIONS: readonly Question[] = [
  {
    id: 'frequent-insights',
    title: 'Most frequent findings',
    about: 'Findings by the number of jobs that have them.',
    definition: 'Only findings that advise a change (high and warn) count.',
    parameters: [mostRows(15)],
    sql: `
SELECT trigger, min(code) AS code, min(severity) AS severity, min(title) AS title,
  count(DISTINCT insight.log) AS jobs, 100.0 * count(DISTINCT insight.log) / (SELECT count(*) FROM job) AS job_percent,
  count(DISTINCT job.application) AS applications, min(insight.start_time) AS first_seen, max(insight.start_time) AS last_seen
FROM insight LEFT JOIN job ON job.log = insight.log
WHERE severity IN ('high', 'warn')
GROUP BY trigger
ORDER BY jobs DESC, trigger
LIMIT $1`.trim(),
    chart: { kind: 'bars', label: 'trigger', values: ['jobs'] },
  },
  {
    id: 'insights-over-time',
    title: 'Findings over the months',
    about: 'Jobs with a finding by the month in which they started, and their percentage of the jobs of that month.',
    parameters: [CODE],
    sql: `
WITH months AS (
  SELECT month, count(*) AS jobs FROM job WHERE start_time IS NOT NULL GROUP BY month
), found AS (
  SELECT month, count(DISTINCT log) AS jobs, count(DISTINCT log) FILTER (WHERE severity = 'high') AS high,
    count(DISTINCT log) FILTER (WHERE severity = 'warn') AS warn
  FROM insight
  WHERE ${WANTED}
  GROUP BY month
)
SELECT months.month, months.jobs, coalesce(found.jobs, 0) AS with_finding,
  100.0 * coalesce(found.jobs, 0) / months.jobs AS job_percent, coalesce(found.high, 0) AS high, coalesce(found.warn, 0) AS warn
FROM months LEFT JOIN found ON found.month = months.month
ORDER BY months.month`.trim(),
    chart: { kind: 'lines', x: 'month', y: ['with_finding', 'jobs'] },
  },
  {
    id: 'lines-behind-insights',
    title: 'Source lines behind findings',
    about: 'Source lines that findings point at, those first that concern most jobs.',
    definition:
      'With the months of the first and the last job that has them, and whether the newest recordings of the application still do.',
    parameters: [CODE, mostRows(50)],
    sql: `
WITH newest AS (
  SELECT application, max(start_time) AS start_time FROM job GROUP BY application
)
SELECT source_file, line, min(function) AS function, trigger, count(DISTINCT insight.log) AS jobs,
  sum(insight.events)::DOUBLE AS events, sum(insight.bytes)::DOUBLE AS bytes, ${exactSum('insight.seconds')} AS seconds,
  min(insight.month) AS first_month, max(insight.month) AS last_month,
  coalesce(bool_or(insight.start_time >= newest.start_time), false) AS in_newest_run,
  list_sort(list_distinct(list(job.application))) AS applications
FROM insight
  LEFT JOIN job ON job.log = insight.log
  LEFT JOIN newest ON newest.application = job.application
WHERE source_file IS NOT NULL AND ${WANTED}
GROUP BY source_file, line, trigger
ORDER BY jobs DESC, seconds DESC NULLS LAST, source_file, line, trigger
LIMIT $2`.trim(),
    chart: { kind: 'table' },
    leadsTo: 'line',
  },
  {
    id: 'lines-over-time',
    title: 'Source lines over the months',
    about:
      'Source lines that findings point at, month by month: jobs that have a finding there, and the seconds that it takes them.',
    parameters: [CODE, mostRows(200)],
    sql: `
WITH lines AS (
  SELECT source_file, line, count(DISTINCT log) AS all_jobs
  FROM insight
  WHERE source_file IS NOT NULL AND start_time IS NOT NULL AND ${WANTED}
  GROUP BY source_file, line
)
SELECT insight.source_file, insight.line, insight.month, count(DISTINCT insight.log) AS jobs,
  ${exactSum('insight.seconds')} AS seconds
FROM insight JOIN lines ON lines.source_file = insight.source_file AND lines.line IS NOT DISTINCT FROM insight.line
WHERE insight.start_time IS NOT NULL AND ${WANTED}
GROUP BY insight.source_file, insight.line, insight.month, lines.all_jobs
ORDER BY lines.all_jobs DESC, insight.source_file, insight.line, insight.month
LIMIT $2`.trim(),
    chart: { kind: 'table' },
    leadsTo: 'line',
  },
];
