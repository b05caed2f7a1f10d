import type { EventTable } from '../../trace/events.ts';

/** darshan-dxt-parser prints times with four decimals: nanoseconds of the last one. */
const RESOLUTION_NS = 1e5;
/** What a difference of two times that are rounded apart from each other errs by: standard deviation. */
const ERROR_NS = RESOLUTION_NS / Math.sqrt(6);
/** Share of the time of all calls that may be rounding where findings still go by time. */
const MOST_ERROR = 0.05;

/**
 * Whether the durations of rounded segments say more about the rounding than about the calls: most seem to take no
 * time, and the sum of all, in which the errors of so many calls partly make up for each other, is not much larger than
 * what is left of these.
 */
export function drownInRounding(events: EventTable): boolean {
  let [known, below, sum] = [0, 0, 0];
  events.chunks.forEach(({ duration }, number) => {
    const rows = events.rowsIn(number);
    for (let row = 0; row < rows; row++) {
      const ns = duration[row]!;
      if (Number.isNaN(ns)) continue;
      known++;
      sum += ns;
      if (ns < RESOLUTION_NS / 2) below++;
    }
  });
  return below > known / 2 && Math.sqrt(known) * ERROR_NS > MOST_ERROR * sum;
}
