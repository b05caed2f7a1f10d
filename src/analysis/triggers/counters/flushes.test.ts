import { describe, expect, test } from 'vitest';
import { counterTrace, type CounterLogParts } from '../../../../test/support/counter-trace.ts';
import type { Insight } from '../insight.ts';
import { DEFAULT_THRESHOLDS } from '../thresholds.ts';
import { findCounterInsights } from './find-counter-insights.ts';
import { textOf } from '../message.ts';

function found(parts: CounterLogParts): Insight | undefined {
  const trace = counterTrace(parts);
  return findCounterInsights(trace, trace.counters, DEFAULT_THRESHOLDS).find(({ code }) => code === 'L04');
}

describe('L04: flushes', () => {
  const stream = (path: string, values: Readonly<Record<string, number>>): CounterLogParts => ({
    modules: {
      STDIO: [{ path, values: { STDIO_WRITES: 2000, STDIO_F_WRITE_TIME: 0.02, ...values } }],
      POSIX: [{ path: '/p', values: { POSIX_BYTES_WRITTEN: 1e6, POSIX_F_WRITE_TIME: 0.06 } }],
    },
  });
  const small = { STDIO_BYTES_WRITTEN: 20_000, STDIO_FLUSHES: 1000 };
  test('a stream that is flushed after every record, and its part of the time', () => {
    const insight = found(stream('/log', small))!;
    expect(insight.files).toEqual([{ file: 0, events: 1000, bytes: 20_000, timeNs: 2e7 }]);
    expect([insight.severity, insight.evidence['share']]).toEqual(['high', 0.25]);
    expect(textOf(insight.message)).toBe(
      "1,000 flushes of streams, each of 20 B on average; with all writes to these streams they take 25 % of this program's I/O time.",
    );
    expect(
      insight.recommendations.flatMap(({ snippet, alternatives = [] }) =>
        [snippet!, ...alternatives].map(({ language }) => language),
      ),
    ).toContain('c');
  });
  test.each([
    ['a flush now and then', stream('/log', { ...small, STDIO_FLUSHES: 31 })],
    ['flushes of much', stream('/log', { STDIO_BYTES_WRITTEN: 8e6, STDIO_FLUSHES: 1000 })],
    ['a stream that has no buffer', stream('<STDERR>', small)],
    ['next to no time', stream('/log', { ...small, STDIO_F_WRITE_TIME: 0.001 })],
    ['logs that did not count flushes', stream('/log', { ...small, STDIO_FLUSHES: -1 })],
  ])('not %s', (_name, parts) => expect(found(parts)).toBeUndefined());
});
