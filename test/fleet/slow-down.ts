import type { Row, StoreRows } from '../../src/fleet/schema/tables.ts';
import { DAY, START } from '../support/fleet-planted.ts';
import { row } from '../support/fleet-rows.ts';
import { randomNumbers } from '../support/random-numbers.ts';

export const SLOWED = 'climate';
const RUNS = 75;
/** Number of the first slow run. */
export const SLOW_FROM = 40;
/** A run on most days of the three months. */
const PACE = 1.15 * DAY;
/** Kinds that fare as ever: one alarm of them is one too many. */
const STEADY = 30;
const STEADY_RUNS = 40;

export const slowSince = START + SLOW_FROM * PACE;

/** The text of a hostile name must stay text wherever it is told. */
export const HOSTILE = '</td><script>alert("x")</script>|`*_[a](javascript:x)\u202e';

/**
 * Runs of an application that from one day on gets half the bandwidth, while the servers do for others what they always did;
 * and of applications with as much noise, to which nothing happens.
 * @param busier how many times as much the servers do for others from that day on.
 */
export function slowDownRows(busier = 1): Required<Pick<StoreRows, 'job' | 'server_load'>> {
  const random = randomNumbers(11);
  const noise = (): number => {
    const [a, b] = [(random(1e6) + 0.5) / 1e6, (random(1e6) + 0.5) / 1e6];
    return Math.exp(0.15 * Math.sqrt(-2 * Math.log(a)) * Math.cos(2 * Math.PI * b));
  };
  const jobs: Row<'job'>[] = [];
  const load: Row<'server_load'>[] = [];
  for (let i = 0; i < RUNS; i++) {
    const job = run(`c${i}`, SLOWED, START + i * PACE, (i < SLOW_FROM ? 1.2e9 : 0.6e9) * noise());
    jobs.push(job);
    for (let target = 0; target < 4; target++)
      load.push(sample(job, target, 2e9 * (i < SLOW_FROM ? 1 : busier) * noise()));
  }
  for (let kind = 0; kind < STEADY; kind++)
    for (let i = 0; i < STEADY_RUNS; i++) {
      const name = kind === 0 ? HOSTILE : `steady${kind}`;
      jobs.push(run(`s${kind}-${i}`, name, START + (i * 2 + kind / 30) * DAY, 1e9 * noise()));
    }
  return { job: jobs, server_load: load };
}

function run(id: string, application: string, start_time: number, bandwidth: number): Row<'job'> {
  const bytes_read = 8 * 2 ** 30;
  const io_seconds = bytes_read / bandwidth;
  const run_seconds = 600 + io_seconds;
  return row('job', {
    ...{
      log: id.padEnd(32, '.'),
      job_id: `9${id}`,
      application,
      user_id: 'ann',
      start_time,
      run_seconds,
      processes: 64,
    },
    ...{
      bytes_read,
      bytes_written: 0,
      io_seconds,
      files: 10,
      metadata_seconds: 0.1,
      path: `/logs/${id}`,
      format: 'darshan',
    },
    ...{ end_time: start_time + run_seconds, read_start: 0, read_end: io_seconds },
  });
}

/** What a target of another file system than the planted one's did during a run; a quarter of the run's bytes are its own. */
function sample({ start_time, run_seconds, bytes_read }: Row<'job'>, target: number, rate: number): Row<'server_load'> {
  return row('server_load', {
    ...{ log: 'lmt-work', file_system: 'work', server: 'oss9', target_kind: 'OST' },
    ...{ target: `OST010${target}`, target_index: 256 + target, seconds: run_seconds, cpu_percent: 20 },
    ...{ start_time, end_time: start_time! + run_seconds!, bytes_written: 0 },
    bytes_read: Math.round(rate * run_seconds! + bytes_read! / 4),
  });
}
