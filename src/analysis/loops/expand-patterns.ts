import type { AffineNumber, CallPattern, NumberedPath, Pattern, SynchronisationPattern } from './pattern.ts';

/** A call or synchronisation of a pattern in one iteration of each of the loops around it (outermost first, from 0). */
interface ExpandedCall {
  readonly pattern: CallPattern | SynchronisationPattern;
  readonly iterations: readonly number[];
}

/** The sequence that patterns stand for, one by one. The array of iterations is the same each time. */
export function* expandPatterns(patterns: readonly Pattern[], iterations: number[] = []): Generator<ExpandedCall> {
  for (const pattern of patterns) {
    if (pattern.kind !== 'loop') {
      for (let i = 0; i < pattern.count; i++) yield { pattern, iterations };
      continue;
    }
    const depth = iterations.push(0) - 1;
    for (let i = 0; i < pattern.count; i++) {
      iterations[depth] = i;
      yield* expandPatterns(pattern.body, iterations);
    }
    iterations.pop();
  }
}

/**
 * A number in one iteration.
 * @param further number of the stream minus that of the group's first.
 */
export function valueIn(number: AffineNumber, iterations: readonly number[], further = 0): number {
  const first = number.base + (number.perStream ?? 0) * further;
  return number.steps.reduce((sum, step, loop) => sum + step * iterations[loop]!, first);
}

/** A path that counts, in one iteration (and one stream of the group). */
export function pathIn(path: NumberedPath, iterations: readonly number[], further = 0): string {
  const part = ({ before, number, digits }: Omit<NumberedPath, 'after'>): string =>
    `${before}${String(valueIn(number, iterations, further)).padStart(digits, '0')}`;
  return `${path.outer === undefined ? '' : part(path.outer)}${part(path)}${path.after}`;
}
