import type { Metric } from '../../metrics/metric-table.ts';
import type { Amount } from '../insight.ts';
import { countOf, listed, say, slot, type Sentence } from '../message.ts';
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

/** The number of the calls that a finding is about: `4,096 writes`. */
export function calls({ offence }: GroupView, one: string, many?: string): Sentence {
  return countOf('calls', offence.events, one, many);
}

/**
 * ` of 16 B`; of a mix its two sizes, its bounds and its median, or else what the calls move on average.
 * @param mean of what the bytes of the offence are.
 */
export function ofSize(
  { sizes, medianBytes, offence }: GroupView,
  mean: 'meanSize' | 'meanAgain' = 'meanSize',
): Sentence {
  const [first, second] = sizes;
  const last = sizes.at(-1);
  if (first === undefined || last === undefined) {
    return offence.bytes === 0 ? [] : say` (${slot(mean, Math.round(offence.bytes / offence.events))} on average)`;
  }
  if (second === undefined) return say` of ${slot('size', first[0])}`;
  if (sizes.length > 2)
    return say` (${slot('leastSize', first[0])} to ${slot('mostSize', last[0])}, median ${slot('medianSize', medianBytes)})`;
  const each = sizes.map(([size, number]) => say`${slot('callsOfSize', number)} of ${slot('size', size)}`);
  return say` (${listed(each, ', ')})`;
}

/** How many files the calls are on; several places may use the same ones. */
export function filesOf({ files }: GroupView): number {
  return new Set(files).size;
}
