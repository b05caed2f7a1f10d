const DAY = 86_400;
/** From one day to ten years. */
const STEPS = [1, 2, 7, 14, 30, 61, 91, 182, 365, 730, 1_826, 3_652];
const MOST_TICKS = 8;

/** Moments of an axis of time: full days of UTC, seconds since 1970. */
export function dayTicks(from: number, to: number): number[] {
  const days = (to - from) / DAY;
  const step = DAY * (STEPS.find((each) => days / each <= MOST_TICKS) ?? Math.ceil(days / MOST_TICKS));
  const ticks: number[] = [];
  for (let at = Math.ceil(from / DAY) * DAY; at <= to; at += step) ticks.push(at);
  return ticks;
}

/** `2026-10-12` (UTC). */
export function dayLabel(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** `2026-10-12 14:05` (UTC). */
export function minuteLabel(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 16).replace('T', ' ');
}
