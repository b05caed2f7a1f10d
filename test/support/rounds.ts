/** The share of what is tried at random: `npm test` tries a tenth, always the same; `npm run test:full` all of it. */
const SHARES: Readonly<Record<string, number>> = { full: 1, fast: 1 / 100 };
const share = SHARES[process.env['IOLENS_TESTS'] ?? ''] ?? 1 / 10;

/** How many rounds of a random or long test are made. @param all those of `npm run test:full`. */
export function rounds(all: number): number {
  return Math.ceil(all * share);
}

/** Those of many recordings that a long test looks at: evenly spread over them, always the same. */
export function shareOf<Recording>(all: readonly Recording[]): Recording[] {
  const count = rounds(all.length);
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]!);
}
