import type { Amount } from '../insight.ts';
import type { Thresholds } from '../thresholds.ts';

/** What a finding of counters amounts to at least: shares of a log hold for a handful of calls as well. */
export interface Floor {
  /** Fewer calls than this, which move no more than `bytes`, are a trifle. */
  readonly calls: number;
  readonly bytes: number;
  /** Nanoseconds of all processes together: what takes less costs nothing. */
  readonly timeNs: number;
  /** Nanoseconds that some processes take longer than others. */
  readonly differenceNs: number;
}

/** Drishti has none. */
export const NO_FLOOR: Floor = { calls: 0, bytes: 0, timeNs: 0, differenceNs: 0 };

/**
 * The bounds that findings over calls have.
 * @param runTimeNs NaN when the log does not know.
 */
export function floorOf({ site_events, small_bytes, run_share, site_share }: Thresholds, runTimeNs: number): Floor {
  const run = runTimeNs > 0 ? runTimeNs : 0;
  return { calls: site_events, bytes: small_bytes, timeNs: run_share * run, differenceNs: site_share * run };
}

/** @param hasTimes the log measured any: else nothing is told by them. */
export function isTrifle({ events, bytes, timeNs }: Readonly<Amount>, floor: Floor, hasTimes: boolean): boolean {
  const isLittle = events < floor.calls && bytes <= floor.bytes;
  return isLittle || (hasTimes && timeNs < floor.timeNs);
}
