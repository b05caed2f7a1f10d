import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { counterTrace, type CounterLogParts } from '../../../../test/support/counter-trace.ts';
import type { Insight, Recommendation } from '../insight.ts';
import { aggregatorHints, hdf5AsyncConnector, stripedOutput } from '../job-snippets.ts';
import { DEFAULT_THRESHOLDS } from '../thresholds.ts';
import { COUNTER_CATALOGUE } from './counter-catalogue.ts';
import { findCounterInsights } from './find-counter-insights.ts';
import { stripeFor } from './striping.ts';

const GIB = 1024 ** 3;

const ON_LUSTRE = { job: { mounts: [['/scratch', 'lustre']] as const } };

/** A shared file whose processes move unequal amounts: P18, with advice on stripes. */
function unbalanced(path: string, bytes: number, rest: Partial<CounterLogParts> = {}): CounterLogParts {
  const values = {
    POSIX_BYTES_WRITTEN: 1000,
    POSIX_WRITES: 10,
    POSIX_MAX_BYTE_WRITTEN: bytes - 1,
    POSIX_SLOWEST_RANK_BYTES: 900,
    POSIX_FASTEST_RANK_BYTES: 100,
  };
  return { modules: { POSIX: [{ path, values }] }, ...ON_LUSTRE, ...rest };
}

function jobAdvice(parts: CounterLogParts, code = 'P18'): readonly Recommendation[] {
  const trace = counterTrace(parts);
  const insights: Insight[] = findCounterInsights(trace, trace.counters, DEFAULT_THRESHOLDS);
  const insight = insights.find((each) => each.code === code);
  expect(insight).toBeDefined();
  return insight!.recommendations.filter(({ audience }) => audience === 'job');
}

function patch(parts: CounterLogParts, code?: string): string {
  return jobAdvice(parts, code)[0]!.snippet!.code;
}

describe('stripes', () => {
  test.each([
    [3 * 1024 ** 2, '-S 1M -c 3'],
    [0.5 * GIB, '-S 1M -c 4'],
    [5 * GIB, '-S 4M -c 8'],
    [50 * GIB, '-S 4M -c 24'],
    [500 * GIB, '-S 4M -c 72'],
  ])('of a file of %d bytes', (bytes, options) =>
    expect(patch(unbalanced('/scratch/u/out.dat', bytes))).toContain(`lfs setstripe ${options} /scratch/u\n`),
  );

  test('a file within one stripe, or elsewhere than on Lustre, or on as many targets, is left alone', () => {
    expect(jobAdvice(unbalanced('/scratch/out', 1024 ** 2))).toEqual([]);
    const nfs = {
      job: {
        mounts: [
          ['/', 'ext4'],
          ['/home', 'nfs'],
        ] as const,
      },
    };
    expect(jobAdvice(unbalanced('/home/out', 5 * GIB, nfs))).toEqual([]);
    const layouts = [{ path: '/scratch/out', stripeSize: 1 << 20, stripeCount: 8 }];
    expect(jobAdvice(unbalanced('/scratch/out', 5 * GIB, { layouts }))).toEqual([]);
  });

  test('nobody knows the file system: words, and no lines that may not work there', () => {
    const [advice] = jobAdvice(unbalanced('/data/out', 5 * GIB, { job: {} }));
    expect(advice!.text).toContain('On Lustre');
    expect(advice!.snippet).toBeUndefined();
  });

  test('no target is taken away, and both findings on a folder name the same stripes', () => {
    const layouts = [{ path: '/scratch/out', stripeSize: 1 << 20, stripeCount: 64 }];
    const values = { POSIX_WRITES: 100, POSIX_FILE_NOT_ALIGNED: 90, POSIX_ACCESS1_ACCESS: 3 << 20 };
    const parts = unbalanced('/scratch/out', 5 * GIB, { layouts });
    Object.assign(parts.modules['POSIX']![0]!.values, values);
    expect(patch(parts, 'P08')).toContain('lfs setstripe -S 3M -c 64 /scratch');
    const fewer = unbalanced('/scratch/out', 5 * GIB, { layouts: [{ ...layouts[0]!, stripeCount: 1 }] });
    Object.assign(fewer.modules['POSIX']![0]!.values, values);
    expect(patch(fewer, 'P08')).toBe(patch(fewer, 'P18'));
  });

  test('what there was so far stands behind it', () => {
    const layouts = [{ path: '/scratch/out', stripeSize: 1 << 20, stripeCount: 1 }];
    expect(patch(unbalanced('/scratch/out', 5 * GIB, { layouts }))).toContain(
      'lfs setstripe -S 4M -c 8 /scratch  # was: 1\n',
    );
  });

  test('for misaligned requests a stripe holds whole ones', () => {
    expect([4096, 262_144, 1 << 20, 3 << 20, 47_008, 0, 200 << 20].map(stripeFor)).toEqual([
      undefined,
      1 << 20,
      1 << 20,
      3 << 20,
      undefined,
      undefined,
      undefined,
    ]);
    const values = {
      POSIX_WRITES: 100,
      POSIX_FILE_NOT_ALIGNED: 90,
      POSIX_ACCESS1_ACCESS: 3 << 20,
      POSIX_MAX_BYTE_WRITTEN: 5 * GIB,
    };
    const layouts = [{ path: '/scratch/out', stripeSize: 1 << 20, stripeCount: 8 }];
    const parts = { modules: { POSIX: [{ path: '/scratch/out', values }] }, layouts };
    expect(patch(parts, 'P08')).toContain('lfs setstripe -S 3M -c 8 /scratch  # was: 8\n');
  });

  test('a folder with a name like a command is a word', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'iolens-job-'));
    try {
      const evil = "/scratch/$(touch pwned)/`touch pwned`/'; touch pwned #\n touch pwned; /x";
      const code = patch(unbalanced(`${evil}/out.dat`, 5 * GIB));
      const script = `lfs() { printf '%s' "\${@: -1}" > argument; }\n${code}`;
      execFileSync('bash', ['--norc', '-eu', '-c', script], { cwd: folder });
      expect(readFileSync(path.join(folder, 'argument'), 'utf8')).toBe(evil);
      expect(execFileSync('ls', [folder], { encoding: 'utf8' })).toBe('argument\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('patches are shell', () => {
  function run(code: string, print: string): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'iolens-job-'));
    try {
      mkdirSync(path.join(folder, 'lib'));
      const env = { PATH: process.env['PATH'], SLURM_JOB_NUM_NODES: '7', VOL_ASYNC: folder, OUTPUT_FOLDER: '/o' };
      return execFileSync('bash', ['--norc', '-eu', '-c', `lfs() { :; }\n${code}\n${print}`], {
        cwd: folder,
        encoding: 'utf8',
        env,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test('one aggregator on each node: as many as the log says, or the batch system', () => {
    const print = 'cat "$ROMIO_HINTS"; echo "$MPICH_MPIIO_HINTS" "$OMPI_MCA_io_ompio_num_aggregators"';
    expect(run(aggregatorHints(3, ['read']).code, print)).toBe(
      'cb_nodes 3\nromio_cb_read enable\n*:cb_nodes=3:romio_cb_read=enable 3\n',
    );
    expect(run(aggregatorHints(undefined, []).code, print)).toBe('cb_nodes 7\n*:cb_nodes=7 7\n');
  });

  test('the others', () => {
    expect(run(hdf5AsyncConnector().code, 'echo "$HDF5_VOL_CONNECTOR"')).toBe('async under_vol=0;under_info={}\n');
    expect(run(stripedOutput().code, 'echo done')).toBe('done\n');
  });
});

test('what advises the job is shell, and what advises the code is not', () => {
  const parts: CounterLogParts = {
    modules: {
      ...unbalanced('/scratch/out', 5 * GIB).modules,
      'MPI-IO': [{ path: '/scratch/x.h5', values: { MPIIO_INDEP_READS: 2000, MPIIO_INDEP_WRITES: 2000 } }],
    },
    job: { metadata: [['h', 'cb_nodes=9']] },
    hosts: ['a', 'b', 'c', 'd'],
  };
  const trace = counterTrace(parts);
  const insights = findCounterInsights(trace, trace.counters, DEFAULT_THRESHOLDS);
  expect(insights.length).toBeLessThan(COUNTER_CATALOGUE.length);
  const advice = insights.flatMap(({ recommendations }) => recommendations);
  expect(new Set(advice.map(({ audience }) => audience))).toEqual(new Set(['code', 'job']));
  for (const { audience, snippet, alternatives = [] } of advice) {
    for (const { language } of snippet === undefined ? [] : [snippet, ...alternatives]) {
      expect(language === 'shell').toBe(audience === 'job');
    }
  }
});

/** What is said of small reads, by POSIX and MPI-IO alike: advice of P05 and of P15. */
function adviceOnReads(path: string, mpiIo: Readonly<Record<string, number>>, sizes = '0_100'): string[] {
  const small = { POSIX_READS: 2000, [`POSIX_SIZE_READ_${sizes}`]: 2000, POSIX_F_READ_TIME: 1 };
  const trace = counterTrace({
    modules: { POSIX: [{ path, values: small }], 'MPI-IO': [{ path, values: mpiIo }] },
  });
  return findCounterInsights(trace, trace.counters, DEFAULT_THRESHOLDS)
    .filter(({ code }) => code === 'P05' || code === 'P15')
    .map(({ recommendations }) => recommendations.map((each) => `${each.text} ${each.snippet?.code ?? ''}`).join(' '));
}

test('who reads HDF5 alone, and little at a time, reads its metadata', () => {
  for (const words of adviceOnReads('/x.h5', { MPIIO_INDEP_READS: 1990, MPIIO_COLL_READS: 10 }))
    expect(words).toMatch(/H5Pset_all_coll_metadata_ops.*H5Pset_dxpl_mpio/s);
  for (const [path, mpiIo, sizes] of [
    ['/x.h5', { MPIIO_INDEP_READS: 1990, MPIIO_COLL_READS: 10 }, '10K_100K'],
    ['/x.h5', { MPIIO_INDEP_READS: 10, MPIIO_COLL_READS: 1990 }, '0_100'],
    ['/x', { MPIIO_INDEP_READS: 1990, MPIIO_COLL_READS: 10 }, '0_100'],
  ] as const)
    for (const words of adviceOnReads(path, mpiIo, sizes)) expect(words).not.toContain('all_coll_metadata');
});

test('no advice to make calls collective where all of them are', () => {
  const advice = (mpiIo: Readonly<Record<string, number>>): string[] => adviceOnReads('/x', mpiIo);
  const collective = advice({ MPIIO_COLL_READS: 100 });
  expect(collective).toHaveLength(2);
  for (const words of collective) {
    expect(words).toContain('are collective already');
    expect(words).not.toContain('MPI_File_read_at_all');
  }
  // A header that one process reads for itself makes no difference.
  expect(advice({ MPIIO_COLL_READS: 1000, MPIIO_INDEP_READS: 2 })).toEqual(collective);
  for (const words of advice({ MPIIO_COLL_READS: 100, MPIIO_INDEP_READS: 100 }))
    expect(words).toContain('MPI_File_read_at_all');
});
