/** How hot a line is shown, coolest first. */
export const HEAT_LEVELS = ['slight', 'moderate', 'high', 'highest'] as const;

export type HeatLevel = (typeof HEAT_LEVELS)[number];

/** Shares of the run from which on a line has the level; 25 % is also a bound of findings. */
const BOUNDS: readonly (readonly [share: number, level: HeatLevel])[] = [
  [0.25, 'highest'],
  [0.1, 'high'],
  [0.03, 'moderate'],
  [0.01, 'slight'],
];

/** @returns undefined for a line that is not worth a mark. */
export function heatLevel(share: number): HeatLevel | undefined {
  return BOUNDS.find(([bound]) => share >= bound)?.[1];
}
