import type { Metric } from '../../metrics/metric-table.ts';
import { formatBytes, formatCount } from '../../../base/quantities.ts';
import type { Amount } from '../insight.ts';
import type { GroupView, MetricView } from '../trigger.ts';

/** What triggers are put together from. */

export const NOTHING: Amount = { events: 0, bytes: 0, timeNs: 0 };

export function amount(view: MetricView, events: Metric, bytes: Metric | null, time: Metric): Amount {
  return { events: view.get(events), bytes: bytes === null ? 0 : view.get(bytes), timeNs: view.get(time) };
}

export function plus(a: Amount, b: Amount): Amount {
  return { events: a.events + b.events, bytes: a.bytes + b.bytes, timeNs: a.timeNs + b.timeNs };
}

export function minus(a: Amount, b: Amount): Amount {
  return { events: a.events - b.events, bytes: a.bytes - b.bytes, timeNs: a.timeNs - b.timeNs };
}

/** All reads and writes. */
export function transfers(view: MetricView): Amount {
  return plus(amount(view, 'reads', 'readBytes', 'readTime'), amount(view, 'writes', 'writtenBytes', 'writeTime'));
}

export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** ` of 16 B`; of a mix its two sizes, its bounds and its median, or else what the calls move on average. */
export function ofSize({ sizes, medianBytes, offence }: GroupView): string {
  const [first, second] = sizes;
  const last = sizes.at(-1);
  if (first === undefined || last === undefined) {
    return offence.bytes === 0 ? '' : ` (${formatBytes(Math.round(offence.bytes / offence.events))} on average)`;
  }
  if (second === undefined) return ` of ${formatBytes(first[0])}`;
  if (sizes.length > 2)
    return ` (${formatBytes(first[0])} to ${formatBytes(last[0])}, median ${formatBytes(medianBytes)})`;
  return ` (${sizes.map(([size, calls]) => `${formatCount(calls)} of ${formatBytes(size)}`).join(', ')})`;
}
