import { describe, expect, test } from 'vitest';
import { codes, find, posix } from '../../../../test/support/darshan/counter-findings.ts';
import type { CounterLogParts } from '../../../../test/support/counter-trace.ts';
import type { Insight } from '../insight.ts';

describe('P18, P19, P21, P22: balance', () => {
  const READ_TOO = { POSIX_BYTES_READ: 500, POSIX_READS: 1 };
  test('bytes of the slowest and the fastest process of a shared file', () => {
    const values = {
      POSIX_BYTES_READ: 600,
      POSIX_BYTES_WRITTEN: 400,
      POSIX_SLOWEST_RANK_BYTES: 251,
      POSIX_FASTEST_RANK_BYTES: 100,
      POSIX_READS: 1,
    };
    expect(find('P18', posix(values)).evidence).toMatchObject({ files: 1, imbalance: 0.151 });
    expect(codes(posix({ ...values, POSIX_SLOWEST_RANK_BYTES: 250 }))).not.toContain('P18');
    expect(codes(posix({ ...values, POSIX_FASTEST_RANK_BYTES: -1 }))).not.toContain('P18');
    expect(codes(posix(values, 0))).not.toContain('P18');
  });
  test('a shared file that collective calls move: few processes make the requests of all', () => {
    const values = {
      ...{ POSIX_BYTES_WRITTEN: 1000, POSIX_SLOWEST_RANK_BYTES: 1000, POSIX_FASTEST_RANK_BYTES: 0, POSIX_WRITES: 4 },
      ...{ POSIX_F_WRITE_TIME: 10, POSIX_F_SLOWEST_RANK_TIME: 9, POSIX_F_FASTEST_RANK_TIME: 0.1 },
    };
    const log = (mpiIo: Readonly<Record<string, number>>, more = {}): CounterLogParts => ({
      modules: { POSIX: [{ path: '/x', values: { ...values, ...more } }], 'MPI-IO': [{ path: '/x', values: mpiIo }] },
    });
    const advice = ({ recommendations }: Insight): string => recommendations.map(({ text }) => text).join(' ');
    const together = log({ MPIIO_COLL_WRITES: 8 });
    expect([find('P18', together).severity, advice(find('P18', together))]).toEqual(['ok', '']);
    expect(find('P19', together).severity).toBe('high');
    expect(advice(find('P19', together))).toMatch(/cb_nodes/);
    expect(advice(find('P19', together))).not.toMatch(/evenly/);
    // Each for itself, or a process that reads it by POSIX besides.
    for (const single of [
      log({ MPIIO_INDEP_WRITES: 8 }),
      log({ MPIIO_COLL_WRITES: 8, MPIIO_INDEP_READS: 1 }, READ_TOO),
    ])
      for (const code of ['P18', 'P19']) {
        expect(find(code, single).severity).toBe('high');
        expect(advice(find(code, single))).toMatch(/evenly/);
      }
  });
  test('their times', () => {
    const values = {
      POSIX_F_READ_TIME: 6,
      POSIX_F_META_TIME: 4,
      POSIX_F_SLOWEST_RANK_TIME: 2.6,
      POSIX_F_FASTEST_RANK_TIME: 1,
    };
    expect(find('P19', posix(values)).evidence['timeDifferenceNs']).toBeCloseTo(1.6e9);
    expect(codes(posix({ ...values, POSIX_F_SLOWEST_RANK_TIME: 2.4 }))).not.toContain('P19');
  });
  test('processes that share a file which not all of them use', () => {
    const record = (rank: number, bytes: number) => ({
      path: '/part',
      rank,
      values: { POSIX_BYTES_WRITTEN: bytes, POSIX_WRITES: 2 },
    });
    const insight = find('P21', { modules: { POSIX: [record(0, 1000), record(1, 699)] } });
    expect(insight.evidence).toMatchObject({ files: 1, imbalance: 0.301 });
    expect(insight.files[0]).toMatchObject({ events: 4, bytes: 1699 });
    expect(codes({ modules: { POSIX: [record(0, 1000), record(1, 700)] } })).not.toContain('P21');
    expect(codes({ modules: { POSIX: [record(0, 1000)] } })).not.toContain('P21');
    expect(codes({ modules: { POSIX: [record(0, 1000), record(1, 699)] } })).not.toContain('P22');
  });
  test('aggregators of collective writes move the bytes of all: that is no imbalance, as little as it is with P22', () => {
    const written = { POSIX_BYTES_WRITTEN: 1000, POSIX_WRITES: 2, POSIX_BYTES_READ: 1000, POSIX_READS: 2 };
    const posix = ['/part', '/other'].flatMap((path) => [
      { path, rank: 0, values: written },
      { path, rank: 1, values: { ...written, POSIX_BYTES_WRITTEN: 10, POSIX_BYTES_READ: 10 } },
    ]);
    const log = (values: Readonly<Record<string, number>>, records = posix.slice(0, 2)): CounterLogParts => ({
      modules: { POSIX: records, 'MPI-IO': [{ path: '/part', values }] },
    });
    for (const [code, counter] of [
      ['P21', 'MPIIO_COLL_WRITES'],
      ['P22', 'MPIIO_COLL_READS'],
    ] as const) {
      const insight = find(code, log({ [counter]: 4 }));
      expect([insight.severity, insight.recommendations]).toEqual(['ok', []]);
      expect(insight.message).toContain('some processes make the requests of all: that is as it should be');
      // Another file has none: it is the one that is named.
      const mixed = find(code, log({ [counter]: 4 }, posix));
      expect([mixed.severity, mixed.evidence['files'], mixed.files.length]).toEqual(['high', 2, 1]);
    }
    expect(find('P21', log({ MPIIO_COLL_READS: 4, MPIIO_INDEP_WRITES: 4 })).severity).toBe('high');
    // Single calls that are many and small move few of the bytes.
    const single = { MPIIO_COLL_READS: 4, MPIIO_INDEP_READS: 90 };
    expect(find('P22', log({ ...single, MPIIO_SIZE_READ_AGG_100_1K: 92 })).severity).toBe('ok');
    expect(find('P22', log({ ...single, MPIIO_SIZE_READ_AGG_100_1K: 80 })).severity).toBe('high');
    // Nothing is read through MPI-IO: what writes for all reads the gaps between the pieces before.
    const sieved = posix.slice(0, 2).map(({ values, ...record }) => ({
      ...record,
      values: { ...values, POSIX_RW_SWITCHES: 2 * values.POSIX_READS },
    }));
    expect(find('P22', log({ MPIIO_COLL_WRITES: 4 }, sieved)).severity).toBe('ok');
    expect(find('P22', log({ MPIIO_COLL_WRITES: 4, MPIIO_INDEP_READS: 1 }, sieved)).severity).toBe('high');
    // Where single calls write, the reads are as little the program's.
    expect(codes(log({ MPIIO_INDEP_WRITES: 4 }, sieved))).not.toContain('P22');
    // A process that reads back by POSIX what all have written.
    expect(find('P22', log({ MPIIO_COLL_WRITES: 4 })).severity).toBe('high');
  });
});
