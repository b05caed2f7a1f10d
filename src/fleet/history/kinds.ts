import { filteredQuery } from '../query/filtered-query.ts';
import type { JobFilter } from '../query/job-filter.ts';
import type { QueryEngine, QueryValue } from '../query/query-engine.ts';
import type { Kind, KindRun } from './history.ts';

/** What is known of a job before it is one of a kind. */
export interface KindRuns extends Kind {
  readonly runs: KindRun[];
}

/**
 * Runs with their kinds: application, processes, and the bytes that they read by the next power of two, so that 1 GB and what
 * is a third more or less fall together. `$1`: runs that a kind needs; `$2`: a job whose kind is wanted, '' for all kinds.
 */
const RUNS = `
WITH of_kinds AS (
  SELECT *, CASE WHEN bytes_read > 0 THEN (2 ** round(log2(bytes_read)))::DOUBLE WHEN bytes_read = 0 THEN 0 END AS input,
    coalesce(bytes_read, 0) + coalesce(bytes_written, 0) AS bytes
  FROM job
  WHERE start_time IS NOT NULL AND application IS NOT NULL
), counted AS (
  SELECT *, count(*) OVER kind AS runs, bool_or(log = $2 OR job_id = $2) OVER kind AS has_chosen
  FROM of_kinds
  WINDOW kind AS (PARTITION BY application, processes, input)
)
SELECT application, processes, input, log, job_id, epoch(start_time) AS start,
  bytes / nullif(CASE WHEN bytes > 0 THEN io_seconds END, 0) AS bandwidth,
  io_seconds / nullif(run_seconds, 0) AS io_share,
  files / nullif(CASE WHEN files > 0 THEN metadata_seconds END, 0) AS metadata_rate
FROM counted
WHERE runs >= $1 AND ($2 = '' OR has_chosen)
ORDER BY application, processes, input, start_time, log`.trim();

/**
 * The runs of the jobs that a filter leaves, a kind at a time, each in the order of their start.
 * @param job key of a recording or number of a job, '' for all.
 */
export async function* runsOfKinds(
  engine: Pick<QueryEngine, 'stream'>,
  { leastRuns, job, filter }: { readonly leastRuns: number; readonly job: string; readonly filter: JobFilter },
  signal?: AbortSignal,
): AsyncGenerator<KindRuns> {
  const { sql, parameters } = filteredQuery(RUNS, [leastRuns, job], filter);
  let kind: KindRuns | undefined;
  for await (const { rows } of engine.stream(sql, { parameters, ...(signal && { signal }) }))
    for (const row of rows) {
      const [application, processes, input] = row as [string, number | null, number | null];
      const isSame = kind?.application === application && kind.processes === processes && kind.input === input;
      if (!isSame) {
        if (kind !== undefined) yield kind;
        kind = { application, processes, input, runs: [] };
      }
      kind!.runs.push(runOf(row));
    }
  if (kind !== undefined) yield kind;
}

function runOf(row: readonly QueryValue[]): KindRun {
  const [log, jobId, start, bandwidth, ioShare, metadataRate] = row.slice(3) as [
    string,
    string | null,
    number,
    ...(number | null)[],
  ];
  return {
    ...{ log, jobId, start },
    ...{ bandwidth: bandwidth ?? null, ioShare: ioShare ?? null, metadataRate: metadataRate ?? null },
  };
}
