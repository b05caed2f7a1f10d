import { expect, test } from 'vitest';
import { counterTrace, type CounterLogParts } from '../../../test/support/counter-trace.ts';
import { NO_SITES } from '../../../test/support/traced-gains.ts';
import { measure } from '../metrics/access-metrics.ts';
import { ignoredFiles } from '../metrics/ignored-files.ts';
import { findInsights } from '../triggers/evaluate.ts';
import { DEFAULT_THRESHOLDS } from '../triggers/thresholds.ts';
import { estimateGains } from './estimate-gains.ts';
import type { Estimates } from './gain.ts';

function estimated(parts: CounterLogParts, thresholds = DEFAULT_THRESHOLDS): Estimates {
  const trace = counterTrace(parts);
  const ignored = ignoredFiles(trace.files);
  const metrics = measure(trace, NO_SITES, ignored);
  const insights = findInsights(trace, metrics, thresholds, NO_SITES);
  return estimateGains({ trace, callSites: NO_SITES, metrics, ignored }, insights);
}

/** Of 2,048 processes that write a file one takes so much longer than the fastest; a job of 1,000 s. */
function straggler(seconds: number): CounterLogParts {
  const values = {
    POSIX_WRITES: 2048,
    POSIX_BYTES_WRITTEN: 2 ** 31,
    POSIX_F_WRITE_TIME: 2048 + seconds,
    POSIX_F_SLOWEST_RANK_TIME: 1 + seconds,
    POSIX_F_FASTEST_RANK_TIME: 1,
  };
  const other = { POSIX_WRITES: 2048, POSIX_F_WRITE_TIME: 300_000, POSIX_F_SLOWEST_RANK_TIME: 400 };
  const modules = {
    POSIX: [
      { path: '/s/a', values },
      { path: '/s/b', values: other },
    ],
  };
  return { job: { runTime: 1000, processes: 2048 }, modules };
}

test('where one process holds up all others, the run waits for it, however little that is of what all take', () => {
  const { insights, run } = estimated(straggler(400));
  expect(run.ioShare).toBeCloseTo(0.801);
  const { cost, gain, severity } = insights.find(({ code }) => code === 'P19')!;
  expect(cost!.shareOfRun).toBeCloseTo(0.4);
  expect(gain).toMatchObject({ savedNs: null, lowNs: 0, highNs: 400e9 });
  expect(severity).toBe('high');
});

test('what holds up less of the run is less grave', () => {
  const severities = [400, 240, 60].map((seconds) => {
    // Drishti asks what part of all time it is.
    const { insights } = estimated(straggler(seconds), { ...DEFAULT_THRESHOLDS, imbalance_stragglers: 0.01 });
    return insights.find(({ code }) => code === 'P19')!.severity;
  });
  expect(severities).toEqual(['high', 'warn', 'warn']);
});
