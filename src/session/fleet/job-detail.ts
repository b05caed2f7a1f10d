import { access } from 'node:fs/promises';
import { JOB_SELECTION } from '../../fleet/query/job-pages.ts';
import type { QueryEngine, QueryValue } from '../../fleet/query/query-engine.ts';
import type { JobDetail } from '../../fleet/query/fleet-answers.ts';

/** Files, lines and findings of a job that are handed out at most: those that cost most time. */
const MOST_ROWS = 10_000;

/** @throws RangeError in words for the user: no such job. */
export async function jobDetail(engine: QueryEngine, log: string): Promise<JobDetail> {
  const about = (sql: string): ReturnType<QueryEngine['query']> =>
    engine.query(sql, { parameters: [log], mostRows: MOST_ROWS });
  const [jobs, files, insights, sites, schedulerJobs] = await Promise.all([
    about(`SELECT ${JOB_SELECTION} FROM job WHERE log = $1`),
    about(
      `SELECT * EXCLUDE (log, job_id, start_time, month) FROM file WHERE log = $1
       ORDER BY coalesce(read_seconds, 0) + coalesce(write_seconds, 0) + coalesce(metadata_seconds, 0) DESC, path`,
    ),
    about(
      `SELECT * EXCLUDE (log, job_id, start_time, month) FROM insight WHERE log = $1
       ORDER BY list_position(['high', 'warn', 'info', 'ok'], severity), code, place`,
    ),
    about(
      `SELECT * EXCLUDE (log, job_id, start_time, month) FROM site WHERE log = $1
       ORDER BY seconds DESC NULLS LAST, events DESC NULLS LAST, source_file, line`,
    ),
    about(
      `SELECT * EXCLUDE (month) FROM scheduler_job WHERE job_id = (SELECT job.job_id FROM job WHERE job.log = $1)
       ORDER BY cluster, start_time`,
    ),
  ]);
  const [row] = jobs.rows;
  if (row === undefined) throw new RangeError(`The store has no recording ${log}.`);
  const job = Object.fromEntries(jobs.columns.map(({ name }, index) => [name, row[index]!]));
  return { job, files, insights, sites, schedulerJobs, recording: await present(job['path'] ?? null) };
}

async function present(recording: QueryValue): Promise<string | null> {
  if (typeof recording !== 'string') return null;
  return access(recording).then(
    () => recording,
    () => null,
  );
}
