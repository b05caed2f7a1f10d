// A month of a facility: every ready question and the causes of slow jobs, each in a process of its own: seconds of a processor
// and memory, as JSON. The store is made once. node month-store.mjs FOLDER JOBS
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { QUESTIONS } from '../../src/fleet/query/questions/questions.ts';
import { STORE_FILE } from '../../src/fleet/store/manifest.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { makeStore, type MadePart } from '../support/made-store.ts';

const [folder = '', jobs = '449600', task] = process.argv.slice(2);
const JOBS = Number(jobs);
const MONTH = '2018-01';
/** As Edison had them. */
const TARGETS = 248;
const FILES_PER_JOB = 6.5;
const START = `TIMESTAMP '${MONTH}-01'`;

if (!existsSync(path.join(folder, STORE_FILE))) await makeStore(folder, [...monthOfJobs(), serverLoad()]);
if (task === undefined) {
  const tasks = [...QUESTIONS.map(({ id }) => id), 'causes'];
  const measured = tasks.map((id) => {
    const words = [process.argv[1]!, folder, jobs, id];
    return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as object;
  });
  process.stdout.write(`${JSON.stringify(measured)}\n`);
} else process.stdout.write(JSON.stringify(await measure(task)));

async function measure(id: string): Promise<object> {
  const store = await OpenedStore.open(folder);
  const before = process.cpuUsage();
  const started = performance.now();
  const rows = await answered(store, id);
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - started) / 1000;
  store.close();
  return { id, rows, cpu: (user + system) / 1e6, seconds, mebibytes: process.resourceUsage().maxRSS / 1024 };
}

async function answered(store: OpenedStore, id: string): Promise<number> {
  if (id === 'causes') {
    const bounds = { leastBandwidth: 0, mostBandwidth: 1e9, mostJobs: 100 };
    return (await store.causes({ filter: {}, direction: 'write', ...bounds })).length;
  }
  const { parameters } = QUESTIONS.find((question) => question.id === id)!;
  const values = parameters.map(({ initial }) => initial);
  return (await store.answer(id, values)).result.rows.length;
}

/** Jobs, their files, findings, and what the batch system says of them. */
function monthOfJobs(): MadePart[] {
  const files = Math.round(JOBS * FILES_PER_JOB);
  const job = `floor(i / ${FILES_PER_JOB})::BIGINT`;
  const ofRecording = (number: string): Record<string, string> => ({
    log: `md5((${number})::VARCHAR)`,
    job_id: `(1000000 + (${number}))::VARCHAR`,
    start_time: `${START} + to_milliseconds((hash(${number}) % 2592000000)::BIGINT)`,
  });
  const made = (table: MadePart['table'], last: number, values: Record<string, string>): MadePart => ({
    ...{ table, month: MONTH, first: 0, last },
    values,
  });
  const seconds = `(60 + hash(i + 9) % 7200)`;
  const jobs: MadePart = {
    ...made('job', JOBS, {
      ...ofRecording('i'),
      ...Object.fromEntries(Object.keys(transfers(1)).map((name) => [name, `"${name}"`])),
      format: `'darshan'`,
      user_id: `'u' || (hash(i + 1) % 900)`,
      application: `'app' || (hash(i + 1) % 300)`,
      run_seconds: seconds,
      end_time: `${START} + to_milliseconds((hash(i) % 2592000000)::BIGINT) + to_seconds(${seconds})`,
      processes: `1 << (hash(i + 2) % 12)::INTEGER`,
      nodes: `1 + (hash(i + 2) % 128)::BIGINT`,
      files: String(Math.round(FILES_PER_JOB)),
      shared_files: `(hash(i + 3) % 4)::BIGINT`,
      io_seconds: `(hash(i + 4) % 60000) / 1000.0`,
      uses_posix: 'true',
      uses_stdio: `hash(i + 5) % 3 = 0`,
      uses_mpi_io: `hash(i + 6) % 4 = 0`,
      uses_hdf5: `hash(i + 7) % 6 = 0`,
      osts: 'osts',
      ost_count: 'len(osts)',
      customised_striping: 'customised',
      segments: '0',
      damage: '0',
    }),
    source: sumsOfFiles(),
  };
  return [
    made('file', files, {
      ...ofRecording(job),
      ...transfers(11),
      file_id: `i::VARCHAR`,
      path: `'/scratch/u' || (hash(${job}) % 900) || '/run' || (${job}) || '/out' || i`,
      mount_point: `'/scratch'`,
      file_system: `'lustre'`,
      processes: `1 << (hash(i + 12) % 8)::INTEGER`,
      stripe_size: '1048576',
      stripe_count: widthOf('i'),
      stripe_offset: '-1',
      osts: targetsOf('i', `(${widthOf('i')})`),
    }),
    jobs,
    made('insight', JOBS * 2, {
      ...ofRecording('i // 2'),
      code: `'P' || lpad((1 + hash(i + 13) % 19)::VARCHAR, 2, '0')`,
      trigger: `'posix-trigger-' || (hash(i + 13) % 19)`,
      severity: `['high', 'warn', 'info'][1 + (hash(i + 14) % 3)::INTEGER]`,
      title: `'A finding'`,
      message: `'What was found, in as many words as usual.'`,
      place: '0',
      events: `(hash(i + 15) % 100000)::BIGINT`,
      bytes: `(hash(i + 16) % 1000000000)::BIGINT`,
      seconds: `(hash(i + 17) % 1000) / 10.0`,
    }),
    made('scheduler_job', JOBS, {
      ...ofRecording('i'),
      log: `md5('sacct')`,
      cluster: `'edison'`,
      name: `'job' || (hash(i) % 1000)`,
      user: `'u' || (hash(i + 1) % 900)`,
      account: `'m' || (hash(i + 1) % 90)`,
      partition: `'regular'`,
      state: `'COMPLETED'`,
      nodes: `1 + (hash(i + 2) % 128)::BIGINT`,
      submit_time: `${START} + to_milliseconds((hash(i) % 2592000000)::BIGINT) - INTERVAL 1 HOUR`,
      elapsed_seconds: seconds,
    }),
  ];
}

/** What the rows of jobs say of their files: sums, moments, targets. */
function sumsOfFiles(): string {
  const pick = (name: string): string => (name.endsWith('_start') ? 'min' : name.endsWith('_end') ? 'max' : 'sum');
  const sums = Object.keys(transfers(1)).map((name) => `${pick(name)}("${name}") AS "${name}"`);
  const files = `read_parquet('${folder}/parts/file/*/*.parquet')`;
  return `(SELECT job_id::BIGINT - 1000000 AS i, ${sums.join(', ')}, max(stripe_count) > 1 AS customised,
    list_sort(list_distinct(flatten(list(osts)))) AS osts FROM ${files} GROUP BY job_id)`;
}

/** One of 200 files is striped over all targets, most over one: 3.7 on average. */
function widthOf(row: string): string {
  const place = `(hash(${row} + 21) % 200)::INTEGER`;
  return `CASE WHEN ${place} = 0 THEN ${TARGETS} WHEN ${place} < 3 THEN 72 WHEN ${place} < 8 THEN 24 WHEN ${place} < 20 THEN 4 ELSE 1 END`;
}

function targetsOf(row: string, width: string): string {
  return `list_transform(range(${width}), k -> ((hash(${row} + 22) % ${TARGETS})::BIGINT + k) % ${TARGETS})`;
}

function transfers(seed: number): Record<string, string> {
  const number = (offset: number, most: number): string => `(hash(i + ${100 * seed + offset}) % ${most})::BIGINT`;
  const from = `${number(8, 600_000)} / 1000.0`;
  return {
    bytes_read: number(1, 10_000_000_000),
    bytes_written: number(2, 10_000_000_000),
    reads: number(3, 100_000),
    writes: number(4, 100_000),
    sized_reads: number(3, 100_000),
    sized_writes: number(4, 100_000),
    small_reads: `${number(3, 100_000)} // 2`,
    small_writes: `${number(4, 100_000)} // 3`,
    placed_reads: number(3, 100_000),
    placed_writes: number(4, 100_000),
    consecutive_reads: `${number(3, 100_000)} // 3`,
    consecutive_writes: `${number(4, 100_000)} // 2`,
    sequential_reads: `${number(3, 100_000)} // 2`,
    sequential_writes: `${number(4, 100_000)} // 2`,
    read_seconds: `${number(5, 100_000)} / 1000.0`,
    write_seconds: `${number(6, 100_000)} / 1000.0`,
    metadata_seconds: `${number(7, 10_000)} / 1000.0`,
    read_start: from,
    read_end: `${from} + ${number(9, 600_000)} / 1000.0`,
    write_start: from,
    write_end: `${from} + ${number(10, 600_000)} / 1000.0`,
  };
}

/** A sample of each target every five minutes. */
function serverLoad(): MadePart {
  const sample = `${START} + to_seconds(300 * (i // ${TARGETS}))`;
  const values = {
    log: `md5('lmt')`,
    file_system: `'scratch'`,
    server: `'oss' || (i % ${TARGETS} // 2)`,
    target: `'OST' || lpad((i % ${TARGETS})::VARCHAR, 4, '0')`,
    target_kind: `'OST'`,
    target_index: `i % ${TARGETS}`,
    start_time: sample,
    end_time: `${sample} + INTERVAL 300 SECOND`,
    seconds: '300',
    bytes_read: `(hash(i + 31) % 100000000000)::BIGINT`,
    bytes_written: `(hash(i + 32) % 100000000000)::BIGINT`,
    cpu_percent: `(hash(i + 33) % 1000) / 10.0`,
  };
  return { table: 'server_load', month: MONTH, first: 0, last: TARGETS * 31 * 288, values };
}
