/** Beyond it nothing can be: counters have 64 bits, and times are seconds. */
const MOST = 2 ** 64;

/**
 * A value that a recorder can have written. Records may lack a counter (NaN), and bits of a damaged log may say anything;
 * such values count as nothing, so that sums of the others stay what they are.
 */
export function isPlausible(value: number): boolean {
  return value <= MOST && value >= -MOST;
}

/** The value, or 0 when it is none. */
export function plausible(value: number): number {
  return isPlausible(value) ? value : 0;
}
