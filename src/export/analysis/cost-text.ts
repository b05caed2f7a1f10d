import type { Cost } from '../../analysis/gain/cost.ts';
import { formatDuration, formatShare } from '../../base/quantities.ts';

/** Calls with what was recorded of them, and what they cost in the run where that is known. */
export interface Costly {
  readonly timeNs: number;
  readonly cost?: Cost;
}

/** What calls are ordered by: what they cost; where nobody knows, what was recorded. Nanoseconds. */
export function costNs({ cost, timeNs }: Costly): number {
  return cost?.untracedNs ?? timeNs;
}

/** Share of the run. @param recorded share of the recorded I/O time, where no cost is known. */
export function shareOfRun({ cost }: Pick<Costly, 'cost'>, recorded: number): number {
  return cost?.shareOfRun ?? recorded;
}

/** `2.3 ms`; `0.4 %` of a share. */
export function costText(calls: Costly): string {
  return formatDuration(costNs(calls));
}

/** The recorded time where it is another than the cost, for a tracer's part is in it: `194 ms`; else undefined. */
export function recordedText({ timeNs, cost }: Costly): string | undefined {
  return cost?.traced === true ? formatDuration(timeNs) : undefined;
}

/** `2.3 ms, 66 % of the run (recorded: 194 ms)`. @param recordedShare of the I/O time, where no cost is known. */
export function costWithShare(calls: Costly, recordedShare: number): string {
  if (calls.cost === undefined) return `${formatDuration(calls.timeNs)} (${formatShare(recordedShare)})`;
  const recorded = recordedText(calls);
  const beside = recorded === undefined ? '' : ` (recorded: ${recorded})`;
  return `${costText(calls)}, ${formatShare(calls.cost.shareOfRun)} of the run${beside}`;
}

/** The same behind other amounts: `, 2.3 ms, …`; the share of the calls alone where no durations were recorded. */
export function andCost(calls: Costly, recordedShare: number): string {
  return calls.timeNs > 0 ? `, ${costWithShare(calls, recordedShare)}` : ` (${formatShare(recordedShare)})`;
}
