import { expect, test } from 'vitest';
import { counterTrace } from '../../../test/support/counter-trace.ts';
import { countedIo } from './counted-io.ts';

/** A job of 100 s in which rank 0 writes for all others, which wait in MPI-IO. */
function job(posixSeconds: number, mpiSeconds: number): ReturnType<typeof countedIo> {
  const record = (prefix: string, seconds: number): Readonly<Record<string, number>> => ({
    [`${prefix}_F_WRITE_TIME`]: 4 * seconds,
    [`${prefix}_F_META_TIME`]: 0,
    [`${prefix}_F_SLOWEST_RANK_TIME`]: seconds,
  });
  const modules = {
    POSIX: [{ path: '/scratch/a', values: record('POSIX', posixSeconds) }],
    'MPI-IO': [{ path: '/scratch/a', values: record('MPIIO', mpiSeconds) }],
    STDIO: [{ path: '/scratch/log', values: record('STDIO', 1) }],
  };
  return countedIo(counterTrace({ job: { runTime: 100 }, modules }), new Uint8Array(2));
}

test('what processes wait for each other in MPI-IO is time of theirs, beyond that of the requests below', () => {
  expect(job(5, 40).io).toMatchObject({ transferNs: 41e9, metadataNs: 0 });
  expect(job(40, 5).io).toMatchObject({ transferNs: 41e9 });
});

test('times of one layer are shares of what that layer takes', () => {
  const { perNs, perNsOfMpi } = job(5, 40);
  expect(perNs).toBeCloseTo(6 / 24);
  expect(perNsOfMpi).toBeCloseTo(40 / 160);
});

test('no run is shorter than its I/O', () => {
  expect(job(5, 4000).io.transferNs).toBe(100e9);
});
