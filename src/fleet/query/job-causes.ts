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

/** What of a job's row is asked for. */
const JOB_COLUMNS = ['log', 'job_id', 'application', 'path', 'processes', 'nodes', 'osts'] as const;

/** What of the rows of its files the factors need: of the other direction whether a file was used in it too. */
function fileColumns(direction: Direction): string[] {
  const [one, many] = direction === 'read' ? ['read', 'reads'] : ['write', 'writes'];
  const requests = ['sized', 'placed', 'small', 'consecutive', 'collective'].map((kind) => `${kind}_${many}`);
  return [
    ...['log', 'file_id', 'path', 'processes', 'rank', 'stripe_count', 'osts', 'slowest_rank_bytes'],
    ...['bytes_read', 'bytes_written', many, ...requests, `${one}_start`, `${one}_end`, `${one}_seconds`],
  ];
}

/** Jobs up to which the batch system is asked for each of them by its number, and not for all that it knows. */
const MOST_NUMBERED = 2000;

/** Jobs that are looked at first; of what is left four times as many then, and so on. */
const FIRST_JOBS = 1000;
/** By which two ways of reckoning one bandwidth may differ. */
const ROUNDING = 1e-9;

/**
 * Causes of the jobs that a filter leaves and whose bandwidth over their active time lies between two bounds, lowest
 * bandwidth first. Jobs are looked at in the order of their bandwidth over the span, which is never more than that over the
 * active time: when the span's is higher than all that was found no other job can be among the lowest.
 */
export async function causesOfJobs(
  engine: CausesEngine,
  request: CausesRequest,
  signal?: AbortSignal,
): Promise<readonly JobCauses[]> {
  const found: JobCauses[] = [];
  const mostJobs = Math.ceil(request.mostJobs);
  let most = Math.max(FIRST_JOBS, 2 * mostJobs);
  for (let first = 0; mostJobs > 0; first += most, most *= 4) {
    const slowest = slowestJobs(request, first, most);
    const { rows } = await engine.query(slowest.sql, { ...slowest, ...(signal && { signal }) });
    if (rows.length === 0) break;
    const chosen = { sql: 'SELECT unnest($1) AS log', parameters: [rows.map(([log]) => log!)] };
    found.push(...(await causesOfFiles(engine, { ...request, chosen, keys: ['log'] }, signal)));
    found.sort(byBandwidth).splice(mostJobs);
    const highest = rows.at(-1)![1] as number;
    const isFull = found.length === mostJobs && found.at(-1)!.causes.bandwidth! < highest * (1 - ROUNDING);
    if (rows.length < most || isFull) break;
  }
  return found;
}

/** Some of the jobs that may be meant, by the lowest bandwidth over their span. */
function slowestJobs({ direction, mostBandwidth, filter }: CausesRequest, first: number, most: number): BoundQuery {
  const condition = jobCondition(filter, 2, direction);
  const bandwidth = direction === 'read' ? READ_BANDWIDTH : WRITE_BANDWIDTH;
  const bytes = direction === 'read' ? 'bytes_read' : 'bytes_written';
  const and = condition.sql === '' ? '' : ` AND ${condition.sql}`;
  // Without a span there is no active time either.
  const sql = `SELECT log, ${bandwidth} AS bandwidth FROM job WHERE ${bytes} > 0 AND ${bandwidth} <= $1${and}
    ORDER BY bandwidth, log LIMIT ${most} OFFSET ${first}`;
  return { sql, parameters: [mostBandwidth, ...condition.parameters] };
}

type CausesEngine = Pick<QueryEngine, 'query' | 'stream'>;

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
  const names = fileColumns(request.direction);
  const columns = names.map((name) => `file.${name}`).join(', ');
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
      const row = rowOf('file', names, values);
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
  const query = `SELECT ${JOB_COLUMNS.join(', ')} FROM job WHERE log IN (SELECT chosen.log FROM (${chosen}) AS chosen)`;
  const jobs = new Map<string, Row<'job'>>();
  for await (const { rows } of engine.stream(query, options))
    for (const values of rows) jobs.set(values[0] as string, rowOf('job', JOB_COLUMNS, values));
  const nodes = await scheduledNodes(engine, [...jobs.values()], options.signal);
  for (const [log, job] of jobs) jobs.set(log, { ...job, nodes: nodes.get(job.job_id) ?? job.nodes });
  return jobs;
}

/** How many nodes the batch system gave to jobs, by their numbers. */
async function scheduledNodes(
  engine: CausesEngine,
  jobs: readonly Row<'job'>[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string | null, number>> {
  const numbers = [...new Set(jobs.flatMap(({ job_id: number }) => number ?? []))];
  const isNumbered = numbers.length <= MOST_NUMBERED;
  if (numbers.length === 0) return new Map();
  const some = isNumbered ? ` AND job_id IN (${numbers.map((_, index) => `$${index + 1}`).join(', ')})` : '';
  const sql = `SELECT job_id, max(nodes) FROM scheduler_job WHERE nodes IS NOT NULL${some} GROUP BY job_id`;
  const { rows } = await engine.query(sql, { parameters: isNumbered ? numbers : [], ...(signal && { signal }) });
  return new Map(rows.map(([number, nodes]) => [number as string, nodes as number]));
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
