import { isMadeByLibrary, type Insight } from '../insight.ts';
import { joined } from '../message.ts';

/**
 * Puts together what counters say of a run and what events say of its lines: findings of one code are one. The counters
 * cover all files of the run and decide on title, severity and files; the events add lines and the share of the time.
 */
export function mergeInsights(counted: readonly Insight[], placed: readonly Insight[]): Insight[] {
  const byCode = new Map(placed.map((insight) => [insight.code, insight]));
  const merged = counted.map((insight) => {
    const events = byCode.get(insight.code);
    byCode.delete(insight.code);
    return events === undefined || isMadeByLibrary(insight) ? insight : merge(insight, events);
  });
  return [...merged, ...byCode.values()];
}

function merge(counted: Insight, events: Insight): Insight {
  return {
    ...counted,
    // Fixes and estimates go by the name of the trigger that knows lines.
    trigger: events.trigger,
    message: joined(counted.message, ' In the traced segments: ', events.message),
    evidence: { ...events.evidence, ...counted.evidence },
    bounds: { ...counted.bounds, ...events.bounds },
    files: counted.files.length > 0 ? counted.files : events.files,
    sites: isAtMostInformation(counted)
      ? events.sites.map((site) => ({ ...site, severity: counted.severity }))
      : events.sites,
    // What is as it should be needs no advice.
    recommendations:
      counted.recommendations.length > 0 || counted.severity === 'ok'
        ? counted.recommendations
        : events.recommendations,
  };
}

/** Its places are no graver than it is. */
function isAtMostInformation({ severity }: Insight): boolean {
  return severity === 'info' || severity === 'ok';
}
