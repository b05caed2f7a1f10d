import type { Metrics } from '../../analysis/metrics/access-metrics.ts';
import type { TimingDocument } from './documents.ts';

/** Calls that no finding counts. */
export function leftOutDocument({ leftOut }: Metrics): TimingDocument['leftOut'] {
  const kinds = Object.entries(leftOut).filter(([, { events, time }]) => events > 0 || time > 0);
  return {
    events: kinds.reduce((sum, [, { events }]) => sum + events, 0),
    timeNs: kinds.reduce((sum, [, { time }]) => sum + time, 0),
    kinds: Object.fromEntries(kinds.map(([kind, { events, time }]) => [kind, { events, timeNs: time }])),
  };
}
