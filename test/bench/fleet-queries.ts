// Asks a store and the same Parquet files by plain SQL, in turns: seconds of each, as JSON. The store is made once.
// node fleet-queries.mjs FOLDER JOBS FILES PAIRS
import { existsSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { JobPage } from '../../src/fleet/query/fleet-answers.ts';
import { SQL_TYPES } from '../../src/fleet/query/table-views.ts';
import type { TableDefinition } from '../../src/fleet/schema/table.ts';
import { TABLES } from '../../src/fleet/schema/tables.ts';
import { MANIFEST_FOLDER, STORE_FILE, type PartEntry } from '../../src/fleet/store/manifest.ts';
import { readManifests } from '../../src/fleet/store/read-manifests.ts';
import { loadDuckDb } from '../../src/session/fleet/load-duckdb.ts';
import { LocalStore } from '../../src/session/fleet/local-store.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';

const [folder = '', jobs = '1000000', files = '50000000', pairs = '5'] = process.argv.slice(2);
/** Rows of a part. */
const PART_ROWS = 5_000_000;

const duckdb = await loadDuckDb([]);
const instance = await duckdb.DuckDBInstance.create(':memory:');
const connection = await instance.connect();
if (!existsSync(path.join(folder, STORE_FILE))) await makeStore(Number(jobs), Number(files));

const store = await OpenedStore.open(folder);
const { parts: stored } = await readManifests(new LocalStore(folder));
const list = stored.filter(({ table }) => table === 'file').map((part) => `'${path.join(folder, part.path)}'`);
const group = (source: string): string =>
  `SELECT file_system, processes, count(*) AS files, sum(bytes_written) AS bytes, avg(write_end - write_start) AS seconds
   FROM ${source} WHERE small_writes < writes GROUP BY ALL ORDER BY ALL`;
const raw = group(`read_parquet([${list.join(', ')}])`);
const seconds = { store: [] as number[], raw: [] as number[] };
for (let pair = 0; pair <= Number(pairs); pair++) {
  const started = performance.now();
  const ours = await store.query(group('file'));
  const middle = performance.now();
  const theirs = await connection.runAndReadAll(raw);
  const ended = performance.now();
  const [given, expected] = [ours.rows.length, theirs.currentRowCount];
  if (given !== expected) throw new Error(`the store gives ${given} rows, the files ${expected}`);
  // The first pair warms the page cache.
  if (pair > 0) seconds.store.push((middle - started) / 1000);
  if (pair > 0) seconds.raw.push((ended - middle) / 1000);
}
process.stdout.write(`${JSON.stringify({ ...seconds, pages: await timePages() })}\n`);
store.close();

/** Milliseconds of pages as the jobs table asks for them; medians but for the first, which takes the jobs into memory. */
async function timePages(): Promise<Record<'first' | 'scroll' | 'filter' | 'sort', number>> {
  const columns = ['application', 'job_id', 'start_time', 'processes', 'bytes_read', 'bytes_written'];
  const page = { filter: {}, orderBy: 'start_time', descending: true, first: 0, count: 100, columns };
  const time = async (given: Partial<JobPage>): Promise<number> => {
    const started = performance.now();
    await store.jobs({ ...page, ...given });
    return performance.now() - started;
  };
  const times = async (given: readonly Partial<JobPage>[]): Promise<number> => {
    const taken: number[] = [];
    for (const one of given) taken.push(await time(one));
    return taken.sort((a, b) => a - b)[taken.length >> 1]!;
  };
  return {
    first: await time({}),
    scroll: await times(Array.from({ length: 21 }, (_, at) => ({ first: Math.floor((Number(jobs) * at) / 21) }))),
    filter: await times([1, 2, 3, 4, 5].map((at) => ({ filter: { application: `app${at}` } }))),
    sort: await times(columns.map((orderBy) => ({ orderBy }))),
  };
}

async function makeStore(jobRows: number, fileRows: number): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const parts: PartEntry[] = [];
  for (let first = 0; first < fileRows; first += PART_ROWS)
    parts.push(await writePart('file', first, Math.min(fileRows, first + PART_ROWS), jobRows / fileRows));
  parts.push(await writePart('job', 0, jobRows, 1));
  const made = new LocalStore(folder);
  const write = (name: string, value: unknown): Promise<void> =>
    made.write(name, new TextEncoder().encode(JSON.stringify(value)));
  await write(`${MANIFEST_FOLDER}/1.json`, { schema: 'iolens/store-batch@1', id: '1', parts, logs: [] });
  await write(STORE_FILE, { schema: 'iolens/store@1', created: new Date(0).toISOString() });
}

/** Rows `first` up to `last`; what no question of this bench asks for is null. */
async function writePart(table: 'job' | 'file', first: number, last: number, jobsPerRow: number): Promise<PartEntry> {
  const month = `2018-${String((Math.floor(first / PART_ROWS) % 12) + 1).padStart(2, '0')}`;
  const within = `parts/${table}/month=${month}/${first}.parquet`;
  const file = path.join(folder, within);
  mkdirSync(path.dirname(file), { recursive: true });
  const made: Readonly<Record<string, string>> = {
    log: `md5(floor(i * ${jobsPerRow})::BIGINT::VARCHAR)`,
    job_id: `floor(i * ${jobsPerRow})::BIGINT::VARCHAR`,
    application: `'app' || (hash(i) % 40)`,
    start_time: `TIMESTAMP '${month}-01' + to_seconds((i % 2000000)::BIGINT)`,
    file_system: `['lustre', 'gpfs', 'nfs'][1 + (hash(i) % 3)::INTEGER]`,
    processes: `1 + (hash(i + 1) % 64)::BIGINT`,
    writes: `(hash(i + 2) % 1000)::BIGINT`,
    small_writes: `(hash(i + 3) % 1000)::BIGINT`,
    bytes_written: `(hash(i + 4) % 1000000000)::BIGINT`,
    write_start: `(hash(i + 5) % 1000) / 10.0`,
    write_end: `100 + (hash(i + 6) % 1000) / 10.0`,
  };
  const { columns }: TableDefinition = TABLES[table];
  const selected = Object.entries(columns).map(
    ([name, { type }]) => `(${made[name] ?? 'NULL'})::${SQL_TYPES[type]} AS "${name}"`,
  );
  await connection.run(
    `COPY (SELECT ${selected.join(', ')} FROM range(${first}, ${last}) AS numbers(i)) TO '${file}' (FORMAT parquet)`,
  );
  return { table, path: within, month, rows: last - first, bytes: 0 };
}
