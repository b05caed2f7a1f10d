import { addToGroup } from '../../base/grouping.ts';

/** Numbers of more digits are names. */
export const NUMBER = String.raw`(?<!\d)\d{1,9}(?!\d)`;

/** A path in pieces: the numbers that may count as they stand there, and the texts around them, one more. */
interface CountedPath {
  readonly texts: readonly string[];
  readonly digits: readonly string[];
}

/** Of paths with the same text around their numbers the last two that differ may count: `step003/var2.dat`. */
export class CountedPaths {
  /** By the text around the numbers: places of those that count. */
  private readonly places = new Map<string, readonly number[]>();

  constructor(paths: Iterable<string>) {
    const alike = new Map<string, string[]>();
    for (const path of new Set(paths)) if (!/[{}]/.test(path)) addToGroup(alike, textOf(path), path);
    for (const [text, group] of alike) {
      const numbers = group.map((path) => path.match(new RegExp(NUMBER, 'g')) ?? []);
      const differs = (place: number): boolean => numbers.some((other) => other[place] !== numbers[0]![place]);
      this.places.set(text, [...numbers[0]!.keys()].filter(differs).slice(-2));
    }
  }

  /** undefined where none of its numbers counts. */
  of(path: string): CountedPath | undefined {
    const places = this.places.get(textOf(path)) ?? [];
    if (places.length === 0) return undefined;
    const matches = [...path.matchAll(new RegExp(NUMBER, 'g'))].filter((_, place) => places.includes(place));
    const ends = [0, ...matches.map(({ index, 0: { length } }) => index + length)];
    return {
      texts: ends.map((end, at) => path.slice(end, matches[at]?.index)),
      digits: matches.map(([digits]) => digits),
    };
  }
}

function textOf(path: string): string {
  return path.replace(new RegExp(NUMBER, 'g'), '\0');
}

/** Digits that such a number has at least; 0 where it begins with no zero. */
export function leastDigits(digits: string): number {
  return digits.length > 1 && digits.startsWith('0') ? digits.length : 0;
}
