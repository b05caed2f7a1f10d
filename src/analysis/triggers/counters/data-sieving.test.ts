import { expect, test } from 'vitest';
import { codes, find } from '../../../../test/support/darshan/counter-findings.ts';
import type { CounterLogParts } from '../../../../test/support/counter-trace.ts';

const MIB = 1 << 20;

/** A file that the program only writes through MPI-IO, with reads between the writes below. */
function sieved(
  below: Readonly<Record<string, number>> = {},
  above: Readonly<Record<string, number>> = {},
): CounterLogParts {
  const values = {
    ...{ POSIX_READS: 2000, POSIX_WRITES: 2000, POSIX_RW_SWITCHES: 3999, POSIX_SIZE_READ_100K_1M: 2000 },
    ...{ POSIX_BYTES_READ: 1000 * MIB, POSIX_BYTES_WRITTEN: 2000 * MIB, POSIX_MAX_BYTE_READ: 800 * MIB },
    ...{ POSIX_F_READ_TIME: 5, POSIX_F_WRITE_TIME: 5 },
    ...below,
  };
  const asked = { MPIIO_COLL_WRITES: 400, MPIIO_BYTES_WRITTEN: 500 * MIB, ...above };
  return {
    job: { processes: 4 },
    modules: {
      POSIX: [{ path: '/scratch/out.nc', rank: -1, values }],
      'MPI-IO': [{ path: '/scratch/out.nc', rank: -1, values: asked }],
    },
  };
}

test('reads between the writes of a file that the program only writes are those of MPI-IO', () => {
  const insight = find('L22', sieved());
  expect(insight.severity).toBe('high');
  expect(insight.message).toContain('The program only writes 500 MiB to 1 file through MPI-IO');
  expect(insight.message).toContain('2,000 reads of 1,000 MiB for what lies between the pieces (data sieving)');
  expect(insight.message).toContain('writes 1.95 GiB, gaps and all');
  expect(insight.evidence).toMatchObject({ lowerReads: 2000, usefulBytes: 500 * MIB, share: 0.5 });
  expect(insight.recommendations.map(({ text }) => text).join()).toContain('side by side');
});

test('small reads are said to be theirs, with their advice, and are no bytes that are read again', () => {
  const insight = find('P05', sieved());
  expect(insight.message).toContain('MPI-IO makes 2,000 of them by itself, before it writes.');
  expect(insight.recommendations.map(({ text }) => text).join()).not.toContain('Read larger');
  const once = sieved({ POSIX_RW_SWITCHES: 4 });
  expect(
    find('P05', once)
      .recommendations.map(({ text }) => text)
      .join(),
  ).toContain('Read larger');
  const again = { POSIX_MAX_BYTE_READ: 100 * MIB };
  expect(codes(sieved(again))).not.toContain('P09');
  expect(codes(sieved({ ...again, POSIX_RW_SWITCHES: 4 }))).toContain('P09');
});

test('whoever reads back, or reads through MPI-IO, too, reads for its own sake', () => {
  expect(codes(sieved({ POSIX_RW_SWITCHES: 4 }))).not.toContain('L22');
  expect(codes(sieved({}, { MPIIO_COLL_READS: 1 }))).not.toContain('L22');
  expect(codes(sieved({}, { MPIIO_COLL_WRITES: 0 }))).not.toContain('L22');
  expect(codes(sieved({ POSIX_F_READ_TIME: 0.001 }))).not.toContain('L22');
});

test('without gaps the reads serve nothing, and where most of it is used they are as they should be', () => {
  const useless = find('L22', sieved({ POSIX_BYTES_WRITTEN: 500 * MIB }));
  expect(useless.message).toContain('although no gap is among what it writes');
  expect(useless.recommendations.map(({ text }) => text).join()).toContain('romio_ds_write=disable');
  const few = { POSIX_BYTES_READ: 50 * MIB, POSIX_BYTES_WRITTEN: 550 * MIB, POSIX_F_READ_TIME: 0.4 };
  const good = find('L22', sieved(few));
  expect([good.severity, good.recommendations]).toEqual(['ok', []]);
});

test('single calls are told to become collective', () => {
  const insight = find('L22', sieved({}, { MPIIO_COLL_WRITES: 0, MPIIO_INDEP_WRITES: 400 }));
  expect(insight.recommendations[0]!.text).toContain('Write collectively');
});
