import { describe, expect, test } from 'vitest';
import { counterTrace, type CounterLogParts } from '../../../../test/support/counter-trace.ts';
import type { Insight } from '../insight.ts';
import { textOf } from '../message.ts';
import { DEFAULT_THRESHOLDS } from '../thresholds.ts';
import { findCounterInsights } from './find-counter-insights.ts';

interface Rank {
  readonly seconds: number;
  readonly bytes?: number;
  readonly path?: string;
}

function found(ranks: readonly Rank[], runTime = 100): Insight | undefined {
  const parts: CounterLogParts = {
    job: { processes: ranks.length, runTime },
    modules: {
      POSIX: ranks.map(({ seconds, bytes = 1e8, path }, rank) => ({
        path: path ?? `/scratch/out.${rank}`,
        rank,
        values: { POSIX_WRITES: 100, POSIX_BYTES_WRITTEN: bytes, POSIX_F_WRITE_TIME: seconds },
      })),
    },
  };
  const trace = counterTrace(parts);
  return findCounterInsights(trace, trace.counters, DEFAULT_THRESHOLDS).find(({ code }) => code === 'L44');
}

describe('L44: a process that takes far longer for its own files', () => {
  const even = Array.from({ length: 7 }, () => ({ seconds: 5 }));

  test('is named with its files and what is usual', () => {
    const insight = found([...even, { seconds: 85 }])!;
    expect(insight.files.map(({ timeNs }) => timeNs)).toEqual([85e9]);
    expect(textOf(insight.message)).toBe(
      '1 process of 8 takes more than twice as long for files of its own as all do on average, and moves hardly more bytes, if any: up to 85 s, where the mean is 15 s.',
    );
  });

  test.each<[string, Rank[], number?]>([
    ['one that moves more', [...even, { seconds: 85, bytes: 2e9 }]],
    ['next to nothing of the run', [...even, { seconds: 85 }], 10_000],
    ['few processes', [{ seconds: 5 }, { seconds: 5 }, { seconds: 85 }]],
    ['all alike', even],
    ['a file that several share', [...even, { seconds: 85 }].map((rank) => ({ ...rank, path: '/scratch/shared' }))],
  ])('not %s', (_what, ranks, runTime) => expect(found(ranks, runTime)).toBeUndefined());
});

describe('L44: one of many that takes far longer for a shared file', () => {
  interface Shared {
    readonly slowest: number;
    readonly all: number;
    readonly processes?: number;
    readonly runTime?: number;
    readonly collective?: number;
  }

  function codesOf({ slowest, all, processes = 2048, runTime = 655, collective = 0 }: Shared): Map<string, Insight> {
    const trace = counterTrace({
      job: { processes, runTime },
      modules: {
        POSIX: [
          {
            path: '/scratch/shared',
            values: {
              POSIX_READS: 524_288,
              POSIX_BYTES_READ: 2 ** 39,
              POSIX_F_READ_TIME: all,
              POSIX_SLOWEST_RANK: 1024,
              POSIX_FASTEST_RANK: 14,
              POSIX_SLOWEST_RANK_BYTES: 9_816_768_512,
              POSIX_FASTEST_RANK_BYTES: 0,
              POSIX_F_SLOWEST_RANK_TIME: slowest,
              POSIX_F_FASTEST_RANK_TIME: 0.01,
            },
          },
        ],
        'MPI-IO': [
          {
            path: '/scratch/shared',
            values: { MPIIO_COLL_READS: collective, MPIIO_INDEP_READS: 1, MPIIO_BYTES_READ: 1 },
          },
        ],
      },
    });
    return new Map(
      findCounterInsights(trace, trace.counters, DEFAULT_THRESHOLDS).map((insight) => [insight.code, insight]),
    );
  }

  test('337 s of one of 2,048, where the mean is 4.5: Drishti’s figures, shares of the sum, do not see it', () => {
    const found = codesOf({ slowest: 337, all: 9252 });
    const { message, files, evidence, recommendations } = found.get('L44')!;
    expect(textOf(message)).toBe(
      'On 1 shared file one process takes up to 5.62 min, where the mean of all 2,048 is 4.52 s.',
    );
    expect(files).toHaveLength(1);
    expect(evidence).toMatchObject({ processes: 2048, slowestNs: 337e9 });
    expect(recommendations[0]!.audience).toBe('code');
    for (const code of ['P18', 'P19']) expect(found.has(code), code).toBe(false);
  });

  test('aggregators of collective calls are called so', () => {
    const { message, recommendations } = codesOf({ slowest: 337, all: 9252, collective: 131_072 }).get('L44')!;
    expect(textOf(message)).toContain('By collective calls some processes make the requests of all');
    expect(recommendations[0]!.text).toContain('cb_nodes');
  });

  test('where it is a large share of the sum, P19 names it, as Drishti does', () => {
    const found = codesOf({ slowest: 337, all: 1000, processes: 8 });
    expect([found.has('P19'), found.has('L44')]).toEqual([true, false]);
  });

  test.each<[string, Shared]>([
    ['all alike', { slowest: 6, all: 9252 }],
    ['next to nothing of the run', { slowest: 337, all: 9252, runTime: 36_000 }],
  ])('not %s', (_what, log) => expect(codesOf(log).has('L44')).toBe(false));
});
