import type { Trace } from '../../../trace/trace.ts';
import type { Metrics } from '../../metrics/access-metrics.ts';
import type { CallSites } from '../../sites/call-sites.ts';
import { CounterView } from '../counters/counter-view.ts';
import { examine } from '../counters/find-counter-insights.ts';
import { evaluateSiteTrigger } from '../evaluate.ts';
import type { Insight } from '../insight.ts';
import type { Thresholds } from '../thresholds.ts';
import type { LoadedTrigger } from './own-trigger.ts';
import { plainInsight } from './plain-insight.ts';

/** What the user's triggers found, and which of them failed. */
export interface OwnInsights {
  readonly insights: readonly Insight[];
  /** In words for the user, with the file of the trigger. */
  readonly problems: readonly string[];
}

/** Evaluates the triggers that a user wrote. An error in one of them is told and harms no other. */
export function findOwnInsights(
  triggers: readonly LoadedTrigger[],
  trace: Trace,
  metrics: Metrics,
  thresholds: Thresholds,
  callSites: CallSites,
): OwnInsights {
  const insights: Insight[] = [];
  const problems: string[] = [];
  for (const { file, trigger } of triggers) {
    try {
      const found =
        trigger.kind === 'site'
          ? evaluateSiteTrigger(trigger, trace, metrics, thresholds, callSites)
          : trace.counters && examine(trigger, new CounterView(trace, trace.counters, thresholds.nodes), thresholds);
      if (isPromise(found)) {
        // What it throws later must not end the process.
        found.catch(() => undefined);
        problems.push(`${file}: trigger ${trigger.code} failed: its functions must not be asynchronous`);
      } else if (found !== undefined) insights.push(plainInsight(found, trace.files.length));
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      problems.push(`${file}: trigger ${trigger.code} failed: ${reason}`);
    }
  }
  return { insights, problems };
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}
