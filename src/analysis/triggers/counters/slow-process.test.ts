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
