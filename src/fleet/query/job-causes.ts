import { causeJob } from '../causes/cause-job.ts';
import type { Causes, Direction } from '../causes/causes.ts';
import { findCauses } from '../causes/find-causes.ts';
import type { ColumnValue, TableDefinition } from '../schema/table.ts';
import { TABLES, type Row, type TableName } from '../schema/tables.ts';
import { jobCondition, READ_BANDWIDTH, WRITE_BANDWIDTH, type JobFilter } from './job-filter.ts';
import type { QueryEngine, QueryValue } from './query-engine.ts';

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
  ...['bytes_read', 'reads', 'small_reads', 'consecutive_reads', 'collective_reads'],
  ...['read_start', 'read_end', 'read_seconds'],
  ...['bytes_written', 'writes', 'small_writes', 'consecutive_writes', 'collective_writes'],
  ...['write_start', 'write_end', 'write_seconds'],
];

/**
 * Causes of the jobs whose bandwidth over their active time lies between two bounds, lowest bandwidth first. Rows of files
 * pass by a job at a time: memory grows with the answer, not with the store.
 */
export async function causesOfJobs(
  engine: QueryEngine,
  request: CausesRequest,
  signal?: AbortSignal,
): Promise<readonly JobCauses[]> {
  const options = { ...(signal && { signal }) };
  const found: JobCauses[] = [];
  const jobs = await chosenJobs(engine, request, options);
  const { sql, parameters } = chosenLogs(request);
  const columns = FILE_COLUMNS.map((name) => `file.${name}`).join(', ');
  const query = `SELECT ${columns} FROM file WHERE file.log IN (${sql}) ORDER BY file.log`;
  let files: Row<'file'>[] = [];
  const finish = (): void => {
    const job = jobs.get(files[0]?.log ?? '');
    if (job !== undefined) keep(found, causesOf(job, files, request.direction), request);
    files = [];
  };
  for await (const { rows } of engine.stream(query, { parameters, ...options }))
    for (const values of rows) {
      const row = rowOf('file', FILE_COLUMNS, values);
      if (files.length > 0 && files[0]!.log !== row.log) finish();
      files.push(row);
    }
  finish();
  return found.sort(byBandwidth).slice(0, request.mostJobs);
}

function keep(found: JobCauses[], job: JobCauses, { leastBandwidth, mostBandwidth, mostJobs }: CausesRequest): void {
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

/** The span is never shorter than the active time: who is too fast over the span is too fast. */
function chosenLogs({ filter, direction, mostBandwidth }: CausesRequest): { sql: string; parameters: QueryValue[] } {
  const condition = jobCondition(filter, 2);
  const bandwidth = direction === 'read' ? READ_BANDWIDTH : WRITE_BANDWIDTH;
  const bytes = direction === 'read' ? 'bytes_read' : 'bytes_written';
  const and = condition.sql === '' ? '' : ` AND ${condition.sql}`;
  const sql = `SELECT log FROM job WHERE ${bytes} > 0 AND coalesce(${bandwidth}, 0) <= $1${and}`;
  return { sql, parameters: [mostBandwidth, ...condition.parameters] };
}

async function chosenJobs(
  engine: QueryEngine,
  request: CausesRequest,
  options: { signal?: AbortSignal },
): Promise<ReadonlyMap<string, Row<'job'>>> {
  const { sql, parameters } = chosenLogs(request);
  const columns = JOB_COLUMNS.map((name) =>
    name === 'nodes'
      ? `coalesce((SELECT max(scheduler_job.nodes) FROM scheduler_job WHERE scheduler_job.job_id = job.job_id), job.nodes)`
      : `job.${name}`,
  );
  const jobs = new Map<string, Row<'job'>>();
  const query = `SELECT ${columns.join(', ')} FROM job WHERE job.log IN (${sql})`;
  for await (const { rows } of engine.stream(query, { parameters, ...options }))
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
