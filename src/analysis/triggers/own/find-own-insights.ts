import type { Trace } from '../../../trace/trace.ts';
import type { Metrics } from '../../metrics/access-metrics.ts';
import type { CallSites } from '../../sites/call-sites.ts';
import { CounterView } from '../counters/counter-view.ts';
import { examine } from '../counters/find-counter-insights.ts';
import { evaluateSiteTrigger } from '../evaluate.ts';
import type { Insight } from '../insight.ts';
import type { Thresholds } from '../thresholds.ts';
import type { LoadedTrigger, OwnTrigger } from './own-trigger.ts';
import { plainInsight } from './plain-insight.ts';

/** What the user's triggers found, and which of them failed. */
export interface OwnInsights {
  readonly insights: readonly Insight[];
  /** Those that could be evaluated. */
  readonly evaluated: readonly OwnTrigger[];
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
  const evaluated: OwnTrigger[] = [];
  const problems: string[] = [];
  // A user's rule has bounds of its own.
  const judging = { nodes: thresholds.nodes, ignored: metrics.ignored };
  for (const { file, trigger: written } of triggers) {
    const trigger = withSynchronousFunctions(written);
    try {
      const found =
        trigger.kind === 'site'
          ? evaluateSiteTrigger(trigger, trace, metrics, thresholds, callSites)
          : trace.counters && examine(trigger, new CounterView(trace, trace.counters, judging), thresholds);
      evaluated.push(written);
      if (found !== undefined) insights.push(plainInsight(found, trace.files.length));
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      problems.push(`${file}: trigger ${trigger.code} failed: ${reason}`);
    }
  }
  return { insights, evaluated, problems };
}

/** The same trigger, whose functions throw instead of handing out a promise: what one rejects later would end the process. */
function withSynchronousFunctions<Trigger extends object>(trigger: Trigger): Trigger {
  const properties = Object.entries(trigger).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function' ? synchronous(value as (...given: unknown[]) => unknown, trigger) : value,
  ]);
  return Object.fromEntries(properties) as Trigger;
}

function synchronous(written: (...given: unknown[]) => unknown, owner: object): (...given: unknown[]) => unknown {
  return (...given) => {
    const result = written.apply(owner, given);
    if (!(result instanceof Promise)) return result;
    result.catch(() => undefined);
    throw new TypeError('its functions must not be asynchronous');
  };
}
