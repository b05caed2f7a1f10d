/** A signed integer of 64 bits, which the store holds, has none from here on. */
const MOST_COUNT = 2 ** 63;
/** Begin of the year 10000: a later moment is none. */
const MOST_SECONDS = 253_402_300_800;

/** What a counter says; null for what none can say: text, NaN, infinite, negative, larger than any counter of 64 bits. */
export function counterValue(text: string | undefined): number | null {
  const value = text === undefined || text.trim() === '' ? NaN : Number(text);
  return value >= 0 && value < MOST_COUNT ? value : null;
}

/** Whether seconds since 1970 are a moment of some calendar. */
export function isMoment(seconds: number): boolean {
  return seconds > 0 && seconds < MOST_SECONDS;
}
