/**
 * What a user wants of a view, whatever it shows: kept over closing it, while the state of a page goes with its panel. The
 * editor gives pages of a kind the same origin in all windows. Where it gives them no storage nothing is kept, and nothing fails.
 */
export function habit(name: string): number | undefined {
  try {
    const value = Number.parseFloat(localStorage.getItem(`iolens.${name}`) ?? '');
    return Number.isFinite(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function keepHabit(name: string, value: number): void {
  try {
    localStorage.setItem(`iolens.${name}`, String(value));
  } catch {
    // Storage is full, or denied.
  }
}
