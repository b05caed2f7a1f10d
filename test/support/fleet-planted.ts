import type { Row, StoreRows } from '../../src/fleet/schema/tables.ts';
import { row } from './fleet-rows.ts';
import { randomNumbers } from './random-numbers.ts';

/** Start of the three months of the store. */
export const START = Date.UTC(2018, 0, 1) / 1000;
export const DAY = 86_400;
export const SLOW_TARGET = 7;
export const TARGETS = 12;
/** Disturbed by `BULLY` on targets 3 and 4 for 40 seconds. */
export const VICTIM = 'victim'.padEnd(32, '0');
export const BULLY = 'bully'.padEnd(32, '0');
export const HOT_LINE = { source_file: '/src/flux.c', line: 42 };

/** Each has about twice the jobs of the next. */
const APPLICATIONS = ['vasp', 'chombo', 'wrf', 'qbox', "o'neil", 'namd'];

/**
 * Six hundred jobs of three months, skewed, with answers that are known beforehand: which application reads most, which
 * target is slow, who disturbs whom, since when a line has a finding. The numbers of the other questions are counted from
 * these rows by the tests, without SQL.
 */
export function plantedRows(): Required<Pick<StoreRows, 'job' | 'file' | 'insight' | 'server_load' | 'scheduler_job'>> {
  const random = randomNumbers(42);
  const jobs: Row<'job'>[] = [];
  const files: Row<'file'>[] = [];
  const insights: Row<'insight'>[] = [];
  for (let i = 0; i < 600; i++) {
    const made = plantedJob(i, random);
    jobs.push(made.job);
    for (const file of made.files) files.push(file);
    insights.push(...plantedInsights(made.job, random));
  }
  for (const [log, at] of [
    [VICTIM, 0],
    [BULLY, 20],
  ] as const) {
    const { job, file } = meetingJob(log, at);
    jobs.push(job);
    files.push(file);
  }
  // A job of the batch system may run several programs.
  const scheduled = jobs
    .slice(0, 300)
    .filter(({ job_id }, index) => jobs.findIndex((job) => job.job_id === job_id) === index)
    .map(({ job_id, start_time, processes }) =>
      row('scheduler_job', { log: 'sacct', job_id, start_time, nodes: Math.ceil(processes! / 32), state: 'COMPLETED' }),
    );
  return { job: jobs, file: files, insight: insights, server_load: plantedLoad(), scheduler_job: scheduled };
}

type Random = (below: number) => number;

function plantedJob(i: number, random: Random): { job: Row<'job'>; files: Row<'file'>[] } {
  const log = i.toString(16).padStart(32, '0');
  const application = APPLICATIONS[5 - Math.floor(Math.log2(1 + random(63)))]!;
  const start_time = START + random(90 * DAY - 10_000) + 0.25;
  const processes = [1, 1, 4, 4, 16, 512, 2048, 10_000][random(8)]!;
  const job_id = String(1000 + Math.floor(i / 2));
  // One process has one file; otherwise all share, each has its own, or some share some.
  const pattern = processes > 16 ? 'N-1' : ['N-1', 'N-N', 'N-M'][random(3)]!;
  const count = pattern === 'N-N' ? processes : pattern === 'N-M' ? processes + 2 : 1 + random(3);
  const lustre = random(4) > 0;
  const customised = lustre && i % 50 === 0;
  const files = Array.from({ length: count }, (_, k): Row<'file'> => {
    const reads = random(40);
    const writes = random(40);
    const stripe_count = customised ? 4 : 1;
    const since = random(50);
    return row('file', {
      log,
      job_id,
      file_id: k.toString(16),
      path: `/scratch/${i}/${k}`,
      start_time,
      processes: pattern === 'N-1' ? processes : pattern === 'N-N' ? 1 : Math.min(processes, 1 + (k % 2)),
      reads,
      writes,
      bytes_read: reads * random(5_000_000),
      bytes_written: writes * random(8_000_000),
      small_reads: random(reads + 1),
      small_writes: random(writes + 1),
      consecutive_reads: random(reads + 1),
      consecutive_writes: random(writes + 1),
      collective_writes: 0,
      read_start: reads > 0 ? since : null,
      read_end: reads > 0 ? since + 1 + random(10) : null,
      write_start: writes > 0 ? since + 5 : null,
      write_end: writes > 0 ? since + 6 + random(20) : null,
      read_seconds: reads / 10,
      write_seconds: writes / 10,
      ...(lustre && {
        stripe_size: 1_048_576,
        stripe_count,
        stripe_offset: -1,
        osts: Array.from({ length: stripe_count }, (_, s) => (i + k + s) % 3),
      }),
    });
  });
  return { job: jobOf({ log, job_id, start_time, processes, application }, files, random), files };
}

type Known = Pick<Row<'job'>, 'log' | 'job_id' | 'start_time' | 'processes' | 'application'>;

function jobOf(known: Known, files: readonly Row<'file'>[], random: Random): Row<'job'> {
  const sum = (column: keyof Row<'file'>): number =>
    files.reduce((total, file) => total + ((file[column] as number | null) ?? 0), 0);
  const osts = [...new Set(files.flatMap((file) => file.osts ?? []))].sort((a, b) => a - b);
  const mpi = known.processes! > 1000 && random(2) === 0;
  const collective = mpi && random(3) > 0;
  const moments = (column: keyof Row<'file'>): number[] =>
    files.flatMap((file) => (file[column] === null ? [] : [file[column] as number]));
  const edge = (pick: (...values: number[]) => number, column: keyof Row<'file'>): number | null =>
    moments(column).length === 0 ? null : pick(...moments(column));
  return row('job', {
    ...known,
    path: `/logs/${known.job_id!}.darshan`,
    format: 'darshan',
    user_id: String(100 + random(5)),
    files: files.length,
    bytes_read: sum('bytes_read'),
    bytes_written: sum('bytes_written'),
    reads: sum('reads'),
    writes: sum('writes'),
    consecutive_reads: sum('consecutive_reads'),
    consecutive_writes: sum('consecutive_writes'),
    read_start: edge(Math.min, 'read_start'),
    read_end: edge(Math.max, 'read_end'),
    write_start: edge(Math.min, 'write_start'),
    write_end: edge(Math.max, 'write_end'),
    collective_writes: collective ? 10 : 0,
    uses_posix: true,
    uses_stdio: false,
    uses_mpi_io: mpi,
    uses_hdf5: collective,
    osts: osts.length > 0 ? osts : null,
    ost_count: osts.length > 0 ? osts.length : null,
  });
}

/** Every third job has small writes; the hot line is behind them from February on, in vasp only. */
function plantedInsights(job: Row<'job'>, random: Random): Row<'insight'>[] {
  const { log, job_id, start_time, application } = job;
  const of = { log, job_id, start_time };
  const found: Row<'insight'>[] = [row('insight', { ...of, code: 'O01', trigger: 'operations', severity: 'info' })];
  if (random(3) > 0) return found;
  const isHot = application === 'vasp' && start_time! >= START + 31 * DAY;
  const site = isHot ? HOT_LINE : { source_file: '/src/other.c', line: 1 + random(200) };
  for (let place = 0; place < 2; place++)
    found.push(
      row('insight', {
        ...of,
        ...(place === 0 ? site : { source_file: null, line: null }),
        ...{ code: 'P06', trigger: 'posix-small-writes', severity: 'high', title: 'Small writes', place },
        ...{ events: 100, bytes: 1000, seconds: 2.5 },
      }),
    );
  if (random(5) === 0)
    found.push(row('insight', { ...of, code: 'P10', trigger: 'posix-random-reads', severity: 'warn', place: 0 }));
  return found;
}

/** Targets 3 and 4 are nobody else's. The victim uses them from second 0 to 60, the bully from 20 to 140. */
function meetingJob(log: string, at: number): { job: Row<'job'>; file: Row<'file'> } {
  const isVictim = log === VICTIM;
  const known = { log, job_id: isVictim ? '777' : '778', start_time: START + 10 * DAY + at, processes: 8 };
  const moved = {
    ...{ reads: 0, writes: 100, bytes_read: 0, bytes_written: isVictim ? 600e6 : 24e9 },
    ...{ consecutive_writes: 50, write_start: 0, write_end: isVictim ? 60 : 120, osts: [3, 4] },
  };
  const job = { ...known, ...moved, ost_count: 2, files: 1, application: isVictim ? 'namd' : 'wrf', user_id: '100' };
  const layout = { path: `/scratch/${log}`, file_id: 'f', stripe_size: 1_048_576, stripe_count: 2, stripe_offset: -1 };
  return { job: row('job', job), file: row('file', { ...known, ...moved, ...layout, small_writes: 0 }) };
}

/** Five-second samples of an hour on the tenth day: each target moves 1 GB/s when it works, the slow one an eighth of it. */
function plantedLoad(): Row<'server_load'>[] {
  const samples: Row<'server_load'>[] = [];
  for (let target_index = 0; target_index < TARGETS; target_index++)
    for (let i = 0; i < 720; i++) {
      const start_time = START + 10 * DAY - 1800 + 5 * i;
      const isBusy = (i + target_index) % 3 > 0;
      const bytes = (target_index === SLOW_TARGET ? 5e9 / 8 : 5e9) + ((i * 7919) % 1000) * 1e5;
      samples.push(
        row('server_load', {
          ...{ log: 'lmt', file_system: 'scratch', server: `oss${target_index % 4}`, target_kind: 'OST' },
          ...{ target: `OST${target_index.toString(16).padStart(4, '0')}`, target_index },
          ...{ start_time, end_time: start_time + 5, seconds: 5, cpu_percent: isBusy ? 50 : 1 },
          ...{ bytes_read: 0, bytes_written: isBusy ? bytes : 0 },
        }),
      );
    }
  return samples;
}
