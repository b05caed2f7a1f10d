import { causeJob } from '../causes/cause-job.ts';
import type { Causes, Direction } from '../causes/causes.ts';
import { findCauses } from '../causes/find-causes.ts';
import type { ColumnValue, TableDefinition } from '../schema/table.ts';
import { TABLES, type Row, type TableName } from '../schema/tables.ts';
import { jobCondition, READ_BANDWIDTH, WRITE_BANDWIDTH, type JobFilter } from './job-filter.ts';
import type { BoundQuery } from './filtered-query.ts';
import type { QueryEngine, QueryOptions, QueryValue } from './query-engine.ts';

/** Which jobs causes are looked for in (`extract_perf_factors` of IOMiner). */
export interface CausesRequest {
  readonly filter: JobFilter;
  readonly direction: Direction;
  /** Bytes a second over the active time. */
  readonly leastBandwidth: number;
  readonly mostBandwidth: number;
  readonly mostJobs: number;
}

/** A job and its causes: a line of the parallel-coordinates plot (figures 11 and 12). */
export interface JobCauses {
  readonly log: string;
  readonly jobId: string | null;
  readonly application: string | null;
  readonly path: string | null;
  readonly processes: number | null;
  readonly nodes: number | null;
  /** Without stretches. */
  readonly causes: Omit<Causes, 'stretches'>;
  /** Those with most exclusive time. */
  readonly criticalFiles: readonly { readonly path: string; readonly exclusiveSeconds: number }[];
}

/** Critical files that are named for each job. */
const MOST_FILES = 10;

/** What of a job's row is asked for; the nodes come from the batch system where it knows them. */
const JOB_COLUMNS = ['log', 'job_id', 'application', 'path', 'processes', 'nodes', 'osts'] as const;

/** What of the rows of its files the factors need. */
const FILE_COLUMNS = [
  ...['log', 'file_id', 'path', 'processes', 'rank', 'stripe_count', 'osts', 'slowest_rank_bytes'],
  ...['bytes_read', 'reads', 'sized_reads', 'placed_reads', 'small_reads', 'consecutive_reads', 'collective_reads'],
  ...['read_start', 'read_end', 'read_seconds'],
  ...[
    'bytes_written',
    'writes',
    'sized_writes',
    'placed_writes',
    'small_writes',
    'consecutive_writes',
    'collective_writes',
  ],
  ...['write_start', 'write_end', 'write_seconds'],
];

/**
 * Causes of the jobs that a filter leaves and whose bandwidth over their active time lies between two bounds, lowest
 * bandwidth first.
 */
export function causesOfJobs(
  engine: CausesEngine,
  request: CausesRequest,
  signal?: AbortSignal,
): Promise<readonly JobCauses[]> {
  const { direction, mostBandwidth } = request;
  const condition = jobCondition(request.filter, 2);
  const bandwidth = direction === 'read' ? READ_BANDWIDTH : WRITE_BANDWIDTH;
  const bytes = direction === 'read' ? 'bytes_read' : 'bytes_written';
  const and = condition.sql === '' ? '' : ` AND ${condition.sql}`;
  // The span is never shorter than the active time: who is too fast over the span is too fast.
  const sql = `SELECT log FROM job WHERE ${bytes} > 0 AND coalesce(${bandwidth}, 0) <= $1${and}`;
  const chosen = { sql, parameters: [mostBandwidth, ...condition.parameters] };
  return causesOfFiles(engine, { ...request, chosen, keys: ['log'] }, signal);
}

type CausesEngine = Pick<QueryEngine, 'stream'>;

/** Which files count: a query that gives their recordings (`log`), or the files themselves (`log` and `file_id`). */
interface FileCausesRequest extends Pick<CausesRequest, 'direction' | 'leastBandwidth' | 'mostBandwidth' | 'mostJobs'> {
  readonly chosen: BoundQuery;
  readonly keys: readonly string[];
}

/**
 * The same for files that a query chooses. Rows of files pass by a job at a time: memory grows with the answer, not with
 * the store.
 */
export async function causesOfFiles(
  engine: CausesEngine,
  request: FileCausesRequest,
  signal?: AbortSignal,
): Promise<readonly JobCauses[]> {
  const { sql, parameters } = request.chosen;
  const options = { parameters, ...(signal && { signal }) };
  const jobs = await chosenJobs(engine, sql, options);
  const found: JobCauses[] = [];
  const columns = FILE_COLUMNS.map((name) => `file.${name}`).join(', ');
  const keys = request.keys.map((key) => `file.${key}`).join(', ');
  const query = `SELECT ${columns} FROM file WHERE (${keys}) IN (${sql}) ORDER BY file.log, file.file_id`;
  let files: Row<'file'>[] = [];
  const finish = (): void => {
    const job = jobs.get(files[0]?.log ?? '');
    if (job !== undefined) keep(found, causesOf(job, files, request.direction), request);
    files = [];
  };
  for await (const { rows } of engine.stream(query, options))
    for (const values of rows) {
      const row = rowOf('file', FILE_COLUMNS, values);
      if (files.length > 0 && files[0]!.log !== row.log) finish();
      files.push(row);
    }
  finish();
  return found.sort(byBandwidth).slice(0, request.mostJobs);
}

function keep(
  found: JobCauses[],
  job: JobCauses,
  { leastBandwidth, mostBandwidth, mostJobs }: FileCausesRequest,
): void {
  const { bandwidth } = job.causes;
  if (bandwidth === null || bandwidth < leastBandwidth || bandwidth > mostBandwidth) return;
  found.push(job);
  if (found.length < 2 * mostJobs + 1000) return;
  found.sort(byBandwidth);
  found.length = mostJobs;
}

function byBandwidth(a: JobCauses, b: JobCauses): number {
  return a.causes.bandwidth! - b.causes.bandwidth! || (a.log < b.log ? -1 : 1);
}

function causesOf(job: Row<'job'>, files: readonly Row<'file'>[], direction: Direction): JobCauses {
  const subject = causeJob(job, files, direction);
  const { bytes, activeSeconds, spanSeconds, bandwidth, critical, factors, verdicts } = findCauses(subject, direction);
  const causes = { direction, bytes, activeSeconds, spanSeconds, bandwidth, critical, factors, verdicts };
  const { log, job_id: jobId, application, path, processes, nodes } = job;
  const criticalFiles = critical
    .slice(0, MOST_FILES)
    .map(({ file, exclusiveSeconds }) => ({ path: subject.files[file]!.path, exclusiveSeconds }));
  return { log: log!, jobId, application, path, processes, nodes, causes, criticalFiles };
}

async function chosenJobs(
  engine: CausesEngine,
  chosen: string,
  options: QueryOptions,
): Promise<ReadonlyMap<string, Row<'job'>>> {
  const nodes = 'coalesce(scheduled.nodes, job.nodes)';
  const columns = JOB_COLUMNS.map((name) => (name === 'nodes' ? nodes : `job.${name}`)).join(', ');
  const query = `SELECT ${columns}
    FROM job LEFT JOIN (SELECT job_id, max(nodes) AS nodes FROM scheduler_job GROUP BY job_id) AS scheduled
      ON scheduled.job_id = job.job_id
    WHERE job.log IN (SELECT chosen.log FROM (${chosen}) AS chosen)`;
  const jobs = new Map<string, Row<'job'>>();
  for await (const { rows } of engine.stream(query, options))
    for (const values of rows) jobs.set(values[0] as string, rowOf('job', JOB_COLUMNS, values));
  return jobs;
}

/** A row with what was asked for; the rest of its columns is null. */
function rowOf<Name extends TableName>(
  table: Name,
  columns: readonly string[],
  values: readonly QueryValue[],
): Row<Name> {
  const row: Record<string, ColumnValue> = { ...NOTHING[table] };
  columns.forEach((name, index) => {
    row[name] = values[index] as ColumnValue;
  });
  return row as Row<Name>;
}

const NOTHING = Object.fromEntries(
  Object.entries(TABLES).map(([table, { columns }]: [string, TableDefinition]) => [
    table,
    Object.fromEntries(Object.keys(columns).map((name) => [name, null])),
  ]),
) as Record<TableName, Record<string, null>>;
