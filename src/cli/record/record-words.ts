/** With the thousands told apart. */
export function count(number: number): string {
  return number.toLocaleString('en');
}

/** Seconds in the unit that suits. */
export function duration(value: number): string {
  const digits = (scaled: number): string => (scaled < 10 ? scaled.toFixed(1) : scaled.toFixed(0));
  if (value < 1e-3) return `${digits(value * 1e6)} µs`;
  if (value < 1) return `${digits(value * 1e3)} ms`;
  return value < 120 ? `${digits(value)} s` : `${digits(value / 60)} min`;
}
