export const WORSE: number;
export function lowestMedian(ratios: readonly number[]): number;
export function verdictOf(
  pairs: readonly { readonly ratio: number; readonly peak: number }[],
  kept: number | undefined,
): { readonly figures: readonly string[]; readonly verdict: string; readonly isWorse: boolean };
