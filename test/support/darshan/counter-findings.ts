import { expect } from 'vitest';
import { findCounterInsights } from '../../../src/analysis/triggers/counters/find-counter-insights.ts';
import type { Insight } from '../../../src/analysis/triggers/insight.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../../src/analysis/triggers/thresholds.ts';
import { counterTrace, type CounterLogParts } from '../counter-trace.ts';
import { withSlots } from '../sentences.ts';

/** What is found in the counters of a log. */
export function found(parts: CounterLogParts, thresholds: Partial<Thresholds> = {}): Insight[] {
  const trace = counterTrace(parts);
  return withSlots(findCounterInsights(trace, trace.counters, { ...DEFAULT_THRESHOLDS, ...thresholds }));
}

export function codes(parts: CounterLogParts, thresholds: Partial<Thresholds> = {}): string[] {
  return found(parts, thresholds).map(({ code }) => code);
}

export function find(code: string, parts: CounterLogParts, thresholds: Partial<Thresholds> = {}): Insight {
  const insight = found(parts, thresholds).find((each) => each.code === code);
  expect(insight, code).toBeDefined();
  return insight!;
}

/** One POSIX record of all processes. */
export function posix(values: Readonly<Record<string, number>>, rank = -1): CounterLogParts {
  return { modules: { POSIX: [{ path: '/scratch/out.dat', rank, values }] } };
}
