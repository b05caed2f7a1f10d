import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import { CATALOGUE } from './catalogue.ts';
import { findCounterInsights } from './counters/find-counter-insights.ts';
import type { Insight } from './insight.ts';
import { runView } from './run-view.ts';
import { Situations } from './situations.ts';
import type { Thresholds } from './thresholds.ts';

/**
 * Codes of the triggers that hold as Drishti would have them. It reads counters alone, where there are any. Without them
 * its conditions are asked of the totals of the calls: what no line or file has much of may be much of the run.
 *
 * @param insights the findings of the report.
 */
export function drishtiCodes(
  trace: Trace,
  metrics: Metrics,
  thresholds: Thresholds,
  insights: readonly Insight[],
): Set<string> {
  const { counters } = trace;
  if (counters !== undefined) return codesOf(findCounterInsights(trace, counters, thresholds));
  const run = runView(trace, metrics, new Situations(trace, metrics, thresholds));
  const held = CATALOGUE.filter(
    (trigger) =>
      trigger.kind === 'site' &&
      trigger.when?.(run, thresholds) !== false &&
      trigger.drishti?.(run, thresholds) === true,
  );
  return codesOf([...insights, ...held]);
}

function codesOf(all: readonly { readonly code: string }[]): Set<string> {
  return new Set(all.map(({ code }) => code));
}
