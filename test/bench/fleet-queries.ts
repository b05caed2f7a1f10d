// Asks a store and the same Parquet files by plain SQL, in turns: seconds of each, as JSON. The store is made once.
// node fleet-queries.mjs FOLDER JOBS FILES PAIRS
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { JobPage } from '../../src/fleet/query/fleet-answers.ts';
import { STORE_FILE } from '../../src/fleet/store/manifest.ts';
import { readManifests } from '../../src/fleet/store/read-manifests.ts';
import { loadDuckDb } from '../../src/session/fleet/load-duckdb.ts';
import { LocalStore } from '../../src/session/fleet/local-store.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { makeStore, type MadePart } from '../support/made-store.ts';

const [folder = '', jobs = '1000000', files = '50000000', pairs = '5'] = process.argv.slice(2);
/** Rows of a part. */
const PART_ROWS = 5_000_000;

const duckdb = await loadDuckDb([]);
const instance = await duckdb.DuckDBInstance.create(':memory:');
const connection = await instance.connect();
if (!existsSync(path.join(folder, STORE_FILE))) await makeStore(folder, partsOf(Number(jobs), Number(files)));

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

/** What no question of this bench asks for is null. */
function partsOf(jobRows: number, fileRows: number): MadePart[] {
  const part = (table: 'job' | 'file', first: number, last: number, jobsPerRow: number): MadePart => {
    const month = `2018-${String((Math.floor(first / PART_ROWS) % 12) + 1).padStart(2, '0')}`;
    return { table, month, first, last, values: valuesOf(month, jobsPerRow) };
  };
  const starts = Array.from({ length: Math.ceil(fileRows / PART_ROWS) }, (_, at) => at * PART_ROWS);
  const files = starts.map((first) => part('file', first, Math.min(fileRows, first + PART_ROWS), jobRows / fileRows));
  return [...files, part('job', 0, jobRows, 1)];
}

function valuesOf(month: string, jobsPerRow: number): Record<string, string> {
  return {
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
}
