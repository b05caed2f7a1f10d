import type { JobPage, JobRows } from './fleet-answers.ts';
import { jobCondition } from './job-filter.ts';
import { JOB_COLUMNS, jobColumn } from './job-pages.ts';
import type { QueryEngine, QueryResult } from './query-engine.ts';
import { sqlName } from './sql-text.ts';

/** Where the engine keeps what is paged through: gone when the store is closed. */
const TABLE = 'iolens_jobs_table';
const ORDER = 'iolens_jobs_order';

/** Columns that conditions on jobs ask for, whatever is shown. */
const OF_CONDITIONS = [
  ...['log', 'application', 'path', 'job_id', 'user_id', 'start_time', 'processes'],
  ...['bytes_read', 'bytes_written', 'read_start', 'read_end', 'write_start', 'write_end'],
];

/** Beyond so many jobs (some 300 bytes each) pages come from the Parquet files: slowly, but without their memory. */
const MOST_JOBS = 4_000_000;

/**
 * The jobs of a store to scroll through (docs/decisions/0118). Jobs stand in memory with the columns that were asked for,
 * numbered; an order is a list of numbers, made once for a filter and a column; a page is looked up by number.
 */
export class JobsTable {
  private columns: ReadonlySet<string> = new Set();
  private order = '';
  private total = 0;
  private jobs: number | undefined;
  /** Pages are made one after the other: each finds the tables as the last one left them. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly engine: QueryEngine) {}

  /** The store has changed. */
  forget(): void {
    this.columns = new Set();
    this.order = '';
    this.jobs = undefined;
  }

  /** @throws RangeError in words for the user: no such column. */
  page(page: JobPage): Promise<JobRows> {
    const made = this.last.then(() => this.make(page));
    this.last = made.catch(() => this.forget());
    return made;
  }

  private async make(page: JobPage): Promise<JobRows> {
    const shown = [...(page.columns ?? JOB_COLUMNS.keys())];
    for (const name of [...shown, page.orderBy]) jobColumn(name);
    this.jobs ??= Number((await this.engine.query('SELECT count(*) FROM main.job')).rows[0]![0]);
    if (this.jobs > MOST_JOBS) return this.fromFiles(page, shown);
    await this.load([...shown, page.orderBy]);
    await this.sort(page);
    const first = Math.trunc(page.first);
    const place = `rowid >= ${first} AND rowid < ${first + Math.trunc(page.count)} ORDER BY rowid`;
    const numbers = (await this.engine.query(`SELECT id FROM ${ORDER} WHERE ${place}`)).rows.map(([id]) => Number(id));
    return { total: this.total, result: await this.lookUp(numbers, shown) };
  }

  /** Takes the columns into memory that are not there yet. */
  private async load(wanted: readonly string[]): Promise<void> {
    if (wanted.every((name) => this.columns.has(name))) return;
    const columns = [...new Set([...OF_CONDITIONS, ...this.columns, ...wanted])];
    const selection = columns.map((name) => `${jobColumn(name)} AS ${sqlName(name)}`).join(', ');
    this.order = '';
    await this.engine.run(`CREATE OR REPLACE TABLE ${TABLE} AS
      SELECT row_number() OVER () AS id, ${selection} FROM main.job`);
    // Rows of a page stand anywhere in it: without an index each page would go over all jobs.
    await this.engine.run(`CREATE UNIQUE INDEX iolens_jobs_id ON ${TABLE} (id)`);
    this.columns = new Set(columns);
  }

  private async sort({ filter, orderBy, descending }: JobPage): Promise<void> {
    const key = JSON.stringify([filter, orderBy, descending]);
    if (key === this.order) return;
    const { sql, parameters } = jobCondition(filter);
    const where = sql === '' ? '' : `WHERE ${sql}`;
    const order = `${sqlName(orderBy)} ${descending ? 'DESC' : 'ASC'} NULLS LAST, log`;
    await this.engine.run(
      `CREATE OR REPLACE TABLE ${ORDER} AS SELECT id FROM ${TABLE} ${where} ORDER BY ${order}`,
      parameters,
    );
    this.total = Number((await this.engine.query(`SELECT count(*) FROM ${ORDER}`)).rows[0]![0]);
    this.order = key;
  }

  private async lookUp(numbers: readonly number[], shown: readonly string[]): Promise<QueryResult> {
    const names = shown.map(sqlName).join(', ');
    const which = numbers.length === 0 ? 'false' : `id IN (${numbers.join(', ')})`;
    const found = await this.engine.query(`SELECT id, ${names} FROM ${TABLE} WHERE ${which}`);
    const byNumber = new Map(found.rows.map((row) => [Number(row[0]), row.slice(1)]));
    return { ...found, columns: found.columns.slice(1), rows: numbers.map((id) => byNumber.get(id)!) };
  }

  private async fromFiles(
    { filter, orderBy, descending, first, count }: JobPage,
    shown: readonly string[],
  ): Promise<JobRows> {
    const { sql, parameters } = jobCondition(filter);
    const where = sql === '' ? '' : `WHERE ${sql}`;
    const order = `${jobColumn(orderBy)} ${descending ? 'DESC' : 'ASC'} NULLS LAST, log`;
    const selection = shown.map((name) => `${jobColumn(name)} AS ${sqlName(name)}`).join(', ');
    const limits = `LIMIT $${parameters.length + 1} OFFSET $${parameters.length + 2}`;
    const [total, result] = await Promise.all([
      this.engine.query(`SELECT count(*) FROM main.job ${where}`, { parameters }),
      this.engine.query(`SELECT ${selection} FROM main.job ${where} ORDER BY ${order} ${limits}`, {
        parameters: [...parameters, count, first],
      }),
    ]);
    return { total: Number(total.rows[0]![0]), result };
  }
}
